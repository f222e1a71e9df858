// Judges a record that is dropped, chosen or pasted, before it is sent: each fault with its place, its rule and
// what would have been legal. Nothing is asked of the service, which judges it again.

import { explain } from "./faults.js";
import { MAX_BYTES } from "./tute/json.js";
import { auditText, isText } from "./tute/text.js";
import { audit } from "./tute/verdict.js";

const PAUSE = 400; // milliseconds without a key before what is typed is judged
const MOST = 20; // faults shown

const form = document.querySelector("[data-judging]");
const { words, cards, faults: messages } = JSON.parse(document.querySelector("#judging-words").textContent);
const place = form.querySelector("[data-judged]");
const { file, text } = form.elements;

const say = (name, values = {}) => words[name].replace(/\{(\w+)\}/g, (_all, key) => String(values[key]));

const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== ""));
  return element;
};

const shownFault = (fault, kind) => {
  const { line, column } = fault.facts;
  const values = { rule: fault.rule, hand: fault.hand, trick: fault.trick, token: fault.token };
  const places = Object.entries(values).filter(([, value]) => value !== null).map(([name, value]) => say(name, { [name]: value }));
  if (line != null) places.push(say("line", { line, column: column ?? 1 }));
  return make(
    "article",
    `fault${kind}`,
    make("p", "fault__words", explain(fault, messages)),
    fault.legal.length ? make("p", "", say("legal", { cards: fault.legal.map((card) => cards[card]).join(", ") })) : "",
    make("p", "fault__where", make("code", "", fault.code), ...places.map((each) => make("span", "", each))),
  );
};

const show = ({ valid, faults, notices, score }) => {
  const sides = Object.entries(score ?? {}).map(([side, won]) => `${side} ${won}`).join(" – ");
  place.replaceChildren(make(
    "section",
    `verdict${valid ? "" : " verdict--bad"}`,
    make("h2", "", valid ? words.valid : words.invalid),
    valid ? make("p", "", say("score", { score: sides })) : "",
    ...faults.slice(0, MOST).map((fault) => shownFault(fault, "")),
    ...notices.filter(({ code }) => code !== "hand.unaudited").slice(0, MOST).map((notice) => shownFault(notice, " fault--notice")),
    make("p", "quiet", words.here),
  ));
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
  else show(isText(source) ? auditText(source) : audit(source));
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
