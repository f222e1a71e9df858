// The recorder: what is typed is kept on the device first, then asked about, and sent once.
//
// The draft is the truth of this page; the service answers how it stands. Between two answers, and
// without a network, cards are only laid in turn: who took a trick is looked up in the table of
// cards that the service gave beforehand. The modules lie in recorder/, none imports this one.

import { ask, send } from "./recorder/asking.js";
import { keepCopy } from "./recorder/copy.js";
import { sceneOf } from "./recorder/scenes.js";
import { announce, form, say, scene, words } from "./recorder/start.js";
import { asked, listen, load, place, state } from "./recorder/state.js";
import { openSuit, view } from "./recorder/view.js";
import "./recorder/keys.js";

const netLine = () => {
  if (state.unkept) return words.unkept;
  if (state.offline) {
    const waiting = !state.draft.sent && state.draft.hands.length ? view().unchecked : 0;
    return `${words.offline}${waiting ? ` ${say("unchecked", { count: waiting })}` : ""}`;
  }
  if (state.trouble) return state.trouble;
  return state.answer?.about === asked() ? words.checked : words.kept;
};

let told = ""; // what was in the way when it was last said: between two changes the cards have the word

const showNet = () => {
  const net = form.querySelector("[data-net]");
  const hindrance = (state.unkept && "unkept") || (state.offline && "offline") || state.trouble;
  net.textContent = netLine();
  net.classList.toggle("recorder__net--off", hindrance !== "");
  if (hindrance !== told) announce(net.textContent);
  told = hindrance;
};

const draw = () => {
  const focused = scene.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  scene.replaceChildren(...sceneOf().flat().filter(Boolean));
  showNet();
  if (focused) scene.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
};

listen({ draw, wake: ask });

addEventListener("online", () => (state.draft.sending ? send() : ask()));
addEventListener("storage", (event) => {
  if (event.key !== place) return;
  load();
  state.cursor = null;
  draw();
  ask();
});
form.addEventListener("submit", (event) => event.preventDefault());

load();
form.hidden = false;
openSuit();
draw();
if (state.draft.hands.length) form.scrollIntoView();
if (state.draft.sending) send();
else ask();
if (!state.draft.sent) keepCopy();
