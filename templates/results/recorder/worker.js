// Keeps a page on the device, so that it can be opened without a network: the page itself
// and the files of ours that it is made of, nothing else. The network goes first; what is
// kept answers only when it fails. Its scope is the page's own address. It also shows messages that
// the service sends to a closed browser; Safari shows them by itself.

const { page, files, name, family } = {{ kept }};
const wanted = new Set(files);

/** Keep the page as it is now; one that is no longer given (signed out, over) is not kept. */
const keepPage = async (answer) => {
  const cache = await caches.open(name);
  if (answer.ok && !answer.redirected) await cache.put(page, answer.clone());
  // A server or proxy that is busy says nothing of the page: what is kept is still wanted
  else if (answer.status < 500 && answer.status !== 429) await cache.delete(page);
  return answer;
};

const first = async (request, keep) => {
  try {
    return await keep(await fetch(request));
  } catch (lost) {
    const kept = await caches.match(new URL(request.url).pathname, { cacheName: name });
    if (kept) return kept;
    throw lost;
  }
};

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(name);
    await cache.addAll(files);
    await keepPage(await fetch(page, { redirect: "manual" }));
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((one) => one.startsWith(family) && one !== name);
    await Promise.all(old.map((one) => caches.delete(one)));
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname === page) event.respondWith(first(request, keepPage));
  else if (wanted.has(pathname)) event.respondWith(first(request, (answer) => answer));
});

addEventListener("push", (event) => {
  const { title, ...message } = event.data.json().notification;
  event.waitUntil(registration.showNotification(title, { ...message, data: message.navigate }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data));
});
