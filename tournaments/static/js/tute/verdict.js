// The verdict on a record (docs/spec/verdict.md): it is replayed, and each fault has its place.

import { CARD_POINTS, LAST_TRICK, PACK, RecordError, each, isCard, newFault, suitOf, wordsOf, worth } from "./cards.js";
import { Refused, apply, callOf, firstState, incomplete, isOver, leaderOf, winnerOf } from "./hand.js";
import { digest, readRecord } from "./record.js";
import { playersFrom, seatAfter } from "./rulesets.js";

const MOST = CARD_POINTS + LAST_TRICK + 40 + 3 * 20;

/**
 * @typedef {{number: number, audited: boolean, points: ?Object<string, number>, winner: ?string,
 *   last_trick: ?string, declarations: string[], tricks: string[][], payments?: ?Object<string, number>,
 *   plate?: ?number}} HandVerdict
 */
/**
 * @typedef {{valid: boolean, ruleset: ?string, identity: ?string, digest: ?string, hands: HandVerdict[],
 *   score: ?Object<string, number>, winner: ?string, faults: import("./cards.js").Fault[],
 *   notices: Object[], balance?: Object<string, number>}} Verdict
 */

/**
 * Judge a record: JSON as text or bytes, a document, or a record that was read.
 * @returns {Verdict}
 */
export const audit = (source) => {
  try {
    return judge(source?.document instanceof Map ? source : readRecord(source));
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return unreadable(error);
  }
};

/** The verdict on what cannot be read. @param {RecordError} error */
export const unreadable = (error) => ({
  valid: false, ruleset: null, identity: null, digest: null, hands: [], score: null, winner: null,
  faults: error.faults, notices: [],
});

/** @param {import("./record.js").Record} record @returns {Verdict} */
const judge = (record) => {
  const { rules } = record;
  const judged = judgeHands(record);
  judgeMatch(record, judged);
  const { count, faults, notices, hands, purse, scoreless } = judged;
  const is_known = !scoreless || isDecided(count);
  return {
    valid: faults.length === 0, ruleset: rules.name, identity: rules.identity, digest: digest(record), hands,
    score: count.score, winner: is_known ? matchWinner(count) : null, faults, notices,
    ...(purse && { balance: purse.balance }),
  };
};

/** What a hand that comes next inherits: who has to deal (null: anybody), and the points of a first deal. */
export const succession = (record) => judgeHands(record).next;

const judgeHands = (record) => {
  const { rules } = record;
  const judged = {
    rules, count: newCount(rules.sides, record.to, record.deals), next: { dealer: null, carried: null, dealOfGame: 1, opener: null },
    purse: newPurse(rules), faults: [], notices: [], hands: [], scoreless: false,
  };
  record.hands.forEach((hand, index) => {
    if (isDecided(judged.count)) {
      judged.faults.push(newFault("match.over", "R7.4", { hand: index + 1, path: `/hands/${index}` }));
      judged.hands.push(handVerdict(index));
    } else {
      judgeHand(judged, hand, index);
    }
  });
  return judged;
};

const handVerdict = (index, more = {}) => ({
  number: index + 1, audited: false, points: null, winner: null, last_trick: null, declarations: [], tricks: [], ...more,
});

const judgeHand = (judged, hand, index) => {
  const { rules, next } = judged;
  const faults = hand.deal === null ? [] : dealFaults(rules, hand);
  if (next.dealer !== null && hand.dealer !== next.dealer) {
    const rule = !rules.race_to ? "R2.4" : next.dealOfGame === 2 ? "R9.2" : "R9.4";
    faults.push(newFault("deal.dealer", rule, { path: "dealer", facts: { found: hand.dealer, expected: next.dealer } }));
  }
  faults.forEach((fault) => add(judged, fault, index, fault.path));
  if (faults.length) judgeScoreless(judged, hand, handVerdict(index));
  else if (hand.play === null) judgeUnplayed(judged, hand, index);
  else judgePlay(judged, hand, index);
};

const add = (judged, fault, index, place) => {
  judged.faults.push({ ...fault, hand: index + 1, path: `/hands/${index}/${place}` });
};

// --- the deal ------------------------------------------------------------------------------------

/** What makes a deal impossible, one fault a kind; what follows from another fault is left out. */
const dealFaults = (rules, hand) => {
  const held = Object.fromEntries(rules.seats.map((seat) => [seat, wordsOf(hand.deal[seat])]));
  const sizes = each(rules.seats, rules.cards_each);
  if (rules.sitsOut) sizes[hand.dealer] = 0;
  if (rules.trump_shown === "stock") {
    held.stock = wordsOf(hand.stock ?? "");
    sizes.stock = rules.stockSize;
  }
  const words = Object.entries(held).flatMap(([place, cards]) => cards.map((card) => ({ place, card })));
  const unknown = words.filter(({ card }) => !isCard(card));
  const known = words.filter(({ card }) => isCard(card)).map(({ card }) => card);
  const dealt = new Set(known);
  const twice = [...new Set(known.filter((card, n) => known.indexOf(card) !== n))].sort();
  let surplus = unknown.length + known.length - dealt.size;
  if (rules.trump_shown === "aside") {
    if (isCard(hand.trump) && !dealt.has(hand.trump)) dealt.add(hand.trump);
    else surplus += 1; // whatever is written there, a card lies in its place
  }
  const missing = PACK.filter((card) => !dealt.has(card));
  const faults = [];
  const found = (code, rule, path, facts) => faults.push(newFault(code, rule, { path, facts }));
  if (unknown.length) found("deal.card", "R1", "deal", { cards: unknown.map(({ card }) => card), missing });
  if (twice.length) found("deal.duplicate", "R1", "deal", { cards: twice, missing });
  if (missing.length > surplus) found("deal.missing", "R1", "deal", { cards: missing });
  const wrong = Object.keys(sizes).filter((place) => held[place].length !== sizes[place]);
  const is_uneven = wrong.some((place) => held[place].length > sizes[place])
    && wrong.some((place) => held[place].length < sizes[place]);
  if (is_uneven || (rules.sitsOut && held[hand.dealer].length)) {
    found("deal.size", "R3", "deal", {
      sizes: Object.fromEntries(wrong.map((place) => [place, held[place].length])),
      expected: Object.fromEntries(wrong.map((place) => [place, sizes[place]])),
    });
  }
  if (hand.trump !== null && !isTrumpInPlace(rules, hand, held)) {
    found("deal.trump", "R3", "trump", { card: hand.trump, shown: rules.trump_shown });
  }
  return faults;
};

const isTrumpInPlace = (rules, { trump, dealer }, held) => {
  if (rules.trump_shown === "stock") return held.stock.at(-1) === trump;
  if (rules.trump_shown === "aside") return isCard(trump) && !Object.values(held).some((cards) => cards.includes(trump));
  return isCard(trump) && held[dealer].includes(trump);
};

// --- the play ------------------------------------------------------------------------------------

/** The state before the first token of a hand whose deal is in order. */
export const dealtState = (rules, hand, { carried = null, dealOfGame = 1 } = {}) => firstState(rules, {
  dealer: hand.dealer,
  hands: Object.fromEntries(rules.seats.map((seat) => [seat, wordsOf(hand.deal[seat])])),
  trump: suitOf(hand.trump),
  stock: wordsOf(hand.stock ?? ""),
  upcard: rules.trump_shown === "aside" ? hand.trump : null,
  carried,
  dealOfGame,
});

/** Fold a play: the last state, the complete tricks, and the first fault. */
export const replay = (first, play) => {
  let state = first;
  const tricks = [];
  let cards = [];
  for (const token of wordsOf(play)) {
    const leader = leaderOf(state);
    try {
      state = apply(state, token);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { state, tricks, fault: error.fault };
    }
    if (isCard(token)) cards.push(token);
    if (cards.length === state.players.length) {
      tricks.push([leader, cards.join(" ")]);
      cards = [];
    }
  }
  return { state, tricks, fault: isOver(state) ? null : incomplete(state) };
};

const judgePlay = (judged, hand, index) => {
  const { rules, next, purse } = judged;
  const { state, tricks, fault } = replay(dealtState(rules, hand, next), hand.play);
  const shown = handVerdict(index, { audited: true, declarations: state.declared, tricks });
  state.notices.forEach((notice) => judged.notices.push({ ...notice, hand: index + 1, path: `/hands/${index}/play` }));
  if (fault) add(judged, fault, index, "play");
  if (!isOver(state)) {
    judgeScoreless(judged, hand, shown);
    return;
  }
  const counting = rules.pairs ? rules.sides : rules.sides.filter((side) => state.players.includes(side));
  const points = Object.fromEntries(counting.map((side) => [side, state.points[side]]));
  const winner = winnerOf(state);
  const payments = purse && settle(purse, hand.dealer, state);
  judged.hands.push({
    ...shown, points, winner, last_trick: state.lastSide,
    ...paidFor(purse, payments),
  });
  if (winner !== null) countHand(judged.count, winner);
  if (!fault) compare(judged, hand, index, points, winner, state, payments);
  if (rules.race_to && state.dealOfGame !== 1 && state.cutFor === null && state.firstThere !== null) {
    judged.notices.push(newFault("claim.missing", "R9.3", { hand: index + 1, path: `/hands/${index}/play`, seat: state.firstThere }));
  }
  follow(judged, hand, state.points, winner !== null, state.lastSide);
};

const differ = (some, others) => Object.keys(some).some((name) => some[name] !== others[name]);

/** The first of points, winner and payments that the record states otherwise than they were replayed. */
const compare = (judged, hand, index, points, winner, state, payments) => {
  const wrong = (code, rule, place, stated, replayed) => add(
    judged, newFault(code, rule, { facts: { stated, replayed } }), index, place,
  );
  if (hand.points && differ(hand.points, points)) {
    wrong("score.points", "R7.1", "points", hand.points, points);
  } else if (hand.winner !== null && hand.winner !== winner) {
    wrong("score.winner", winningRule(state, points), "winner", hand.winner, winner);
  } else if (hand.payments && payments && differ(hand.payments, payments)) {
    const rule = judged.rules.stakes === "flat" ? "R8.3" : "R8.4";
    wrong("score.points", rule, "payments", hand.payments, payments);
  }
};

const winningRule = (state, points) => {
  if (state.rules.race_to) return state.capote !== null ? "R9.5" : state.dealOfGame === 1 ? "R9.1" : "R9.3";
  const made = Object.values(points);
  const is_tied = made.filter((one) => one === Math.max(...made)).length > 1;
  return is_tied && state.cutBy !== "tute" ? "R7.3" : "R7.2";
};

/** A hand that a fault stopped: it scores nothing. */
const judgeScoreless = (judged, hand, shown) => {
  const { rules, purse } = judged;
  judged.scoreless = true;
  if (!rules.race_to) countHand(judged.count, null);
  const payments = purse && hand.play !== null ? settle(purse, hand.dealer, null) : null;
  judged.hands.push({ ...shown, ...paidFor(purse, payments) });
  follow(judged, hand, numbersOf(rules, hand.points), hand.winner !== null, null);
};

const numbersOf = (rules, points) => Object.fromEntries(rules.sides.map((side) => [side, Number(points?.[side] ?? 0)]));

/** Who deals next, and what a second deal of a race inherits (R2.4, R9.2, R9.4). */
const follow = (judged, hand, points, is_won, lastSide) => {
  const { rules, next } = judged;
  if (!rules.race_to) {
    judged.next = { ...next, dealer: seatAfter(rules, hand.dealer) };
    return;
  }
  const opener = next.dealOfGame === 1 ? hand.dealer : next.opener;
  judged.next = next.dealOfGame === 1 && !is_won
    ? { dealer: lastSide, carried: points, dealOfGame: 2, opener }
    : { dealer: seatAfter(rules, opener), carried: null, dealOfGame: 1, opener };
};

// --- a hand without its play ---------------------------------------------------------------------

const judgeUnplayed = (judged, hand, index) => {
  const { rules, purse, next } = judged;
  const { points, winner } = hand;
  judged.hands.push(handVerdict(index, { points, winner, ...paidFor(purse, null) }));
  if (winner !== null) countHand(judged.count, winner);
  const made = numbersOf(rules, points);
  const wrong = impossible(rules, points, winner) ?? (isOverdue(rules, made, winner, next) ? "winner" : null);
  if (wrong === "points") add(judged, newFault("score.impossible", "F1", { facts: { stated: points } }), index, wrong);
  if (wrong === "winner") {
    const rule = !rules.race_to ? "R7.2" : next.dealOfGame === 1 ? "R9.1" : "R9.3";
    const most = Object.keys(points).reduce((best, side) => (points[side] > points[best] ? side : best));
    add(judged, newFault("score.winner", rule, { facts: { stated: winner, replayed: most } }), index, wrong);
  }
  judged.notices.push(newFault("hand.unaudited", "F1", { hand: index + 1, path: `/hands/${index}/play` }));
  follow(judged, hand, made, winner !== null, null);
};

/** A deal of a race without a winner, although there has to be one. */
const isOverdue = (rules, made, winner, { carried, dealOfGame }) => rules.race_to > 0 && winner === null
  && (dealOfGame === 2 || rules.sides.some((side) => made[side] + (carried?.[side] ?? 0) >= rules.race_to));

/** "points" that no play gives, a "winner" with fewer points than another, or null. */
const impossible = (rules, points, winner) => {
  const made = Object.values(points).map(Number);
  const total = made.reduce((sum, one) => sum + one, 0);
  const is_less = winner !== null && Number(points[winner] ?? 0) < Math.max(...made);
  if (rules.trump_shown === "dealer" && rules.tute_at_first_trick_only) {
    const pair = made.join();
    if (tuteHands().has(pair)) return null;
    if (!fullHands().has(pair)) return "points";
    return is_less ? "winner" : null;
  }
  const is_full = total >= CARD_POINTS + LAST_TRICK && total <= MOST && (total - CARD_POINTS - LAST_TRICK) % 20 === 0;
  const is_out = made.some((one) => one < 0 || one === 1) || total > MOST || (total > MOST - 10 && !is_full);
  if (is_out) return "points";
  return is_full && is_less && !rules.race_to ? "winner" : null;
};

const once = (compute) => {
  let value;
  return () => { value ??= compute(); return value; };
};

/** Every pair of totals that a hand played to its end can give, as "80,50". */
const fullHands = once(() => {
  let sums = new Set([0]);
  for (const rank of PACK.map((card) => card[0])) sums = new Set([...sums, ...[...sums].map((sum) => sum + worth(rank))]);
  let declared = [[0, 0]];
  for (const more of [40, 20, 20, 20]) {
    declared = declared.flatMap(([a, b]) => [[a, b], [a + more, b], [a, b + more]]);
  }
  const totals = new Set();
  for (const cards of sums) {
    for (const last of [0, LAST_TRICK]) {
      for (const [a, b] of declared) {
        totals.add([cards + last + a, CARD_POINTS - cards + LAST_TRICK - last + b].join());
      }
    }
  }
  return totals;
});

/** Every pair of totals at which a tute can end a hand, after the first trick of its side (R6.8). */
const tuteHands = once(() => {
  const totals = new Set();
  for (const four of ["R", "C"]) {
    // cards of the declarer's one trick, its points, the points of the other side
    let parts = new Set(["0,0,0"]);
    for (const card of PACK.filter(([rank]) => worth(rank) && rank !== four)) {
      for (const part of [...parts]) {
        const [taken, a, b] = part.split(",").map(Number);
        if (taken < 4) parts.add([taken + 1, a + worth(card[0]), b].join());
        parts.add([taken, a, b + worth(card[0])].join());
      }
    }
    for (const part of parts) {
      const [, a, b] = part.split(",");
      totals.add(`${a},${b}`).add(`${b},${a}`);
    }
  }
  return totals;
});

// --- the match -----------------------------------------------------------------------------------

/** A match being counted (R7.4): `to` hands to win, or `deals` to play. */
export const newCount = (sides, to, deals) => ({ score: each(sides, 0), played: 0, to, deals });

export const countHand = (count, winner) => {
  count.played += 1;
  if (winner !== null) count.score[winner] += 1;
};

export const isDecided = ({ score, played, to, deals }) => (to !== null
  ? Object.values(score).some((won) => won >= to) : deals !== null && played >= deals);

export const matchWinner = (count) => {
  const most = Math.max(...Object.values(count.score));
  const leaders = Object.keys(count.score).filter((side) => count.score[side] === most);
  return isDecided(count) && leaders.length === 1 ? leaders[0] : null;
};

const judgeMatch = (record, { count, faults, notices, scoreless }) => {
  if (scoreless) return;
  const winner = matchWinner(count);
  if (!isDecided(count)) notices.push(newFault("match.unfinished", "R7.4", { path: "/hands", facts: { score: { ...count.score } } }));
  const wrong = (path, stated, replayed) => faults.push(newFault("score.match", "R7.4", { path, facts: { stated, replayed } }));
  if (record.score && differ(record.score, count.score)) wrong("/score", record.score, { ...count.score });
  else if (record.winner !== null && record.winner !== winner) wrong("/winner", record.winner, winner);
};

// --- the stakes (R8) -----------------------------------------------------------------------------

const ANTE = 100;
const DEALERS_ANTE = 20;
const GOAL = 101;
const WIN = 100;
const BIG_WIN = 200;

const newPurse = (rules) => (rules.stakes === "none" ? null : {
  rules, balance: each(rules.seats, 0), plate: rules.stakes === "plate" ? 0 : null, opened: false,
});

/** What a hand moved and what lies in the plate after it; nothing where there is neither. */
const paidFor = (purse, payments) => {
  const plate = purse?.opened ? purse.plate : null;
  return payments === null && plate === null ? {} : { payments, plate };
};

/** What each seat received, less what it paid, in one hand; `state` is its end, null where a fault stopped it. */
const settle = (purse, dealer, state) => {
  const { rules } = purse;
  const paid = each(rules.seats, 0);
  const feed = (seats, amount) => {
    if (purse.plate === null) return;
    seats.forEach((seat) => { paid[seat] -= amount; });
    purse.plate += amount * seats.length;
  };
  const collect = (seat, amount) => state.players.filter((other) => other !== seat).forEach((other) => {
    paid[other] -= amount;
    paid[seat] += amount;
  });
  if (purse.opened) feed([dealer], DEALERS_ANTE);
  else feed(rules.seats, ANTE);
  purse.opened = true;
  const winner = state && winnerOf(state);
  if (state) {
    state.declared.filter((token) => !callOf(token).startsWith("tute"))
      .forEach((token) => collect(token[0], Number(callOf(token).slice(0, 2))));
  }
  if (winner) {
    const is_big = state.points[winner] >= GOAL;
    const { supporter } = state;
    if (state.cutBy === "tute") {
      collect(winner, BIG_WIN);
    } else if (purse.plate === null) {
      collect(winner, is_big ? BIG_WIN : WIN);
    } else if (supporter !== null && state.points[supporter] >= GOAL) {
      collect(supporter, BIG_WIN);
      paid[supporter] += purse.plate;
      purse.plate = 0;
      feed(rules.seats, ANTE);
    } else if (supporter !== null) {
      collect(supporter, -BIG_WIN);
    } else if (is_big) {
      collect(winner, WIN);
    } else {
      paid[winner] += WIN;
      paid[poorest(state)] -= WIN;
    }
  }
  rules.seats.forEach((seat) => { purse.balance[seat] += paid[seat]; });
  return paid;
};

/** The player with fewest points; of equal ones whose last won trick is the earlier, then the later from mano. */
const poorest = (state) => [...playersFrom(state.rules, state.dealer)].reverse().reduce((least, seat) => {
  const [points, last] = [state.points, state.lastWon];
  const is_less = points[seat] < points[least] || (points[seat] === points[least] && last[seat] < last[least]);
  return is_less ? seat : least;
});

