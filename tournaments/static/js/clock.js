/* Lets the time that is left of a round tick, and says when it is up. The clock may be another at
   every tick: it comes and goes with the list of matches. Without this file the page says the
   minutes that were left. */

const SECOND = 1000; // milliseconds

function tick() {
  for (const left of document.querySelectorAll("[data-clock] [data-ends]")) {
    const ends = Date.parse(left.dataset.ends);
    const seconds = Math.max(0, Math.round((ends - Date.now()) / SECOND));
    const clock = left.closest("[data-clock]");
    left.textContent = shown(seconds);
    clock.querySelector("[data-running]").hidden = seconds === 0;
    clock.querySelector("[data-over]").hidden = seconds > 0;
    const warning = clock.querySelector("[data-warning]");
    if (warning) warning.hidden = seconds === 0 || seconds > 60 * Number(warning.dataset.warning);
  }
}

function shown(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, "0"));
  return hours === "00" ? `${minutes}:${rest}` : `${hours}:${minutes}:${rest}`;
}

setInterval(tick, SECOND);
document.body.addEventListener("htmx:oobAfterSwap", tick);
tick();
