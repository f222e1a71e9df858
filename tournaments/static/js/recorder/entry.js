// A hand being written down: what may come next, while only the cards that were played are known.
// Of an unknown hand every card may come that nobody has shown, but for those that the player cannot hold:
// the rules would have required them before, another declared with them or showed them for trumps.

import { PACK, inOrder, isCard, wordsOf } from "../tute/cards.js";
import { apply, callsOf, faultOf, firstState, isOver, leaderOf, legalCards, unseenCards } from "../tute/hand.js";
import { readRecord } from "../tute/record.js";
import { playersFrom } from "../tute/rulesets.js";
import { audit, succession } from "../tute/verdict.js";
import { start } from "./start.js";

const ENTIRELY = { format: "baza/1", ruleset: start.ruleset, options: start.options };

/** A record of some hands at this table. */
export const recordOf = (order, hands) => ({ ...ENTIRELY, seats: start.orders[order], tags: start.tags, hands });

export const rules = readRecord(recordOf(0, [])).rules;

// --- moments -------------------------------------------------------------------------------------
// A moment is {state, barred, sure, dealt, taken, last, won}; by seat: `barred` maps cards that it cannot hold
// to the reason, `sure` are cards that it was seen to hold, `dealt` those known to have been dealt to it.
// `taken` were got by an exchange; `last` is the trick before, as [seat, card], and `won` who took it.

/** The hands that are known before the play; the last one follows from the others. */
const enteredHands = (hand) => {
  const players = playersFrom(rules, hand.dealer);
  const whole = Object.fromEntries(players.map((seat) => [seat, wordsOf(hand.deal[seat] ?? "")])
    .filter(([, cards]) => cards.length === rules.cards_each));
  const lying = new Set([...Object.values(whole).flat(), ...wordsOf(hand.stock)]);
  if (rules.trump_shown === "aside") lying.add(hand.trump);
  const missing = players.filter((seat) => !(seat in whole));
  const rest = PACK.filter((card) => !lying.has(card));
  if (missing.length === 1 && rest.length === rules.cards_each) whole[missing[0]] = rest;
  return whole;
};

/** Whether cards that were entered beforehand can be a deal: each lies in one place. */
const isPossible = (hand, entered) => {
  const cards = [...Object.values(entered).flat(), ...wordsOf(hand.stock)];
  if (rules.trump_shown === "aside") cards.push(hand.trump);
  const is_shown = rules.trump_shown !== "dealer" || !entered[hand.dealer] || entered[hand.dealer].includes(hand.trump);
  return new Set(cards).size === cards.length && is_shown;
};

const firstMoment = (hand, entered, { carried, dealOfGame }) => {
  const hands = Object.fromEntries(rules.seats.map((seat) => [seat, entered[seat] ?? null]));
  if (rules.sitsOut) hands[hand.dealer] = [];
  const state = firstState(rules, {
    dealer: hand.dealer, hands, trump: hand.trump[1], stock: wordsOf(hand.stock),
    upcard: rules.trump_shown === "aside" ? hand.trump : null, carried, dealOfGame,
  });
  const bySeat = (value) => Object.fromEntries(rules.seats.map((seat) => [seat, value(seat)]));
  const moment = {
    state, barred: bySeat(() => new Map()), sure: bySeat(() => new Set()), dealt: bySeat((seat) => hands[seat] ?? []),
    taken: new Set(), last: [], won: null,
  };
  return rules.trump_shown === "dealer" ? held(moment, hand.dealer, [hand.trump], { kind: "shown", seat: hand.dealer }) : moment;
};

/** Note that a seat holds some cards, and so nobody else does. */
const held = (moment, holder, cards, why) => ({
  ...moment,
  barred: Object.fromEntries(Object.entries(moment.barred).map(([seat, barred]) => [
    seat, seat === holder ? barred : new Map([...barred, ...cards.map((card) => [card, why])]),
  ])),
  sure: { ...moment.sure, [holder]: new Set([...moment.sure[holder], ...cards]) },
});

/** How many cards a seat has still to play. */
const left = ({ state }, seat) => {
  const ahead = (state.players.indexOf(state.turn) - state.players.indexOf(seat) + state.players.length) % state.players.length;
  return state.tricksLeft - (ahead > 0 && ahead <= state.table.length ? 1 : 0);
};

const notBarred = (moment, seat) => unseenCards(moment.state).filter((card) => !moment.barred[seat].has(card));

/** The cards that a seat may hold now. @returns {Set<string>} */
const possibleCards = (moment, seat) => {
  const { state } = moment;
  if (state.hands[seat] !== null) return new Set(state.hands[seat]);
  const mine = notBarred(moment, seat);
  const others = new Set(state.players.filter((other) => other !== seat && state.hands[other] === null)
    .flatMap((other) => notBarred(moment, other)));
  // what was seen in this hand, or can be in no other
  const certain = mine.filter((card) => moment.sure[seat].has(card) || !others.has(card));
  return new Set(certain.length >= left(moment, seat) ? certain : mine);
};

/** The cards that may be played now. */
const offeredCards = (moment) => {
  const { state } = moment;
  if (isOver(state)) return [];
  const possible = possibleCards(moment, state.turn);
  return legalCards(state).filter((card) => possible.has(card));
};

/** The cards that a seat must hold to say something (R5.2, R6.1, R6.7). */
const neededCards = (token, trump) => {
  const call = token.slice(2);
  if (call.startsWith("tute")) return ["o", "c", "e", "b"].map((suit) => call.at(-1) + suit);
  if (call === "40" || call.startsWith("20")) return ["R", "C"].map((rank) => rank + (call[2] ?? trump));
  return call[0] === "x" ? [call[1] + trump] : [];
};

const possibleCalls = (moment) => moment.state.players.flatMap((seat) => {
  const calls = callsOf(moment.state, seat);
  const possible = calls.length ? possibleCards(moment, seat) : null;
  return calls.filter((token) => {
    const needed = neededCards(token, moment.state.trump);
    return needed.length <= left(moment, seat) && needed.every((card) => possible.has(card));
  });
});

/** Why a token cannot come next: {kind, trick, token, seat, fault}; null when it can. */
const whyNot = (moment, token) => {
  const { state, barred } = moment;
  const seat = isCard(token) ? state.turn : token[0];
  const cards = isCard(token) ? [token] : neededCards(token, state.trump);
  const is_unknown = state.hands[seat] === null && !state.toSpeak.length;
  const stands = is_unknown && cards.find((card) => barred[seat]?.has(card));
  if (stands) return barred[seat].get(stands);
  const fault = faultOf(state, token);
  return fault && { kind: "rule", fault };
};

const after = (moment, token) => {
  const next = { ...moment, state: apply(moment.state, token) };
  return isCard(token) ? played(moment, next, token) : spoken(moment, next, token);
};

const played = (moment, next, card) => {
  const { state } = moment;
  const seat = state.turn;
  const is_unknown = state.hands[seat] === null;
  const is_taken = next.state.table.length === 0;
  return {
    ...next,
    barred: is_unknown ? { ...moment.barred, [seat]: new Map([...moment.barred[seat], ...againstDuty(moment, seat, card)]) } : moment.barred,
    dealt: is_unknown && !moment.taken.has(card) ? { ...moment.dealt, [seat]: [...moment.dealt[seat], card] } : moment.dealt,
    last: is_taken ? [...tableOf(state), [seat, card]] : moment.last,
    won: is_taken ? next.state.lastWinner : moment.won,
  };
};

/** The cards that a player cannot hold, having played another: the rules would have required them. */
const againstDuty = (moment, seat, card) => {
  const { state } = moment;
  const barred = [];
  let cards = [...new Set([...possibleCards(moment, seat), card])];
  for (;;) {
    const legal = legalCards({ ...state, hands: { ...state.hands, [seat]: cards } });
    if (legal.includes(card)) return barred;
    for (const one of legal) {
      const fault = faultOf({ ...state, hands: { ...state.hands, [seat]: [one, card] } }, card);
      barred.push([one, { kind: "duty", token: state.tokens, trick: state.trick, seat, fault }]);
    }
    cards = cards.filter((one) => !legal.includes(one));
  }
};

const spoken = (moment, next, token) => {
  const { state } = moment;
  const seat = token[0];
  const cards = neededCards(token, state.trump);
  const reason = { token: state.tokens, trick: state.trick, seat };
  if (state.upcard === next.state.upcard) return held(next, seat, cards, { kind: "declared", ...reason });
  const given = state.hands[seat] === null ? cards.filter((card) => !moment.taken.has(card)) : [];
  const got = {
    ...next,
    dealt: { ...moment.dealt, [seat]: [...moment.dealt[seat], ...given] },
    taken: new Set([...moment.taken, state.upcard].filter((card) => !cards.includes(card))),
  };
  return held(got, seat, [state.upcard], { kind: "taken", ...reason });
};

/** The trick on the table, as [seat, card]. */
const tableOf = (state) => {
  const first = state.players.indexOf(leaderOf(state));
  return state.table.map((card, n) => [state.players[(first + n) % state.players.length], card]);
};

// --- hands ---------------------------------------------------------------------------------------

/**
 * A hand as far as its tokens go: what it needs next (`phase`), the moment looked at, how many tokens are
 * `good`, `why` the next one is not, and the `document` of a record when it is whole.
 */
const trace = (hand, next, at) => {
  if (!hand.dealer || (next.dealer !== null && hand.dealer !== next.dealer)) return { phase: "dealer", good: 0 };
  if (!isCard(hand.trump)) return { phase: "trump", good: 0 };
  const entered = enteredHands(hand);
  if (!isPossible(hand, entered)) return { phase: "deal", good: 0, fits: false };
  const stock = wordsOf(hand.stock);
  const is_dealt = !rules.stockSize || (stock.length === rules.stockSize && stock.at(-1) === hand.trump
    && rules.seats.every((seat) => entered[seat]));
  if (!is_dealt) return { phase: "deal", good: 0 };
  const moments = [firstMoment(hand, entered, next)];
  let why = null;
  for (const token of hand.tokens) {
    why = whyNot(moments.at(-1), token);
    if (why) break;
    moments.push(after(moments.at(-1), token));
  }
  const good = moments.length - 1;
  const end = moments.at(-1);
  const traced = { phase: "play", good, why, moment: moments[Math.min(at ?? good, good)] };
  if (why || !isOver(end.state)) return traced;
  const lack = lacking(end);
  const deal = wholeDeal(hand, end, lack);
  if (!deal) return { ...traced, phase: "rest", rest: lack };
  const document = { dealer: hand.dealer, trump: hand.trump, deal, play: hand.tokens.join(" ") };
  if (rules.stockSize) document.stock = hand.stock;
  return { ...traced, phase: "over", document };
};

/** The seats of which some dealt cards were not seen: how many, and those that they surely held. */
const lacking = (end) => Object.fromEntries(end.state.players
  .map((seat) => [seat, {
    count: rules.cards_each - end.dealt[seat].length,
    sure: [...end.sure[seat]].filter((card) => !end.dealt[seat].includes(card)),
  }])
  .filter(([, { count }]) => count > 0));

/** The cards dealt to every seat; null while some are not known. */
const wholeDeal = (hand, end, lack) => {
  const deal = { ...end.dealt };
  const lying = new Set([...Object.values(deal).flat(), ...wordsOf(hand.stock)]);
  if (rules.trump_shown === "aside") lying.add(hand.trump);
  let open = PACK.filter((card) => !lying.has(card));
  let missing = Object.keys(lack);
  const give = (seat, cards) => {
    deal[seat] = [...deal[seat], ...cards];
    open = open.filter((card) => !cards.includes(card));
    missing = missing.filter((other) => other !== seat);
  };
  for (const [seat, { count }] of Object.entries(lack)) {
    const cards = wordsOf(hand.rest[seat] ?? "");
    if (cards.length === count && cards.every((card) => open.includes(card))) give(seat, cards);
  }
  if (missing.length === 1 && open.length === lack[missing[0]].count) give(missing[0], open);
  return missing.length ? null : Object.fromEntries(rules.seats.map((seat) => [seat, inOrder(deal[seat]).join(" ")]));
};

// --- the match -----------------------------------------------------------------------------------

/**
 * Follow a match through its hands, to the first that is not whole and in order. `at` is the token before
 * which the last hand is looked at; its end without it.
 */
export const follow = ({ order, hands }, at = null) => {
  const documents = [];
  let verdict = audit(recordOf(order, documents));
  let seen = null;
  for (const [index, hand] of hands.entries()) {
    const next = succession(readRecord(recordOf(order, documents)));
    const cursor = index === hands.length - 1 ? at : null;
    const traced = trace(hand, next, cursor);
    const judged = traced.document ? audit(recordOf(order, [...documents, traced.document])) : verdict;
    const [fault] = judged.faults;
    if (fault && fault.token !== null) {
      const before = trace(hand, next, cursor ?? fault.token);
      seen = { ...before, phase: "play", good: fault.token, document: null, why: { kind: "rule", fault } };
    } else if (fault) {
      seen = { ...traced, document: null, why: { kind: "rule", fault } };
    } else {
      seen = traced;
      verdict = judged;
      if (traced.document) documents.push(traced.document);
    }
    if (!seen.document || index === hands.length - 1) {
      seen = { ...seen, index };
      break;
    }
  }
  const { dealer } = succession(readRecord(recordOf(order, documents)));
  const is_decided = documents.length > 0 && !verdict.notices.some(({ code }) => code === "match.unfinished");
  return { ...seen, ...seen?.moment && shown(seen.moment), documents, verdict, decided: is_decided, dealers: dealer ? [dealer] : rules.seats };
};

/** What a moment shows: who plays, the table, points, and what may come next. */
const shown = (moment) => {
  const { state, last, won } = moment;
  return {
    players: state.players, turn: isOver(state) ? null : state.turn, speaks: state.toSpeak[0] ?? null,
    trick: state.trick, table: tableOf(state), last, won, points: state.points,
    known: state.hands[state.turn] ?? null, offered: offeredCards(moment), calls: possibleCalls(moment),
    against: (card) => whyNot(moment, card) ?? { kind: "certain", seat: state.turn },
  };
};

/** The card that has to come next: the only one, where nobody may say anything. */
export const forcedCard = ({ phase, why, offered, calls }) => (
  phase === "play" && !why && offered.length === 1 && calls.length === 0 ? offered[0] : null);
