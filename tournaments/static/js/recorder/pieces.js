// Pieces of several scenes: the trick, the log of tokens, what stands against a card.

import { sideOf } from "../tute/rulesets.js";
import { cut, drop, lookAt, put, spot, undo } from "./acts.js";
import { button, make, notice, picture } from "./elements.js";
import { rules } from "./entry.js";
import { seatName, tokenName, whyWords } from "./names.js";
import { cards, say, start, words } from "./start.js";
import { changed, cotoNow, last, newDraft, render, state } from "./state.js";

/** Who plays, with their cards on the table; last the dealer, where it sits out. */
export const seatsRow = (now) => make(
  "ol",
  { class: `felt places places--${rules.seats.length}`, role: "list" },
  [...now.players, ...(rules.sitsOut ? [last().dealer] : [])].map((seat) => {
    if (!now.players.includes(seat)) {
      return make("li", { class: "places__seat" }, make("span", { class: "places__name" }, seatName(seat)), make("span", { class: "places__points" }, words.sits_out));
    }
    const laid_ = now.table.find(([who]) => who === seat);
    const turn = now.turn === seat;
    return make(
      "li",
      { class: `places__seat${turn ? " places__seat--turn" : ""}`, "data-seat": seat },
      make("span", { class: "places__card" }, laid_ ? picture(laid_[1]) : turn ? "?" : ""),
      make("span", { class: "places__name" }, seatName(seat)),
      make("span", { class: "places__points" }, make("span", { class: "visually-hidden" }, words.points), ` ${now.points[sideOf(rules, seat)]}`),
      laid_ ? make("span", { class: "visually-hidden" }, cards[laid_[1]]) : null,
    );
  }),
);

export const lastTrick = (now) => (now.last.length === 0 ? null : make(
  "p",
  { class: "last" },
  make("span", { class: "last__cards", "aria-hidden": "true" }, now.last.map(([seat, card]) => picture(card, seat === now.won ? " playing-card--won" : ""))),
  make("span", { class: "visually-hidden" }, now.last.map(([, card]) => cards[card]).join(", ")),
  make("span", {}, say("last", { name: seatName(now.won) })),
));

export const headline = (now) => make(
  "header",
  { class: "recorder__head" },
  make("h2", {}, say(cotoNow() ? "hand_of_coto" : "hand", { coto: cotoNow(), number: state.draft.hands.length })),
  button("undo", words.undo, undo),
  make(
    "p",
    { class: "quiet" },
    [
      last().dealer && say("deals", { name: seatName(last().dealer) }),
      last().trump && say("trump", { card: cards[last().trump] }),
    ].filter(Boolean).join(" · "),
  ),
);

const goBack = ({ kind, token, trick }) => (kind === "rule" || token === undefined ? null
  : button("go-back", say("go_back", { trick }), () => lookAt(token)));

const legalLine = ({ fault }) => (fault?.legal.length
  ? make("p", {}, say("legal", { cards: fault.legal.map((card) => cards[card]).join(", ") })) : null);

export const objection = (now) => {
  const { tokens } = last();
  if (state.cursor !== null) {
    return notice(
      "note",
      make("p", {}, say("changing", { trick: now.trick, token: tokenName(tokens[state.cursor] ?? "") })),
      make("div", { class: "actions" }, button("keep", words.keep, () => { state.cursor = null; changed(); }), button("drop", words.drop, () => drop(now)), button("cut", words.cut, () => cut(now))),
    );
  }
  if (now.why) {
    const token = tokens[spot(now)];
    const later = tokens.length - spot(now) - 1;
    return notice(
      "bad",
      token ? make("p", {}, make("strong", {}, say("refused", { token: tokenName(token) }))) : null,
      make("p", {}, whyWords(now.why)),
      legalLine(now.why),
      later > 0 ? make("p", {}, say("later", { count: later })) : null,
      make("div", { class: "actions" }, goBack(now.why), token ? [button("drop", words.drop, () => drop(now)), button("cut", words.cut, () => cut(now))] : null),
    );
  }
  const why = state.explained && now.against(state.explained);
  return why ? notice(
    "warn",
    make("p", {}, make("strong", {}, say("not_now", { card: cards[state.explained], name: seatName(now.turn) }))),
    make("p", {}, whyWords(why)),
    make("div", { class: "actions" }, goBack(why)),
  ) : null;
};

const MOST_SHOWN = 2; // calls beside the cards: more would move these about under the thumb

/** What may be said now. */
export const callButtons = ({ calls }) => {
  if (calls.length === 0) return null;
  const buttons = make("div", { class: "choices" }, calls.map((token) => button(token, tokenName(token), () => put(token))));
  return calls.length <= MOST_SHOWN ? buttons : make(
    "details",
    { class: "calls" },
    make("summary", { "data-id": "calls" }, say("calls", { count: calls.length })),
    buttons,
  );
};

const logOf = (now) => {
  const tokens = last().tokens;
  return make(
    "details",
    { class: "log", open: state.logIsOpen },
    make("summary", { onclick: () => { state.logIsOpen = !state.logIsOpen; } }, words.log),
    tokens.length === 0 ? make("p", { class: "quiet" }, words.nothing) : make(
      "ol",
      { class: "log__tokens", role: "list" },
      tokens.map((token, n) => make("li", {}, make(
        "button",
        {
          type: "button",
          class: `button log__token${n >= now.good ? " log__token--open" : ""}`,
          "data-id": `token-${n}`,
          "aria-label": say("change", { token: tokenName(token) }),
          onclick: () => lookAt(n),
        },
        token.includes(":") ? tokenName(token) : picture(token),
      ))),
    ),
  );
};

const discard = () => button("discard", state.sure ? words.discard_sure : words.discard, () => {
  if (!state.sure) {
    state.sure = true;
    render();
    return;
  }
  state.draft = newDraft();
  state.cursor = null;
  state.dealing = null;
  changed();
}, state.sure ? " button--danger" : "");

export const footer = (now, ...more) => [
  more.length ? make("div", { class: "actions" }, ...more) : null,
  now.phase === "play" && now.turn ? lastTrick(now) : null,
  last().tokens.length ? logOf(now) : null,
  make(
    "div",
    { class: "actions" },
    make("a", { class: "button", href: start.urls.points }, words.points_only),
    discard(),
  ),
];
