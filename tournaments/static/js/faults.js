// Faults and notices as sentences; the messages are those of the engine (`engine/locale`), in the page's language.

/** Control, invisible and direction characters, as in `engine/printable.py`. */
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu;
const SHORT = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

const escaped = (character) => {
  const code = character.codePointAt(0).toString(16);
  return SHORT[character] ?? (code.length < 3 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`);
};

/** A text of a record, its control characters written out. */
export const printable = (text) => String(text).replace(CONTROLS, escaped);

/** Fill the fields of a message; no control character of a record enters it. */
const filled = (text, facts) => text.replace(/\{(\w+)(!r)?\}/g, (_field, name, is_quoted) => {
  const value = printable(facts[name] ?? "");
  return is_quoted ? `'${value}'` : value;
});

const totals = (value, messages) => {
  if (value === null || value === undefined) return messages["fragment.nobody"];
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([side, points]) => `${side} ${points}`).join(", ");
};

const anyOf = (cards, messages) => {
  if (cards.length < 2) return cards[0] ?? "–";
  return `${cards.slice(0, -1).join(", ")} ${messages["fragment.or"]} ${cards.at(-1)}`;
};

/** How the facts of a fault are written in its sentence. */
const FORMATS = {
  cards: (cards) => cards.join(", "),
  missing: (cards, messages) => (cards.length ? filled(messages["fragment.missing"], { cards: cards.join(", ") }) : ""),
  sizes: (sizes, messages) => Object.entries(sizes)
    .map(([seat, count]) => filled(messages["fragment.size"], { seat, count })).join(", "),
  expected: (expected) => (typeof expected === "object" ? Object.values(expected).join(", ") : expected),
  shown: (place, messages) => messages[`shown.${place}`],
  stated: totals,
  replayed: totals,
  score: totals,
  sums: (sums, messages) => anyOf(sums.map(String), messages),
  what: (what, messages) => messages[`limit.${what}`],
};

/** Comments of PGN are in braces; no line and no token of a record begins so. */
const isBrace = (text) => "{}".includes(String(text)[0]);

/** The case of a fault that has a message of its own, as in `engine/explanations.py`. */
const caseOf = ({ code, legal, facts }) => {
  if (code === "play.incomplete" && legal.length === 0) return "to_speak";
  if (code === "play.token" && isBrace(facts.text)) return "brace";
  if (code === "record.format" && /^baza\/[1-9][0-9]*$/.test(facts.found)) return "newer";
  return facts.reason;
};

/** The kind of a reason that has a message of its own. */
const kindOf = ({ reason, kind, found }) => (reason === "unknown_line" && isBrace(found) ? "brace" : kind ?? found);

/**
 * One sentence about a fault or a notice.
 * @param {import("./tute/cards.js").Fault} fault
 * @param {Object<string, string>} messages by their ids
 */
export const explain = (fault, messages) => {
  const facts = {
    seat: fault.seat, card: fault.card, declaration: fault.declaration, place: fault.path || "/",
    legal: anyOf(fault.legal, messages), expected: "", found: "", notation: "JSON",
  };
  for (const [name, value] of Object.entries(fault.facts)) facts[name] = FORMATS[name]?.(value, messages) ?? value;
  const { reason, line, column } = fault.facts;
  const why = messages[`reason.${reason}.${kindOf(fault.facts)}`] ?? messages[`reason.${reason}`];
  if (why) facts.reason = filled(why, facts);
  facts.where = column == null ? "" : filled(messages["fragment.position"], { line, column });
  const special = messages[`fault.${fault.code}/${caseOf(fault)}`];
  const sentence = filled(special ?? messages[`fault.${fault.code}`], facts);
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
};

/** Fill the `%(name)s` of a sentence of the pages. */
const interpolated = (text, values) => text.replace(/%\((\w+)\)s/g, (_field, name) => values[name]);

const listed = (texts, list) => (texts.length < 2 ? texts[0]
  : interpolated(list, { first: texts.slice(0, -1).join(", "), last: texts.at(-1) }));

/**
 * What a player did against a duty of play, in the words of a table; empty for a fault of another kind.
 * @param {import("./tute/cards.js").Fault} fault
 * @param {string} name of the player
 * @param {Object} parts of the sentences, as in `core/fault_sentences.py`
 */
export const faultSentence = (fault, name, { sentences, cards, ranks, suits, list }) => {
  const sentence = sentences[fault.code];
  if (!sentence || !name || fault.card === null || !fault.legal.length) return "";
  const { led = "", best = "" } = fault.facts;
  const is_one_suit = fault.legal.every((card) => card[1] === led[1]);
  return interpolated(sentence, {
    name,
    card: cards[fault.card],
    suit: suits[led[1]] ?? "",
    best: cards[best] ?? "",
    held: listed(fault.legal.map((card) => (is_one_suit ? ranks[card[0]] : cards[card])), list),
  });
};
