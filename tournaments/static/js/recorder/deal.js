// Cards told in one go: a deal, a stock, what was left.

import { PACK, wordsOf } from "../tute/cards.js";
import { playersFrom } from "../tute/rulesets.js";
import { rules } from "./entry.js";
import { seatName } from "./names.js";
import { words } from "./start.js";
import { changed, last, state } from "./state.js";

export const slotsOf = (now) => {
  const hand = last();
  if (now.phase === "rest") {
    return Object.entries(now.rest).map(([seat, { count }]) => (
      { id: seat, name: seatName(seat), total: count, held: wordsOf(hand.rest[seat] ?? ""), kind: "rest" }));
  }
  const is_wanted = state.dealing !== null && now.phase === "play" && !rules.stockSize && !hand.tokens.length;
  if (now.phase !== "deal" && !is_wanted) return [];
  const slots = playersFrom(rules, hand.dealer).map((seat) => (
    { id: seat, name: seatName(seat), total: rules.cards_each, held: wordsOf(hand.deal[seat] ?? ""), kind: "deal" }));
  if (rules.stockSize) {
    const held = wordsOf(hand.stock).filter((card) => card !== hand.trump);
    slots.push({ id: "stock", name: words.stock, total: rules.stockSize - 1, held, kind: "stock" });
  }
  return slots;
};

export const slotNow = (slots) => {
  const chosen = slots.find((slot) => slot.id === state.dealing);
  const open = slots.find((slot) => slot.held.length < slot.total);
  return chosen && (chosen.held.length < chosen.total || !open) ? chosen : open ?? slots[0];
};

const write = (slot, held) => {
  const hand = last();
  const full = held.length === slot.total;
  if (slot.kind === "stock") hand.stock = [...held, ...(full ? [hand.trump] : [])].join(" ");
  else hand[slot.kind][slot.id] = held.join(" ");
};

/** Write down the cards that seats certainly held when a hand ended early. */
export const fillRest = (now) => {
  if (now.phase !== "rest") return;
  for (const [seat, { count, sure }] of Object.entries(now.rest)) {
    if (sure.length && sure.length <= count) last().rest[seat] ??= sure.join(" ");
  }
};

/** Whether a card lies where it cannot be given to anybody. */
export const heldBack = (card, now) => {
  const is_shown = rules.trump_shown !== "dealer" && card === last().trump;
  return is_shown || (now.phase === "rest" && last().tokens.includes(card));
};

/** The last card that is nowhere lies in the last open place. */
const fillLast = (now) => {
  const slots = slotsOf(now);
  const lying = new Set(slots.flatMap(({ held }) => held));
  const rest = PACK.filter((card) => !lying.has(card) && !heldBack(card, now));
  const [open, ...more] = slots.filter(({ held, total }) => held.length < total);
  if (rest.length === 1 && open && !more.length) write(open, [...open.held, rest[0]]);
};

/** Give a card to the place that is open, or take it from where it lies. */
export const give = (card, now) => {
  const slots = slotsOf(now);
  const holder = slots.find((slot) => slot.held.includes(card));
  if (holder) {
    write(holder, holder.held.filter((one) => one !== card));
    state.dealing = holder.id;
  } else {
    const slot = slotNow(slots);
    if (heldBack(card, now) || slot.held.length >= slot.total) return;
    write(slot, [...slot.held, card]);
    fillLast(now);
    if (now.phase !== "play") state.dealing = slot.id;
  }
  changed();
};
