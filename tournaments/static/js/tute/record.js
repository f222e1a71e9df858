// Reads records `baza/1` (docs/spec/record.md), and names their facts by a digest (docs/spec/canonical.md).

import { RecordError, lengthOf, newFault, wordsOf } from "./cards.js";
import { asMaps, isObject, isWhole, readJson } from "./json.js";
import { HOUSE_RULES, RULESETS, atTable, rulesetNamed, withHouseRule } from "./rulesets.js";

export const FORMAT = "baza/1";
export const MAX_HANDS = 1000;
export const MAX_TOKENS = 200;
export const MAX_TEXT = 1000;

const MEMBERS = ["format", "ruleset", "options", "seats", "tags", "hands", "score", "winner"];
const LENGTHS = ["to", "deals"];
const UNPRINTABLE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/**
 * A hand as the record states it; null where it states nothing.
 * @typedef {{dealer: string, trump: ?string, deal: ?Object<string, string>, stock: ?string, play: ?string,
 *   points: ?Object<string, number>, winner: ?string, payments: ?Object<string, number>}} HandRecord
 */
/**
 * @typedef {{rules: import("./rulesets.js").Rules, options: Map, to: ?number, deals: ?number, seats: string[],
 *   tags: Map, hands: HandRecord[], score: ?Object<string, number>, winner: ?string, document: Map}} Record
 */

const refuse = (code, path, reason, facts = {}) => {
  const hand = /^\/hands\/(\d+)/.exec(path);
  throw new RecordError(newFault(code, "F1", { hand: hand ? Number(hand[1]) + 1 : null, path, facts: { reason, ...facts } }));
};
/** The JSON pointer (RFC 6901) to a member of the object at `path`. */
const member = (path, name) => `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const refuseMember = (path, reason, kind) => refuse("record.field", path, reason, { kind });
const excerpt = (value) => String(value ?? "").slice(0, 60);

/** Read a record: JSON as text or bytes, or a document. Throws `RecordError`. @returns {Record} */
export const readRecord = (source) => {
  const document = typeof source === "string" || source instanceof Uint8Array ? readJson(source) : asMaps(source);
  if (!isObject(document)) refuse("record.format", "", "expected_object");
  if (document.get("format") !== FORMAT) refuse("record.format", "/format", "unsupported_format", { found: document.get("format") });
  const name = document.get("ruleset");
  const usual = rulesetNamed(name)
    ?? refuse("record.ruleset", "/ruleset", (name ?? "") === "" ? "missing" : "unknown_ruleset", {
      found: excerpt(name), known: Object.keys(RULESETS).join(", "),
    });
  const options = document.has("options") ? document.get("options") : new Map();
  const { rules: changed, to, deals } = readOptions(usual, options);
  const seats = readSeats(changed, document.get("seats"));
  const rules = atTable(changed, seats.length);
  refuseUnknown(document, MEMBERS, "");
  const tags = readTags(document.has("tags") ? document.get("tags") : new Map());
  const hands = document.get("hands");
  if (!Array.isArray(hands)) refuseMember("/hands", document.has("hands") ? "wrong_type" : "missing", "list");
  const record = {
    rules, options, to, deals, seats, tags,
    hands: hands.map((hand, index) => readHand(rules, hand, `/hands/${index}`)),
    score: readNumbers(document.get("score"), rules.sides, "/score"),
    winner: readSide(document.get("winner"), rules.sides, "/winner"),
    document,
  };
  refuseTooLarge(record);
  return record;
};

const readOptions = (usual, options) => {
  if (!isObject(options)) refuse("record.option", "/options", "wrong_type", { kind: "object" });
  let rules = usual;
  for (const [name, value] of options) {
    if (LENGTHS.includes(name)) continue;
    const path = member("/options", name);
    const is_known = Object.hasOwn(HOUSE_RULES, name) && (name !== "stakes" || rules.trump_shown === "aside");
    if (!is_known) refuse("record.option", path, "unknown_option", { found: name });
    const reason = name === "exchange" && HOUSE_RULES.exchange.includes(value) ? "no_upcard" : "wrong_type";
    rules = withHouseRule(rules, name, value) ?? refuse("record.option", path, reason, { found: excerpt(value) });
  }
  for (const name of LENGTHS.filter((length) => options.has(length))) {
    const value = options.get(name);
    if (!isWhole(value) || value < 1) refuse("record.option", member("/options", name), "wrong_type", { kind: "positive" });
  }
  if (options.has("to") && options.has("deals")) refuse("record.option", "/options", "contradiction");
  if (options.has("deals") && rules.race_to) refuse("record.option", "/options/deals", "unknown_option", { found: "deals" });
  const deals = options.get("deals") ?? null;
  return { rules, deals, to: deals === null ? options.get("to") ?? rules.target : null };
};

const readSeats = (rules, seats) => {
  const expected = rules.seat_counts.join(" / ");
  if (!Array.isArray(seats) || !seats.every((name) => typeof name === "string")) {
    refuse("record.seats", "/seats", "wrong_type", { expected, kind: "names" });
  }
  if (!rules.seat_counts.includes(seats.length)) {
    refuse("record.seats", "/seats", "wrong_number", { expected, found: seats.length });
  }
  seats.forEach((name, seat) => {
    if (UNPRINTABLE.test(name)) refuse("record.seats", `/seats/${seat}`, "bad_character", { expected });
  });
  return seats;
};

const readTags = (tags) => {
  if (!isObject(tags)) refuseMember("/tags", "wrong_type", "object");
  for (const [name, text] of tags) {
    if (typeof text !== "string") refuseMember(member("/tags", name), "wrong_type", "text");
    if (UNPRINTABLE.test(name) || UNPRINTABLE.test(text)) refuseMember(member("/tags", name), "bad_character");
  }
  return tags;
};

/** @returns {HandRecord} */
const readHand = (rules, hand, path) => {
  if (!isObject(hand)) refuseMember(path, "wrong_type", "object");
  const more = [...(rules.stockSize ? ["stock"] : []), ...(rules.stakes === "none" ? [] : ["payments"])];
  refuseUnknown(hand, ["dealer", "trump", "deal", "play", "points", "winner", ...more], path);
  const dealer = hand.get("dealer") ?? null;
  if (!rules.seats.includes(dealer)) refuseMember(`${path}/dealer`, dealer === null ? "missing" : "wrong_seat");
  if (!hand.has("play")) refuseMember(`${path}/play`, "missing");
  const counting = rules.sitsOut ? rules.sides.filter((side) => side !== dealer) : rules.sides;
  const read = {
    dealer,
    trump: readText(hand.get("trump"), `${path}/trump`),
    deal: readDeal(rules, hand.get("deal"), `${path}/deal`),
    play: readText(hand.get("play"), `${path}/play`),
    points: readNumbers(hand.get("points"), counting, `${path}/points`),
    winner: readSide(hand.get("winner"), rules.sides, `${path}/winner`),
    stock: readText(hand.get("stock"), `${path}/stock`),
    payments: readNumbers(hand.get("payments"), rules.seats, `${path}/payments`),
  };
  const with_play = ["trump", "deal", ...(rules.stockSize ? ["stock"] : [])];
  const without = ["points", ...(rules.race_to ? [] : ["winner"])];
  const missing = (read.play === null ? without : with_play).find((name) => read[name] === null);
  if (missing) refuseMember(`${path}/${missing}`, "missing");
  return read;
};

const readText = (text, path) => (text == null || typeof text === "string" ? text ?? null : refuseMember(path, "wrong_type", "text"));

const readSide = (side, sides, path) => (side == null || sides.includes(side) ? side ?? null : refuseMember(path, "wrong_side"));

const readNumbers = (numbers, sides, path) => readMembers(numbers, sides, path, isWhole, "integer");

const readDeal = (rules, deal, path) => readMembers(deal, rules.seats, path, (cards) => typeof cards === "string", "text");

const readMembers = (value, names, path, is_right, kind) => {
  if (value == null) return null;
  if (!isObject(value)) refuseMember(path, "wrong_type", "object");
  refuseUnknown(value, names, path);
  const missing = names.find((name) => !value.has(name));
  if (missing) refuseMember(`${path}/${missing}`, "missing");
  for (const [name, inner] of value) if (!is_right(inner)) refuseMember(`${path}/${name}`, "wrong_type", kind);
  return Object.fromEntries(value);
};

const refuseUnknown = (members, known, path) => {
  for (const name of members.keys()) if (!known.includes(name)) refuseMember(member(path, name), "unknown_field");
};

const refuseTooLarge = ({ hands, seats, tags }) => {
  const tooLarge = (path, what, limit) => refuse("record.limit", path, "too_large", { what, limit });
  const short = (text, path) => { if (text !== null && lengthOf(text) > MAX_TEXT) tooLarge(path, "characters", MAX_TEXT); };
  if (hands.length > MAX_HANDS) tooLarge("/hands", "hands", MAX_HANDS);
  seats.forEach((name, seat) => short(name, `/seats/${seat}`));
  for (const [name, text] of tags) {
    short(name, "/tags");
    short(text, member("/tags", name));
  }
  hands.forEach((hand, index) => {
    const path = `/hands/${index}`;
    if (wordsOf(hand.play ?? "").length > MAX_TOKENS) tooLarge(`${path}/play`, "tokens", MAX_TOKENS);
    short(hand.trump, `${path}/trump`);
    Object.entries(hand.deal ?? {}).forEach(([seat, cards]) => short(cards, `${path}/deal/${seat}`));
    short(hand.stock, `${path}/stock`);
  });
};

// --- the digest ----------------------------------------------------------------------------------

const byCodePoint = (a, b) => {
  const [some, others] = [[...a], [...b]];
  const at = some.findIndex((point, n) => point !== others[n]);
  if (at < 0) return some.length - others.length;
  return others[at] === undefined ? 1 : some[at].codePointAt(0) - others[at].codePointAt(0);
};

const joined = (text) => wordsOf(text).join(" ");

/** The canonical form of a record: the lines that its digest is made of. @param {Record} record */
export const canonicalForm = ({ rules, options, to, deals, hands }) => {
  const usual = RULESETS[rules.name];
  const house = [...options].filter(([name, value]) => !LENGTHS.includes(name) && value !== usual[name]).map(([name, value]) => `${name}=${value === true ? "True" : value === false ? "False" : value}`);
  const lines = [
    FORMAT, rules.identity,
    [deals === null ? `to=${to}` : `deals=${deals}`, ...house.sort(byCodePoint)].join(" "),
    ...(rules.sitsOut ? [`seats=${rules.seats.length}`] : []),
  ];
  for (const hand of hands) {
    const dealt = hand.deal && rules.seats.map((seat) => wordsOf(hand.deal[seat]).sort(byCodePoint).join(" "));
    const stock = hand.stock === null ? [] : [joined(hand.stock)];
    const points = Object.keys(hand.points ?? {}).sort().map((side) => `('${side}', ${hand.points[side]})`);
    const play = hand.play === null ? `unplayed [${points.join(", ")}] ${hand.winner ?? "None"}` : joined(hand.play);
    lines.push(`${hand.dealer} ${hand.trump || "-"} ${[...(dealt ?? ["-"]), ...stock].join("|")} ${play}`);
  }
  return lines.join("\n");
};

/** @param {Record} record */
export const digest = (record) => `sha256:${sha256(new TextEncoder().encode(canonicalForm(record)))}`;

/** SHA-256 in hexadecimal. The browser's own (`crypto.subtle`) is only there over https (FIPS 180-4). */
const sha256 = (bytes) => {
  const rotate = (word, by) => (word >>> by) | (word << (32 - by));
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  data.setUint32(padded.length - 4, bytes.length << 3);
  const hash = ROOTS.slice(0, 8).map((root) => fraction(Math.sqrt(root)));
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d, e, f, g, h] = hash;
    for (let n = 0; n < 64; n += 1) {
      if (n < 16) {
        words[n] = data.getInt32(block + 4 * n);
      } else {
        const [early, late] = [words[n - 15], words[n - 2]];
        const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
        const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
        words[n] = words[n - 16] + s0 + words[n - 7] + s1;
      }
      const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + CUBES[n] + words[n]) | 0;
      const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => { hash[n] = (hash[n] + word) | 0; });
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

/** The first 32 bits of a number's fraction. */
const fraction = (number) => ((number % 1) * 2 ** 32) | 0;

const ROOTS = [];
for (let n = 2; ROOTS.length < 64; n += 1) if (ROOTS.every((prime) => n % prime)) ROOTS.push(n);
const CUBES = ROOTS.map((prime) => fraction(Math.cbrt(prime)));
