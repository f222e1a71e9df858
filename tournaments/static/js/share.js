// The buttons of a page's share part that need a script: the device's own sheet, and copying.

const part = document.querySelector("[data-share]");
const { title, path } = part.dataset;
const address = new URL(path, location.href).href;
const send = part.querySelector("[data-send]");
const copy = part.querySelector("[data-copy]");

send.hidden = !navigator.share;
send.addEventListener("click", () => navigator.share({ title, url: address }).catch(() => {})); // closed again

copy.hidden = !navigator.clipboard; // only under https; the address is there to be read
copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(address);
  copy.setAttribute("role", "status");
  copy.textContent = copy.dataset.done;
});
