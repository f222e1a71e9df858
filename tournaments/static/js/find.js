/* Filters the lists of a page ([data-filter]) by the name in the field: each word of it begins a word
   of the row, whatever the case and the accents, as on the server (`domain/names.py`). Where rows are
   folded away (<details>) those with a hit are opened. Enter sends the form. */

const form = document.querySelector("[data-find]");
const field = form?.querySelector("input");
const answer = form?.querySelector("[data-answer]");
const before = new Map(); // details that the filter has opened or closed, with their state

const wordsOf = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function filter() {
  const wanted = wordsOf(field.value);
  const isHit = (row) => {
    const words = wordsOf(row.textContent);
    return wanted.every((begin) => words.some((word) => word.startsWith(begin)));
  };
  const rows = [...document.querySelectorAll("[data-filter] > *")];
  let found = 0;
  for (const row of rows) {
    row.hidden = wanted.length > 0 && !isHit(row);
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

if (form) {
  field.addEventListener("input", filter);
  document.body.addEventListener("htmx:afterSettle", () => field.value && filter());
  if (field.value && !location.search) filter(); // the browser has brought the page back
}
