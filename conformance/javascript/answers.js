// Answers the cases of the conformance suite with the modules in tournaments/static/js/tute/.

import { Refused, apply, callsOf, isOver, legalCards, perft, winnerOf } from "../../tournaments/static/js/tute/hand.js";
import { stateOf } from "../../tournaments/static/js/tute/position.js";
import { digest, readRecord } from "../../tournaments/static/js/tute/record.js";
import { auditSheet } from "../../tournaments/static/js/tute/sheets.js";
import { auditText, documentOf, readTexts, writeText } from "../../tournaments/static/js/tute/text.js";
import { audit, dealtState, replay, succession } from "../../tournaments/static/js/tute/verdict.js";

/** A value in which Maps are objects again. */
const asObjects = (value) => {
  if (Array.isArray(value)) return value.map(asObjects);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, inner]) => [name, asObjects(inner)]));
};

const stated = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const written = ({ legal, ...fault }) => ({ ...fault, ...(legal.length && { legal }) });

const tried = ({ position, token }) => {
  let state;
  try {
    state = apply(stateOf(position), token);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { fault: written(error.fault) };
  }
  return { fault: null, over: isOver(state), turn: isOver(state) ? null : state.turn, points: state.points, winner: winnerOf(state) };
};

const judged = ({ tute, json, record }) => {
  const { faults, notices, hands, ...verdict } = tute === undefined ? audit(json ?? record) : auditText(tute);
  return {
    ...verdict,
    faults: faults.map(written),
    notices: notices.map(written),
    hands: hands.map(({ declarations, ...hand }) => stated({ ...hand, declarations: declarations.length ? declarations : null })),
  };
};

const lastMoment = (source) => {
  const record = readRecord(source);
  const hand = record.hands.at(-1);
  const next = succession({ ...record, hands: record.hands.slice(0, -1) });
  return replay(dealtState(record.rules, hand, next), hand.play).state;
};

const read = ({ tute }) => ({
  records: [...readTexts(tute)].map(({ record, error }) => {
    if (record) return asObjects(documentOf(record));
    const { code, facts } = error.fault;
    return { error: { code, line: facts.line, column: facts.column } };
  }),
});

const sheet = ({ ruleset, sheet: text }) => {
  const verdict = auditSheet(text, ruleset);
  return {
    ...verdict,
    faults: verdict.faults.map(({ facts, ...fault }) => ({ ...fault, line: facts.line })),
    winners: verdict.hands.map((hand) => hand.winner),
  };
};

const KINDS = {
  legal: (position) => ({ legal: legalCards(stateOf(position)) }),
  calls: (position) => {
    const state = stateOf(position);
    return { calls: state.players.flatMap((seat) => callsOf(state, seat)) };
  },
  try: tried,
  record: judged,
  perft: ({ position, record, depth }) => ({ count: perft(position ? stateOf(position) : lastMoment(record), depth) }),
  sheet,
  text: read,
  write: ({ record }) => ({ tute: writeText(record) }),
  digest: ({ record }) => ({ digest: digest(readRecord(record)) }),
};

/** The line that answers a case. */
export const answerLine = (line) => {
  const { id, kind, input } = JSON.parse(line);
  return JSON.stringify({ id, answer: KINDS[kind](input) }, (_name, value) => (typeof value === "bigint" ? Number(value) : value));
};
