// The pack and the words of a record (rule R1). A card is its name, as "1o": rank and suit.

export const SEATS = ["A", "B", "C", "D"];
export const SUITS = ["o", "c", "e", "b"];

/** From the strongest down. */
export const RANKS = ["1", "3", "R", "C", "S", "7", "6", "5", "4", "2"];

const WORTH = { 1: 11, 3: 10, R: 4, C: 3, S: 2 };
export const LAST_TRICK = 10;
export const CARD_POINTS = 120;

/** The forty cards by suit, from the strongest down: the order in which cards are listed. */
export const PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

const PLACES = new Map(PACK.map((card, place) => [card, place]));

// What Unicode calls white space; JavaScript's \s differs from it at U+001C to U+001F, U+0085 and U+FEFF
export const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANKS = new RegExp(`[${BLANK}]+`);

export const isCard = (word) => PLACES.has(word);
export const suitOf = (card) => card[1];
export const rankOf = (card) => card[0];
export const worth = (rank) => WORTH[rank] ?? 0;
export const pointsOf = (cards) => cards.reduce((sum, card) => sum + worth(card[0]), 0);

/** Whether a card is the higher one of its suit. */
export const isAbove = (card, other) => card[1] === other[1] && PLACES.get(card) < PLACES.get(other);

/** Cards in the order of the pack. */
export const inOrder = (cards) => [...cards].sort((a, b) => PLACES.get(a) - PLACES.get(b));

/** The words of a text, which blanks separate. */
export const wordsOf = (text) => text.split(BLANKS).filter(Boolean);

/** How many code points a text has. */
export const lengthOf = (text) => {
  let length = 0;
  for (const _point of text) length += 1;
  return length;
};

/** An object with the same value for each name. */
export const each = (names, value) => Object.fromEntries(names.map((name) => [name, value]));

/**
 * One thing that is wrong with a record, or worth knowing about it (docs/spec/verdict.md).
 * @typedef {{code: string, rule: string, hand: ?number, trick: ?number, token: ?number, path: string,
 *   seat: ?string, card: ?string, legal: string[], declaration?: string, facts: Object}} Fault
 */

/** @returns {Fault} */
export const newFault = (code, rule, more = {}) => ({
  code, rule, hand: null, trick: null, token: null, path: "", seat: null, card: null, legal: [], facts: {}, ...more,
});

/** What cannot be read: a record, a text, a score sheet. */
export class RecordError extends Error {
  /** @param {Fault} fault @param {Fault[]} also what else is wrong with the same record */
  constructor(fault, also = []) {
    super(`${fault.code} (${fault.facts.reason}) at ${fault.path || "/"}`);
    this.fault = fault;
    this.faults = [fault, ...also];
  }
}
