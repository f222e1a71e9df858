// Sends the record once: it is tried again until an answer comes, under the draft's key.

import { hindrance, newKey, post, RETRY } from "../sending.js";
import { audit } from "../tute/verdict.js";
import { forgetCopy } from "./copy.js";
import { recordOf } from "./entry.js";
import { announce, start, words } from "./start.js";
import { cotoNow, keep, render, state, view } from "./state.js";

/** The record, and what it was judged to be here: the service compares (docs/clubs/recorder.md). */
const message = () => {
  const record = recordOf(state.draft.order, view().documents);
  if (cotoNow()) record.tags = { ...record.tags, coto: String(cotoNow()) };
  const { faults, digest, score } = audit(record);
  return JSON.stringify({ record, verdict: { code: faults[0]?.code ?? "", digest, score } });
};

export const send = async () => {
  clearTimeout(state.timer);
  state.draft.sending = true;
  keep();
  render();
  try {
    const reply = await post(start.urls.send, message(), {
      "Content-Type": "application/json", "Idempotency-Key": state.draft.key,
    });
    state.offline = false;
    state.trouble = words[hindrance(reply)] ?? "";
    if (!state.trouble) settle(reply.said);
  } catch {
    state.offline = true;
  }
  keep();
  render();
  if (state.draft.sending) state.timer = setTimeout(send, RETRY);
};

const settle = (said) => {
  state.draft.sending = false;
  if (said.taken) {
    state.draft.sent = said;
    announce(said.message);
    forgetCopy();
  } else {
    state.draft.key = newKey(); // the next try is another one
    state.trouble = said.message ?? words.trouble;
  }
};
