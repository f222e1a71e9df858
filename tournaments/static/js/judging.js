// Judges a record that is dropped, chosen or pasted, before it is sent: each fault as the page of a record shows it
// (templates/ui/fault.html). Nothing is asked of the service, which judges it again.

import { explain, faultSentence, printable } from "./faults.js";
import { RecordError } from "./tute/cards.js";
import { MAX_BYTES } from "./tute/json.js";
import { readRecord } from "./tute/record.js";
import { auditText, isText, readOneText } from "./tute/text.js";
import { audit } from "./tute/verdict.js";

const PAUSE = 400; // milliseconds without a key before what is typed is judged
const MOST = 20; // faults shown

const form = document.querySelector("[data-judging]");
const texts = JSON.parse(document.querySelector("#judging-words").textContent);
const { words } = texts;
const place = form.querySelector("[data-judged]");
const { file, text } = form.elements;

const say = (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (_all, key) => String(values[key]));

const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== ""));
  return element;
};

const SVG = "http://www.w3.org/2000/svg";

const picture = (card, kind) => {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  const attributes = { viewBox: "0 0 200 308", role: "img", "aria-label": texts.cards[card] };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  use.setAttribute("href", `${texts.deck}#card-${card}`);
  svg.append(use);
  return make("li", "", make("span", `playing-card playing-card--${kind}`, svg));
};

const labelled = (label, list, cards, kind) => make(
  "div",
  "",
  make("p", "fault__label", label),
  make("ol", list, ...cards.map((card) => picture(card, kind))),
);

/** The card that was played, and those that could be. */
const drawnCards = ({ card, legal }) => make(
  "div",
  "felt",
  card ? labelled(words.bad, "fault__table", [card], "bad") : "",
  labelled(words.legal, "hand", legal, "legal"),
);

const ruleOf = (rule) => {
  const label = say("rule", { rule });
  if (!rule.startsWith("R")) return make("span", "", label);
  const link = make("a", "tappable", label);
  link.href = `${texts.rules}#${rule}`;
  return link;
};

const shownFault = (fault, names, kind) => {
  const { hand, trick, token, seat, facts: { line, column } } = fault;
  const [name, sentence] = [names[seat] ?? "", explain(fault, texts.faults)];
  const span = (key, values) => (Object.values(values)[0] == null ? "" : make("span", "", say(key, values)));
  return make(
    "article",
    `fault${kind}`,
    make("p", "fault__words", faultSentence(fault, name, texts.table) || sentence),
    make("p", "fault__where", span("hand", { hand }), span("trick", { trick }), span("line", { line, column: column ?? 1 })),
    fault.legal.length ? drawnCards(fault) : "",
    make(
      "details",
      "fault__detail",
      make("summary", "", words.detail),
      name ? make("p", "", sentence) : "",
      make(
        "p",
        "fault__where",
        make("code", "", fault.code),
        ruleOf(fault.rule),
        span("token", { token }),
        seat ? make("span", "", [texts.seats[seat], name].filter(Boolean).join(": ")) : "",
      ),
    ),
  );
};

const show = ({ valid, faults, notices, score }, names) => {
  const sides = Object.entries(score ?? {}).map(([side, won]) => `${side} ${won}`).join(" – ");
  const remarks = notices.filter(({ code }) => code !== "hand.unaudited");
  place.replaceChildren(make(
    "section",
    `verdict${valid ? "" : " verdict--bad"}`,
    make("h2", "", valid ? words.valid : words.invalid),
    valid ? make("p", "", say("score", { score: sides })) : "",
    ...faults.slice(0, MOST).map((fault) => shownFault(fault, names, "")),
    ...remarks.slice(0, MOST).map((notice) => shownFault(notice, {}, " fault--notice")),
    make("p", "quiet", words.here),
  ));
};

/** The names of a record by seat; none where it cannot be read that far. */
const namesIn = (source) => {
  try {
    const { rules, seats } = readRecord(isText(source) ? readOneText(source).document : source);
    return Object.fromEntries(rules.seats.map((seat, n) => [seat, printable(seats[n])]));
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return {};
  }
};

/** Whether a text holds several records: an array, a record a line, or more than one in text. */
const hasMany = (source) => {
  if (/^\s*\[\s*(?:\{|$)/.test(source)) return true;
  if (isText(source)) return (source.match(/^\s*\[\s*format\b/gim) ?? []).length > 1;
  return source.split("\n").filter((line) => /^\s*\{.*\}\s*$/.test(line)).length > 1;
};

/** The one record of a file or text, without its byte order mark; null for what the service alone reads. */
const oneRecord = (source) => {
  if (source.length > MAX_BYTES) return source; // refused by its size
  let written = source;
  try {
    if (typeof source !== "string") written = new TextDecoder("utf-8", { fatal: true }).decode(source);
  } catch {
    return null; // of another encoding
  }
  return hasMany(written) ? null : written;
};

/** A file comes before a text, as when they are sent. */
const judge = async () => {
  const [chosen] = file.files;
  if (!chosen && !text.value.trim()) {
    place.replaceChildren();
    return;
  }
  // a file that is too large is not read whole
  const source = oneRecord(chosen ? new Uint8Array(await chosen.slice(0, MAX_BYTES + 1).arrayBuffer()) : text.value);
  if (source === null) place.replaceChildren(make("p", "quiet", words.later));
  else show(isText(source) ? auditText(source) : audit(source), namesIn(source));
};

let timer = 0;
text.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(judge, PAUSE);
});
file.addEventListener("change", judge);
addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  form.classList.add("form--drop");
});
addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("form--drop"); });
addEventListener("drop", (event) => {
  form.classList.remove("form--drop");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  file.files = event.dataTransfer.files;
  judge();
});
