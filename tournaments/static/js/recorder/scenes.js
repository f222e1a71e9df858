// One scene for each phase of a hand.

import { spot } from "./acts.js";
import { keepCopy } from "./copy.js";
import { heldBack, slotNow, slotsOf } from "./deal.js";
import { MAIN, button, make, notice } from "./elements.js";
import { rules } from "./entry.js";
import { pointsLine, seatName, sideName } from "./names.js";
import { send } from "./outbox.js";
import { picker } from "./picker.js";
import { callButtons, footer, headline, objection, seatsRow } from "./pieces.js";
import { form, say, start, words } from "./start.js";
import { changed, cotoNow, keep, last, newDraft, newHand, render, state, view } from "./state.js";

/** The number of the coto, where several make a match: another phone may have written the one before. */
const cotoChoice = () => (cotoNow() === 0 ? null : make(
  "fieldset",
  { class: "recorder__choice" },
  make("legend", {}, words.coto),
  make("div", { class: "choices" }, Array.from({ length: start.most_cotos }, (_none, index) => String(index + 1)).map((number) => make(
    "label",
    { class: "choice" },
    make("input", {
      type: "radio", name: "coto", value: number, checked: cotoNow() === Number(number),
      "data-id": `coto-${number}`, onchange: () => { state.draft.coto = Number(number); keep(); render(); },
    }),
    number,
  ))),
));

const setUp = () => [
  cotoChoice(),
  make(
    "fieldset",
    { class: "recorder__choice" },
    make("legend", {}, words.seats),
    start.orders.map((names, n) => make(
      "label",
      { class: "choice" },
      make("input", {
        type: "radio", name: "order", value: String(n), checked: state.draft.order === n,
        "data-id": `order-${n}`, onchange: () => { state.draft.order = n; keep(); render(); },
      }),
      say("order", { names: names.join(", ") }),
    )),
  ),
  make(
    "fieldset",
    { class: "recorder__choice" },
    make("legend", {}, words.dealer),
    // The table as it is: play goes to the right, so the second seat is on the right of the first
    make("div", { class: `seating seating--${rules.seats.length}` }, rules.seats.map((seat) => make(
      "div",
      { class: "seating__seat" },
      button(`dealer-${seat}`, seatName(seat), () => {
        state.draft.hands = [newHand(seat)];
        state.draft.coto = cotoNow();
        changed();
        form.scrollIntoView();
      }),
    ))),
  ),
];

const askDealer = (now) => [
  headline(now),
  make("h3", {}, words.dealer),
  make("div", { class: "choices" }, now.dealers.map((seat) => button(`dealer-${seat}`, seatName(seat), () => {
    last().dealer = seat;
    changed();
  }))),
  footer(now),
];

const askTrump = (now) => [
  headline(now),
  make("h3", {}, say(`trump_${rules.trump_shown}`, { name: seatName(last().dealer) })),
  picker(() => ({ kind: "" }), words.cards),
  footer(now),
];

const dealScene = (now) => {
  const slots = slotsOf(now);
  const active = slotNow(slots);
  const holderOf = (card) => slots.find((slot) => slot.held.includes(card));
  const intro = now.phase === "deal" ? words.deal_all
    : now.phase === "rest" ? words.deal_rest : words.deal_some;
  return [
    headline(now),
    make("p", {}, intro),
    now.fits === false ? notice("bad", make("p", {}, words.deal_unfit)) : null,
    make("div", { class: "choices slots", role: "group", "aria-label": words.cards }, slots.map((slot) => make(
      "button",
      {
        type: "button", class: "button", "data-id": `slot-${slot.id}`,
        "aria-pressed": String(slot === active), onclick: () => { state.dealing = slot.id; render(); },
      },
      say("slot", { name: slot.name, count: slot.held.length, total: slot.total }),
    ))),
    picker((card) => {
      const holder = holderOf(card);
      if (holder) return { kind: "given", note: holder.id === "stock" ? String(holder.held.indexOf(card) + 1) : holder.id };
      return { kind: heldBack(card, now) ? "gone" : "" };
    }, words.cards),
    footer(now, now.phase === "play" ? button("done", words.done, () => { state.dealing = null; changed(); }, MAIN) : null),
  ];
};

const playScene = (now) => {
  const { tokens } = last();
  const name = seatName(now.turn);
  const who = now.speaks ? say("speaks", { name: seatName(now.speaks) })
    : now.table.length ? say("turn", { name }) : say("leads", { name });
  const gone = new Set(tokens.slice(0, spot(now)));
  return [
    headline(now),
    seatsRow(now),
    make("p", { class: "recorder__turn" }, `${say("trick", { number: now.trick })} · ${who}`),
    objection(now),
    callButtons(now),
    picker((card) => ({ kind: gone.has(card) ? "gone" : now.offered.includes(card) ? "" : "barred" }), words.cards, now.known),
    footer(now, ...(tokens.length || rules.stockSize ? []
      : [button("deal", words.deal_some, () => { [state.dealing] = now.players; render(); })])),
  ];
};

const review = (now) => make(
  "section",
  { class: "panel" },
  make("h3", {}, say(cotoNow() ? "coto_decided" : "decided", { coto: cotoNow(), score: pointsLine(now.verdict.score) })),
  make("ol", { class: "review" }, now.verdict.hands.map(({ points, winner }) => make(
    "li",
    {},
    `${pointsLine(points)}${winner ? ` · ${say("wins", { name: sideName(winner) })}` : ""}`,
  ))),
);

const overScene = (now) => {
  const done = now.verdict.hands.at(-1);
  const number = state.draft.hands.length;
  return [
    headline(now),
    notice(
      "good",
      make("p", {}, make("strong", {}, say("over", { number, points: pointsLine(done.points) }))),
      make("p", {}, done.winner ? say("wins", { name: sideName(done.winner) }) : words.no_winner),
    ),
    now.decided ? [review(now), cotoChoice()] : null,
    footer(
      now,
      now.decided
        ? button("send", words.send, send, MAIN)
        : button("next", words.next, () => { state.draft.hands.push(newHand(now.dealers[0] ?? "")); changed(); }, MAIN),
    ),
  ];
};

const sentScene = () => [
  notice(
    state.draft.sent.outcome === "contested" ? "warn" : "good",
    make("p", {}, make("strong", {}, words.sent)),
    make("p", {}, state.draft.sent.message),
  ),
  make(
    "div",
    { class: "actions" },
    make("a", { class: `button${MAIN}`, href: state.draft.sent.url }, words.see),
    button("again", words.again, () => {
      const coto = Math.min(cotoNow() + 1, start.most_cotos);
      state.draft = { ...newDraft(), coto };
      changed();
      keepCopy();
    }),
  ),
];

export const sceneOf = () => {
  if (state.draft.sent) return sentScene();
  if (state.draft.sending) return [notice("note", make("p", {}, words.sending))];
  if (state.draft.hands.length === 0) return setUp();
  const now = view();
  if (now.phase === "dealer") return askDealer(now);
  if (now.phase === "trump") return askTrump(now);
  if (slotsOf(now).length) return dealScene(now);
  if (now.phase === "over" && !now.why && state.cursor === null) return overScene(now);
  if (now.turn) return playScene(now);
  return [headline(now), objection(now), footer(now)];
};
