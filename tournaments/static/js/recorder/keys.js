// Keys: a rank, then a suit; Backspace takes back.

import { choose, undo } from "./acts.js";
import { announce, cards, ranks, say } from "./start.js";
import { state } from "./state.js";

const typed = (key) => {
  if (state.rank) {
    const card = state.rank + key.toLowerCase();
    state.rank = "";
    if (card in cards) choose(card);
    return true;
  }
  const found = key.toUpperCase();
  if (!(found in ranks)) return false;
  state.rank = found;
  announce(say("typed", { key: ranks[found] }));
  return true;
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || state.draft.hands.length === 0) return;
  if (state.draft.sending || state.draft.sent || event.target.closest?.("input, select, textarea")) return;
  if (event.key === "Backspace") {
    event.preventDefault();
    undo();
  } else if (event.key === "Escape") {
    state.rank = "";
  } else if (event.key.length === 1 && typed(event.key)) {
    event.preventDefault();
  }
});
