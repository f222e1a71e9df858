/* A position to try again: the chosen card's sentence appears, and what each card came to. Nothing of
   it leaves the device, which keeps the addresses of the positions tried: lists of them have a tick. */

import { keep, load } from "./sending.js";

const PLACE = "baza-tried";
const MOST = 500; // addresses kept, the newest last

const hand = document.querySelector("[data-try]");

function choose(code) {
  for (const button of hand.querySelectorAll("button:enabled")) {
    button.setAttribute("aria-pressed", String(button.value === code));
  }
  for (const words of document.querySelectorAll("[data-of]")) {
    words.hidden = words.dataset.of !== code;
  }
  for (const row of document.querySelectorAll("[data-row]")) {
    row.classList.toggle("tried-row", row.dataset.row === code);
  }
  document.querySelector("[data-answer]").open = true;
  const others = (load(PLACE) ?? []).filter((address) => address !== location.pathname);
  keep(PLACE, [...others, location.pathname].slice(-MOST));
}

if (location.hash === "#answer") {
  document.querySelector("[data-answer]").open = true; // to look, not to choose
}

hand?.addEventListener("click", (event) => {
  const button = event.target.closest("button:enabled");
  if (button) {
    choose(button.value);
  }
});

// Not at loading alone: a list to which one comes back may be as it was left
addEventListener("pageshow", () => {
  const tried = new Set(load(PLACE));
  for (const tick of document.querySelectorAll("[data-tried]")) {
    tick.hidden = !tried.has(tick.parentElement.querySelector("a").pathname);
  }
});
