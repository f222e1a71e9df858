// The pairing editor: an entry is dragged onto another one, or picked up and put down by keyboard or
// tap, and they change places. What the move would break is named before it is made: the page
// carries the sentences of the service's own checks, by who sits with whom, alone or nowhere. The
// service makes the move and answers the page as it is then. Without this file the forms do.

import "./focus.js";
import { newKey } from "./sending.js";

const FAR = 6; // pixels that a pointer goes before it drags
const EDGE = 70; // pixels from the edge of the screen at which the page scrolls
const PAIRING = "pairing"; // the bye that a draw gives
const REST = "rest"; // the place of one who is to rest

const draft = () => document.getElementById("draft");
const said = document.getElementById("draft-said");
const line = () => document.getElementById("draft-line");
const seats = () => [...draft().querySelectorAll(".movable[role=button]")].filter((one) => one.checkVisibility());
const seatOf = (node) => node?.closest?.(".movable[role=button]") ?? null;
const idOf = (seat) => seat.dataset.entry ?? REST;
const nameOf = (id) => document.querySelector(`#seat-${id} .movable__name`)?.textContent ?? "";
const words = (key, ...names) => said.getAttribute(`data-${key}`).replace(/\{(\d)\}/g, (_, n) => names[n]);

let foreseen = {};
let picked = null; // the entry that is picked up
let over = null; // the entry on which it would be put down
let press = null; // the pointer that is down on an entry
let ghost = null;
let busy = false;
let moved = null; // what is announced, and who has the focus, when the page is there

// --- What a move leads to ------------------------------------------------------------------------

const tables = () =>
  [...draft().querySelectorAll("[data-table]")].map((row) => ({
    number: row.dataset.table,
    bye: row.dataset.bye ?? "",
    sides: [...row.querySelectorAll("[data-side]")].map((side) =>
      [...side.querySelectorAll("[data-entry]")].map((seat) => seat.dataset.entry)),
  }));

/** Return the verb of a move, the tables that it changes, as they are then, and who has none. */
const moveOf = (one, other) => {
  if (other === REST) return { verb: "give-bye", tables: [{ bye: PAIRING, sides: [[one]] }], idle: [] };
  const all = tables();
  const at = (id) => all.find(({ sides }) => sides.flat().includes(id));
  const [mine, theirs] = [at(one), at(other)];
  if (!mine && !theirs) return { verb: "pair", tables: [{ bye: "", sides: [[one], [other]] }], idle: [] };
  const exchanged = (id) => (id === one ? other : id === other ? one : id);
  const changed = [...new Set([mine, theirs].filter(Boolean))].map((table) => ({
    ...table, sides: table.sides.map((side) => side.map(exchanged)),
  }));
  return { verb: "swap", tables: changed, idle: !mine ? [other] : !theirs ? [one] : [] };
};

/** Return what a move would break, as the service words it. */
const breaches = ({ tables: changed, idle }) => {
  const found = idle.flatMap((id) => foreseen.nowhere?.[id] ?? []);
  for (const { number, bye, sides } of changed) {
    const alone = sides.length === 1;
    const about = !alone ? foreseen.playing : bye === PAIRING ? foreseen.resting : {};
    found.push(...sides.flat().flatMap((id) => about?.[id] ?? []));
    found.push(...sides.flat().flatMap((id) => foreseen.deals?.[`${id}@${number}`] ?? []));
    sides.forEach((side, n) => side.forEach((id) => sides.slice(n + 1).flat().forEach((opponent) => {
      const two = [id, opponent].sort((a, b) => a - b).join("-");
      found.push(...(foreseen.together?.[two] ?? []));
    })));
  }
  return found;
};

const sentence = (verb, one, other) => words(verb, nameOf(one), nameOf(other));

// --- Picking up, choosing, putting down ----------------------------------------------------------

const show = (text, { isBroken = false } = {}) => {
  line().textContent = text;
  line().classList.toggle("draft__line--picked", picked !== null);
  line().classList.toggle("draft__line--broken", isBroken);
  said.textContent = text;
};

const mark = () => {
  for (const seat of seats()) {
    const id = idOf(seat);
    const isOther = picked !== null && id !== picked;
    seat.classList.toggle("movable--picked", id === picked);
    seat.classList.toggle("movable--over", isOther && id === over);
    seat.classList.toggle("movable--breaks", isOther && breaches(moveOf(picked, id)).length > 0);
    if (seat.dataset.entry) seat.setAttribute("aria-pressed", String(id === picked));
  }
};

const pickUp = (id) => {
  if (busy) return;
  [picked, over] = [id, null];
  const rest = draft().querySelector("[data-rest]");
  if (rest) rest.hidden = !draft().querySelector(`[data-idle-seats] [data-entry="${id}"]`);
  mark();
  show(words("picked", nameOf(id)));
};

const letGo = (text) => {
  [picked, over] = [null, null];
  const rest = draft().querySelector("[data-rest]");
  if (rest) rest.hidden = true;
  ghost?.remove();
  ghost = null;
  mark();
  show(text ?? line().dataset.idle);
};

const choose = (id) => {
  if (picked === null || id === over) return;
  over = id === picked ? null : id;
  mark();
  const broken = over === null ? [] : breaches(moveOf(picked, over));
  const what = over === null ? words("picked", nameOf(picked)) : sentence(moveOf(picked, over).verb, picked, over);
  const end = over === null ? [] : broken.length ? broken : [said.dataset.fine];
  show([what, ...end].join(" "), { isBroken: broken.length > 0 });
  if (ghost) {
    ghost.replaceChildren(...[nameOf(picked), ...broken].map((text, n) => {
      const part = document.createElement("span");
      part.textContent = text;
      if (n) part.className = "draft__warn";
      return part;
    }));
  }
};

const putDown = (id) => {
  if (picked === null || busy) return;
  if (id === null || id === picked) return letGo(said.dataset.cancelled);
  const one = picked;
  const { verb } = moveOf(one, id);
  moved = { text: sentence(verb, one, id), entry: one };
  busy = true;
  letGo(moved.text);
  window.htmx.ajax("POST", `${said.dataset.url}${verb}/`, {
    source: draft(),
    target: "#draft",
    values: {
      one,
      arrangement: draft().dataset.arrangement,
      ...(id === REST ? {} : { other: id }),
      csrfmiddlewaretoken: document.querySelector("main [name=csrfmiddlewaretoken]").value,
      form_key: newKey(),
    },
  });
};

// --- By keyboard ---------------------------------------------------------------------------------

/** Return the entry next to another one: rows are the tables, the last row has no table. */
const nextTo = (seat, key) => {
  const rows = [...draft().querySelectorAll("[data-table], [data-idle-seats]")]
    .map((row) => [...row.querySelectorAll(".movable[role=button]")].filter((one) => one.checkVisibility()));
  const y = rows.findIndex((row) => row.includes(seat));
  const x = rows[y].indexOf(seat);
  if (key === "ArrowLeft" || key === "ArrowRight") return rows[y][x + (key === "ArrowRight" ? 1 : -1)];
  const row = rows[y + (key === "ArrowDown" ? 1 : -1)];
  return row?.[Math.min(x, row.length - 1)];
};

document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.target.closest("input, select, textarea")) {
    document.getElementById("undo")?.click();
    return;
  }
  if (key === "Escape" && picked !== null) return letGo(said.dataset.cancelled);
  const seat = seatOf(event.target);
  if (!seat) return;
  if (key === " " || key === "Enter") {
    event.preventDefault();
    if (picked !== null) putDown(idOf(seat));
    else if (seat.dataset.entry) pickUp(idOf(seat));
  } else if (key.startsWith("Arrow")) {
    event.preventDefault();
    nextTo(seat, key)?.focus();
  }
});

document.addEventListener("focusin", (event) => {
  const seat = seatOf(event.target);
  if (seat && !press) choose(idOf(seat));
});

// --- By pointer ----------------------------------------------------------------------------------

const underPointer = ({ clientX, clientY }) => seatOf(document.elementFromPoint(clientX, clientY));

document.addEventListener("pointerdown", (event) => {
  const seat = seatOf(event.target);
  if (!seat || event.button) return;
  const canDrag = event.pointerType === "mouse" || event.target.closest(".movable__grip");
  press = { x: event.clientX, y: event.clientY, seat, canDrag, before: over, isDrag: false };
});

document.addEventListener("pointermove", (event) => {
  if (!press) {
    if (picked !== null && event.pointerType === "mouse") {
      const seat = underPointer(event);
      if (seat) choose(idOf(seat));
    }
    return;
  }
  const { x, y, seat, canDrag } = press;
  if (!press.isDrag) {
    if (!canDrag || !seat.dataset.entry || Math.hypot(event.clientX - x, event.clientY - y) < FAR) return;
    press.isDrag = true;
    pickUp(idOf(seat));
    if (picked === null) return;
    ghost = document.createElement("div");
    ghost.className = "draft__ghost";
    ghost.textContent = nameOf(picked);
    document.body.append(ghost);
  }
  event.preventDefault();
  if (!ghost) return;
  choose(underPointer(event) ? idOf(underPointer(event)) : picked);
  const room = document.documentElement.clientWidth - ghost.offsetWidth;
  ghost.style.transform = `translate(${Math.max(0, Math.min(event.clientX + 14, room))}px, ${event.clientY + 18}px)`;
  if (event.clientY < EDGE) scrollBy(0, -EDGE / 4);
  if (event.clientY > innerHeight - EDGE) scrollBy(0, EDGE / 4);
});

document.addEventListener("pointerup", () => {
  if (press?.isDrag) putDown(over);
  else if (press) tap(press.seat, press.before);
  press = null;
});

document.addEventListener("pointercancel", () => {
  if (press?.isDrag) letGo();
  press = null;
});

/** Pick up, or put down; a move that breaks something is named by the first tap, made by the next. */
const tap = (seat, before) => {
  const id = idOf(seat);
  if (picked === null) {
    if (seat.dataset.entry) pickUp(id);
  } else if (id === picked || id === before || !breaches(moveOf(picked, id)).length) {
    putDown(id);
  } else {
    choose(id);
  }
};

// --- The page ------------------------------------------------------------------------------------

const begin = () => {
  foreseen = JSON.parse(document.getElementById("draft-foreseen").textContent);
  for (const seat of draft().querySelectorAll(".movable")) {
    seat.setAttribute("role", "button");
    seat.tabIndex = 0;
    if (!seat.dataset.entry) continue;
    seat.setAttribute("aria-pressed", "false");
    const grip = document.createElement("span");
    grip.className = "movable__grip";
    grip.setAttribute("aria-hidden", "true");
    grip.textContent = "⠿";
    seat.prepend(grip);
  }
  line().textContent = line().dataset.idle;
};

document.body.addEventListener("htmx:afterSettle", ({ detail: { target, pathInfo } }) => {
  if (target.id !== "draft") return;
  begin();
  if (!moved) {
    said.textContent = pathInfo.requestPath.endsWith("/undo/") ? said.dataset.undone : "";
    return;
  }
  const seat = document.getElementById(`seat-${moved.entry}`);
  seat?.focus({ preventScroll: true });
  const breaks = seat?.closest("tr")?.querySelector("[data-breaks]")?.innerText.trim();
  show([moved.text, breaks].filter(Boolean).join(" "));
  moved = null;
});
document.body.addEventListener("htmx:afterRequest", () => {
  busy = false;
});

begin();
