/* Parts of a page that follow what happens: asked again and again while the page is in sight, and
   those with data-live="always" also when it is not. What was scrolled or opened stays so. htmx does the asking, an answer 204 leaves all as it is. */

import "./focus.js";

const PULSE = 5000; // milliseconds
const KEPT = ".scroll, .bracket";

function look() {
  const isHidden = document.visibilityState !== "visible";
  const typed = document.activeElement?.closest("input, select, textarea");
  if (typed?.closest("[data-clock]")) return; // it is written anew with the list
  for (const part of document.querySelectorAll(isHidden ? '[data-live="always"]' : "[data-live]")) {
    if (!typed || !part.contains(typed)) part.dispatchEvent(new CustomEvent("look"));
  }
}

let kept = { scrolled: [], opened: [] };

document.body.addEventListener("htmx:beforeSwap", () => {
  kept = {
    scrolled: [...document.querySelectorAll(KEPT)].map((box) => box.scrollLeft),
    opened: [...document.querySelectorAll("[data-live] details")].map((box) => box.open),
  };
});

document.body.addEventListener("htmx:afterSettle", () => {
  [...document.querySelectorAll(KEPT)].forEach((box, n) => {
    box.scrollLeft = kept.scrolled[n] ?? 0;
  });
  [...document.querySelectorAll("[data-live] details")].forEach((box, n) => {
    box.open = kept.opened[n] ?? box.open;
  });
});

setInterval(look, PULSE);
document.addEventListener("visibilitychange", look);
