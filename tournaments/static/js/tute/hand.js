// A moment of a hand as a value, and what may come next (rules R4 to R9). Nothing is changed in place:
// `apply` returns the moment after a token. Unknown hands are null; they are not judged (docs/spec/position.md).

import { LAST_TRICK, PACK, SEATS, SUITS, inOrder, isAbove, isCard, newFault, pointsOf, rankOf, suitOf } from "./cards.js";
import { noPoints, playersFrom, sideOf } from "./rulesets.js";

/**
 * @typedef {Object} State
 * @property {import("./rulesets.js").Rules} rules
 * @property {string} trump the suit
 * @property {?string} dealer
 * @property {string[]} players in playing order
 * @property {string} turn
 * @property {Object<string, ?string[]>} hands cards by seat
 * @property {string[]} table the trick on the table, the lead first
 * @property {number} trick its number, from 1
 * @property {number} tricksLeft it and those after it; 0 at the end
 * @property {string[]} seen the cards that were played
 * @property {Object<string, number>} points by side
 * @property {Object<string, number>} tricksWon by side
 * @property {Object<string, number>} lastWon by side, the last trick that it won
 * @property {?string} lastWinner the seat that won the last trick
 * @property {?string} lastSide
 * @property {number} stock cards to draw, with the upcard
 * @property {string[]} draws of known order
 * @property {?string} upcard
 * @property {string[]} declared tokens
 * @property {string[]} window those since the last trick
 * @property {string[]} passedOver their forty (R6.5)
 * @property {{seat: string, suit: string}[]} forfeited
 * @property {import("./cards.js").Fault[]} notices
 * @property {number} tokens how many were applied
 * @property {Object<string, number>} carried of the first deal (R9.2)
 * @property {number} dealOfGame
 * @property {?string} firstThere the side that ended the race
 * @property {?string} capote the seat that announced it
 * @property {?string} supporter
 * @property {string[]} toSpeak still to speak (R8.4)
 * @property {?string} cutBy "tute", "101" or "capote"
 * @property {?string} cutFor for this side
 */

/** A token that the rules refuse; `fault` says why. */
export class Refused extends Error {
  constructor(fault) {
    super(`${fault.code} (${fault.rule})`);
    this.fault = fault;
  }
}

const CALLS = ["40", "20o", "20c", "20e", "20b", "tuteR", "tuteC", "x7", "x2", "capote", "101", "voy", "paso"];
const TOKENS = new Set([...PACK, ...SEATS.flatMap((seat) => CALLS.map((call) => `${seat}:${call}`))]);

/** The upcards that the seven and the two of trumps are exchanged for (R5.2). */
const EXCHANGED_FOR = { x7: "13RCS", x2: "7654" };

export const callOf = (token) => token.slice(2);
const isDeclaration = (call) => call[0] === "4" || call[0] === "2" || call[0] === "t";
const suitDeclared = (state, call) => (call === "40" ? state.trump : call[2]);
const declarationOf = (state, seat, suit) => (suit === state.trump ? `${seat}:40` : `${seat}:20${suit}`);

/** A hand just dealt. @returns {State} */
export const firstState = (rules, { dealer, hands, trump, stock = [], upcard = null, carried = null, dealOfGame = 1 }) => {
  const players = playersFrom(rules, dealer);
  const there = rules.sides.find((side) => rules.race_to > 0 && carried?.[side] >= rules.race_to) ?? null;
  return {
    ...NOTHING, rules, trump, dealer, players, turn: players[0], hands, tricksLeft: rules.trickCount,
    points: noPoints(rules), tricksWon: noPoints(rules), lastWon: noPoints(rules),
    stock: stock.length, draws: stock.slice(0, -1), upcard: stock.at(-1) ?? upcard,
    carried: carried ?? noPoints(rules), dealOfGame, firstThere: there,
    toSpeak: rules.stakes === "plate" ? players : [],
  };
};

export const NOTHING = {
  table: [], trick: 1, seen: [], lastWinner: null, lastSide: null, stock: 0, draws: [], upcard: null,
  declared: [], window: [], passedOver: [], forfeited: [], notices: [], tokens: 0, dealOfGame: 1,
  firstThere: null, capote: null, supporter: null, toSpeak: [], cutBy: null, cutFor: null,
};

export const isOver = (state) => state.cutBy !== null || state.tricksLeft === 0;

/** The side that won the hand, or the game of a race; null while nobody has. */
export const winnerOf = (state) => {
  const { rules, points, lastWon } = state;
  if (state.cutFor !== null) return state.cutFor;
  if (!isOver(state)) return null;
  if (rules.race_to) return state.firstThere;
  const most = Math.max(...Object.values(points));
  const tied = rules.sides.filter((side) => points[side] === most);
  return tied.reduce((latest, side) => (lastWon[side] > lastWon[latest] ? side : latest));
};

// --- cards (R4) ----------------------------------------------------------------------------------

/** The card that is winning the trick (R4.7). */
export const bestOn = (table, trump) => table.reduce((best, card) => {
  const is_ruff = suitOf(card) === trump && suitOf(best) !== trump;
  return isAbove(card, best) || is_ruff ? card : best;
});

/** The cards of a known hand that may be played. */
const legalOf = (state, hand) => {
  const { rules, table, trump } = state;
  if (table.length === 0) return hand;
  const led = suitOf(table[0]);
  const suited = hand.filter((card) => suitOf(card) === led);
  const trumps = hand.filter((card) => suitOf(card) === trump);
  const first = (...choices) => choices.find((cards) => cards.length) ?? hand;
  if (state.stock && rules.duties_while_stock === "trumps") return first(led === trump ? suited : []);
  const best = bestOn(table, trump);
  const above = hand.filter((card) => isAbove(card, best));
  const is_ruffed = suitOf(best) === trump && led !== trump;
  if (!is_ruffed) return first(above, suited, trumps);
  return first(suited, rules.must_overtrump ? above : trumps);
};

/** The cards that nobody is known to hold or has played. */
export const unseenCards = (state) => {
  const known = new Set([...state.seen, state.upcard, ...Object.values(state.hands).flatMap((hand) => hand ?? [])]);
  return PACK.filter((card) => !known.has(card));
};

/** The cards that the seat in turn may play; of an unknown hand, every unseen one. @returns {string[]} */
export const legalCards = (state) => {
  if (isOver(state) || state.toSpeak.length) return [];
  const hand = state.hands[state.turn];
  return hand === null ? unseenCards(state) : inOrder(legalOf(state, hand));
};

/** Code and rule of the duty that a card breaks which is held but not legal. */
const brokenDuty = (state, hand, card) => {
  const led = suitOf(state.table[0]);
  if (state.stock && state.rules.duties_while_stock === "trumps") return ["play.must_follow", "R4.6"];
  if (hand.some((held) => suitOf(held) === led)) {
    return [suitOf(card) === led ? "play.must_head" : "play.must_follow", "R4.2"];
  }
  return suitOf(card) === state.trump ? ["play.must_overtrump", "R4.4a"] : ["play.must_trump", "R4.4"];
};

// --- calls (R5, R6, R8, R9) ----------------------------------------------------------------------

/** The suits of which a hand holds king and caballo, neither declared nor forfeited. */
const openCouples = (state, hand) => SUITS.filter((suit) => hand.includes(`R${suit}`) && hand.includes(`C${suit}`)
  && !isDeclared(state, suit) && !state.forfeited.some((lost) => lost.suit === suit));

const isDeclared = (state, suit) => state.declared
  .some((token) => !callOf(token).startsWith("tute") && suitDeclared(state, callOf(token)) === suit);

const passesOverForty = (state, call, hand) => call[0] === "2" && openCouples(state, hand).includes(state.trump);

const spokenInWindow = (state, seat) => state.window.filter((token) => token[0] === seat).length;

/** How many tricks a side has won, if its window is open; else 0 (R6.2). */
const windowOf = (state, seat) => {
  const side = sideOf(state.rules, seat);
  if (isOver(state) || state.table.length || state.lastSide !== side) return 0;
  if (!state.rules.declare_to_the_end && state.stock <= 2) return 0;
  return Math.max(1, state.tricksWon[side]);
};

const refusedDeclaration = (state, seat, call) => {
  const { rules } = state;
  const hand = state.hands[seat];
  const suit = suitDeclared(state, call);
  const tricks = windowOf(state, seat);
  if (call[0] === "2" && suit === state.trump) return ["declare.not_admitted", "R6.1"];
  if (!tricks) return ["declare.window", "R6.2"];
  if (hand && !(hand.includes(`R${suit}`) && hand.includes(`C${suit}`))) return ["declare.not_held", "R6.1"];
  if (isDeclared(state, suit)) return ["declare.repeated", "R6.3"];
  const is_late = rules.declare_at === "first" && tricks > 1;
  if (is_late || state.forfeited.some((lost) => lost.suit === suit)) return ["declare.forfeited", "R6.6"];
  const order = hand ? brokenOrder(state, seat, call, hand) : "";
  if (order) return ["declare.order", order];
  const limit = rules.declarations_per_trick;
  return limit && spokenInWindow(state, seat) >= limit ? ["declare.limit", "R6.4"] : null;
};

const brokenOrder = (state, seat, call, hand) => {
  const rule = { forty_in_window: "R6.5a", forty_in_deal: "R6.5b", forty_alone: "R6.5c", forty_first: "R6.5d" }[state.rules.declaring_order] ?? "";
  if (rule === "R6.5a" || rule === "R6.5b") return call === "40" && state.passedOver.includes(seat) ? rule : "";
  return passesOverForty(state, call, hand) ? rule : "";
};

const refusedTute = (state, seat, call) => {
  const { rules } = state;
  const hand = state.hands[seat];
  const rank = call.at(-1);
  const tricks = windowOf(state, seat);
  if (!rules.tute_ranks.includes(rank)) return ["declare.not_admitted", "R6.7"];
  if (!tricks) return ["declare.window", "R6.2"];
  if (tricks > 1 && rules.tute_at_first_trick_only) return ["declare.window", "R6.8"];
  if (tricks > 1 && rules.declare_at === "first") return ["declare.window", "R6.2"];
  if (hand && !SUITS.every((suit) => hand.includes(rank + suit))) return ["declare.not_held", "R6.7"];
  const side = sideOf(rules, seat);
  const has_spoken = state.declared.some((token) => !callOf(token).startsWith("tute") && side.includes(token[0]));
  return rules.tute_at_first_trick_only && has_spoken ? ["declare.order", "R6.8"] : null;
};

const refusedExchange = (state, seat, call) => {
  const { rules, upcard } = state;
  const has_led = state.table.length > 0 || Object.values(state.tricksWon).some(Boolean);
  if (rules.exchange === "none") return ["exchange.not_admitted", "R3"];
  if (rules.exchange === "stock" && state.stock <= 2) return ["exchange.window", "R5.3"];
  if (rules.exchange === "before_play" && has_led) return ["exchange.window", "R5.5"];
  if (rules.exchange_needs_trick && !state.tricksWon[sideOf(rules, seat)]) return ["exchange.no_trick", "R5.4"];
  if (state.hands[seat] && !state.hands[seat].includes(call[1] + state.trump)) return ["exchange.not_held", "R5.2"];
  return upcard && !EXCHANGED_FOR[call].includes(rankOf(upcard)) ? ["exchange.upcard", "R5.2"] : null;
};

const refusedClaim = (state, seat, call) => {
  const { rules } = state;
  if (!rules.race_to) return ["claim.not_admitted", "R3"];
  if (call === "101") {
    const in_time = state.dealOfGame === 2 && !state.table.length && state.lastWinner === seat;
    return in_time && state.capote === null ? null : ["claim.window", "R9.3"];
  }
  const in_time = !state.stock && !state.table.length && state.tricksLeft === rules.cards_each;
  return in_time && state.capote === null ? null : ["claim.window", "R9.5"];
};

const refusedSupport = (state, seat) => {
  const { rules } = state;
  if (rules.stakes !== "plate") return ["support.not_admitted", rules.exchange === "before_play" ? "R8.4" : "R3"];
  return state.toSpeak[0] === seat ? null : ["support.window", "R8.4"];
};

/** Why a seat may not say something now, as code and rule; null when it may. */
const refusalOf = (state, token) => {
  const seat = token[0];
  const call = callOf(token);
  if (call.startsWith("tute")) return refusedTute(state, seat, call);
  if (isDeclaration(call)) return refusedDeclaration(state, seat, call);
  if (call in EXCHANGED_FOR) return refusedExchange(state, seat, call);
  return call === "voy" || call === "paso" ? refusedSupport(state, seat) : refusedClaim(state, seat, call);
};

/** The tokens that a seat may say now. @returns {string[]} */
export const callsOf = (state, seat) => (isOver(state) ? []
  : CALLS.map((call) => `${seat}:${call}`).filter((token) => refusalOf(state, token) === null));

/** Every token that may come next: what any seat may say, then the cards. @returns {string[]} */
export const legalTokens = (state) => [...state.players.flatMap((seat) => callsOf(state, seat)), ...legalCards(state)];

// --- the next moment -----------------------------------------------------------------------------

const faultNow = (state, code, rule, more = {}) => newFault(code, rule, { trick: state.trick, token: state.tokens, ...more });

/** The fault of a play that stops here. */
export const incomplete = (state) => faultNow(state, "play.incomplete", "F1", state.toSpeak.length
  ? { seat: state.toSpeak[0] } : { seat: state.turn, legal: legalCards(state) });

/** Why a token cannot come next, or null. @returns {?import("./cards.js").Fault} */
export const faultOf = (state, token) => {
  if (isOver(state)) return faultNow(state, "play.after_end", "F1", { facts: { text: token } });
  if (!TOKENS.has(token) || (token[1] === ":" && !state.rules.seats.includes(token[0]))) {
    return faultNow(state, "play.token", "F1", { facts: { text: token } });
  }
  if (isCard(token)) return faultOfCard(state, token);
  const refusal = refusalOf(state, token);
  return refusal && faultNow(state, ...refusal, { seat: token[0], declaration: token });
};

const faultOfCard = (state, card) => {
  if (state.toSpeak.length) return faultNow(state, "support.window", "R8.4", { seat: state.toSpeak[0] });
  const hand = state.hands[state.turn];
  const legal = legalCards(state);
  if (legal.includes(card)) return null;
  const refusal = hand?.includes(card) ? brokenDuty(state, hand, card) : ["play.not_held", "R4.1"];
  const facts = state.table.length ? { best: bestOn(state.table, state.trump), led: state.table[0] } : {};
  return faultNow(state, ...refusal, { seat: state.turn, card, legal, facts });
};

/** The moment after a token. Throws `Refused`. @returns {State} */
export const apply = (state, token) => {
  const fault = faultOf(state, token);
  if (fault) throw new Refused(fault);
  const next = isCard(token) ? playCard(state, token) : say(state, token);
  return { ...next, tokens: state.tokens + 1 };
};

const nextPlayer = (state, seat) => state.players[(state.players.indexOf(seat) + 1) % state.players.length];

/** The seat that led the trick on the table, or leads the next one. */
export const leaderOf = (state) => {
  const { players } = state;
  return players[(players.indexOf(state.turn) - state.table.length + players.length) % players.length];
};

const playCard = (state, card) => {
  const opened = state.table.length ? state : closeWindow(state);
  const hand = state.hands[state.turn];
  const played = {
    ...opened,
    hands: { ...state.hands, [state.turn]: hand && hand.filter((held) => held !== card) },
    seen: [...state.seen, card],
    table: [...state.table, card],
  };
  const is_complete = played.table.length === state.players.length;
  return is_complete ? takeTrick(played) : { ...played, turn: nextPlayer(state, state.turn) };
};

/** The trick goes to its winner (R4.7, R7.1), then all draw (R5.1). */
const takeTrick = (state) => {
  const { players, table } = state;
  const leader = players.indexOf(nextPlayer(state, state.turn));
  const winner = players[(leader + table.indexOf(bestOn(table, state.trump))) % players.length];
  const side = sideOf(state.rules, winner);
  const is_last = state.tricksLeft === 1;
  const taken = {
    ...state,
    table: [],
    turn: winner,
    lastWinner: winner,
    lastSide: side,
    tricksWon: { ...state.tricksWon, [side]: state.tricksWon[side] + 1 },
    lastWon: { ...state.lastWon, [side]: state.trick },
    trick: is_last ? state.trick : state.trick + 1,
    tricksLeft: state.tricksLeft - 1,
  };
  return draw(afterCapote(gain(taken, side, pointsOf(table) + (is_last ? LAST_TRICK : 0)), side), winner);
};

/** R9.5: the first trick lost loses a capote, the last one won wins it. */
const afterCapote = (state, side) => {
  if (state.capote === null) return state;
  const announcer = sideOf(state.rules, state.capote);
  if (side !== announcer) return { ...state, cutBy: "capote", cutFor: otherSide(state, announcer) };
  return state.tricksLeft ? state : { ...state, cutFor: announcer };
};

const otherSide = (state, side) => state.rules.sides.find((other) => other !== side);

const draw = (state, winner) => {
  if (!state.stock) return state;
  const hands = { ...state.hands };
  const draws = [...state.draws];
  let seat = winner;
  for (let left = state.stock; left > state.stock - state.players.length; left -= 1) {
    // the order of the stock may be unknown; then so is the hand that drew
    const card = left === 1 ? state.upcard : draws.shift() ?? null;
    hands[seat] = hands[seat] === null || card === null ? null : [...hands[seat], card];
    seat = nextPlayer(state, seat);
  }
  const stock = state.stock - state.players.length;
  return { ...state, hands, draws, stock, upcard: stock ? state.upcard : null };
};

/** A lead ends the window: what the side that won the trick did not declare is forfeited (R6.6). */
const closeWindow = (state) => {
  const { rules, lastSide } = state;
  const passedOver = state.window.length && rules.declaring_order !== "forty_in_deal" ? [] : state.passedOver;
  const closed = { ...state, window: [], passedOver };
  const is_open = lastSide !== null && rules.omitted_is_lost
    && !(rules.declare_at === "first" && state.tricksWon[lastSide] > 1);
  if (!is_open) return closed;
  const lost = rules.seats.filter((seat) => sideOf(rules, seat) === lastSide)
    .flatMap((seat) => omitted(state, seat).map((suit) => ({ seat, suit })));
  const notices = lost.map(({ seat, suit }) => faultNow(state, "declare.omitted", "R6.6", {
    seat, declaration: declarationOf(state, seat, suit),
  }));
  return { ...closed, forfeited: [...state.forfeited, ...lost], notices: [...state.notices, ...notices] };
};

const omitted = (state, seat) => {
  if (state.rules.declare_at === "every" && spokenInWindow(state, seat)) return [];
  const suits = openCouples(state, state.hands[seat] ?? []);
  const is_forty_alone = state.rules.declaring_order === "forty_alone" && suits.includes(state.trump);
  return is_forty_alone ? [state.trump] : suits;
};

const say = (state, token) => {
  const seat = token[0];
  const call = callOf(token);
  const side = sideOf(state.rules, seat);
  if (isDeclaration(call)) return declare(state, token, side);
  if (call in EXCHANGED_FOR) return exchange(state, seat, call);
  if (call === "capote") return { ...state, capote: seat };
  if (call === "101") {
    const is_true = state.points[side] + state.carried[side] >= state.rules.race_to;
    return { ...state, cutBy: "101", cutFor: is_true ? side : otherSide(state, side) };
  }
  const supporter = call === "voy" ? state.supporter ?? seat : state.supporter;
  return { ...state, supporter, toSpeak: state.toSpeak.slice(1) };
};

const declare = (state, token, side) => {
  const seat = token[0];
  const call = callOf(token);
  const hand = state.hands[seat];
  const is_over_forty = hand !== null && passesOverForty(state, call, hand);
  const declared = {
    ...state,
    declared: [...state.declared, token],
    window: [...state.window, token],
    passedOver: is_over_forty ? [...state.passedOver, seat] : state.passedOver,
  };
  if (call.startsWith("tute")) return { ...declared, cutBy: "tute", cutFor: side };
  return state.capote === null ? gain(declared, side, Number(call.slice(0, 2))) : declared;
};

const exchange = (state, seat, call) => {
  const given = call[1] + state.trump;
  const hand = state.hands[seat];
  const is_known = hand !== null && state.upcard !== null;
  const held = is_known ? [...hand.filter((card) => card !== given), state.upcard] : null;
  return { ...state, hands: { ...state.hands, [seat]: held }, upcard: given };
};

/** Points for a side, and who is the first to reach the end of the race (R9.1). */
const gain = (state, side, amount) => {
  const points = { ...state.points, [side]: state.points[side] + amount };
  const is_race = state.rules.race_to && state.firstThere === null && state.capote === null;
  const is_there = is_race && points[side] + (state.carried[side] ?? 0) >= state.rules.race_to;
  return { ...state, points, firstThere: is_there ? side : state.firstThere };
};

/** How many sequences of so many legal tokens go on from here; one that ends earlier counts once. */
export const perft = (state, depth) => (depth === 0 || isOver(state) ? 1
  : legalTokens(state).reduce((count, token) => count + perft(apply(state, token), depth - 1), 0));

/** The seats that hold a couple which was passed over, from what was declared (for positions). */
export const passedOverIn = (state, tokens) => [...new Set(tokens.map((token) => token[0])
  .filter((seat) => tokens.some((token) => token[0] === seat && state.hands[seat]
    && passesOverForty(state, callOf(token), state.hands[seat]))))];

export const isDeclarationToken = (token) => TOKENS.has(token) && token[1] === ":" && isDeclaration(callOf(token));
