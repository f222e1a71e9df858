// A moment of a hand as people and programs pass it around (docs/spec/position.md).

import { SUITS, each, isCard, wordsOf } from "./cards.js";
import { NOTHING, isDeclarationToken, passedOverIn } from "./hand.js";
import { asMaps, isObject } from "./json.js";
import { HOUSE_RULES, atTable, noPoints, playersFrom, rulesetNamed, sideOf, withHouseRule } from "./rulesets.js";

const MEMBERS = new Set([
  "ruleset", "options", "trump", "dealer", "turn", "hands", "trick", "stock", "upcard", "tricks_won", "last_trick",
  "declared", "forfeited", "window", "carried", "deal_of_game", "capote", "supported", "points",
]);

/** What is wrong with a position; `path` names the place. */
export class PositionError extends Error {
  constructor(path) {
    super(path);
    this.path = path;
  }
}

const refuse = (path) => { throw new PositionError(path); };

/**
 * The state that a position describes; what it does not mention has not happened. Throws `PositionError`.
 * @param {Object|Map} source
 * @returns {import("./hand.js").State}
 */
export const stateOf = (source) => {
  const position = asMaps(source);
  for (const name of position.keys()) if (!MEMBERS.has(name)) refuse(`/${name}`);
  const rules = rulesOf(position);
  const seatAt = (name) => (rules.seats.includes(position.get(name)) ? position.get(name) : refuse(`/${name}`));
  const seatOrNone = (name) => (position.get(name) == null ? null : seatAt(name));
  const turn = seatAt("turn");
  const dealer = seatOrNone("dealer");
  const players = playersFrom(rules, dealer);
  if (!players.includes(turn)) refuse("/turn");
  const table = cardsOf(position.get("trick") ?? "", "/trick");
  if (table.length >= players.length) refuse("/trick");
  const upcards = position.get("upcard") ? cardsOf(position.get("upcard"), "/upcard") : [null];
  if (upcards.length !== 1) refuse("/upcard");
  const upcard = upcards[0];
  const hands = handsOf(rules, position.get("hands"), [...table, upcard]);
  const tricksWon = bySide(rules, position.get("tricks_won"), "/tricks_won");
  const lastTrick = position.get("last_trick") ?? null;
  const lastSide = lastTrick === null ? null : whose(rules, lastTrick, "/last_trick").side;
  if (!SUITS.includes(position.get("trump"))) refuse("/trump");
  const trump = position.get("trump");
  const declared = declarationsOf(rules, position.get("declared"), "/declared");
  const lastWinner = rules.seats.includes(lastTrick) ? lastTrick : null;
  const window = windowOf(rules, position.get("window"), lastWinner);
  const done = sum(tricksWon);
  if (lastSide !== null) tricksWon[lastSide] ||= 1;
  const stock = countOf(position, "stock", 0);
  const state = {
    ...NOTHING, rules, trump, dealer, players, turn, hands, table, seen: table, upcard, stock,
    trick: Math.max(done, sum(tricksWon)) + 1,
    tricksLeft: tricksLeft(rules, hands, players, turn, table.length, stock, done),
    points: bySide(rules, position.get("points"), "/points"),
    tricksWon,
    lastWon: Object.fromEntries(Object.entries(tricksWon)
      .map(([side, won]) => [side, side === lastSide ? Math.max(done, 1) : Math.min(won, 1)])),
    lastWinner,
    lastSide,
    declared: [...declared, ...window.filter((token) => !declared.includes(token))],
    forfeited: declarationsOf(rules, position.get("forfeited"), "/forfeited")
      .map((token) => ({ seat: token[0], suit: token[4] ?? trump })),
    window,
    carried: bySide(rules, position.get("carried"), "/carried"),
    dealOfGame: countOf(position, "deal_of_game", 1),
    capote: seatOrNone("capote"),
    supporter: seatOrNone("supported"),
  };
  const in_deal = rules.declaring_order === "forty_in_deal";
  return { ...state, passedOver: passedOverIn(state, in_deal ? state.declared : window) };
};

const sum = (numbers) => Object.values(numbers).reduce((total, number) => total + number, 0);

const rulesOf = (position) => {
  let rules = rulesetNamed(position.get("ruleset")) ?? refuse("/ruleset");
  const options = position.get("options") ?? new Map();
  if (!isObject(options)) refuse("/options");
  for (const [name, value] of options) {
    if (name === "to" || name === "deals") continue;
    rules = (Object.hasOwn(HOUSE_RULES, name) && withHouseRule(rules, name, value)) || refuse(`/options/${name}`);
  }
  const hands = position.get("hands");
  const seats = [...(isObject(hands) ? hands.keys() : []), position.get("turn"), position.get("dealer")];
  const is_four = seats.includes("D") && rules.seats.length < 4 && rules.seat_counts.includes(4);
  return is_four ? atTable(rules, 4) : rules;
};

const cardsOf = (text, path) => {
  if (typeof text !== "string") refuse(path);
  const cards = wordsOf(text);
  if (!cards.every(isCard) || new Set(cards).size !== cards.length) refuse(path);
  return cards;
};

const handsOf = (rules, hands = new Map(), lying) => {
  if (!isObject(hands)) refuse("/hands");
  for (const seat of hands.keys()) if (!rules.seats.includes(seat)) refuse(`/hands/${seat}`);
  const seen = new Set(lying);
  const read = each(rules.seats, null);
  for (const seat of rules.seats.filter((one) => hands.has(one))) {
    read[seat] = cardsOf(hands.get(seat), `/hands/${seat}`);
    if (read[seat].some((card) => seen.has(card))) refuse(`/hands/${seat}`);
    read[seat].forEach((card) => seen.add(card));
  }
  return read;
};

/** Seat and side of a name that may be either: of a side the first seat. */
const whose = (rules, name, path) => {
  if (rules.seats.includes(name)) return { seat: name, side: sideOf(rules, name) };
  return rules.sides.includes(name) ? { seat: name[0], side: name } : refuse(path);
};

const isCount = (value) => Number.isInteger(value) && value >= 0;

const countOf = (position, name, absent) => {
  const value = position.get(name) ?? absent;
  return isCount(value) ? value : refuse(`/${name}`);
};

const bySide = (rules, counts, path) => {
  const totals = noPoints(rules);
  if (!isObject(counts ?? new Map())) refuse(path);
  for (const [name, count] of counts ?? []) {
    if (!isCount(count)) refuse(`${path}/${name}`);
    totals[whose(rules, name, `${path}/${name}`).side] += count;
  }
  return totals;
};

const declarationsOf = (rules, declared, path) => {
  if (!isObject(declared ?? new Map())) refuse(path);
  return [...(declared ?? [])].flatMap(([name, calls]) => {
    const { seat } = whose(rules, name, `${path}/${name}`);
    return [calls].flat().map((call) => declaration(`${seat}:${call}`, `${path}/${name}`));
  });
};

const windowOf = (rules, window, winner) => {
  if (!Array.isArray(window ?? [])) refuse("/window");
  return (window ?? []).map((call) => {
    const token = String(call).includes(":") ? call : `${winner ?? "A"}:${call}`;
    return rules.seats.includes(token[0]) ? declaration(token, "/window") : refuse("/window");
  });
};

const declaration = (token, path) => (isDeclarationToken(token) ? token : refuse(path));

/** Tricks to come with the one on the table, counted from the hands that are known. */
const tricksLeft = (rules, hands, players, turn, laid, stock, done) => {
  const has_played = (seat) => {
    const before = (players.indexOf(turn) - players.indexOf(seat) + players.length) % players.length;
    return before > 0 && before <= laid;
  };
  const counts = players.filter((seat) => hands[seat])
    .map((seat) => hands[seat].length + (has_played(seat) ? 1 : 0) + Math.floor(stock / players.length));
  if (new Set(counts).size > 1) refuse("/hands");
  return counts[0] ?? Math.max(rules.trickCount - done, 0);
};
