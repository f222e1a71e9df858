// The elements that every scene is made of.

import { start } from "./start.js";

const SVG = "http://www.w3.org/2000/svg";

export const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== false));
  return element;
};

export const picture = (code, kind = "") => {
  const drawn = make("span", { class: `playing-card${kind}`, "data-card": code });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 200 308");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${start.urls.deck}#card-${code}`);
  svg.append(use);
  drawn.append(svg);
  return drawn;
};

export const MAIN = " button--primary";

export const button = (id, text, act, kind = "") => make(
  "button",
  { type: "button", class: `button${kind}`, "data-id": id, onclick: act },
  text,
);

export const notice = (kind, ...children) => make(
  "div",
  { class: `notice notice--${kind}`, role: kind === "bad" ? "alert" : null },
  make("div", { class: "notice__text" }, ...children),
);
