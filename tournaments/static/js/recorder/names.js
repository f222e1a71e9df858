// Seats, sides, cards and calls by their names.

import { cards, say, sayings, start } from "./start.js";
import { state } from "./state.js";

export const seatName = (seat) => start.orders[state.draft.order][start.rules.seats.indexOf(seat)];

export const sideName = (side) => [...side].map(seatName).join(" + ");

const callName = (token) => sayings[token.split(":")[1]] ?? token;

export const tokenName = (token) => (token.includes(":")
  ? say("say", { name: seatName(token[0]), call: callName(token) })
  : cards[token] ?? token);

export const pointsLine = (points) => Object.entries(points)
  .map(([side, made]) => `${sideName(side)} ${made}`).join(" · ");
