// Seats, sides, cards, calls and reasons by their names.

import { explain } from "../faults.js";
import { rules } from "./entry.js";
import { cards, faults, say, sayings, start } from "./start.js";
import { state } from "./state.js";

export const seatName = (seat) => start.orders[state.draft.order][rules.seats.indexOf(seat)];

export const sideName = (side) => [...side].map(seatName).join(" + ");

const callName = (token) => sayings[token.split(":")[1]] ?? token;

export const tokenName = (token) => (token.includes(":")
  ? say("say", { name: seatName(token[0]), call: callName(token) })
  : cards[token] ?? token);

export const pointsLine = (points) => Object.entries(points)
  .map(([side, made]) => `${sideName(side)} ${made}`).join(" · ");

/** A fault with the player's name in place of the seat's letter, and the number of the rule. */
const explained = (fault) => {
  const sentence = explain(fault.seat ? { ...fault, seat: seatName(fault.seat) } : fault, faults);
  return `${sentence} (${say("rule", { rule: fault.rule })})`;
};

/** Why a card or a token cannot come next. */
export const whyWords = ({ kind, trick, seat, fault }) => {
  const sentence = fault ? explained(fault) : "";
  return kind === "rule" ? sentence : say(`why_${kind}`, { trick, name: seatName(seat), words: sentence });
};
