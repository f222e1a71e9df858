// What is done at the table: a card, a declaration, taking back, putting right.

import { fillRest, give, slotsOf } from "./deal.js";
import { forcedCard } from "./entry.js";
import { seatName, tokenName, whyWords } from "./names.js";
import { announce, cards, say, scene } from "./start.js";
import { changed, last, render, state, view } from "./state.js";

/** Where the next token goes: at the end, or in place of one that does not fit. */
export const spot = (now) => state.cursor ?? (now.why ? now.good : last().tokens.length);

const playedBy = ({ turn }, token) => (token.includes(":") ? tokenName(token)
  : say("played", { name: seatName(turn), card: cards[token] }));

/** Add a token, then the cards that have to follow it. */
export const put = (token) => {
  let now = view();
  const { tokens } = last();
  const at = spot(now);
  const spoken = [playedBy(now, token)];
  const is_forgotten = token.includes(":") && !tokens[at]?.includes(":");
  tokens.splice(at, is_forgotten ? 0 : 1, token);
  state.cursor = null;
  for (now = view(); tokens.length === at + spoken.length && forcedCard(now); now = view()) {
    spoken.push(playedBy(now, forcedCard(now)));
    tokens.push(forcedCard(now));
  }
  fillRest(view());
  announce(spoken.join(". "));
  changed();
};

const play = (card) => {
  const now = view();
  if (now.offered.includes(card)) {
    put(card);
  } else if (!last().tokens.slice(0, spot(now)).includes(card)) {
    state.explained = card;
    announce(whyWords(now.against(card)));
    render();
  }
};

/** Take back the last token that was chosen; cards that had to follow it go with it. */
const takeBack = (tokens) => {
  const taken = [];
  do taken.unshift(tokens.pop()); while (tokens.length && forcedCard(view()) === taken[0]);
  announce(say("undone", { token: taken.map(tokenName).join(", ") }));
};

export const undo = () => {
  const hand = last();
  if (state.cursor !== null) state.cursor = null;
  else if (hand.tokens.length) takeBack(hand.tokens);
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
    changed();
  } else if (slotsOf(now).length) {
    give(card, now);
  } else if (now.phase === "play" && now.turn !== null) {
    play(card);
  }
};
