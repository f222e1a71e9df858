// Asking the service how the draft stands, and sending it once.

import { hindrance, newKey, post, RETRY } from "../sending.js";
import { forgetCopy } from "./copy.js";
import { announce, start, words } from "./start.js";
import { asked, keep, last, render, state } from "./state.js";
import { openNewSuit, view } from "./view.js";

const JSON_BODY = { "Content-Type": "application/json" };

const later = (what) => {
  clearTimeout(state.timer);
  state.timer = setTimeout(what, RETRY);
};

/** Note what is in the way of an answer that settles what was sent; true when nothing is. */
const understood = (reply) => {
  state.offline = false;
  state.trouble = words[hindrance(reply)] ?? "";
  return state.trouble === "";
};

export const ask = async () => {
  if (state.asking || state.draft.hands.length === 0 || state.draft.sent) return;
  const about = asked();
  if (state.answer?.about === about) return;
  state.asking = true;
  let is_answered = false;
  try {
    const reply = await post(start.urls.next, about, JSON_BODY);
    is_answered = understood(reply);
    if (is_answered && reply.status === 200) state.answer = { about, ...reply.said };
    else if (is_answered) state.trouble = reply.said.message ?? words.trouble;
  } catch {
    state.offline = true;
  }
  state.asking = false;
  follow();
  render();
  if (!is_answered) later(ask);
  else if (about !== asked()) ask();
};

/** Prepare what an answer asks for: the cards that a hand certainly had, the suit that was led. */
const follow = () => {
  const now = view();
  if (now.phase === "rest" && now.fresh) {
    for (const [seat, { count, sure: certain }] of Object.entries(state.answer.rest)) {
      const given = (last().rest[seat] ?? "").split(" ").filter(Boolean);
      if (given.length === 0 && certain.length && certain.length <= count) {
        last().rest[seat] = certain.join(" ");
      }
    }
    keep();
  }
  openNewSuit();
};

export const send = async () => {
  state.draft.sending = true;
  keep();
  render();
  const body = JSON.stringify({ order: state.draft.order, hands: state.draft.hands });
  try {
    const reply = await post(start.urls.send, body, { ...JSON_BODY, "Idempotency-Key": state.draft.key });
    if (understood(reply) && reply.said.outcome) {
      state.draft.sending = false;
      state.draft.sent = reply.said.taken ? reply.said : null;
      if (!reply.said.taken) {
        state.draft.key = newKey(); // the next try is another one
        state.trouble = reply.said.message;
      }
    } else if (!state.trouble) {
      state.draft.sending = false;
      state.trouble = reply.said.message ?? words.trouble;
    }
  } catch {
    state.offline = true;
  }
  keep();
  render();
  if (state.draft.sending) later(send);
  else if (state.draft.sent) {
    announce(state.draft.sent.message);
    forgetCopy();
  }
};
