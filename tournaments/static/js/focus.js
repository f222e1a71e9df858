/* Whoever goes by the keyboard stays where he is when a part of the page is written anew. What has
   an id htmx finds again; this finds the same link, or what is called the same. */

const nameOf = (one) => one.getAttribute("href") ?? one.getAttribute("aria-label") ?? one.textContent;
const likeIn = (part, tag, name) =>
  [...part.querySelectorAll(tag)].filter((one) => nameOf(one) === name);

let kept = null;

const remember = (part) => {
  const at = document.activeElement;
  if (!part.id || !part.contains(at) || at.id) return;
  const [tag, name] = [at.tagName, nameOf(at)];
  kept = { part: part.id, tag, name, nth: likeIn(part, tag, name).indexOf(at) };
};

document.body.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  kept = null;
  remember(target);
});
document.body.addEventListener("htmx:oobBeforeSwap", ({ detail: { target } }) => remember(target));

document.body.addEventListener("htmx:afterSettle", () => {
  const part = kept && document.getElementById(kept.part);
  if (!part || document.activeElement !== document.body) return;
  const like = likeIn(part, kept.tag, kept.name);
  (like[kept.nth] ?? like[0])?.focus({ preventScroll: true });
  kept = null;
});
