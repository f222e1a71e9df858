/* A screen for a projector: the next slide after so many seconds, at once whatever has changed.
   Left and right turn the pages, space holds one, and once the sound is switched on a gong sounds
   at the warning and at the end of a round. Slides are whole pages of which the middle is
   taken; without scripts the browser goes from page to page by itself. */

import { crossed, strike } from "./gong.js";
import { isAlive } from "./stream.js";

const SECOND = 1000; // milliseconds
const LOOK = 5 * SECOND;

const held = document.querySelector("[data-held]");
const lost = document.querySelector("[data-lost]");
const sound = document.querySelector("[data-sound]");
let before = null; // seconds left at the last tick; null without a running clock
let slide = document.querySelector("[data-slide]");
let since = performance.now();
let asking = false;

async function show(query, seen = "") {
  if (asking) return;
  asking = true;
  try {
    const answer = await fetch(location.pathname + query + (seen && `&seen=${seen}`));
    lost.hidden = answer.ok;
    if (answer.status === 200) put(await answer.text());
  } catch {
    lost.hidden = false;
  } finally {
    asking = false;
  }
}

function put(text) {
  const next = new DOMParser().parseFromString(text, "text/html").querySelector("[data-slide]");
  if (!next) return;
  if (next.dataset.this !== slide.dataset.this) since = performance.now();
  slide.replaceWith(next);
  slide = next;
  started = performance.now();
  tick();
}

/* The clock: what was left when the page was written, less what has gone by here. */
let started = performance.now();

function tick() {
  const gone = (performance.now() - started) / SECOND;
  let left = null;
  let mark = null;
  for (const clock of document.querySelectorAll("[data-left]")) {
    const seconds = Math.max(0, Math.round(Number(clock.dataset.left) - gone));
    clock.textContent = shown(seconds);
    const warning = clock.parentElement.querySelector("[data-warning]");
    left = seconds;
    mark = warning && 60 * Number(warning.dataset.warning);
    if (warning) warning.hidden = seconds === 0 || seconds > mark;
    clock.classList.toggle("is-late", seconds === 0 || (mark !== null && seconds <= mark));
  }
  if (sound.getAttribute("aria-pressed") === "true") {
    if (mark && crossed(before, left, mark)) strike(1);
    if (crossed(before, left, 0)) strike(3);
  }
  before = left;
}

function shown(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, "0"));
  return hours === "00" ? `${minutes}:${rest}` : `${hours}:${minutes}:${rest}`;
}

setInterval(tick, SECOND);
const look = () => show(slide.dataset.this, slide.dataset.word);
setInterval(() => {
  if (!isAlive()) look();
}, LOOK);
document.addEventListener("tournament:version", look);
setInterval(() => {
  const stood = performance.now() - since;
  if (!held.hidden || stood < Number(slide.dataset.seconds) * SECOND) return;
  since = performance.now();
  if (slide.dataset.count !== "1") show(slide.dataset.next);
}, SECOND / 4);

/* Browsers let a page sound only after a press, which is answered by one stroke. */
sound.hidden = false;
sound.addEventListener("click", () => {
  const on = sound.getAttribute("aria-pressed") !== "true";
  sound.setAttribute("aria-pressed", String(on));
  if (on) strike(1);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowRight") show(slide.dataset.next);
  else if (event.key === "ArrowLeft") show(slide.dataset.previous);
  else if (event.key === " " && event.target !== sound) held.hidden = !held.hidden;
  else return;
  event.preventDefault();
});

tick();
