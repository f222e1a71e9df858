// Reads JSON strictly (docs/spec/record.md). Objects become Maps: their members keep the order in which
// they were written, whatever they are called. Whole numbers beyond 2^53 become BigInts, others `Fraction`s.

import { RecordError, newFault } from "./cards.js";

export const MAX_BYTES = 1 << 20;
const MAX_DEPTH = 16;
const MAX_DIGITS = 4300;

const GAP = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const CONSTANT = /-?Infinity|NaN/y;
const UNSTORABLE = /\0|[\ud800-\udfff]/u; // of a whole surrogate pair the flag makes one sign
const LITERALS = { true: true, false: false, null: null };

/** A number with a fraction or an exponent, which no member of a record takes. */
export class Fraction {
  constructor(text) { this.text = text; }

  toString() { return this.text; }
}

export const isObject = (value) => value instanceof Map;
export const isWhole = (value) => Number.isInteger(value) || typeof value === "bigint";

/** A value in which every object is a Map. */
export const asMaps = (value) => {
  if (value === null || typeof value !== "object" || value instanceof Fraction) return value;
  if (Array.isArray(value)) return value.map(asMaps);
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(members.map(([name, inner]) => [name, asMaps(inner)]));
};

/** The text of a file: UTF-8 without a byte order mark. */
export const decoded = (source) => {
  let text = source;
  if (typeof source !== "string") {
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(source);
    } catch {
      throw syntaxError("bad_encoding");
    }
  }
  if (text.startsWith("\ufeff")) throw syntaxError("bad_encoding");
  return text;
};

const syntaxError = (reason, facts = {}) => new RecordError(
  newFault("record.syntax", "F1", { facts: { reason, detail: "", notation: "JSON", ...facts } }),
);

const tooLarge = (what, limit) => new RecordError(
  newFault("record.limit", "F1", { facts: { reason: "too_large", what, limit } }),
);

/** The value that a JSON text writes; throws `RecordError`. @param {string|Uint8Array} source */
export const readJson = (source) => {
  const size = typeof source === "string" ? new TextEncoder().encode(source).length : source.length;
  if (size > MAX_BYTES) throw tooLarge("bytes", MAX_BYTES);
  const text = decoded(source);
  let value;
  try {
    value = new Reader(text).whole();
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge("depth", MAX_DEPTH); // nested deeper than calls may be
    throw error;
  }
  if (isDeeper(value, MAX_DEPTH)) throw tooLarge("depth", MAX_DEPTH);
  return value;
};

const isDeeper = (value, levels) => {
  const inner = Array.isArray(value) ? value : isObject(value) ? [...value.values()] : null;
  return inner !== null && (levels === 0 || inner.some((one) => isDeeper(one, levels - 1)));
};

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  whole() {
    this.take(GAP);
    const value = this.value();
    if (this.at < this.text.length) this.fail();
    return value;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** Skip a sign and the blanks after it; false if another stands there. */
  skip(sign) {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    this.take(GAP);
    return true;
  }

  need(sign) { if (!this.skip(sign)) this.fail(); }

  fail(reason = "malformed_json", detail = `unexpected ${this.text[this.at] ?? "end"}`) {
    const above = this.text.slice(0, this.at).split("\n");
    throw syntaxError(reason, { detail, line: above.length, column: [...above.at(-1)].length + 1 });
  }

  value() {
    const value = this.item();
    this.take(GAP);
    return value;
  }

  item() {
    const sign = this.text[this.at];
    if (sign === "{") return this.object();
    if (sign === "[") return this.array();
    if (sign === "\"") return this.string();
    for (const [word, value] of Object.entries(LITERALS)) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    if (this.take(CONSTANT)) this.fail("bad_number", "");
    return this.number();
  }

  object() {
    const members = new Map();
    this.need("{");
    if (this.skip("}")) return members;
    do {
      const name = this.string();
      this.take(GAP);
      this.need(":");
      if (members.has(name)) this.fail("duplicate_key", name);
      members.set(name, this.value());
    } while (this.skip(","));
    this.need("}");
    return members;
  }

  array() {
    const items = [];
    this.need("[");
    if (this.skip("]")) return items;
    do items.push(this.value()); while (this.skip(","));
    this.need("]");
    return items;
  }

  string() {
    const found = this.take(STRING);
    if (!found) this.fail();
    const text = JSON.parse(found[0]);
    if (UNSTORABLE.test(text)) this.fail("bad_character");
    return text;
  }

  number() {
    const found = this.take(NUMBER);
    if (!found) this.fail();
    const [digits, fraction, exponent] = found;
    if (fraction || exponent) {
      if (!Number.isFinite(Number(digits))) this.fail("bad_number", "");
      return new Fraction(digits);
    }
    if (digits.replace("-", "").length > MAX_DIGITS) this.fail("bad_number", "");
    const number = Number(digits);
    return Number.isSafeInteger(number) ? number : BigInt(digits);
  }
}
