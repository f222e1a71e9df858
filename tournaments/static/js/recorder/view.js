// What is seen: the last answer, and the cards that were laid after it.

import { seatName } from "./names.js";
import { cards, say, start } from "./start.js";
import { asked, last, state } from "./state.js";

const headOf = ({ dealer, trump, deal, stock }) => JSON.stringify([dealer, trump, deal, stock]);

/** Tell whether an answer is about the draft as it is, or as it was some tokens before. */
const isAbout = () => {
  if (!state.answer) return false;
  const then = JSON.parse(state.answer.about);
  const hand = then.hands.at(-1);
  const is_same_place = then.order === state.draft.order && then.hands.length === state.draft.hands.length;
  if (!is_same_place || then.at !== state.cursor || headOf(hand) !== headOf(last())) return false;
  return hand.tokens.every((token, n) => last().tokens[n] === token)
    && JSON.stringify(then.hands.slice(0, -1)) === JSON.stringify(state.draft.hands.slice(0, -1));
};

const nextAfter = (seat, players) => players[(players.indexOf(seat) + 1) % players.length];

/** Lay the cards that came after the answer, in turn. */
const laid = (view_, tokens) => {
  const seen = structuredClone(view_);
  const beats = start.beats[last().trump.at(-1)];
  for (const token of tokens) {
    seen.unchecked += 1;
    if (token.includes(":")) continue;
    seen.table.push([seen.turn, token]);
    seen.turn = nextAfter(seen.turn, seen.players);
    if (seen.table.length < seen.players.length) continue;
    const best = seen.table.reduce((most, one) => (beats[most[1]].includes(one[1]) ? one : most));
    Object.assign(seen, { last: seen.table, won: best[0], turn: best[0], table: [] });
    seen.trick += 1;
    if (seen.trick > start.rules.tricks) Object.assign(seen, { turn: null, phase: "unchecked" });
  }
  return seen;
};

/** What is known of a hand of which the service has said nothing. */
const unheard = () => {
  const hand = last();
  const seats = start.rules.seats;
  const players = seats.filter((seat) => seat !== hand.dealer || !start.rules.sitsOut);
  const phase = !hand.dealer ? "dealer" : !hand.trump ? "trump" : start.rules.stock
    && hand.stock.split(" ").length < start.rules.stock ? "deal" : "play";
  const turn = hand.dealer ? nextAfter(hand.dealer, seats) : null;
  return {
    phase, turn, players, dealers: seats, table: [], last: [], won: "", trick: 1, points: {},
    cards: [], calls: [], known: [], barred: {}, whys: [], done: [], score: {}, fault: null,
    good: 0, cursor: 0, unchecked: 0, fresh: false, index: state.draft.hands.length - 1,
  };
};

export const view = () => {
  const hand = last();
  const so_far = hand.tokens.slice(0, state.cursor ?? hand.tokens.length);
  if (!isAbout()) return hand.trump ? laid(unheard(), so_far) : unheard();
  const then = JSON.parse(state.answer.about);
  const base = { ...unheard(), ...state.answer, unchecked: 0 };
  const new_tokens = hand.tokens.slice(then.hands.at(-1).tokens.length);
  const is_whole = then.at === null && base.good === then.hands.at(-1).tokens.length;
  base.fresh = state.answer.about === asked();
  if (!is_whole || base.phase !== "play" || new_tokens.length === 0) return base;
  return laid({ ...base, fresh: false }, new_tokens);
};

/** Where the next token goes: at its end, or in place of one that does not fit. */
export const spot = (now) => {
  if (state.cursor !== null) return state.cursor;
  if (now.fault && now.fault.here !== null && now.fresh) return now.fault.here;
  return last().tokens.length;
};

export const gone = (now) => new Set(last().tokens.slice(0, spot(now)).filter((token) => !token.includes(":")));

/** Why a card cannot be played now: "" when it can. */
export const against = (card, now) => {
  if (gone(now).has(card)) return "gone";
  if (now.fresh && now.cards.includes(card)) return "";
  const why = now.barred[now.turn]?.[card];
  if (why !== undefined) return now.whys[why].words;
  return now.fresh ? say("not_now", { card: cards[card], name: seatName(now.turn) }) : "";
};

const ledIn = (now) => now.table[0]?.[1] ?? "";

/** Open the suit that was led. */
export const openSuit = () => {
  if (state.draft.hands.length === 0) return;
  state.led = ledIn(view());
  if (state.led) state.suit = state.led.at(-1);
};

/** Open it after an answer, unless it is known already: a thumb may have chosen another since. */
export const openNewSuit = () => {
  if (state.draft.hands.length && ledIn(view()) !== state.led) openSuit();
};
