// Reads records as text, `.tute`, and judges them (docs/spec/tute.md). Cards and statements are
// judged where those of JSON are.

import { BLANK, RecordError, isCard, lengthOf, newFault, wordsOf } from "./cards.js";
import { MAX_BYTES } from "./json.js";
import { MAX_HANDS, MAX_TEXT, MAX_TOKENS, readRecord } from "./record.js";
import { audit, unreadable } from "./verdict.js";
import { RESERVED, documentOf, leadersOf, writeText } from "./writing.js";

export { documentOf, writeText };

const UNPRINTABLE = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]/u;
const HALF_PAIR = /[\ud800-\udfff]/u; // of a whole pair the flag makes one sign
const QUOTE = "\"((?:[^\"\\\\]|\\\\[^])*)\"";
const WORD = new RegExp(`${QUOTE}|([^${BLANK}";]+)|(;)|(")`, "g");
const TAG = new RegExp(`^[${BLANK}]*\\[[${BLANK}]*(?:([A-Za-z][A-Za-z0-9_-]*)|${QUOTE})[${BLANK}]*${QUOTE}[${BLANK}]*\\][${BLANK}]*(?:;([^]*))?$`, "d");
const OPENING = new RegExp(`^[${BLANK}]*\\[[${BLANK}]*[Ff]ormat(?![\\p{L}\\p{N}_\\-])`, "u");
const EDGES = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "g");
const NUMBER = /^-?[0-9]{1,4000}$/;
const OPTION = /^([A-Za-z_]+)=([^=]*)$/;
const BARE = new RegExp(`[^${BLANK}]+`, "g");
const MOST_FAULTS = 100;

/** What is wrong with a line, before its number is known. */
class LineError extends Error {
  constructor(reason, column, facts = {}) {
    super(reason);
    Object.assign(this, { reason, column, facts });
  }
}

const fail = (reason, column, facts) => { throw new LineError(reason, column, facts); };
const strip = (text) => text.replace(EDGES, "");

/**
 * A record that was read from text. `places`: line and column by path, `tokens`: of each hand's play,
 * `marks`: the leaders before cards.
 * @typedef {{document: Map, line: number, comments: {above: boolean, anchor: string, text: string}[],
 *   places: Map<string, number[]>, tokens: number[][][], marks: Object[][]}} TextRecord
 */

// --- lines ---------------------------------------------------------------------------------------

const linesOf = (source) => {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const lines = [];
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found + 1;
    lines.push(lineOf(bytes.subarray(start, end), number));
    start = end;
  }
  return lines;
};

const lineOf = (bytes, number) => {
  if (bytes.length > MAX_BYTES) return { number, text: "", size: bytes.length, problem: "too_large" };
  let text;
  let problem = null;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    problem = "bad_encoding";
  }
  if (number === 1 && text.startsWith("\ufeff")) problem = "bad_encoding";
  return { number, text: text.replace(/^\ufeff+/, "").replace(/[\r\n]+$/, ""), size: bytes.length, problem };
};

const columnAt = (text, index) => lengthOf(text.slice(0, index)) + 1;

/** The words of a line ({column, text, quoted}) and the comment at its end. */
const readWords = (text) => {
  const words = [];
  for (const match of text.matchAll(WORD)) {
    const [, quoted, bare, comment] = match;
    const column = columnAt(text, match.index);
    if (bare !== undefined) words.push({ column, text: bare, quoted: false });
    else if (quoted !== undefined) words.push({ column, text: unescaped(quoted, column), quoted: true });
    else if (comment !== undefined) return { words, comment: strip(text.slice(match.index + 1)) };
    else fail("open_quote", column);
  }
  return { words, comment: null };
};

const readTag = (text) => {
  const match = TAG.exec(text);
  if (!match) {
    readWords(text); // an open quote is a fault of its own
    fail("bad_tag", 1);
  }
  const [, bare, quoted, value, comment] = match;
  const at = (group) => columnAt(text, match.indices[group][0]);
  const name = bare === undefined ? { column: at(2) - 1, text: unescaped(quoted, at(2) - 1), quoted: true }
    : { column: at(1), text: bare, quoted: false };
  const column = at(3) - 1;
  return {
    name, column, value: unescaped(value, column), inherits: value === "#",
    comment: comment === undefined ? null : strip(comment),
  };
};

const unescaped = (raw, column) => {
  if (!raw.includes("\\")) return raw;
  const wrong = /\\(?:u(?![0-9A-Fa-f]{4})|[^"\\/bfnrtu])/.exec(raw.replace(/\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/g, (good) => "x".repeat(good.length)));
  if (wrong) fail("bad_escape", column + lengthOf(raw.slice(0, wrong.index)) + (raw[wrong.index + 1] === "u" ? 2 : 1));
  const text = JSON.parse(`"${raw.replaceAll("\t", "\\t")}"`);
  if (HALF_PAIR.test(text)) fail("bad_escape", column);
  return text;
};

// --- values --------------------------------------------------------------------------------------

const readNumber = (text, column) => {
  if (!NUMBER.test(text)) fail("bad_pairs", column);
  return Number.isSafeInteger(Number(text)) ? Number(text) + 0 : BigInt(text);
};

const bareWords = (text, column) => [...text.matchAll(BARE)]
  .map((match) => ({ text: match[0], column: column + lengthOf(text.slice(0, match.index)) }));

const readOptions = (text, column) => {
  const options = new Map();
  for (const word of bareWords(text, column)) {
    const match = OPTION.exec(word.text) ?? fail("bad_option", word.column, { found: word.text.slice(0, 60) });
    const [, name, value] = match;
    if (options.has(name)) fail("twice", word.column, { found: name });
    options.set(name, NUMBER.test(value) ? readNumber(value, word.column) : { true: true, false: false }[value] ?? value);
  }
  return options;
};

const readNumbers = (words, column) => {
  if (words.length === 0 || words.length % 2) fail("bad_pairs", words.at(-1)?.column ?? column);
  const numbers = new Map();
  for (let n = 0; n < words.length; n += 2) {
    const [side, number] = [words[n], words[n + 1]];
    if (numbers.has(side.text)) fail("twice", side.column, { found: side.text });
    numbers.set(side.text, readNumber(number.text, number.column));
  }
  return numbers;
};

const TAG_VALUES = {
  "/options": readOptions,
  "/score": (text, column) => (strip(text) === "-" ? null : readNumbers(bareWords(text, column), column)),
  "/winner": (text) => (text === "-" ? null : text),
};

const isNull = (words) => words.length === 2 && words[1].text === "-" && !words[1].quoted;

const refuseTwice = (hand, words, name) => {
  if (hand.fields.has(name)) fail("twice", words[0].column, { found: words[0].text });
};

const oneWord = (word) => {
  if (word.quoted && (!word.text || wordsOf(word.text)[0] !== word.text)) fail("blank_in_word", word.column);
  return word.text;
};

const readText = (hand, words) => {
  const name = words[0].text;
  refuseTwice(hand, words, name);
  if (words.length !== 2) fail("one_word", words[Math.min(2, words.length - 1)].column, { found: name });
  hand.fields.set(name, isNull(words) && name !== "dealer" ? null : words[1].text);
  return name;
};

const readTotals = (hand, words) => {
  refuseTwice(hand, words, words[0].text);
  hand.fields.set(words[0].text, isNull(words) ? null : readNumbers(words.slice(1), words[0].column));
  return words[0].text;
};

const readCards = (words) => words.map(oneWord).join(" ");

const readStock = (hand, words) => {
  refuseTwice(hand, words, "stock");
  hand.fields.set("stock", isNull(words) ? null : readCards(words.slice(1)));
  return "stock";
};

const readDeal = (hand, words) => {
  if (words.length < 2) fail("one_word", words[0].column, { found: "deal" });
  if (isNull(words)) {
    refuseTwice(hand, words, "deal");
    hand.fields.set("deal", null);
    return "deal";
  }
  if (!hand.fields.has("deal")) hand.fields.set("deal", new Map());
  const [deal, seat] = [hand.fields.get("deal"), words[1]];
  if (deal === null || deal.has(seat.text)) fail("twice", seat.column, { found: `deal ${seat.text.slice(0, 60)}` });
  deal.set(seat.text, readCards(words.slice(2)));
  return `deal/${seat.text}`;
};

const readNoPlay = (hand, words) => {
  if (hand.play.length || hand.fields.has("play")) fail("play_and_none", words[0].column);
  if (words.length > 1) fail("one_word", words[1].column, { found: "*" });
  hand.fields.set("play", null);
  return "play";
};

const LINES = {
  dealer: readText, trump: readText, deal: readDeal, stock: readStock, "*": readNoPlay, points: readTotals,
  winner: readText, payments: readTotals,
};
const HAND_MEMBERS = ["dealer", "trump", "deal", "stock", "play", "points", "winner", "payments"];

// --- records -------------------------------------------------------------------------------------

const newHand = () => ({ fields: new Map(), play: [], tokens: [], marks: [] });

/** A record being read, line by line; what is wrong is noted, and reading goes on. */
class Draft {
  constructor(line, before) {
    Object.assign(this, { line, before, head: new Map(), values: new Map(), hands: [], errors: [], size: 0, inHands: false });
    Object.assign(this, { comments: [], places: new Map() });
  }

  take(line, above) {
    const is_tag = strip(line.text).startsWith("[");
    this.inHands ||= !is_tag;
    if (!this.hasRoom(line)) return;
    let anchor = "/end";
    let comment = null;
    this.attempt(line, () => {
      refuseBroken(line);
      [anchor, comment] = is_tag ? this.takeTag(line) : this.takeHandLine(line);
    }, () => {
      if (!this.head.has("/format")) this.head.set("/format", ""); // a missing tag is reported once
      if (this.inHands && !this.hands.length) this.hands.push(newHand());
    });
    this.takeComments(above, anchor);
    if (comment !== null) this.addComment(line, comment, anchor, false);
  }

  attempt(line, act, otherwise = () => {}) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      otherwise();
      if (error.reason === "twice" && this.broken) return; // of a hand whose dealer was lost?
      this.broken ||= this.inHands;
      this.note(line, error.reason, error.column, error.facts);
    }
  }

  note(line, reason, column, facts = {}) {
    const code = reason === "too_large" ? "record.limit" : "record.syntax";
    const place = { reason, notation: ".tute", line: line.number, column };
    if (this.errors.length < MOST_FAULTS) this.errors.push(newFault(code, "F2", { facts: { ...place, ...facts } }));
  }

  takeComments(lines, anchor) {
    for (const line of lines) {
      if (!this.hasRoom(line)) continue;
      this.attempt(line, () => refuseBroken(line));
      this.addComment(line, strip(strip(line.text).slice(1)), anchor, true);
    }
  }

  addComment(line, text, anchor, above) {
    if (lengthOf(text) > MAX_TEXT) this.note(line, "too_large", 1, { what: "characters", limit: MAX_TEXT });
    else if (text || above) this.comments.push({ above, anchor, text });
  }

  hasRoom(line) {
    const before = this.size;
    this.size += line.size;
    if (this.size > MAX_BYTES && before <= MAX_BYTES) this.note(line, "too_large", 1, { what: "bytes", limit: MAX_BYTES });
    return this.size <= MAX_BYTES;
  }

  takeTag(line) {
    const tag = readTag(line.text);
    const path = pathOfTag(tag.name);
    if (this.head.size === 0 && path !== "/format") fail("no_format", 1);
    if (this.inHands) fail("late_tag", 1);
    if (this.places.has(path)) fail("twice", tag.name.column, { found: tag.name.text });
    this.places.set(path, [line.number, tag.column]);
    const is_given = !tag.inherits || (path !== "/format" && this.before.has(path));
    if (!is_given) fail("nothing_to_inherit", tag.column);
    const value = tag.inherits ? this.before.get(path) : tag.value;
    this.head.set(path, value);
    this.values.set(path, TAG_VALUES[path] ? TAG_VALUES[path](value, tag.column + 1) : value);
    return [path, tag.comment];
  }

  takeHandLine(line) {
    const { words, comment } = readWords(line.text);
    if (this.head.size === 0) fail("no_format", 1);
    const first = words[0];
    const read = !first.quoted && Object.hasOwn(LINES, first.text) ? LINES[first.text] : null;
    const is_play = first.quoted || lengthOf(first.text) === 2 || first.text.includes(":");
    if (!read && !is_play) fail("unknown_line", first.column, { found: first.text.slice(0, 60) });
    if (read && first.text === "dealer") {
      if (this.hands.length === MAX_HANDS) {
        this.size = MAX_BYTES + 1; // nothing more of it is read
        fail("too_large", 1, { what: "hands", limit: MAX_HANDS });
      }
      this.hands.push(newHand());
      this.broken = false;
    } else if (this.hands.length === 0) {
      fail("no_dealer", first.column);
    }
    const hand = this.hands.at(-1);
    const path = `/hands/${this.hands.length - 1}`;
    this.place(path, line, first.column);
    if (!read) return [`${path}/play/${takePlay(hand, line, words)}`, comment];
    const name = read(hand, words);
    this.places.set(`${path}/${name}`, [line.number, words[Math.min(1, words.length - 1)].column]);
    if (name.startsWith("deal/")) this.place(`${path}/deal`, line, words[1].column);
    return [`${path}/${name}`, comment];
  }

  place(path, line, column) {
    if (!this.places.has(path)) this.places.set(path, [line.number, column]);
  }

  /** @returns {TextRecord} */
  finished() {
    const seats = [...this.values.keys()].filter((path) => path.startsWith("/seats/")).sort();
    seats.forEach((path) => {
      if (Number(path.at(-1)) < seats.length) return;
      const [number, column] = this.places.get(path);
      this.note({ number }, "seat_gap", Math.min(column, 4));
    });
    if (this.errors.length) {
      const [first, ...also] = this.errors.sort((a, b) => a.facts.line - b.facts.line || a.facts.column - b.facts.column);
      throw new RecordError(first, also);
    }
    const tags = [...this.values].filter(([path]) => path.startsWith("/tags/"));
    const document = new Map([["format", this.values.get("/format") ?? null]]);
    if (this.values.has("/ruleset")) document.set("ruleset", this.values.get("/ruleset"));
    document.set("options", this.values.get("/options") ?? new Map());
    document.set("seats", seats.map((path) => this.values.get(path)));
    document.set("tags", new Map(tags.map(([path, text]) => [path.slice("/tags/".length), text])));
    document.set("hands", this.hands.map(({ fields, play }) => {
      if (!fields.has("play")) fields.set("play", play.join(" "));
      return new Map(HAND_MEMBERS.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
    }));
    for (const name of ["score", "winner"]) if (this.values.has(`/${name}`)) document.set(name, this.values.get(`/${name}`));
    return {
      document, line: this.line, comments: this.comments, places: this.places,
      tokens: this.hands.map((hand) => hand.tokens), marks: this.hands.map((hand) => hand.marks),
    };
  }
}

const refuseBroken = ({ text, problem }) => {
  if (problem) fail(problem, 1);
  const found = UNPRINTABLE.exec(text);
  if (found) fail("bad_character", columnAt(text, found.index));
};

const pathOfTag = ({ text, quoted }) => {
  if (quoted) return `/tags/${text}`;
  const rest = text.slice(1);
  return RESERVED.get(text[0].toUpperCase() + rest) ?? `/tags/${text[0].toLowerCase()}${rest}`;
};

/** Add a line of play; returns the place of its first token. */
const takePlay = (hand, line, words) => {
  if (hand.fields.has("play")) fail("play_and_none", words[0].column);
  if (hand.play.length > MAX_TOKENS) return MAX_TOKENS; // reported already
  const first = hand.play.length;
  let mark = null;
  for (const word of words) {
    if (!word.quoted && word.text.endsWith(":") && lengthOf(word.text) === 2) {
      if (mark) fail("empty_trick", mark.column);
      mark = word;
      continue;
    }
    const token = oneWord(word);
    if (mark && !token.includes(":")) {
      hand.marks.push({ token: hand.play.length, seat: mark.text.slice(0, -1), line: line.number, column: mark.column });
      mark = null;
    }
    hand.play.push(token);
    hand.tokens.push([line.number, word.column]);
    if (hand.play.length > MAX_TOKENS) fail("too_large", word.column, { what: "tokens", limit: MAX_TOKENS });
  }
  if (mark) fail("empty_trick", mark.column);
  return first;
};

/**
 * The records of a text, one after the other: each a `record`, or the `error` that kept it from being read.
 * @returns {Generator<{record?: TextRecord, error?: RecordError}>}
 */
export function* readTexts(source) {
  let draft = null;
  let above = []; // lines that are all comment, which belong to what comes next
  let apart = 0; // how many of them have a blank line below
  let room = MAX_BYTES;
  let head = new Map();
  const ended = (count) => {
    draft.takeComments(above.slice(0, count), "/end");
    above = above.slice(count);
    apart = 0;
    head = draft.head;
    const done = draft;
    draft = null;
    try {
      return { record: done.finished() };
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      return { error };
    }
  };
  for (const line of linesOf(source)) {
    const text = strip(line.text);
    if ((text === "" || text[0] === ";") && !line.problem) {
      if (text === "") {
        apart = above.length;
      } else if (room > 0) {
        room -= line.size;
        above.push(line);
      }
      continue;
    }
    if (draft && OPENING.test(line.text)) yield ended(apart);
    draft ??= new Draft(line.number, head);
    draft.take(line, above);
    above = [];
    apart = 0;
    room = MAX_BYTES;
  }
  if (draft) yield ended(above.length);
}

/** The one record that a text writes. Throws `RecordError`. @returns {TextRecord} */
export const readOneText = (source) => {
  const [first, second] = readTexts(source);
  const refuse = (reason, line) => { throw new RecordError(newFault("record.syntax", "F2", { facts: { reason, notation: ".tute", line, column: 1 } })); };
  if (!first) refuse("no_record", 1);
  if (first.error) throw first.error;
  if (second) refuse("many_records", first.record.line);
  return first.record;
};

// --- the verdict ---------------------------------------------------------------------------------

/** The verdict on the one record of a text; each fault has a line and a column. */
export const auditText = (source) => {
  let text;
  let record;
  try {
    text = readOneText(source);
    record = readRecord(text.document);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const verdict = unreadable(error);
    return text ? placed(text, verdict) : verdict;
  }
  const verdict = audit(record);
  const wrong = verdict.hands.flatMap((hand, index) => (hand.audited ? wrongLeader(text, record, verdict, index) ?? [] : []));
  const faults = [...wrong, ...verdict.faults].sort((a, b) => (a.hand ?? Infinity) - (b.hand ?? Infinity) || 0);
  return placed(text, { ...verdict, valid: faults.length === 0, faults });
};

/** The first leader written in a hand that the tricks contradict (R2.3). */
const wrongLeader = (text, record, verdict, index) => {
  const hand = record.hands[index];
  const tokens = wordsOf(hand.play);
  const leaders = leadersOf(record.rules, hand.dealer, hand.trump, tokens);
  const stop = verdict.faults.find((fault) => fault.hand === index + 1 && fault.token !== null)?.token ?? Infinity;
  for (const { token, seat, line, column } of text.marks[index]) {
    if (token > stop || !isCard(tokens[token])) continue;
    const leader = leaders.get(token) ?? null;
    if (leader === seat) continue;
    const trick = [...leaders.keys()].filter((lead) => lead <= token).length;
    return newFault("play.leader", "R2.3", {
      hand: index + 1, trick, token, path: `/hands/${index}/play`, seat: leader, facts: { stated: seat, replayed: leader, line, column },
    });
  }
  return null;
};

const placed = (text, verdict) => {
  const withPlace = (fault) => {
    if (fault.facts.line !== undefined) return fault;
    const [line, column] = placeOf(text, fault);
    return { ...fault, facts: { ...fault.facts, line, column } };
  };
  return { ...verdict, faults: verdict.faults.map(withPlace), notices: verdict.notices.map(withPlace) };
};

/** Line and column of what a fault is about, or of the nearest thing around it. */
const placeOf = ({ places, tokens, line }, { path, hand, token }) => {
  const played = hand !== null && token !== null ? tokens[hand - 1] : [];
  if (played.length) return played[Math.min(token, played.length - 1)];
  let nearest = path;
  while (nearest && !places.has(nearest)) nearest = nearest.slice(0, nearest.lastIndexOf("/"));
  return places.get(nearest) ?? places.get("/format") ?? [line, 1];
};

/** Whether a source is text rather than JSON, whose records begin with a brace. */
export const isText = (source) => {
  const text = typeof source === "string" ? source : new TextDecoder().decode(source.subarray(0, 4096));
  return !/^\s*\{/.test(text);
};

