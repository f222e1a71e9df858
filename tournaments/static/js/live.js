/* Parts of a page that follow what happens (`data-live`): htmx asks for them again when they hear
   "look", and an answer 204 leaves all as it is. What was scrolled, opened or typed stays so.

   On a new version from the stream a page waits up to two seconds, so that not all ask at once
   (`data-live="now"`: it does not wait). Without the stream it asks every five seconds while it is
   in sight, and `data-live="always"` also when it is not. */

import "./focus.js";
import { isAlive } from "./stream.js";

const PULSE = 5000; // milliseconds
const SPREAD = 2000;
const BUSY = 200; // until a part is looked at again whose answer is under way, or being put in place
const KEPT = ".scroll, .bracket";

let version = 0;
let timer = 0;
let missed = false; // a part was not asked for, or there was no answer

function look() {
  const isHidden = document.visibilityState !== "visible";
  const typed = document.activeElement?.closest("input:not([type=radio]), select, textarea");
  missed = Boolean(typed?.closest("[data-clock]")); // it is written anew with the list
  if (missed) return;
  for (const part of document.querySelectorAll(isHidden ? '[data-live="always"]' : "[data-live]")) {
    if (typed && part.contains(typed) && !typed.closest("[hx-preserve]")) missed = true;
    else if (isCurrent(part)) continue;
    else if (part.matches(".htmx-request")) lookSoon(BUSY); // a second request would be dropped by htmx
    else part.dispatchEvent(new CustomEvent("look"));
  }
}

/** Return whether a part is of the version that the stream told: its address ends with it. */
const isCurrent = (part) =>
  version && isAlive() && new RegExp(`[=-]${version}$`).test(part.getAttribute("hx-get"));

function lookSoon(wait) {
  clearTimeout(timer);
  timer = setTimeout(look, wait);
}

document.addEventListener("tournament:version", ({ detail }) => {
  version = detail.version;
  lookSoon(document.querySelector('[data-live="now"]') ? 0 : Math.random() * SPREAD);
});

// The answer may come from before that version: another is being written at this moment
document.body.addEventListener("htmx:configRequest", ({ detail }) => {
  if (version && detail.elt.matches("[data-live]")) detail.headers["Baza-Version"] = version;
});
document.body.addEventListener("later", () => lookSoon(SPREAD / 4 + Math.random() * (SPREAD / 2)));
for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.body.addEventListener(failure, ({ target }) => {
    if (target.matches("[data-live]")) missed = true;
  });
}

const nameOf = (box, n) => box.id || n;
const read = (query, name) =>
  new Map([...document.querySelectorAll(query)].map((box, n) => [nameOf(box, n), box[name]]));
const write = (query, name, values) =>
  [...document.querySelectorAll(query)].forEach((box, n) => {
    if (values.has(nameOf(box, n))) box[name] = values.get(nameOf(box, n));
  });

let kept = { scrolled: new Map(), opened: new Map(), chosen: new Map() };
const CHOICES = ".bracket input[type=radio]"; // the round of a bracket that a phone shows

document.body.addEventListener("htmx:beforeSwap", () => {
  kept = { scrolled: read(KEPT, "scrollLeft"), opened: read("[data-live] details", "open"), chosen: read(CHOICES, "checked") };
});
document.body.addEventListener("htmx:afterSettle", () => {
  write(KEPT, "scrollLeft", kept.scrolled);
  write("[data-live] details", "open", kept.opened);
  write(CHOICES, "checked", kept.chosen);
});

setInterval(() => {
  if (missed || !isAlive()) look();
}, PULSE);
document.addEventListener("visibilitychange", look);
