/* A position to try again: the chosen card's sentence appears, and what each card came to. Nothing of
   it leaves the device. */

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
}

if (location.hash === "#answer") {
  document.querySelector("[data-answer]").open = true; // to look, not to choose
}

hand.addEventListener("click", (event) => {
  const button = event.target.closest("button:enabled");
  if (button) {
    choose(button.value);
  }
});
