/* Lights the way of a side through a bracket: its names and the lines between them, while it is
   pointed at or has the focus, and after a press until the next one. */

const PLACES = "[data-bracket] li[data-entrant], [data-bracket] p[data-entrant]";
let pressed = "";

const placeOf = (target) => target.closest?.(PLACES);

function light(entrant) {
  for (const box of document.querySelectorAll("[data-bracket]")) {
    box.classList.toggle("bracket--lit", Boolean(entrant));
    for (const part of box.querySelectorAll("[data-entrant]")) {
      part.classList.toggle("is-lit", part.dataset.entrant === entrant);
    }
  }
  for (const place of document.querySelectorAll(PLACES)) {
    place.querySelector("[aria-pressed]")?.setAttribute("aria-pressed", place.dataset.entrant === pressed);
  }
}

/** Make the names buttons: without this script they are plain text. */
function arm() {
  for (const place of document.querySelectorAll(PLACES)) {
    const name = place.querySelector("span");
    name.role = "button";
    name.tabIndex = 0;
    name.ariaPressed = "false";
  }
  light(pressed);
}

function press(place) {
  pressed = pressed === place.dataset.entrant ? "" : place.dataset.entrant;
  light(pressed);
}

document.addEventListener("pointerover", ({ target }) => light(placeOf(target)?.dataset.entrant ?? pressed));
document.addEventListener("focusin", ({ target }) => {
  if (target.role === "button") light(placeOf(target)?.dataset.entrant ?? pressed);
});
document.addEventListener("focusout", () => light(pressed));
document.addEventListener("click", ({ target }) => {
  const place = placeOf(target);
  if (place && !target.closest("a")) press(place);
});
document.addEventListener("keydown", (event) => {
  const place = event.target.role === "button" && placeOf(event.target);
  if (!place || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  press(place);
});
document.body.addEventListener("htmx:afterSettle", arm);
arm();
