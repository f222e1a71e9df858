/* The stream of a tournament, which the page names by `data-stream`: whenever its version changes
   the document hears "tournament:version". One connection a browser: of the tabs in sight one holds
   a lock and the stream, and passes on what it hears. Over plain http there are no locks, and every
   tab in sight has its own. */

const SILENCE = 25000; // milliseconds; the service repeats the version every 15 seconds
const CHECK = 5000;
const HELLO = "hello"; // asks the tab that has the stream for the version

const url = document.querySelector("[data-stream]")?.dataset.stream;
const channel = url && "BroadcastChannel" in window ? new BroadcastChannel(url) : null;
let version = 0;
let heard = -Infinity; // when, by performance.now()
let source = null;
let opened = 0;
let release = () => {};
let waiting = new AbortController();

/** Return whether the stream has been heard lately; otherwise a page has to ask by itself. */
export const isAlive = () => performance.now() - heard < SILENCE;

function hear(number) {
  heard = performance.now();
  if (number === version) return;
  version = number;
  document.dispatchEvent(new CustomEvent("tournament:version", { detail: { version } }));
}

function open() {
  source?.close();
  opened = performance.now();
  source = new EventSource(url);
  source.onmessage = ({ data }) => {
    hear(Number(data));
    channel?.postMessage(version);
  };
}

/** Hold the stream until this tab is out of sight. */
function lead() {
  open();
  return new Promise((resolve) => {
    release = () => {
      source?.close();
      source = null;
      resolve();
    };
  });
}

function follow() {
  if (document.visibilityState !== "visible") {
    waiting.abort();
    release();
    return;
  }
  channel?.postMessage(HELLO);
  if (!navigator.locks) {
    lead();
    return;
  }
  waiting = new AbortController();
  navigator.locks.request(url, { signal: waiting.signal }, lead).catch((error) => {
    if (error.name !== "AbortError") throw error; // out of sight before it was its turn
  });
}

// A browser comes back by itself after a cut that it notices, and never after a refusal
function check() {
  if (source && !isAlive() && performance.now() - opened > SILENCE) open();
}

if (url && "EventSource" in window) {
  channel?.addEventListener("message", ({ data }) => {
    if (data !== HELLO) hear(data);
    else if (source && version) channel.postMessage(version);
  });
  document.addEventListener("visibilitychange", follow);
  setInterval(check, CHECK);
  follow();
}
