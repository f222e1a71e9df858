// Pieces of several scenes: the trick, the log of tokens, what stands against a card.

import { cut, drop, lookAt, put, undo } from "./acts.js";
import { button, make, notice, picture } from "./elements.js";
import { pointsLine, seatName, tokenName } from "./names.js";
import { cards, say, sayings, start, words } from "./start.js";
import { changed, last, newDraft, render, state } from "./state.js";

export const seatsRow = (now) => make(
  "ol",
  { class: `felt places places--${now.players.length}`, role: "list" },
  now.players.map((seat) => {
    const laid_ = now.table.find(([who]) => who === seat);
    const turn = now.turn === seat && now.phase === "play";
    return make(
      "li",
      { class: `places__seat${turn ? " places__seat--turn" : ""}`, "data-seat": seat },
      make("span", { class: "places__card" }, laid_ ? picture(laid_[1]) : turn ? "?" : ""),
      make("span", { class: "places__name" }, seatName(seat)),
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
  make("h2", {}, say("hand", { number: state.draft.hands.length })),
  make(
    "p",
    { class: "quiet" },
    [
      last().dealer && say("deals", { name: seatName(last().dealer) }),
      last().trump && say("trump", { card: cards[last().trump] }),
      now.fresh && Object.keys(now.points).length && `${words.points}: ${pointsLine(now.points)}`,
    ].filter(Boolean).join(" · "),
  ),
);

const goBack = (why) => (why.token === null || why.token === undefined ? null
  : button("go-back", say("go_back", { trick: why.trick }), () => lookAt(why.token)));

export const objection = (now) => {
  const hand = last();
  if (state.cursor !== null) {
    return notice(
      "note",
      make("p", {}, say("changing", { trick: now.trick, token: tokenName(hand.tokens[state.cursor] ?? "") })),
      make("div", { class: "actions" }, button("keep", words.keep, () => { state.cursor = null; changed(); }), button("drop", words.drop, () => drop(now)), button("cut", words.cut, () => cut(now))),
    );
  }
  if (now.fault && now.fresh) {
    const { here, legal } = now.fault;
    const token = here === null ? null : hand.tokens[here];
    return notice(
      "bad",
      token ? make("p", {}, make("strong", {}, say("refused", { token: tokenName(token) }))) : null,
      make("p", {}, now.fault.words),
      legal.length && here !== null ? make("p", {}, say("legal", { cards: legal.map((card) => cards[card] ?? card).join(", ") })) : null,
      hand.tokens.length - here > 1 && here !== null ? make("p", {}, say("later", { count: hand.tokens.length - here - 1 })) : null,
      make("div", { class: "actions" }, goBack(now.fault), here === null ? null : [button("drop", words.drop, () => drop(now)), button("cut", words.cut, () => cut(now))]),
    );
  }
  const why = state.explained && now.barred[now.turn]?.[state.explained];
  if (state.explained && why !== undefined && why !== "") {
    return notice(
      "warn",
      make("p", {}, make("strong", {}, say("not_now", { card: cards[state.explained], name: seatName(now.turn) }))),
      make("p", {}, now.whys[why].words),
      make("div", { class: "actions" }, goBack(now.whys[why])),
    );
  }
  return state.explained && now.turn
    ? notice("warn", make("p", {}, say("not_now", { card: cards[state.explained], name: seatName(now.turn) })))
    : null;
};

/** What may be said now; without an answer everything can be written down, to be checked later. */
export const callButtons = (now) => {
  const due = now.calls.map((token) => button(token, tokenName(token), () => put(token)));
  if (now.fresh || now.phase !== "play") {
    return due.length ? make("div", { class: "actions calls" }, due) : null;
  }
  const every = now.players.flatMap((seat) => Object.keys(sayings).map((call) => `${seat}:${call}`));
  return make(
    "details",
    { class: "calls" },
    make("summary", {}, words.other_call),
    make("div", { class: "actions" }, every.map((token) => button(token, tokenName(token), () => put(token)))),
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
          class: `button log__token${n >= now.good + 0 && now.fresh ? " log__token--open" : ""}`,
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
  state.answer = null;
  state.cursor = null;
  state.dealing = null;
  changed();
}, state.sure ? " button--danger" : "");

export const footer = (now, ...more) => [
  make("div", { class: "actions" }, ...more, button("undo", words.undo, undo)),
  now.phase === "play" ? lastTrick(now) : null,
  last().tokens.length ? logOf(now) : null,
  make(
    "div",
    { class: "actions" },
    make("a", { class: "button", href: start.urls.points }, words.points_only),
    discard(),
  ),
];
