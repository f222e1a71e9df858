// Cards told in one go: a deal, a stock, what was left.

import { seatName } from "./names.js";
import { start, words } from "./start.js";
import { changed, last, state } from "./state.js";
import { gone } from "./view.js";

export const slotsOf = (now) => {
  const hand = last();
  const { each, stock } = start.rules;
  const read = (text) => (text ?? "").split(" ").filter(Boolean);
  if (now.phase === "rest" && now.rest) {
    return Object.entries(now.rest).map(([seat, { count }]) => (
      { id: seat, name: seatName(seat), total: count, held: read(hand.rest[seat]), kind: "rest" }));
  }
  const is_wanted = state.dealing !== null && now.phase === "play" && !stock && !hand.tokens.length;
  if (now.phase !== "deal" && !is_wanted) return [];
  const players = start.rules.seats.filter((seat) => seat !== hand.dealer || !start.rules.sitsOut);
  const slots = players.map((seat) => (
    { id: seat, name: seatName(seat), total: each, held: read(hand.deal[seat]), kind: "deal" }));
  if (stock) {
    const held = read(hand.stock).filter((card) => card !== hand.trump);
    slots.push({ id: "stock", name: words.stock, total: stock - 1, held, kind: "stock" });
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

export const heldBack = (card, now) => {
  const is_shown = start.rules.shown !== "dealer" && card === last().trump;
  return is_shown || (now.phase === "rest" && gone(now).has(card));
};

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
    if (now.phase !== "play") state.dealing = slot.id;
  }
  changed();
};
