// The cards to choose from: one suit under the thumb, all forty on a desk.

import { choose } from "./acts.js";
import { make, picture } from "./elements.js";
import { SUITS, cards, suits, words } from "./start.js";
import { render, state } from "./state.js";

const HIGH_TO_LOW = ["1", "3", "R", "C", "S", "7", "6", "5", "4", "2"];

/** A card to be pressed. ``state``: "", "gone", "barred" (it says why when pressed) or "given". */
const offered = (card, { state, note }) => make(
  "button",
  {
    type: "button",
    class: `picker__card${state ? ` picker__card--${state}` : ""}`,
    "data-id": `card-${card}`,
    "aria-label": note ? `${cards[card]} (${note})` : cards[card],
    "aria-disabled": state === "barred" ? "true" : null,
    "aria-pressed": state === "given" ? "true" : null,
    disabled: state === "gone",
    onclick: () => choose(card),
  },
  picture(card),
  note && state === "given" ? make("span", { class: "picker__note", "aria-hidden": "true" }, note) : null,
);

export const picker = (offer, label) => make(
  "section",
  { class: "picker", "aria-label": label },
  make(
    "div",
    { class: "picker__suits", role: "group", "aria-label": words.suit },
    SUITS.map((one) => make(
      "button",
      {
        type: "button",
        class: "button picker__suit",
        "data-id": `suit-${one}`,
        "aria-pressed": String(one === state.suit),
        onclick: () => { state.suit = one; render(); },
      },
      suits[one],
    )),
  ),
  SUITS.map((one) => make(
    "div",
    {
      class: `picker__cards${one === state.suit ? " picker__cards--open" : ""}`,
      role: "group",
      "aria-label": suits[one],
    },
    HIGH_TO_LOW.map((each) => offered(each + one, offer(each + one))),
  )),
);
