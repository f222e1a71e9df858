// The draft, which is the truth of this page ({key, order, hands, sending}), and what is known beside it.
// It is kept on the device first; whoever changes it says so by `changed`.

import * as device from "../sending.js";
import { start } from "./start.js";

export const place = `baza-record-${start.match}`;

export const state = {
  draft: null,
  answer: null, // how the draft stood when it was last asked, with what it was asked about
  asking: false,
  timer: 0,
  offline: false,
  trouble: "",
  unkept: false,
  cursor: null, // a token that is being changed
  dealing: null, // the place whose cards are being told
  suit: "o",
  led: "", // the card for which that suit was opened
  rank: "",
  explained: "",
  sure: false, // "throw it away" was pressed once
  logIsOpen: false,
};

export const newDraft = () => ({ key: device.newKey(), order: 0, hands: [], sending: false, sent: null });

export const newHand = (dealer) => ({ dealer, trump: "", deal: {}, stock: "", rest: {}, tokens: [] });

export const last = () => state.draft.hands.at(-1);

export const load = () => { state.draft = device.load(place) ?? newDraft(); };

export const keep = () => { state.unkept = !device.keep(place, state.draft); };

const heard = { draw: () => {}, wake: () => {} };

/** Say what draws the page and what asks about the draft. */
export const listen = (given) => Object.assign(heard, given);
export const render = () => heard.draw();

/** Take note of a change: keep it, show it, ask about it. */
export const changed = () => {
  keep();
  state.explained = "";
  state.sure = false;
  render();
  heard.wake();
};

export const asked = () => JSON.stringify({ order: state.draft.order, hands: state.draft.hands, at: state.cursor });
