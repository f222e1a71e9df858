// A copy of this page on the device, for when it is opened without a network (a service worker).

import { start } from "./start.js";

const { serviceWorker } = navigator;

/** Have the page and its files kept. Without it the page works as long as it stays open. */
export const keepCopy = () => serviceWorker?.register(start.urls.worker).catch(() => {});

/** Nothing is left to do here: no copy is needed. */
export const forgetCopy = async () => {
  const kept = await serviceWorker?.getRegistration(start.urls.worker);
  await kept?.unregister();
  const family = `baza-recorder-${start.match}-`;
  for (const name of await globalThis.caches?.keys() ?? []) {
    if (name.startsWith(family)) await caches.delete(name);
  }
};
