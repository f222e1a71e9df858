// The cards to choose from: all forty in places that do not move, or a hand that is known.

import { PACK, SUITS as ORDER, suitOf } from "../tute/cards.js";
import { choose } from "./acts.js";
import { make, picture } from "./elements.js";
import { cards, suits } from "./start.js";

/** A card to be pressed. ``kind``: "", "gone", "barred" (it says why when pressed) or "given". */
const offered = (card, { kind, note }) => make(
  "button",
  {
    type: "button",
    class: `picker__card${kind ? ` picker__card--${kind}` : ""}`,
    "data-id": `card-${card}`,
    "aria-label": note ? `${cards[card]} (${note})` : cards[card],
    "aria-disabled": kind === "barred" ? "true" : null,
    "aria-pressed": kind === "given" ? "true" : null,
    disabled: kind === "gone",
    onclick: () => choose(card),
  },
  picture(card),
  note && kind === "given" ? make("span", { class: "picker__note", "aria-hidden": "true" }, note) : null,
);

/** `offer` tells how each card stands; `known` are those of a hand that is known. */
export const picker = (offer, label, known = null) => make(
  "section",
  { class: `picker${known ? " picker--hand" : ""}`, "aria-label": label },
  ORDER.map((suit) => [suit, (known ?? PACK).filter((card) => suitOf(card) === suit)])
    .filter(([, some]) => some.length)
    .map(([suit, some]) => make(
      "div",
      { class: "picker__cards", role: "group", "aria-label": suits[suit] },
      some.map((card) => offered(card, offer(card))),
    )),
);
