/* Filters the lists of a page ([data-filter]) by the name in the field: each word of it begins a word
   of the row, whatever the case and the accents, as on the server (`domain/names.py`). Where rows are
   folded away (<details>) those with a hit are opened. Enter sends the form, and the name is kept on
   the device, as the own table keeps its own: the one row of a list that has it is marked and stands
   first, of a table below its headings too. An empty field, sent, forgets it. */

const form = document.querySelector("[data-find]");
const field = form?.querySelector("input");
const answer = form?.querySelector("[data-answer]");
const key = `baza-own:${form?.dataset.find}`;
const before = new Map(); // details that the filter has opened or closed, with their state

const wordsOf = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether each word of the name begins a word of the text. */
const isHit = (wanted, text) => {
  const words = wordsOf(text);
  return wanted.every((begin) => words.some((word) => word.startsWith(begin)));
};

function filter() {
  const wanted = wordsOf(field.value);
  const rows = [...document.querySelectorAll("[data-filter] > *")];
  let found = 0;
  for (const row of rows) {
    row.hidden = wanted.length > 0 && !isHit(wanted, row.textContent);
    found += !row.hidden;
  }
  for (const box of document.querySelectorAll("details:has([data-filter])")) {
    if (!wanted.length) {
      if (before.has(box.id)) box.open = before.get(box.id);
      continue;
    }
    if (!before.has(box.id)) before.set(box.id, box.open);
    box.open = Boolean(box.querySelector("[data-filter] > :not([hidden])"));
  }
  if (!wanted.length) before.clear();
  answer.hidden = !wanted.length || !rows.length;
  answer.textContent = (found ? answer.dataset.some : answer.dataset.none)
    .replace("{found}", found)
    .replace("{all}", rows.length);
}

/** Mark the row of the kept name in each list; a name that several rows have marks none. */
function markOwn() {
  const wanted = wordsOf(JSON.parse(localStorage.getItem(key)) ?? "");
  if (!wanted.length) return;
  // A row of a table names others too: those before whom it stands
  const named = (row) => [...row.querySelectorAll("th > a")].map((link) => link.textContent).join(" ");
  for (const list of document.querySelectorAll("[data-filter]")) {
    const rows = [...list.children].filter((row) => isHit(wanted, row.cells ? named(row) : row.textContent));
    if (rows.length !== 1 || "own" in rows[0].dataset) continue;
    rows[0].dataset.own = "";
    const head = list.closest("table")?.tHead;
    if (!head) continue;
    const copy = rows[0].cloneNode(true);
    copy.inert = true; // to be seen: the row itself is read and followed
    head.append(copy);
  }
}

if (form) {
  field.addEventListener("input", filter);
  document.body.addEventListener("htmx:afterSettle", () => field.value && filter());
  if (field.value && !location.search) filter(); // the browser has brought the page back
  form.addEventListener("submit", () => localStorage.setItem(key, JSON.stringify(field.value)));
  document.body.addEventListener("htmx:afterSettle", markOwn);
  markOwn();
}
