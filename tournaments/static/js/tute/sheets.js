// Judges score sheets: the arithmetic of results without cards (score-sheets.md).

import { CARD_POINTS, LAST_TRICK, RANKS, RecordError, newFault, wordsOf, worth } from "./cards.js";
import { MAX_BYTES, asMaps, isObject, isWhole, readJson } from "./json.js";
import { MAX_HANDS } from "./record.js";
import { RULESETS } from "./rulesets.js";
import { countHand, isDecided, matchWinner, newCount } from "./verdict.js";

const WORTH = new Map([["40", 40], ...["20", "20o", "20c", "20e", "20b"].map((name) => [name, 20])]);
const TUTES = ["tuteR", "tuteC"];
const CUTS = ["101", "capote"]; // end a hand of a race early (R9.3, R9.5)

const HAND_MEMBERS = ["hand", "points", "declared", "last", "winner"];
const MEMBERS = ["ruleset", "to", "deals", "hands", "score", "winner"];

const refuse = (code, line, path, reason, facts = {}) => {
  throw new RecordError(newFault(code, "F1", { path, facts: { reason, ...facts, line, column: 1 } }));
};

/**
 * Judge a score sheet, CSV or JSON. Hands have `winner`: the side that the arithmetic gives it to.
 * @param {string} source
 * @param {string} ruleset the name of the ruleset, unless a JSON sheet names its own
 */
export const auditSheet = (source, ruleset = "parejas-online") => {
  try {
    return judge(readSheet(source, RULESETS[ruleset]));
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { valid: false, hands: [], score: null, winner: null, faults: error.faults };
  }
};

// --- reading -------------------------------------------------------------------------------------

const readSheet = (source, rules) => {
  const text = source.replace(/^\ufeff/, "");
  if (new TextEncoder().encode(source).length > MAX_BYTES) refuse("record.limit", 1, "", "too_large", { what: "bytes", limit: MAX_BYTES });
  const sheet = /^\s*\{/.test(text) ? sheetOfJson(text, rules) : sheetOfCsv(text, rules);
  if (sheet.hands.length > MAX_HANDS) refuse("record.limit", 1, "/hands", "too_large", { what: "hands", limit: MAX_HANDS });
  if (sheet.hands.length === 0) refuse("record.field", 1, "/hands", "missing");
  return sheet;
};

const sheetOfJson = (text, usual) => {
  const document = asMaps(readJson(text));
  refuseUnknown(document, MEMBERS, 1, "");
  const name = document.has("ruleset") ? document.get("ruleset") : usual.name;
  if (typeof name !== "string" || !Object.hasOwn(RULESETS, name)) {
    const reason = (name ?? "") === "" ? "missing" : "unknown_ruleset";
    refuse("record.ruleset", 1, "/ruleset", reason, { found: name, known: Object.keys(RULESETS).join(", ") });
  }
  const rules = RULESETS[name];
  const hands = document.get("hands");
  if (!Array.isArray(hands) || !hands.every(isObject)) refuse("record.field", 1, "/hands", "wrong_type");
  hands.forEach((hand, n) => refuseUnknown(hand, HAND_MEMBERS, n + 1, `/hands/${n}`));
  const [to, deals] = [document.get("to") ?? null, document.get("deals") ?? null];
  for (const [length, value] of [["to", to], ["deals", deals]]) {
    if (value !== null && (!isWhole(value) || value < 1)) refuse("record.option", 1, `/${length}`, "wrong_type");
  }
  if (to !== null && deals !== null) refuse("record.option", 1, "/deals", "contradiction");
  const score = document.get("score") ?? null;
  return {
    rules, hands, lines: hands.map((_hand, n) => n + 1), to: deals === null ? to ?? rules.target : null, deals,
    score: score && readPoints(rules, score, 1, "/score"), winner: readSide(rules, document.get("winner"), 1, "/winner"),
    lastLine: hands.length,
  };
};

/** Columns: hand, a side each for its points, "SIDE declared", last, winner. */
const sheetOfCsv = (text, rules) => {
  const sheet = { rules, hands: [], lines: [], to: rules.target, deals: null, score: null, winner: null, lastLine: 1 };
  let header = null;
  for (const { cells: raw, line } of rowsOf(text, text.includes(";") ? ";" : ",")) {
    const cells = raw.map((cell) => cell.trim());
    if (!cells.some(Boolean) || cells[0].startsWith("#")) continue;
    if (header) readRow(sheet, header, cells, line);
    else header = readHeader(rules, cells, line);
  }
  return sheet;
};

const readHeader = (rules, cells, line) => {
  const needed = ["hand", ...rules.sides];
  const known = [...needed, ...rules.sides.map((side) => `${side} declared`), "last", "winner"];
  for (const cell of cells) {
    const is_column = known.includes(cell) && cells.indexOf(cell) === cells.lastIndexOf(cell);
    if (!is_column) refuse("record.field", line, `/${cell}`, "unknown_column");
  }
  for (const name of needed) if (!cells.includes(name)) refuse("record.field", line, `/${name}`, "missing");
  return cells;
};

const readRow = (sheet, header, cells, line) => {
  const { rules } = sheet;
  if (cells.length > header.length) refuse("record.field", line, `/hands/${sheet.hands.length}`, "too_many_cells");
  const cell = (name) => cells[header.indexOf(name)] ?? "";
  const number = (text) => (/^[0-9]{1,5}$/.test(text) ? Number(text) : text);
  const points = new Map(rules.sides.map((side) => [side, number(cell(side))]));
  const declared = new Map(rules.sides.map((side) => [side, cell(`${side} declared`)]));
  sheet.lastLine = line;
  if (cell("hand") === "score") {
    sheet.score = readPoints(rules, points, line, "/score");
    sheet.winner = readSide(rules, cell("winner") || null, line, "/winner");
    return;
  }
  sheet.hands.push(new Map([["points", points], ["declared", declared], ["last", cell("last") || null], ["winner", cell("winner") || null]]));
  sheet.lines.push(line);
};

/** The rows of CSV, each with the number of its last line; quotes may hold separators and line ends. */
const rowsOf = (text, separator) => {
  const rows = [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let cells = [];
  let cell = "";
  let is_quoted = false;
  lines.forEach((whole, n) => {
    const line = is_quoted ? whole : whole.replace(/\r$/, "");
    if (!is_quoted && line.includes("\r") && !line.includes("\"")) refuse("record.syntax", n + 1, "", "malformed_csv");
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at];
      if (is_quoted && sign === "\"" && line[at + 1] === "\"") {
        cell += sign;
        at += 1;
      } else if (sign === "\"" && (is_quoted || cell === "")) {
        is_quoted = !is_quoted;
      } else if (sign === separator && !is_quoted) {
        cells.push(cell);
        cell = "";
      } else {
        cell += sign;
      }
    }
    if (is_quoted) {
      cell += "\n";
      if (n < lines.length - 1) return;
    }
    rows.push({ cells: [...cells, cell], line: n + 1 });
    [cells, cell] = [[], ""];
  });
  return rows;
};

const refuseUnknown = (members, known, line, path) => {
  for (const name of members.keys()) if (!known.includes(name)) refuse("record.field", line, `${path}/${name}`, "unknown_field");
};

const readPoints = (rules, points, line, path) => {
  if (!isObject(points)) refuse("record.field", line, path, "wrong_type");
  refuseUnknown(points, rules.sides, line, path);
  for (const side of rules.sides) {
    if ((points.get(side) ?? "") === "" && points.get(side) !== null) refuse("record.field", line, `${path}/${side}`, "missing");
    if (!isWhole(points.get(side))) refuse("record.field", line, `${path}/${side}`, "wrong_type");
  }
  return Object.fromEntries([...points].map(([side, made]) => [side, Number(made)]));
};

const readDeclared = (rules, declared, line, path) => {
  if (!isObject(declared)) refuse("record.field", line, path, "wrong_type");
  refuseUnknown(declared, rules.sides, line, path);
  return rules.sides.map((side) => {
    const text = declared.get(side) ?? "";
    if (typeof text !== "string") refuse("record.field", line, `${path}/${side}`, "wrong_type");
    const names = wordsOf(text);
    const is_known = names.every((name) => WORTH.has(name) || TUTES.includes(name) || CUTS.includes(name));
    if (!is_known) refuse("record.field", line, `${path}/${side}`, "unknown_declaration");
    return { side, names };
  });
};

const readSide = (rules, side, line, path) => {
  if (side == null || rules.sides.includes(side)) return side ?? null;
  return refuse("record.field", line, path, "wrong_side");
};

// --- judging -------------------------------------------------------------------------------------

const judge = (sheet) => {
  const { rules } = sheet;
  const count = newCount(rules.sides, sheet.to, sheet.deals);
  const faults = [];
  const hands = [];
  let carried = null; // points of a first deal that did not decide the race (R9.2)
  sheet.hands.forEach((raw, index) => {
    const line = sheet.lines[index];
    const add = (fault) => faults.push({ ...fault, hand: index + 1, facts: { ...fault.facts, line } });
    if (isDecided(count)) {
      add(newFault("match.over", "R7.4", { path: `/hands/${index}` }));
      return;
    }
    let hand;
    try {
      hand = readHand(rules, raw, line, `/hands/${index}`);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      faults.push({ ...error.fault, hand: index + 1 });
      countHand(count, null);
      return;
    }
    const wrong = wrongDeclaration(rules, hand) ?? wrongPoints(rules, hand);
    if (wrong) add({ ...wrong, path: `/hands/${index}/${wrong.code.startsWith("score") ? "points" : "declared"}` });
    const winners = possibleWinners(rules, hand, carried);
    const winner = winners.includes(hand.stated) ? hand.stated : winners[0];
    if (hand.stated !== null && hand.stated !== winner) {
      const made = Object.values(hand.points);
      const is_tied = new Set(made).size < made.length && hand.last !== null;
      const rule = rules.race_to ? "R9.1" : is_tied ? "R7.3" : "R7.2";
      add(newFault("score.winner", rule, { path: `/hands/${index}/winner`, facts: { stated: hand.stated, replayed: winner } }));
    }
    if (rules.race_to) carried = winner !== null || carried ? null : hand.points;
    hands.push({ number: index + 1, line, points: hand.points, last: hand.last, winner });
    if (winner !== null || !rules.race_to) countHand(count, winner);
  });
  if (hands.length === sheet.hands.length) judgeMatch(sheet, count, faults);
  return { valid: faults.length === 0, hands, score: count.score, winner: matchWinner(count), faults };
};

const readHand = (rules, raw, line, path) => {
  const points = readPoints(rules, raw.get("points"), line, `${path}/points`);
  const declared = readDeclared(rules, raw.get("declared") || new Map(), line, `${path}/declared`);
  const last = readSide(rules, raw.get("last"), line, `${path}/last`);
  return { points, declared, last, stated: readSide(rules, raw.get("winner"), line, `${path}/winner`) };
};

/** A declaration that no hand has beside the others. */
const wrongDeclaration = (rules, { declared }) => {
  const spoken = declared.flatMap(({ side, names }) => names.map((name) => ({ side, name })));
  const wrong = (code, rule, { side, name }) => newFault(code, rule, { seat: side, declaration: `${side}:${name}` });
  for (const [at, one] of spoken.entries()) {
    const { side, name } = one;
    const is_tute = TUTES.includes(name);
    const is_admitted = is_tute ? rules.tute_ranks.includes(name.at(-1)) : !CUTS.includes(name) || rules.race_to;
    if (!is_admitted) return wrong("declare.not_admitted", is_tute ? "R6.7" : "R3", one);
    if (name !== "20" && spoken.slice(0, at).some((other) => other.name === name)) return wrong("declare.repeated", "R6.3", one);
    const is_held_by_another = name === "tuteR" && spoken.some((other) => other.side !== side && WORTH.has(other.name));
    if (is_held_by_another) return wrong("declare.not_held", "R6.7", one);
  }
  const twenties = spoken.filter(({ name }) => WORTH.get(name) === 20).length;
  return twenties > 3 ? newFault("declare.not_admitted", "R6.1", { facts: { reason: "four_twenties" } }) : null;
};

/** A sum that is not that of a hand, or parts that no distribution of the cards gives (R7.1). */
const wrongPoints = (rules, { points, declared, last }) => {
  const names = declared.flatMap((one) => one.names);
  if (names.includes("capote")) return null; // what is declared later does not count (R9.5), and a sheet has no order
  const is_cut = names.some((name) => TUTES.includes(name) || CUTS.includes(name));
  const spoken = Object.fromEntries(declared.map((one) => [one.side, sum(one.names.map((name) => WORTH.get(name) ?? 0))]));
  const is_aside = rules.trump_shown === "aside";
  const totals = (is_aside ? RANKS.map(worth) : [0]).map((card) => CARD_POINTS + LAST_TRICK - card);
  const found = sum(Object.values(points));
  const all_spoken = sum(Object.values(spoken));
  if (!is_cut && !totals.includes(found - all_spoken)) {
    const sums = [...new Set(totals)].map((total) => total + all_spoken).sort((a, b) => a - b);
    return newFault("score.points", "R7.1", { facts: { reason: "sum", found, sums } });
  }
  const kept = names.find((name) => TUTES.includes(name))?.at(-1) ?? "";
  const shares = sharesOf(rules.sides.length, is_aside, is_cut, kept);
  const lasts = is_cut ? [null] : rules.sides.filter((side) => last === null || last === side);
  const is_possible = lasts.some((by) => shares
    .has(Object.keys(points).map((side) => points[side] - spoken[side] - (side === by ? LAST_TRICK : 0)).join()));
  return is_possible ? null : newFault("score.impossible", "R7.1", { facts: { reason: "no_cards", stated: points } });
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const computed = new Map();

/**
 * The ways to share the pack's points among the sides, as "80,40". With `is_aside` one card is nobody's,
 * with `is_cut` any number; the rank `kept` of a tute is still in hand.
 */
const sharesOf = (sides, is_aside, is_cut, kept) => {
  const key = [sides, is_aside, is_cut, kept].join();
  if (!computed.has(key)) {
    let found = new Set([[...Array(sides).fill(0), is_aside ? 0 : 1].join()]);
    for (const rank of RANKS.filter(worth)) {
      const ways = waysToShare(sides, rank === kept ? 0 : 4);
      const next = new Set();
      for (const state of found) {
        const made = state.split(",").map(Number);
        const was_aside = made.pop();
        for (const copies of ways) {
          const left = 4 - sum(copies);
          const is_one_aside = !is_cut && left === 1 && !was_aside;
          if (!is_cut && left && !is_one_aside) continue;
          next.add([...made.map((points, n) => points + worth(rank) * copies[n]), is_one_aside ? 1 : was_aside].join());
        }
      }
      found = next;
    }
    computed.set(key, new Set([...found].map((state) => state.slice(0, state.lastIndexOf(",")))));
  }
  return computed.get(key);
};

/** How many of so many cards each side may have. */
const waysToShare = (sides, cards) => (sides === 0 ? [[]] : Array.from({ length: cards + 1 }, (_none, taken) => taken)
  .flatMap((taken) => waysToShare(sides - 1, cards - taken).map((rest) => [taken, ...rest])));

/** The sides that may have won; null for an undecided first deal. */
const possibleWinners = (rules, { points, declared, last }, carried) => {
  const tute = declared.find(({ names }) => names.some((name) => TUTES.includes(name)));
  if (tute) return [tute.side];
  if (!rules.race_to) {
    const most = Math.max(...Object.values(points));
    const tied = rules.sides.filter((side) => points[side] === most);
    return tied.includes(last) ? [last] : tied;
  }
  if (declared.some(({ names }) => names.some((name) => CUTS.includes(name)))) return rules.sides;
  const there = Object.keys(points).filter((side) => points[side] + (carried?.[side] ?? 0) >= rules.race_to);
  if (there.length) return there;
  return carried ? rules.sides : [null];
};

const judgeMatch = (sheet, count, faults) => {
  const wrong = (stated, replayed) => faults.push(newFault("score.match", "R7.4", {
    path: "/score", facts: { stated, replayed, line: sheet.lastLine },
  }));
  const winner = matchWinner(count);
  if (sheet.score && sheet.rules.sides.some((side) => sheet.score[side] !== count.score[side])) wrong(sheet.score, { ...count.score });
  else if (sheet.winner !== null && sheet.winner !== winner) wrong(sheet.winner, winner);
};
