// The draft, which is the truth of this page ({key, order, coto, hands, sending, sent}), and what is known beside it.
// It is kept on the device first; whoever changes it says so by `changed`.

import * as device from "../sending.js";
import { follow } from "./entry.js";
import { start } from "./start.js";

export const place = `baza-record-${start.match}`;

export const state = {
  draft: null,
  timer: 0,
  offline: false,
  trouble: "",
  unkept: false,
  cursor: null, // a token that is being changed
  dealing: null, // the place whose cards are being told
  rank: "",
  explained: "",
  sure: false, // "throw it away" was pressed once
  logIsOpen: false,
};

export const newDraft = () => ({ key: device.newKey(), order: 0, hands: [], sending: false, sent: null });

export const newHand = (dealer) => ({ dealer, trump: "", deal: {}, stock: "", rest: {}, tokens: [] });

/** The coto that is written down, from 1; 0 where a match has only one. */
export const cotoNow = () => state.draft.coto ?? start.coto;

export const last = () => state.draft.hands.at(-1);

export const load = () => { state.draft = device.load(place) ?? newDraft(); };

export const keep = () => { state.unkept = !device.keep(place, state.draft); };

let drawPage = () => {};

/** Say what draws the page. */
export const listen = (draw) => { drawPage = draw; };
export const render = () => drawPage();

let about = "";
let followed = null;

/** How the draft stands, looked at before the token that is being changed. */
export const view = () => {
  const { order, hands } = state.draft;
  const now = JSON.stringify([order, hands, state.cursor]);
  if (now !== about) [about, followed] = [now, follow(state.draft, state.cursor)];
  return followed;
};

/** Take note of a change: keep it and show it. */
export const changed = () => {
  keep();
  state.explained = "";
  state.sure = false;
  render();
};
