// What the page was given: the match, its rules, the words; and what is said with them.

export const form = document.querySelector("[data-recorder]");

export const start = JSON.parse(document.querySelector("#recorder-start").textContent);

export const { cards, suits, ranks, sayings, words, faults } = JSON.parse(
  document.querySelector("#recorder-words").textContent,
);

export const scene = form.querySelector("[data-scene]");

export const SUITS = Object.keys(suits);

export const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (_all, key) => String(values[key] ?? ""));

export const announce = (text) => { form.querySelector("[data-say]").textContent = text; };
