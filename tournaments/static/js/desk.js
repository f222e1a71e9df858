// The control room by the keyboard: the table, Enter or a space, its hands, Enter. Without this file Tab leads
// from field to field and the button notes the result.
//
// A line that is entered is kept on the device with its table and sent by itself; the form is empty
// for the next one at once. What is typed never depends on an answer of the service: the tables are
// known here, the table that is offered in grey stays until the line is entered, and a line that is
// refused waits in the list below instead of coming back into the form.

import "./live.js";
import { forget, hindrance, keep, loadAll, newKey, post, RETRY } from "./sending.js";

const AT_ONCE = 4; // requests under way; those of one table go one after the other, in their order
const SHOWN = 5; // lines that are saved
const KEPT = 200; // the same, kept on the device: their tables are not offered again

const form = () => document.querySelector("[data-line]");
const field = (name) => form().elements.namedItem(name);
const queue = document.querySelector("[data-queue]");
const part = (name) => queue.querySelector(`[data-${name}]`);

const tables = () => JSON.parse(document.getElementById("desk-tables")?.textContent ?? "[]");
const tableOf = (number) => tables().find((one) => one.table === Number(number));

// --- The lines: {key, order, round, table, match, hands, points, state, tried, kind, text, url} ---

const { place, url } = queue.dataset;
const lines = new Map(loadAll(place).map((line) => [line.key, line]));
let trouble = "";
let isKept = true;

const ordered = () => [...lines.values()].sort((a, b) => a.order - b.order);
const inState = (state) => ordered().filter((line) => line.state === state);

/** One place a line, so that two pages of the desk in one browser lose nothing of each other. */
const put = (line) => {
  lines.set(line.key, line);
  isKept = keep(place + line.key, line);
};

const drop = (line) => {
  lines.delete(line.key);
  forget(place + line.key);
};

const add = (typed) => {
  const match = tableOf(typed.table)?.match ?? "";
  for (const line of inState("pending")) {
    if (match && line.match === match && !line.tried) drop(line); // what is typed last is meant
  }
  const order = (ordered().at(-1)?.order ?? 0) + 1;
  put({ ...typed, match, order, key: newKey(), state: "pending", tried: false });
  for (const line of inState("saved").slice(0, -KEPT)) drop(line);
};

// --- Sending them -------------------------------------------------------------------------------

const busy = new Set();
const laneOf = (line) => line.match || `${line.round}/${line.table}`;
let timer = 0;

const settle = (line, said) => {
  const { kind = "bad", text = said.message ?? queue.dataset.unread, url: to = "" } = said;
  if (lines.has(line.key)) {
    put({ ...line, kind, text, url: to, state: kind === "bad" ? "refused" : "saved" });
  }
  tell(kind, text);
  document.body.dispatchEvent(new Event("desk"));
};

const send = async (line) => {
  const { round, table, match, hands, points } = line;
  const body = new URLSearchParams({ round, table, match, hands, points });
  let answer = null;
  try {
    answer = await post(url, body, { "Idempotency-Key": line.key });
  } catch {
    trouble = "offline";
  }
  if (answer) trouble = hindrance(answer);
  if (answer && !trouble) settle(line, answer.said);
  busy.delete(laneOf(line));
  show();
  if (trouble) {
    clearTimeout(timer);
    timer = setTimeout(pump, RETRY);
  } else {
    pump();
  }
};

const pump = () => {
  for (const line of inState("pending")) {
    if (busy.size >= AT_ONCE) return;
    if (busy.has(laneOf(line))) continue;
    busy.add(laneOf(line));
    // Without a network nothing has left the device; it is tried all the same, as the service may
    // run on this very machine
    put({ ...line, tried: line.tried || navigator.onLine });
    send(lines.get(line.key));
  }
};

// --- Showing them -------------------------------------------------------------------------------

const tell = (kind, text) => {
  if (kind === "bad") part("alert").textContent = text;
  const told = document.querySelector("[data-told] p");
  if (!told) return;
  told.className = `desk__${kind}`;
  told.textContent = text;
};

/** The hands as they are understood: "31" is 3-1, also before points. */
const hyphenate = (hands) => hands.replace(/^\d{2,5}(?=$|\s+\d+[-–—:/])/, (digits) => [...digits].join("-"));

const rowOf = (line) => {
  const row = queue.querySelector("template").content.firstElementChild.cloneNode(true);
  const find = (name) => row.querySelector(`[data-${name}]`);
  row.dataset.key = line.key;
  row.classList.add(`desk__sent--${line.state}`);
  find("what").textContent = `${line.table} · ${hyphenate(line.hands)}${line.points ? ` (${line.points})` : ""}`;
  find("text").textContent = line.state === "refused" || line.kind === "warn" ? line.text : "";
  // A refused line with an address is about a result that is there: that one is corrected
  const corrects = line.state === "refused" && line.url;
  if (corrects) find("correct").href = line.url;
  else find("correct").remove();
  if (line.url && line.kind === "warn") find("match").href = line.url;
  else find("match").remove();
  if (corrects) row.querySelector('[data-do="back"]').remove();
  for (const one of row.querySelectorAll("[data-when]")) {
    if (one.dataset.when !== line.state) one.remove();
  }
  return row;
};

const show = () => {
  const at = queue.contains(document.activeElement) ? document.activeElement : null;
  const focused = at && `[data-key="${at.closest("li")?.dataset.key}"] [data-do="${at.dataset.do}"]`;
  const saved = inState("saved").slice(-SHOWN);
  const rows = ordered().filter((line) => line.state !== "saved" || saved.includes(line));
  part("lines").replaceChildren(...rows.reverse().map(rowOf));
  const why = inState("pending").length ? (!isKept && "unkept") || trouble : "";
  part("net").hidden = !why;
  for (const one of queue.querySelectorAll("[data-why]")) one.hidden = one.dataset.why !== why;
  queue.hidden = rows.length === 0;
  if (focused) (queue.querySelector(focused) ?? (form() && field("table")))?.focus();
};

// --- The form -----------------------------------------------------------------------------------

/** Say who sits at the table that is typed. */
const showWho = () => {
  const table = tableOf(field("table").value);
  const told = form().querySelector("[data-who]");
  told.textContent = table?.names ?? "";
  told.hidden = !table;
};

/** Offer the next table that waits and of which nothing was typed, from the first one at the end. */
const offer = () => {
  const round = field("round").value;
  const typed = ordered().filter((line) => line.round === round);
  const taken = new Set(typed.map((line) => line.match));
  const open = tables().filter((one) => one.is_open && !taken.has(one.match));
  const last = Number(typed.at(-1)?.table ?? 0);
  const next = open.find((one) => one.table > last) ?? open[0];
  field("table").placeholder = next?.table ?? "";
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
  for (const name of ["table", "hands", "points"]) {
    field(name).value = "";
    field(name).removeAttribute("aria-invalid");
  }
  offer();
  showWho();
  field("table").focus();
};

const enter = () => {
  const [round, table, hands, points] = ["round", "table", "hands", "points"].map((name) => field(name).value.trim());
  add({ round, table, hands, points });
  beginAgain();
  show();
  pump();
};

/** Take a line that was refused back into the form, to be put right. */
const takeBack = (line) => {
  for (const name of ["table", "hands", "points"]) field(name).value = line[name];
  drop(line);
  show();
  showWho();
  field(tableOf(line.table) ? "hands" : "table").select();
};

const toggleKeys = () => {
  const keys = document.querySelector("[data-keys]");
  keys.open = !keys.open;
  if (keys.open) keys.scrollIntoView({ block: "nearest" });
};

// --- The tables ---------------------------------------------------------------------------------

const finder = document.querySelector("[data-find]");
const panel = document.getElementById("table-panel");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const rows = () => [...document.querySelectorAll("tr[data-table]")];
const linkOf = (row) => row?.querySelector("th a");

/** Show the tables of whom is typed, by number or name, whatever their accents. */
const find = () => {
  const words = plain(finder.value).split(/\s+/).filter(Boolean);
  for (const row of rows()) {
    const text = plain(row.textContent);
    const isTable = words.length === 1 && row.dataset.table === words[0];
    const isNumber = words.length === 1 && /^\d+$/.test(words[0]);
    row.hidden = !(isNumber ? isTable : words.every((word) => text.includes(word)));
  }
  const none = document.querySelector("[data-none]");
  if (none) none.hidden = rows().length === 0 || rows().some((row) => !row.hidden);
};

const visible = () => rows().filter((row) => !row.hidden);

/** Go to the table above or below. */
const goTo = (row, step) => {
  const all = visible();
  linkOf(all[all.indexOf(row) + step])?.focus();
};

finder.closest("label").hidden = false;
finder.addEventListener("input", find);
finder.addEventListener("keydown", (event) => {
  if (event.key === "Enter") linkOf(visible()[0])?.click();
  else if (event.key === "ArrowDown") linkOf(visible()[0])?.focus();
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const row = event.target.closest?.("tr[data-table]");
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (row && event.key in steps) goTo(row, steps[event.key]);
  else if (event.key === "/" && !event.target.closest("input, select, textarea")) finder.select();
  else return;
  event.preventDefault();
});
// A table opens beside the list
document.addEventListener("click", (event) => {
  const number = event.target.closest("[data-table-link]")?.dataset.tableLink;
  const link = number && document.getElementById(`table-${number}`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target !== panel) return;
  panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    finder.value = "";
    find();
    panel.replaceChildren();
  }
  if (!form()) return;
  const at = event.target;
  const refused = inState("refused").at(-1);
  if (event.key === "?") toggleKeys();
  else if (event.key === "Escape") beginAgain();
  else if (event.key === "ArrowUp" && at === field("table") && !at.value && refused) takeBack(refused);
  else if ((event.key === "Enter" || event.key === " ") && at === field("table") && !field("hands").value) takeTable();
  else return;
  event.preventDefault();
});
document.addEventListener("input", (event) => {
  if (form() && event.target === field("table")) showWho();
});
document.addEventListener("submit", (event) => {
  if (event.target !== form()) return;
  event.preventDefault();
  enter();
});
queue.addEventListener("click", ({ target }) => {
  const line = lines.get(target.closest("li")?.dataset.key);
  if (target.dataset.do === "back" && form()) takeBack(line);
  if (target.dataset.do === "correct") drop(line); // its score is filled in there
  if (target.dataset.do === "drop") {
    drop(line);
    show();
  }
});
addEventListener("online", pump);
addEventListener("storage", (event) => {
  if (event.key && !event.key.startsWith(place)) return;
  lines.clear();
  for (const line of loadAll(place)) lines.set(line.key, line);
  show();
});
// A board that was empty of tables that wait offers one as soon as there is one
document.body.addEventListener("htmx:afterSettle", () => {
  find();
  if (form() && !field("table").placeholder) offer();
});

if (form()) offer();
show();
pump();
