// The results desk by the keyboard: the table, Enter, its hands, Enter. Without this file Tab leads
// from field to field and the button notes the result.

import "./focus.js";

const line = () => document.querySelector("[data-line]");
const field = (name) => line().elements.namedItem(name);

/** Say who sits at the table that is typed, as the list of tables has it. */
const showWho = () => {
  const number = field("table").value;
  const row = number && document.querySelector(`[data-table="${CSS.escape(number)}"]`);
  const told = line().querySelector("[data-who]");
  told.textContent = row ? row.querySelector(".desk__names").textContent : "";
  told.hidden = !row;
};

/** Take the table that is typed, or the one that is offered, and go on to its hands. */
const takeTable = () => {
  const table = field("table");
  if (!table.value) table.value = table.placeholder;
  if (!table.value) return;
  showWho();
  field("hands").focus();
};

const beginAgain = () => {
  for (const name of ["table", "hands", "points"]) field(name).value = "";
  showWho();
  field("table").focus();
};

const toggleKeys = () => {
  const keys = document.querySelector("[data-keys]");
  keys.open = !keys.open;
  if (keys.open) keys.scrollIntoView({ block: "nearest" });
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !line()) return;
  const at = event.target;
  if (event.key === "?") toggleKeys();
  else if (event.key === "Escape") beginAgain();
  else if (event.key === "Enter" && at === field("table") && !field("hands").value) takeTable();
  else return;
  event.preventDefault();
});
document.addEventListener("input", (event) => {
  if (line() && event.target === field("table")) showWho();
});
