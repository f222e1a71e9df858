// The button for messages to this browser, also while it is closed: a press subscribes, the next
// one ends it. Nothing is asked for at first sight.

const box = document.querySelector("[data-push]");
const button = box.querySelector("button");
const said = box.querySelector("[role=status]");
const { push: address, end: endAddress, key, own = null } = box.dataset;
const { serviceWorker } = navigator;
const isSupported = Boolean(serviceWorker && globalThis.PushManager && globalThis.Notification);
const isApple = /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

/** What the service answers; a browser's own errors are in English. */
class Refused extends Error {}

const fetchJson = async (url, options) => {
  const reply = await fetch(url, { credentials: "same-origin", ...options });
  const answer = await reply.json();
  if (!reply.ok) throw new Refused(answer.message);
  return answer;
};

/** Send the address of this browser; the page is cached for everybody, so its token is fetched. */
const send = async (url, subscription) => {
  const { csrf } = await fetchJson(address);
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, ...keys, ...(own !== null && { own: "1" }) });
  await fetchJson(url, { method: "POST", headers: { "X-CSRFToken": csrf }, body });
};

const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Return the subscription of this browser, if it was made for the present key of the service. */
const current = async () => {
  const registration = await serviceWorker.getRegistration(address);
  const found = await registration?.pushManager.getSubscription();
  if (!found || toText(found.options.applicationServerKey) === key) return found;
  await found.unsubscribe();
  return null;
};

const subscribe = async () => {
  if (await Notification.requestPermission() !== "granted") return show();
  const registration = await serviceWorker.register(`${address}worker.js`);
  while (!registration.active) {
    if (!registration.installing && !registration.waiting) throw new Error("the worker is not installed");
    await new Promise((wake) => { setTimeout(wake, 50); });
  }
  const found = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  try {
    await send(address, found);
  } catch (error) {
    await found.unsubscribe();
    throw error;
  }
  return show();
};

const end = async (found) => {
  await found.unsubscribe();
  await send(endAddress, found);
  return show();
};

const show = async () => {
  const found = isSupported ? await current() : null;
  const isDenied = isSupported && Notification.permission === "denied";
  button.hidden = !isSupported || isDenied;
  button.setAttribute("aria-pressed", String(Boolean(found)));
  box.querySelector("[data-denied]").hidden = !isDenied;
  box.querySelector("[data-install]").hidden = isSupported || !isApple;
  box.hidden = !isSupported && !isApple;
  return found;
};

button.addEventListener("click", async () => {
  button.disabled = true;
  said.textContent = "";
  try {
    const found = await current();
    await (found ? end(found) : subscribe());
  } catch (error) {
    said.textContent = error instanceof Refused ? error.message : said.dataset.failed;
  }
  button.disabled = false;
});

/** Signing out ends it on the service: the browser forgets it too, else the button would say that it gets messages. */
const endBefore = (form) => form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    if (isSupported) await (await current())?.unsubscribe();
  } finally {
    form.submit();
  }
});
if (own !== null) document.querySelectorAll("form[action$='/forget/'], form[action$='/logout/']").forEach(endBefore);

const found = await show();
// The service has another address of this browser by now, or none: that ends with a code or a sign-in.
if (found && own !== null && found.endpoint !== own) send(address, found).catch(() => {});
