/* One's own table: what waits for its players is said at once, aloud and in the title of the page.
   js/live.js fetches the page; what is said are its items of [data-news] that were not there before. */

import "./live.js";
import "./clock.js";

const told = document.querySelector("[data-told]");
const { title } = document;

const news = () => [...document.querySelectorAll("[data-news]")].map((one) => one.textContent.trim());
let known = news();

const tell = (texts) => {
  const notice = document.createElement("p");
  notice.className = "notice notice--warn";
  notice.textContent = texts.join(" ");
  told.replaceChildren(notice);
  document.title = `(${texts.length}) ${notice.textContent}`;
};

const calm = () => {
  if (document.visibilityState === "visible") document.title = title;
};

document.body.addEventListener("htmx:afterSwap", () => {
  const now = news();
  const fresh = now.filter((text) => !known.includes(text));
  if (fresh.length) tell(fresh);
  else if (now.length < known.length) told.replaceChildren(); // it was seen to elsewhere
  known = now;
});
document.addEventListener("visibilitychange", calm);
for (const sign of ["pointerdown", "keydown"]) document.addEventListener(sign, calm);
