"""The engine and the naive implementation give one verdict on thousands of matches.

`BAZA_DIFFERENTIAL_MATCHES` asks for more of them (the default is 3,000) and
`BAZA_DIFFERENTIAL_SEED` for others; a difference is reported with the seed of its match.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import engine
from tests.engine import chance, mutations, naive
from tests.engine.chance import Record

MATCHES = int(os.environ.get("BAZA_DIFFERENTIAL_MATCHES", "3000"))
FIRST_SEED = int(os.environ.get("BAZA_DIFFERENTIAL_SEED", "0"))

# Everything that can be wrong with a record of `parejas-online` once it is JSON (F3, by rule).
CODES = [
    *[f"record.{name}" for name in naive.RECORD_ROW],
    *[f"deal.{name}" for name in ["card", "duplicate", "missing", "size", "trump", "dealer"]],
    *[f"play.{name}" for name in ["token", "not_held", "must_follow", "must_head", "must_trump"]],
    *["play.must_overtrump", "play.incomplete", "play.after_end"],
    *[f"declare.{name}" for name in ["not_admitted", "window R6.2", "window R6.8"]],
    *[f"declare.{name}" for name in ["not_held R6.1", "not_held R6.7", "repeated", "forfeited"]],
    *["declare.order R6.5c", "declare.order R6.8", "declare.limit"],
    *["exchange.not_admitted", "claim.not_admitted", "support.not_admitted"],
    *["score.points", "score.winner", "score.match", "score.impossible", "match.over"],
    *["declare.omitted", "match.unfinished", "hand.unaudited"],
]


@dataclass
class Run:
    """What came of comparing many matches."""

    matches: int = 0
    valid: int = 0
    produced: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def made(seed: int) -> Record:
    """The match of this seed: one in four is left as it was played."""
    rng = Random(seed)
    record = chance.match(rng)
    if seed % 4:
        mutations.corrupt(rng, record)
    return record


def by_naive(verdict: naive.Verdict) -> dict[str, Any]:
    """The naive verdict, in the shape that is compared."""
    return {
        "valid": verdict.valid,
        "faults": [remark(vars(fault)) for fault in verdict.faults],
        "notices": [remark(vars(notice)) for notice in verdict.notices],
        "hands": [vars(hand) for hand in verdict.hands],
        "score": verdict.score,
        "winner": verdict.winner,
    }


def by_engine(verdict: dict[str, Any]) -> dict[str, Any]:
    """The engine's verdict (F3), in the same shape."""
    hands = [
        {**hand, "tricks": [tuple(trick) for trick in hand["tricks"]]} for hand in verdict["hands"]
    ]
    return {
        "valid": verdict["valid"],
        "faults": [remark(fault) for fault in verdict["faults"]],
        "notices": [remark(notice) for notice in verdict["notices"]],
        "hands": hands,
        "score": verdict["score"],
        "winner": verdict["winner"],
    }


def remark(found: dict[str, Any]) -> dict[str, Any]:
    """What the rules decide of a fault; whose card is wrong in a deal they leave open."""
    row = found["code"].split(".")[0]
    compared = {name: found.get(name) for name in ["code", "hand", "trick", "token"]}
    if found["code"] == "declare.omitted":
        compared["declaration"] = found["declaration"]
    if row != "record":
        compared["rule"] = found["rule"]
    if row not in ["record", "deal", "score"]:
        compared.update(seat=found.get("seat"), card=found.get("card"))
        compared["legal"] = frozenset(found.get("legal") or [])
    return compared


def difference(record: Record) -> list[str]:
    """What engine and naive implementation say differently about a record, part by part."""
    expected = by_naive(naive.verdict(record))
    found = by_engine(engine.audit(record).as_dict())
    for side in [expected, found]:
        for hand in side.pop("hands"):
            side.update({f"{name} of hand {hand['number']}": hand[name] for name in hand})
    return [
        f"{part}: by the rules {expected.get(part)}, by the engine {found.get(part)}"
        for part in expected | found
        if expected.get(part) != found.get(part)
    ]


@pytest.fixture(scope="module")
def run() -> Run:
    done = Run()
    for seed in range(FIRST_SEED, FIRST_SEED + MATCHES):
        record = made(seed)
        verdict = naive.verdict(record)
        done.matches += 1
        done.valid += verdict.valid
        for one in {(one.code, one.rule) for one in verdict.faults + verdict.notices}:
            done.produced.update([one[0], " ".join(one)])
        done.differences += [f"seed {seed}: {text}" for text in difference(record)]
    return done


def test_engine_and_naive_implementation_give_the_same_verdicts(run: Run) -> None:
    assert not run.differences, "\n".join([f"{len(run.differences)}:", *run.differences[:10]])


def test_the_matches_compared_are_partly_valid_and_partly_not(run: Run) -> None:
    assert run.matches // 5 < run.valid < run.matches // 2


@pytest.mark.parametrize("code", CODES)
def test_every_fault_and_notice_occurs_among_the_matches_compared(run: Run, code: str) -> None:
    assert run.produced[code] >= run.matches // 600


@pytest.mark.parametrize("seed", range(0, 160, 4))
def test_every_frame_of_a_hand_shows_what_the_naive_implementation_sees(seed: int) -> None:
    record = made(seed)
    for index, hand in enumerate(record["hands"]):
        if hand["play"] is None:
            continue
        frames = engine.frames(engine.parse_record(record), index)
        for frame, play in zip(frames, mutations.moments(hand), strict=False):
            assert frame.turn == play.turn
            assert set(frame.legal) == set(play.legal_cards())
            assert {seat: set(cards) for seat, cards in frame.hands.items()} == {
                seat: set(cards) for seat, cards in play.hands.items()
            }
            assert frame.points == play.points()
            assert frame.tricks_won == play.tricks_won
            assert len(frame.table) == 4 or list(frame.table) == play.table
        assert len(frames) == len(hand["play"].split()) + 1


def rewritten(rng: Random, record: Record) -> Record:
    """The same game written by another hand: other names, tags, order of cards, blanks, claims."""
    other: Record = json.loads(json.dumps(record))
    other["seats"] = [name.upper() for name in other["seats"]]
    other["tags"] = {"site": "Teruel"}
    for name in ["score", "winner"]:
        other.pop(name, None)
    for hand in other["hands"]:
        if hand["play"] is not None:
            hand["play"] = "  " + "  \n".join(hand["play"].split()) + "\t"
            hand.pop("points", None)
            hand.pop("winner", None)
        for seat, cards in (hand.get("deal") or {}).items():
            shuffled = cards.split()
            rng.shuffle(shuffled)
            hand["deal"][seat] = "  ".join(shuffled)
    return other


@pytest.mark.parametrize("seed", range(0, 400, 4))
def test_a_game_has_one_digest_however_it_is_written(seed: int) -> None:
    record = made(seed)
    digest = engine.audit(record).digest
    assert str(digest).startswith("sha256:")
    assert engine.audit(record).digest == digest
    assert engine.audit(json.dumps(record, indent=2)).digest == digest
    assert engine.audit(rewritten(Random(seed), record)).digest == digest


@pytest.mark.parametrize("seed", range(0, 400, 4))
def test_another_play_or_deal_or_length_has_another_digest(seed: int) -> None:
    record = made(seed)
    digest = engine.audit(record).digest
    longer = {**record, "options": {"to": 7}}
    assert engine.audit(longer).digest != digest
    for hand in record["hands"]:
        if hand["play"]:
            tokens = hand["play"].split()
            hand["play"] = " ".join([*tokens[:-2], tokens[-1], tokens[-2]])
            assert engine.audit(record).digest != digest
            return
