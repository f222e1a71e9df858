// The rulesets as values (rule R3): a house rule replaces one field.

import { SEATS, each } from "./cards.js";

const PACK_SIZE = 40;

/** What each field takes: one of some values, or a whole number between two bounds. */
export const HOUSE_RULES = {
  pairs: [true, false],
  cards_each: { least: 1, most: 20 },
  trump_shown: ["stock", "dealer", "aside"],
  duties_while_stock: ["full", "trumps"],
  must_overtrump: [true, false],
  exchange: ["none", "stock", "before_play"],
  exchange_needs_trick: [true, false],
  declare_at: ["every", "first"],
  declarations_per_trick: { least: 0, most: 4 },
  declaring_order: ["free", "forty_in_window", "forty_in_deal", "forty_alone", "forty_first"],
  declare_to_the_end: [true, false],
  omitted_is_lost: [true, false],
  tute_ranks: ["", "R", "RC"],
  tute_at_first_trick_only: [true, false],
  race_to: { least: 0, most: 500 },
  stakes: ["none", "flat", "plate"],
  target: { least: 1, most: 1000 },
};

const HABANERO = {
  name: "habanero", seat_counts: [2], pairs: false, cards_each: 8, trump_shown: "stock",
  duties_while_stock: "full", must_overtrump: false, exchange: "stock", exchange_needs_trick: false,
  declare_at: "every", declarations_per_trick: 0, declaring_order: "forty_in_window",
  declare_to_the_end: false, omitted_is_lost: false, tute_ranks: "R", tute_at_first_trick_only: false,
  race_to: 0, stakes: "none", target: 3,
};
const CUATRO = {
  ...HABANERO, name: "cuatro", seat_counts: [4], pairs: true, cards_each: 10, trump_shown: "dealer",
  must_overtrump: true, exchange: "none", declarations_per_trick: 1, declaring_order: "free",
  declare_to_the_end: true, tute_ranks: "RC",
};
const FIELDS = [
  HABANERO,
  {
    ...HABANERO, name: "mano-a-mano", duties_while_stock: "trumps", exchange_needs_trick: true,
    declarations_per_trick: 1, declaring_order: "free", declare_to_the_end: true, tute_ranks: "",
    race_to: 101, target: 1,
  },
  {
    ...CUATRO, name: "parejas", must_overtrump: false, declare_at: "first", declarations_per_trick: 0,
    declaring_order: "forty_in_deal", omitted_is_lost: true, tute_ranks: "R",
  },
  {
    ...CUATRO, name: "parejas-online", declaring_order: "forty_alone", omitted_is_lost: true,
    tute_at_first_trick_only: true,
  },
  CUATRO,
  {
    ...CUATRO, name: "arrastrado", seat_counts: [3, 4], pairs: false, cards_each: 13,
    trump_shown: "aside", exchange: "before_play", declaring_order: "forty_first",
  },
];

/**
 * A ruleset at a table: the fields above, and what follows from them.
 * @typedef {Object} Rules
 * @property {string} name
 * @property {string} identity name and version
 * @property {string[]} seats in playing order
 * @property {string[]} sides
 * @property {boolean} sitsOut whether the dealer is dealt nothing (R8.1)
 * @property {number} playerCount
 * @property {number} stockSize 0 in games without a stock
 * @property {number} trickCount of a hand played to its end
 */

/** @returns {Rules} */
const complete = (fields, seatCount) => {
  const seats = SEATS.slice(0, seatCount);
  const sitsOut = fields.trump_shown === "aside" && seatCount > fields.seat_counts[0];
  const playerCount = seatCount - (sitsOut ? 1 : 0);
  const dealt = playerCount * fields.cards_each;
  const stockSize = fields.trump_shown === "stock" ? PACK_SIZE - dealt : 0;
  return {
    ...fields, identity: `${fields.name}@1`, seats, sides: fields.pairs ? ["AC", "BD"] : seats, sitsOut,
    playerCount, dealt, stockSize, trickCount: Math.floor((dealt + stockSize) / playerCount),
  };
};

/** The rulesets by name. */
export const RULESETS = Object.fromEntries(
  FIELDS.map((fields) => [fields.name, complete(fields, fields.seat_counts[0])]),
);

/** The ruleset of a name, or of a name with its version: "cuatro@1". @returns {?Rules} */
export const rulesetNamed = (name) => Object.values(RULESETS)
  .find((rules) => name === rules.name || name === rules.identity) ?? null;

/** The same rules with a number of players. */
export const atTable = (rules, seatCount) => complete(rules, seatCount);

const fitsThePack = (rules) => {
  const left = PACK_SIZE - rules.dealt;
  if (rules.pairs && rules.seats.length !== SEATS.length) return false;
  if (rules.trump_shown === "stock") return left > 0 && left % rules.playerCount === 0;
  return left === (rules.trump_shown === "aside" ? 1 : 0);
};

const hasUpcard = (rules) => rules.exchange === "none" || rules.trump_shown !== "dealer";

/** The rules with one field changed; null where that cannot be. */
export const withHouseRule = (rules, name, value) => {
  const takes = HOUSE_RULES[name];
  const is_known = Array.isArray(takes) ? takes.includes(value)
    : Number.isInteger(value) && takes.least <= value && value <= takes.most;
  if (!is_known) return null;
  const changed = complete({ ...rules, [name]: value }, rules.seats.length);
  return fitsThePack(changed) && hasUpcard(changed) ? changed : null;
};

export const sideOf = (rules, seat) => rules.sides.find((side) => side.includes(seat));

/** The seat that follows in playing order. */
export const seatAfter = (rules, seat) => rules.seats[(rules.seats.indexOf(seat) + 1) % rules.seats.length];

/** The seats that are dealt cards, from the one after the dealer on (R2.3, R8.1). */
export const playersFrom = (rules, dealer) => {
  const first = rules.seats.indexOf(dealer) + 1;
  const around = [...rules.seats.slice(first), ...rules.seats.slice(0, first)];
  return rules.sitsOut ? around.filter((seat) => seat !== dealer) : around;
};

/** Zero for every side. */
export const noPoints = (rules) => each(rules.sides, 0);
