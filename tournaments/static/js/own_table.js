// One's own table, on a phone. What is new is said at once: aloud, in the title, by vibration and, once
// the switch was pressed, by sound. What the player sends is kept on the phone first and sent under a
// key until an answer comes, so that it arrives once, also through a cut network.

import "./live.js";
import "./clock.js";
import "./score.js";
import { forget, hindrance, keep, load, loadAll, newKey, post, RETRY } from "./sending.js";

// --- News: the items of [data-news] that were not there before -----------------------------------

// A copy of the page for when it is loaded without a network; without one it works while it is open
navigator.serviceWorker?.register(document.querySelector("[data-worker]").dataset.worker).catch(() => {});

// The lists of the tournament mark the row of this name (js/find.js)
const own = document.querySelector("[data-own]");
keep(`baza-own:${own.dataset.own}`, own.textContent);

const told = document.querySelector("[data-told]");
const { title } = document;

const news = () => [...document.querySelectorAll("[data-news]")].map((one) => one.textContent.trim());
let known = news();

const announce = (texts) => {
  const shown = [...document.querySelectorAll("[data-news=shown]")].map((one) => one.textContent.trim());
  const notice = document.createElement("p");
  notice.className = texts.every((text) => shown.includes(text)) ? "visually-hidden" : "notice notice--warn";
  notice.textContent = texts.join(" ");
  told.replaceChildren(notice);
  document.title = `(${texts.length}) ${notice.textContent}`;
  navigator.setAppBadge?.(texts.length).catch(() => {}); // only an installed page has a badge
  // Chromium complains of a vibration before the page was touched
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([200, 100, 200]);
  ring();
};

const calm = () => {
  if (document.visibilityState !== "visible") return;
  document.title = title;
  navigator.clearAppBadge?.().catch(() => {});
};

document.body.addEventListener("htmx:afterSwap", () => {
  const now = news();
  const fresh = now.filter((text) => !known.includes(text));
  if (fresh.length) announce(fresh);
  else if (now.length < known.length) told.replaceChildren(); // it was answered elsewhere
  known = now;
});
document.addEventListener("visibilitychange", calm);
for (const sign of ["pointerdown", "keydown"]) document.addEventListener(sign, calm);

// --- Sound: browsers allow it after a touch of the page -------------------------------------------

const SOUND = "baza-sound";
const toggle = document.querySelector("[data-alerts]");
let audio = null;

const wake = () => {
  if (!load(SOUND)) return;
  audio ??= new AudioContext();
  audio.resume();
};

const ring = () => {
  if (!load(SOUND) || audio?.state !== "running") return;
  for (const [after, pitch] of [[0, 660], [0.18, 880]]) {
    const tone = audio.createOscillator();
    const volume = new GainNode(audio, { gain: 0.2 });
    tone.frequency.value = pitch;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + after);
    tone.stop(audio.currentTime + after + 0.15);
  }
};

const showSwitch = () => toggle.setAttribute("aria-pressed", String(Boolean(load(SOUND))));

toggle.hidden = !globalThis.AudioContext;
toggle.addEventListener("click", async () => {
  if (load(SOUND)) {
    forget(SOUND);
  } else {
    keep(SOUND, true);
    wake();
    await audio.resume();
    ring();
  }
  showSwitch();
});
document.addEventListener("pointerdown", wake);
showSwitch();

// --- What waits on this phone: {key, order, at, url, body, what, state, kind, text, tried} ---------

const queue = document.querySelector("[data-queue]");
const part = (name) => queue.querySelector(`[data-${name}]`);
const { place } = queue.dataset;
const SHOWN = 10 * 60 * 1000; // milliseconds for which what is saved is still listed

const lines = new Map(loadAll(place).map((line) => [line.key, line]));
let trouble = "";
let isKept = true;
let isBusy = false;
let timer = 0;

const ordered = () => [...lines.values()].sort((a, b) => a.order - b.order);
const inState = (state) => ordered().filter((line) => line.state === state);
const isOld = (line) => line.state === "saved" && Date.now() - line.at > SHOWN;

const put = (line) => {
  lines.set(line.key, line);
  isKept = keep(place + line.key, line);
};

const drop = (line) => {
  lines.delete(line.key);
  forget(place + line.key);
};

const add = (line) => {
  for (const other of ordered()) {
    const isSame = other.url === line.url; // what is said last is meant
    if (isOld(other) || (isSame && (other.state === "refused" || (other.state === "pending" && !other.tried)))) drop(other);
  }
  const order = (ordered().at(-1)?.order ?? 0) + 1;
  put({ ...line, order, at: Date.now(), key: newKey(), state: "pending", kind: "", text: "", tried: false });
};

/** Return what a form says: the score that was chosen, after the words that it is listed under. */
const whatOf = (form, body) => {
  const sides = ["home", "away", "third", "fourth", "fifth"]; // as on all pages: not one's own first
  const score = sides.map((side) => body.get(`${side}_hands`) ?? body.get(`${side}_place`)).filter(Boolean);
  return score.length ? `${form.dataset.queued}: ${score.join("–")}` : form.dataset.queued;
};

const enter = (form) => {
  const body = new URLSearchParams(new FormData(form));
  for (const name of ["csrfmiddlewaretoken", "form_key"]) body.delete(name);
  body.set("entry", queue.dataset.entry);
  add({ url: new URL(form.action).pathname, body: String(body), what: whatOf(form, body) });
  show();
  queue.focus();
  pump();
};

const settle = (line, { kind = "bad", text = queue.dataset.unread }) => {
  if (lines.has(line.key)) {
    const state = kind === "good" || kind === "warn" ? "saved" : "refused";
    put({ ...line, at: Date.now(), kind, text, state });
  }
  part("said").textContent = `${line.what}. ${text}`;
  document.getElementById("live").dispatchEvent(new CustomEvent("look"));
};

const pump = async () => {
  const [line] = inState("pending");
  if (isBusy || !line) return;
  isBusy = true;
  // Without a network nothing has left the phone; it is tried all the same, as the service may be
  // reached without the internet
  put({ ...line, tried: line.tried || navigator.onLine });
  let answer = null;
  try {
    answer = await post(line.url, new URLSearchParams(line.body), { "Idempotency-Key": line.key });
  } catch {
    trouble = "offline";
  }
  if (answer) trouble = hindrance(answer);
  if (answer && !trouble) settle(lines.get(line.key) ?? line, answer.said);
  isBusy = false;
  show();
  clearTimeout(timer);
  if (trouble) timer = setTimeout(pump, RETRY);
  else pump();
};

const rowOf = (line) => {
  const row = queue.querySelector("template").content.firstElementChild.cloneNode(true);
  const find = (name) => row.querySelector(`[data-${name}]`);
  row.dataset.key = line.key;
  row.classList.add(`queue__line--${line.state}`);
  find("what").textContent = line.what;
  find("text").textContent = line.text;
  for (const one of row.querySelectorAll("[data-when]")) {
    if (one.dataset.when !== line.state) one.remove();
  }
  if (line.kind !== "ask") row.querySelector("[data-do=sure]")?.remove();
  return row;
};

const show = () => {
  for (const line of ordered().filter(isOld)) drop(line);
  const rows = ordered().reverse();
  part("lines").replaceChildren(...rows.map(rowOf));
  const pending = inState("pending");
  const stale = navigator.onLine ? "" : "old"; // the page may be the copy on the device
  const why = (pending.length && ((!isKept && "unkept") || trouble)) || stale;
  part("net").hidden = !why;
  for (const one of queue.querySelectorAll("[data-why]")) one.hidden = one.dataset.why !== why;
  queue.hidden = rows.length === 0 && !why;
  closeSent(pending);
};

/** Close the forms whose content waits to be sent, so that nothing is said twice. */
const closeSent = (pending) => {
  const waiting = new Set(pending.map((line) => line.url));
  for (const form of document.querySelectorAll("form[data-queued]")) {
    const isSent = waiting.has(new URL(form.action).pathname);
    form.inert = isSent;
    form.classList.toggle("is-sent", isSent);
  }
};

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-queued]")) return;
  event.preventDefault();
  enter(event.target);
});
queue.addEventListener("click", ({ target }) => {
  const line = lines.get(target.closest("li")?.dataset.key);
  if (!line || !target.dataset.do) return;
  drop(line);
  if (target.dataset.do === "sure") {
    add({ url: line.url, what: line.what, body: `${line.body}&sure=on` });
    pump();
  }
  show();
  queue.focus();
});
addEventListener("offline", show);
addEventListener("online", () => {
  show();
  pump();
});
addEventListener("storage", (event) => {
  if (event.key && !event.key.startsWith(place)) return;
  lines.clear();
  for (const line of loadAll(place)) lines.set(line.key, line);
  show();
});
document.body.addEventListener("htmx:afterSettle", show);

show();
pump();
