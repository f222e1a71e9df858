// What is done at the table: a card, a declaration, taking back, putting right.

import { give, slotsOf } from "./deal.js";
import { seatName, tokenName } from "./names.js";
import { announce, cards, say, scene } from "./start.js";
import { changed, last, render, state } from "./state.js";
import { against, openSuit, spot, view } from "./view.js";

export const put = (token) => {
  const now = view();
  const hand = last();
  const at = spot(now);
  const who = token.includes(":") ? tokenName(token)
    : say("played", { name: seatName(now.turn), card: cards[token] });
  const is_forgotten = token.includes(":") && !hand.tokens[at]?.includes(":");
  hand.tokens.splice(at, is_forgotten ? 0 : 1, token);
  state.cursor = null;
  announce(who);
  changed();
  openSuit();
  render();
};

const play = (card) => {
  const now = view();
  if (now.phase !== "play" || now.turn === null) return;
  const why = against(card, now);
  if (!why) {
    put(card);
    return;
  }
  if (why === "gone") return;
  state.explained = card;
  announce(why);
  render();
};

export const undo = () => {
  const hand = last();
  if (state.cursor !== null) state.cursor = null;
  else if (hand.tokens.length) announce(say("undone", { token: tokenName(hand.tokens.pop()) }));
  else if (hand.trump) hand.trump = "";
  else if (state.draft.hands.length > 1) state.draft.hands.pop();
  else state.draft.hands = [];
  state.dealing = null;
  changed();
};

export const cut = (now) => {
  last().tokens.length = spot(now);
  state.cursor = null;
  changed();
};

export const drop = (now) => {
  last().tokens.splice(spot(now), 1);
  state.cursor = null;
  changed();
};

export const lookAt = (token) => {
  state.cursor = token;
  changed();
  scene.querySelector("[data-id=keep]")?.focus();
};

export const choose = (card) => {
  const now = view();
  if (now.phase === "trump") {
    last().trump = card;
    state.suit = card.at(-1);
    changed();
  } else if (slotsOf(now).length) {
    give(card, now);
  } else {
    play(card);
  }
};
