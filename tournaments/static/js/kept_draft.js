// Shows the draft that the recorder keeps on the device where its match takes no record any more.

import { forget, load } from "./sending.js";

const start = JSON.parse(document.querySelector("#draft-start").textContent);
const part = document.querySelector("[data-draft]");
const text = part.querySelector("textarea");
const draft = load(start.place);

const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_all, key) => String(values[key] ?? ""));

const say = (words) => { part.querySelector("[data-say]").textContent = words; };

/** The cards of seats, a line each: hands that were entered, or what was left at the end. */
const cardsOf = (bySeat) => Object.entries(bySeat ?? {}).map(([seat, cards]) => `${seat}: ${cards}`);

const nameOf = (seat) => start.orders[draft.order]["ABCD".indexOf(seat)] ?? "";

const linesOf = ({ dealer, trump, deal, stock, rest, tokens }, index) => [
  "",
  fill(start.words.hand, { number: index + 1, dealer: nameOf(dealer), trump }),
  ...cardsOf(deal),
  ...stock ? [fill(start.words.stock, { cards: stock })] : [],
  tokens.join(" "),
  ...cardsOf(rest),
];

const written = () => [
  start.title,
  ...draft.coto ? [fill(start.words.coto, { number: draft.coto })] : [],
  start.orders[draft.order].map((name, seat) => `${"ABCD"[seat]}: ${name}`).join(", "),
  ...draft.hands.flatMap(linesOf),
].join("\n");

const copy = async ({ currentTarget }) => {
  text.select();
  try {
    await navigator.clipboard.writeText(text.value); // only under https
  } catch {
    document.execCommand("copy");
  }
  say(currentTarget.dataset.done);
};

let isSure = false;

const discard = ({ currentTarget }) => {
  if (!isSure) {
    isSure = true;
    say(currentTarget.dataset.sure);
    return;
  }
  forget(start.place);
  part.replaceChildren(Object.assign(document.createElement("p"), { textContent: currentTarget.dataset.done }));
  part.setAttribute("role", "status");
};

if (draft?.hands?.length && !draft.sent) {
  text.value = written();
  part.hidden = false;
  part.querySelector("[data-copy]").addEventListener("click", copy);
  part.querySelector("[data-discard]").addEventListener("click", discard);
}
