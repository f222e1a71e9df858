/* Steps through one hand. The server has drawn the deal and sends every step as JSON, words included;
   here cards only change places. `#t=7` is the seventh step, `#t=7&seat=B` seen with the hand of B alone. */

import { keep, load } from "./sending.js";

const PACE = 1300; // milliseconds between steps when it plays by itself
const SWIPE = 40; // pixels
const THINK = "think-first"; // whether a hand's page shows the cards alone until it is asked

const root = document.querySelector("[data-stepper]");
if (root) {
  start(root, JSON.parse(document.getElementById("frames").textContent));
}

function start(root, book) {
  const find = (name) => root.querySelector(`[data-${name}]`);
  const last = book.steps.length - 1;
  const cards = collectCards(root, book);
  const buttons = Object.fromEntries(
    [...root.querySelectorAll("[data-go]")].map((button) => [button.dataset.go, button]),
  );
  const slider = find("slider");
  const open = find("open");
  let now = 0;
  let timer = null;

  function go(step) {
    const target = Math.min(Math.max(step, 0), last);
    const onward = target === now + 1;
    now = target;
    show(root, book, cards, now, open.value, onward);
    slider.value = now;
    slider.setAttribute("aria-valuetext", book.steps[now].says);
    find("count").textContent = `${now} / ${last}`;
    setEnd(buttons.first, now === 0);
    setEnd(buttons.back, now === 0);
    setEnd(buttons.forward, now === last);
    setEnd(buttons.last, now === last);
    if (location.hash || now > 0) {
      history.replaceState(null, "", address(now, open.value));
    }
    if (timer && now === last) {
      play(false);
    }
  }

  function play(on) {
    clearInterval(timer);
    timer = null;
    if (on) {
      if (now === last) {
        go(0);
      }
      timer = setInterval(() => go(now + 1), PACE);
    }
    buttons.play.setAttribute("aria-pressed", String(on));
    buttons.play.querySelector('[data-when="still"]').hidden = on;
    buttons.play.querySelector('[data-when="playing"]').hidden = !on;
  }

  const acts = {
    first: () => go(0),
    back: () => go(now - 1),
    forward: () => go(now + 1),
    last: () => go(last),
  };
  function act(name) {
    if (name === "play") {
      play(timer === null);
    } else {
      play(false);
      acts[name]();
    }
  }

  function followAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.get("seat") in book.steps[0].hands) {
      open.value = wanted.get("seat");
    }
    go(Number.parseInt(wanted.get("t") ?? "0", 10) || 0);
  }

  for (const [name, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => act(name));
  }
  slider.addEventListener("input", () => {
    play(false);
    go(Number(slider.value));
  });
  open.addEventListener("change", () => go(now));
  addEventListener("hashchange", () => {
    play(false);
    followAddress();
  });
  document.body.addEventListener("htmx:afterSettle", () => go(now));
  startThinking(() => go(now));
  listenToKeys(act);
  listenToSwipes(find("board"), act);

  root.classList.add("stepper--live");
  find("controls").hidden = false;
  find("options").hidden = false;
  followAddress();
}

/* Every card exists once and moves between the hands and the table; those of the stock are made here. */
function collectCards(root, book) {
  const dealt = [...root.querySelectorAll("[data-hand-of] [data-card]")];
  const cards = new Map(dealt.map((card) => [card.dataset.card, card]));
  for (const code of Object.keys(book.cards)) {
    if (code !== "back" && !cards.has(code)) {
      const card = dealt[0].cloneNode(true);
      card.dataset.card = code;
      cards.set(code, card);
    }
  }
  return cards;
}

function address(step, seat) {
  return seat === "all" ? `#t=${step}` : `#t=${step}&seat=${seat}`;
}

function setEnd(button, atEnd) {
  button.setAttribute("aria-disabled", String(atEnd));
}

function show(root, book, cards, number, seat, onward) {
  const step = book.steps[number];
  for (const letter of Object.keys(step.hands)) {
    showHand(root, book, cards, step, letter, seat === "all" || seat === letter);
    const turn = letter === step.turn;
    root.querySelector(`[data-seat="${letter}"]`).classList.toggle("seat--turn", turn);
  }
  const marks = marksOfCards();
  showTable(root, book, cards, step, onward, marks);
  showScore(root, book, step);
  const says = root.querySelector("[data-says]");
  const mark = marks[step.token];
  says.textContent = mark ? `${step.says} ${mark.sign} ${mark.says}` : step.says;
  says.classList.toggle("stepper__says--bad", Boolean(step.stopped));
  for (const row of root.querySelectorAll("[data-trick]")) {
    if (Number(row.dataset.trick) === step.trick && number > 0) {
      row.setAttribute("aria-current", "step");
    } else {
      row.removeAttribute("aria-current");
    }
  }
}

/* Cards that stay in the hand stay where they are: each one that moves is drawn afresh by the browser. */
function showHand(root, book, cards, step, letter, isOpen) {
  const list = root.querySelector(`[data-hand-of="${letter}"] .hand`);
  const held = step.hands[letter];
  for (const place of [...list.children]) {
    if (!held.includes(place.querySelector("[data-card]")?.dataset.card)) {
      place.remove();
    }
  }
  const there = [...list.querySelectorAll("[data-card]")].map((card) => card.dataset.card);
  if (there.join() !== held.join()) {
    list.replaceChildren(...held.map((code) => placeOf(cards.get(code))));
  }
  for (const code of held) {
    draw(cards.get(code), book, isOpen ? code : "back", isOpen ? markOf(step, letter, code) : "");
  }
}

function placeOf(card) {
  const place = document.createElement("li");
  place.append(card);
  return place;
}

function markOf(step, letter, code) {
  if (letter !== step.turn) {
    return "";
  }
  if (code === step.bad) {
    return "bad";
  }
  if (step.legal.length === 0) {
    return "";
  }
  return step.legal.includes(code) ? "legal" : "muted";
}

/* The switch is kept on the device; what was found may be shown for one hand without turning it. */
function startThinking(changed) {
  const place = document.querySelector("[data-think]");
  if (!place) {
    return;
  }
  const choice = place.querySelector("[data-think-switch]");
  const button = place.querySelector("[data-think-show]");
  function think(on) {
    document.documentElement.classList.toggle("thinks", on);
    button.hidden = !on;
  }
  choice.checked = load(THINK) === true;
  choice.addEventListener("change", () => {
    keep(THINK, choice.checked);
    think(choice.checked);
    changed();
  });
  button.addEventListener("click", () => {
    think(false);
    changed();
  });
  place.hidden = false;
  think(choice.checked);
}

/* What the analysis says of cards, by card; it may come while the page is open. */
function marksOfCards() {
  if (document.documentElement.classList.contains("thinks")) {
    return {};
  }
  return JSON.parse(document.getElementById("judged")?.textContent ?? "{}");
}

function showTable(root, book, cards, step, onward, marks) {
  const laid = new Map(step.table);
  for (const letter of Object.keys(step.hands)) {
    const place = root.querySelector(`[data-place="${letter}"]`);
    const code = laid.get(letter);
    place.classList.toggle("trick__place--turn", letter === step.turn && !step.won);
    place.replaceChildren();
    if (code) {
      const card = cards.get(code);
      draw(card, book, code, letter === step.won ? "won" : "");
      card.classList.toggle("playing-card--new", onward && code === step.token);
      place.append(card);
      if (marks[code]) {
        place.append(drawMark(marks[code]));
      }
    }
  }
}

function drawMark(mark) {
  const sign = document.createElement("span");
  sign.className = `mark__sign mark__sign--${mark.kind}`;
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = mark.sign;
  return sign;
}

/* The picture, the mark and the words of one card. */
function draw(card, book, face, mark) {
  card.className = mark ? `playing-card playing-card--${mark}` : "playing-card";
  const words = book.marks[mark] ? `${book.cards[face]} (${book.marks[mark]})` : book.cards[face];
  card.firstElementChild.setAttribute("aria-label", words);
  const picture = card.querySelector("use");
  const href = `${book.sprite}#card-${face}`;
  if (picture.getAttribute("href") !== href) {
    picture.setAttribute("href", href);
  }
}

function showScore(root, book, step) {
  for (const box of root.querySelectorAll("[data-side]")) {
    const side = box.dataset.side;
    box.querySelector("[data-points]").textContent = step.points[side];
    box.querySelector("[data-tricks]").textContent = step.tricks_won[side];
    const calls = step.declared[side].map((call) => {
      const item = document.createElement("li");
      item.textContent = book.calls[call];
      return item;
    });
    box.querySelector("[data-calls]").replaceChildren(...calls);
  }
}

function listenToKeys(act) {
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
  addEventListener("keydown", (event) => {
    const name = keys[event.key];
    const target = event.target;
    const typing = target.closest("input, select, textarea, [contenteditable]");
    const pressing = event.key === " " && target.closest("button, a, summary");
    if (!name || typing || pressing || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    act(name);
  });
}

function listenToSwipes(board, act) {
  let from = null;
  board.addEventListener(
    "touchstart",
    (event) => {
      from = event.touches.length === 1 ? event.touches[0] : null;
    },
    { passive: true },
  );
  board.addEventListener("touchend", (event) => {
    if (!from) {
      return;
    }
    const to = event.changedTouches[0];
    const across = to.clientX - from.clientX;
    const down = to.clientY - from.clientY;
    if (Math.abs(across) > SWIPE && Math.abs(across) > 1.5 * Math.abs(down)) {
      act(across < 0 ? "forward" : "back");
    }
  });
}
