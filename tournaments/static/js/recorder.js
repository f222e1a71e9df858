// The recorder: what is typed is kept on the device first, judged there, and sent once.
//
// The draft is the truth of this page; the rules of play are in tute/, so that only what may come next is
// offered, with a network or without. The modules lie in recorder/, none imports this one.

import { keepCopy } from "./recorder/copy.js";
import { send } from "./recorder/outbox.js";
import { sceneOf } from "./recorder/scenes.js";
import { announce, form, scene, words } from "./recorder/start.js";
import { listen, load, place, state } from "./recorder/state.js";
import "./recorder/keys.js";

const netLine = () => {
  if (state.unkept) return words.unkept;
  return state.offline ? words.offline : state.trouble || words.kept;
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

listen(draw);

for (const [event, offline] of [["online", false], ["offline", true]]) {
  addEventListener(event, () => {
    state.offline = offline;
    if (state.draft.sending && !offline) send();
    else draw();
  });
}
addEventListener("storage", (event) => {
  if (event.key !== place) return;
  load();
  state.cursor = null;
  draw();
});
form.addEventListener("submit", (event) => event.preventDefault());

load();
state.offline = !navigator.onLine;
form.hidden = false;
draw();
if (state.draft.hands.length) form.scrollIntoView();
if (state.draft.sending) send();
if (!state.draft.sent) keepCopy();
