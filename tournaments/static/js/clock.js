/* Lets the time that is left of a round tick. Without it the page says the minutes that were left. */

const SECOND = 1000; // milliseconds

const left = document.querySelector("[data-ends]");
if (left) {
  const ends = Date.parse(left.dataset.ends);
  const timer = setInterval(tick, SECOND);
  tick();

  function tick() {
    const seconds = Math.max(0, Math.round((ends - Date.now()) / SECOND));
    left.textContent = shown(seconds);
    if (seconds === 0) {
      clearInterval(timer);
    }
  }
}

function shown(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, "0"));
  return hours === "00" ? `${minutes}:${rest}` : `${hours}:${minutes}:${rest}`;
}
