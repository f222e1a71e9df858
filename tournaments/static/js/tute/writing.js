// Writes records as text in the export form (docs/spec/tute.md). Comments are tags in JSON, named after the
// line at which they stand: "; above /hands/0/play/8".

import { RecordError, SEATS, isCard, lengthOf, suitOf, wordsOf } from "./cards.js";
import { bestOn } from "./hand.js";
import { MAX_TEXT, readRecord } from "./record.js";
import { playersFrom } from "./rulesets.js";

/** The tags that are members of their own in JSON, and the paths of these. */
export const RESERVED = new Map([
  ["Format", "/format"], ["Ruleset", "/ruleset"], ["Options", "/options"],
  ...SEATS.map((seat, n) => [seat, `/seats/${n}`]), ["Score", "/score"], ["Winner", "/winner"],
]);

const UNPRINTABLE = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const ESCAPED = /["\\\x00-\x1f\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff]/g;
const SHORT = { "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t" };
const PLAIN = /^(?:[0-9A-Za-z]{2}|[A-Z]:[0-9A-Za-z]+)$/;
const BARE_NAME = /^[a-z][A-Za-z0-9_-]*$/;
const COMMENT = /^; (above|after) (?:[0-9]+ )?(\/[^]*)$/;
const UNKNOWN = "?"; // the leader of a trick when trumps are unknown

const escaped = (sign) => SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
const quoted = (text) => `"${text.replace(ESCAPED, escaped)}"`;
const word = (text) => (PLAIN.test(text) ? text : quoted(text));

/**
 * The tokens that lead a trick, and the seats that lead it. The rules of play are not checked: a trick ends
 * when each player has played a card.
 * @returns {Map<number, string>}
 */
export const leadersOf = (rules, dealer, trump, tokens) => {
  const players = playersFrom(rules, dealer);
  const leaders = new Map();
  let leader = players[0];
  let table = [];
  tokens.forEach((token, index) => {
    if (!isCard(token)) return;
    if (table.length === 0) leaders.set(index, leader);
    table.push(token);
    if (table.length < players.length) return;
    const best = table.indexOf(isCard(trump) ? bestOn(table, suitOf(trump)) : table[0]);
    leader = isCard(trump) && leader !== UNKNOWN ? players[(players.indexOf(leader) + best) % players.length] : UNKNOWN;
    table = [];
  });
  return leaders;
};

/** A record as text. Throws `RecordError` for what is not a record. @param source as `readRecord` takes it */
export const writeText = (source) => {
  const record = readRecord(source);
  const is_comment = ([name]) => COMMENT.test(name);
  const tags = [...record.tags];
  const bare = linesOf(record, tags.filter((tag) => !is_comment(tag)));
  const comments = commentsIn(tags.filter(is_comment), bare);
  return comments.length ? joined(bare, comments) : joined(linesOf(record, tags), []);
};

/** The JSON form of a record that was read from text, its comments among the tags. */
export const documentOf = ({ document, comments }) => {
  if (comments.length === 0) return document;
  let lines;
  try {
    lines = linesOf(readRecord(document), [...document.get("tags")]);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    // without an export form the comments stay where they were
    lines = [...new Set(comments.map(({ anchor }) => anchor))].map((anchor) => ({ anchor }));
  }
  const folded = foldComments(moveComments(comments, lines), lines);
  return new Map([...document, ["tags", new Map([...document.get("tags"), ...folded])]]);
};

// --- lines ---------------------------------------------------------------------------------------

const linesOf = (record, tags) => {
  const { rules, options, seats, hands, document } = record;
  const tag = (anchor, name, text) => ({ anchor, text: `[${name} ${text === "#" ? "\"\\u0023\"" : quoted(text)}]` });
  return [
    tag("/format", "Format", document.get("format")),
    tag("/ruleset", "Ruleset", document.get("ruleset")),
    ...(options.size ? [tag("/options", "Options", [...options].map((option) => option.join("=")).join(" "))] : []),
    ...seats.map((name, seat) => tag(`/seats/${seat}`, SEATS[seat], name)),
    ...tags.map(([name, text]) => tag(`/tags/${name}`, tagName(name), text)),
    ...(document.has("score") ? [tag("/score", "Score", numbers(document.get("score")))] : []),
    ...(document.has("winner") ? [tag("/winner", "Winner", record.winner ?? "-")] : []),
    ...hands.flatMap((hand, index) => handLines(rules, hand, document.get("hands")[index], `/hands/${index}`)),
  ];
};

const tagName = (name) => {
  const capital = name.slice(0, 1).toUpperCase() + name.slice(1);
  return BARE_NAME.test(name) && !RESERVED.has(capital) ? capital : quoted(name);
};

/** Sides and numbers in the order in which they were written. */
const numbers = (byName) => (byName === null ? "-" : [...byName].flat().join(" "));

const handLines = (rules, hand, stated, path) => {
  const cards = (name, text) => [name, ...wordsOf(text).map(word)].join(" ");
  const lines = [{ anchor: `${path}/dealer`, text: `dealer ${hand.dealer}`, apart: true }];
  const add = (name, text) => lines.push({ anchor: `${path}/${name}`, text });
  if (stated.has("trump")) add("trump", `trump ${hand.trump === null ? "-" : word(hand.trump)}`);
  if (hand.deal) rules.seats.forEach((seat) => add(`deal/${seat}`, cards(`deal ${seat}`, hand.deal[seat])));
  else if (stated.has("deal")) add("deal", "deal -");
  if (stated.has("stock")) add("stock", hand.stock === null ? "stock -" : cards("stock", hand.stock));
  if (hand.play === null) add("play", "*");
  else lines.push(...trickLines(rules, hand, wordsOf(hand.play), `${path}/play`));
  if (stated.has("points")) add("points", `points ${numbers(stated.get("points"))}`);
  if (stated.has("winner")) add("winner", `winner ${hand.winner ?? "-"}`);
  if (stated.has("payments")) add("payments", `payments ${numbers(stated.get("payments"))}`);
  return lines;
};

/** A line a trick, with its leader; what is said between two tricks has a line of its own. */
const trickLines = (rules, hand, tokens, path) => {
  const leaders = leadersOf(rules, hand.dealer, hand.trump, tokens);
  const lines = [];
  let words = [];
  let first = 0;
  let cards = 0;
  const end = () => {
    if (words.length) lines.push({ anchor: `${path}/${first}`, text: words.join(" ") });
    words = [];
  };
  tokens.forEach((token, index) => {
    if (leaders.has(index)) end();
    if (words.length === 0) first = index;
    if (leaders.has(index) && leaders.get(index) !== UNKNOWN) words.push(`${leaders.get(index)}:`);
    words.push(word(token));
    if (!isCard(token)) return;
    cards += 1;
    if (cards % rules.playerCount === 0) end();
  });
  end();
  return lines;
};

// --- comments ------------------------------------------------------------------------------------

const joined = (lines, comments) => {
  const at = (anchor, above) => comments.filter((comment) => comment.above === above && comment.anchor === anchor);
  const aboveOf = (anchor) => at(anchor, true).map(({ text }) => `; ${text}`.trimEnd());
  const written = lines.flatMap(({ anchor, text, apart }) => [
    ...(apart ? [""] : []), ...aboveOf(anchor), text + at(anchor, false).map((comment) => ` ; ${comment.text}`).join(""),
  ]);
  return [...written, ...aboveOf("/end"), ""].join("\n");
};

/** The comments at lines of the export form; several after one line become one. */
const moveComments = (comments, lines) => {
  const anchors = new Set([...lines.map(({ anchor }) => anchor), "/end"]);
  const tricks = new Map(); // by the path of a play, the tokens that begin a line
  for (const { anchor } of lines) {
    const found = /^(\/hands\/\d+\/play)\/(\d+)$/.exec(anchor);
    if (found) tricks.set(found[1], [...(tricks.get(found[1]) ?? []), Number(found[2])]);
  }
  const moved = [];
  const trailing = new Map();
  for (const comment of comments) {
    let { anchor, above } = comment;
    const found = /^(\/hands\/\d+\/play)\/(\d+)$/.exec(anchor);
    if (found && !anchors.has(anchor) && tricks.has(found[1])) {
      anchor = `${found[1]}/${tricks.get(found[1]).findLast((token) => token <= Number(found[2]))}`;
    }
    if (!anchors.has(anchor)) anchor = "/end";
    above ||= anchor === "/end";
    const before = above ? undefined : trailing.get(anchor);
    const text = before === undefined ? comment.text : `${moved[before].text}; ${comment.text}`;
    if (before !== undefined && lengthOf(text) <= MAX_TEXT) {
      moved[before] = { above, anchor, text };
      continue;
    }
    if (before === undefined && !above) trailing.set(anchor, moved.length);
    moved.push({ above: above || before !== undefined, anchor, text: comment.text });
  }
  return moved;
};

/** The comments as tags, in the order of the lines; long ones in parts. */
const foldComments = (comments, lines) => {
  const tags = new Map();
  for (const anchor of [...lines.map((line) => line.anchor), "/end"]) {
    for (const kind of ["above", "after"]) {
      const texts = comments.filter((one) => one.anchor === anchor && one.above === (kind === "above")).map((one) => one.text);
      partsOf(texts).forEach((text, n) => tags.set(n ? `; ${kind} ${n + 1} ${anchor}` : `; ${kind} ${anchor}`, text));
    }
  }
  return tags;
};

const partsOf = (texts) => {
  const parts = [];
  for (const text of texts) {
    const longer = parts.length ? `${parts.at(-1)}\n${text}` : "";
    if (parts.length && lengthOf(longer) <= MAX_TEXT) parts.splice(-1, 1, longer);
    else parts.push(text);
  }
  return parts;
};

/** The comments that tags hold; none unless the tags are just what these comments are folded into. */
const commentsIn = (tags, lines) => {
  const anchors = new Set(lines.map(({ anchor }) => anchor));
  const comments = [];
  for (const [name, text] of tags) {
    const [, kind, anchor] = COMMENT.exec(name);
    const above = kind === "above";
    const parts = text.split("\n");
    const is_placed = anchors.has(anchor) || (above && anchor === "/end");
    const is_plain = parts.every((part) => part === part.trim() && !UNPRINTABLE.test(part));
    if (!is_placed || !is_plain || (!above && (parts.length > 1 || !text))) return [];
    comments.push(...parts.map((part) => ({ above, anchor, text: part })));
  }
  const folded = [...foldComments(comments, lines)];
  const is_same = folded.length === tags.length && tags.every(([name, text]) => folded.some((one) => one[0] === name && one[1] === text));
  return is_same ? comments : [];
};
