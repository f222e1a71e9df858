"""The engine and the naive implementation give one verdict on thousands of matches.

`BAZA_DIFFERENTIAL_MATCHES` asks for more of each ruleset (the default is 200 and as many more as it
takes until every fault has occurred, in the quick tests 100) and `BAZA_DIFFERENTIAL_SEED` for
others; a difference is reported with the seed of its match.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

import engine
from tests.engine import chance, mutations, naive
from tests.engine.codes import CODES
from tests.engine.comparing import difference
from tests.engine.naive_rules import NAMES, TARGET
from tests.quick import IS_QUICK

if TYPE_CHECKING:
    from tests.engine.chance import Record

ASKED = int(os.environ.get("BAZA_DIFFERENTIAL_MATCHES", "0"))
MATCHES = ASKED or (100 if IS_QUICK else 1000)
ENOUGH = ASKED or (100 if IS_QUICK else 200)
"""Matches after which comparing ends once every fault and notice has occurred: a thousand of each
ruleset take two minutes."""
FIRST_SEED = int(os.environ.get("BAZA_DIFFERENTIAL_SEED", "0"))


@dataclass
class Run:
    """What came of comparing many matches."""

    matches: int = 0
    valid: int = 0
    produced: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def match_of_seed(seed: int, ruleset: str) -> Record:
    """The match of this seed: one in four is left as it was played."""
    rng = Random(seed)
    record = chance.match(rng, ruleset)
    if seed % 4:
        mutations.corrupt(rng, record)
    return record


@cache
def run(ruleset: str) -> Run:
    """Compared once, whichever test asks first."""
    comparison = Run()
    for seed in range(FIRST_SEED, FIRST_SEED + MATCHES):
        record = match_of_seed(seed, ruleset)
        verdict = naive.verdict(record)
        comparison.matches += 1
        comparison.valid += verdict.valid
        comparison.produced.update(
            {f"{fault.code} {fault.rule}" for fault in verdict.faults + verdict.notices}
        )
        comparison.differences += [f"seed {seed}: {text}" for text in difference(record, verdict)]
        if comparison.matches >= ENOUGH and comparison.produced.keys() >= set(CODES[ruleset]):
            break
    return comparison


@pytest.mark.parametrize("ruleset", NAMES)
def test_engine_and_naive_implementation_give_the_same_verdicts(ruleset: str) -> None:
    differences = run(ruleset).differences
    assert not differences, "\n".join([f"{len(differences)}:", *differences[:10]])


@pytest.mark.parametrize("ruleset", NAMES)
def test_the_matches_compared_are_partly_valid_and_partly_not(ruleset: str) -> None:
    comparison = run(ruleset)
    assert comparison.matches // 5 < comparison.valid < comparison.matches // 2


@pytest.mark.slow  # the rarest occur in some hundred matches
@pytest.mark.parametrize(
    ("ruleset", "code"), [(ruleset, code) for ruleset in NAMES for code in CODES[ruleset]]
)
def test_every_fault_and_notice_occurs_among_the_matches_compared(ruleset: str, code: str) -> None:
    comparison = run(ruleset)
    assert comparison.produced[code] >= max(1, comparison.matches // 500)


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("seed", range(0, 80, 4))
def test_every_frame_of_a_hand_shows_what_the_naive_implementation_sees(
    seed: int, ruleset: str
) -> None:
    record = match_of_seed(seed, ruleset)
    starts = naive.verdict(record).starts
    for index, (hand, start) in enumerate(zip(record["hands"], starts, strict=True)):
        if start is None:
            continue
        frames = engine.frames(engine.parse_record(record), index)
        for frame, play in zip(frames, mutations.moments(hand, start), strict=False):
            assert frame.turn == play.turn
            assert set(frame.legal) == set(play.legal_cards())
            for seat in play.active:
                assert set(frame.hands[seat]) == set(play.hands[seat])
            for side in play.sides:
                assert frame.points[side] == play.points()[side]
                assert frame.tricks_won[side] == play.tricks_won[side]
            assert len(frame.table) == len(play.active) or list(frame.table) == play.table
        assert len(frames) == len(hand["play"].split()) + 1


def with_defaults(record: Record) -> Record:
    """The options, with what is meant where nothing is said (R3)."""
    options: Record = {"to": TARGET[record["ruleset"]]} if "deals" not in record["options"] else {}
    if record["ruleset"] == "arrastrado":
        options["stakes"] = "none"
    return {**options, **record["options"]}


def rewritten(rng: Random, record: Record) -> Record:
    """The same game written by another hand: other names, tags, order of cards, blanks, claims."""
    other: Record = json.loads(json.dumps(record))
    other["seats"] = [name.upper() for name in other["seats"]]
    other["tags"] = {"site": "Teruel"}
    other["options"] = with_defaults(record)
    for name in ["score", "winner"]:
        other.pop(name, None)
    for hand in other["hands"]:
        if hand["play"] is not None:
            hand["play"] = "  " + "  \n".join(hand["play"].split()) + "\t"
            for name in ["points", "winner", "payments"]:
                hand.pop(name, None)
        for seat, cards in (hand.get("deal") or {}).items():
            shuffled = cards.split()
            rng.shuffle(shuffled)
            hand["deal"][seat] = "  ".join(shuffled)
    return other


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("seed", range(0, 80, 4))
def test_a_game_has_one_digest_however_it_is_written(seed: int, ruleset: str) -> None:
    record = match_of_seed(seed, ruleset)
    digest = engine.audit(record).digest
    assert str(digest).startswith("sha256:")
    assert engine.audit(record).digest == digest
    assert engine.audit(json.dumps(record, indent=2)).digest == digest
    assert engine.audit(rewritten(Random(seed), record)).digest == digest


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("seed", range(0, 80, 4))
def test_another_play_or_deal_or_length_has_another_digest(seed: int, ruleset: str) -> None:
    record = match_of_seed(seed, ruleset)
    digest = engine.audit(record).digest
    longer = {**record, "options": {"to": 7}}
    assert engine.audit(longer).digest != digest
    for hand in record["hands"]:
        if hand["play"]:
            tokens = hand["play"].split()
            hand["play"] = " ".join([*tokens[:-2], tokens[-1], tokens[-2]])
            assert engine.audit(record).digest != digest
            return


@pytest.mark.parametrize("ruleset", ["habanero", "mano-a-mano"])
@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_another_order_of_drawing_has_another_digest(seed: int, ruleset: str) -> None:
    record = match_of_seed(seed, ruleset)
    for hand in record["hands"]:
        if "stock" in hand:
            digest = engine.audit(record).digest
            first, second, *others = hand["stock"].split()
            hand["stock"] = " ".join([second, first, *others])
            assert engine.audit(record).digest != digest


@pytest.mark.parametrize("seed", range(0, 40, 4))
def test_other_stakes_have_another_digest(seed: int) -> None:
    record = match_of_seed(seed, "arrastrado")
    for hand in record["hands"]:
        hand.pop("payments", None)
    stakes = ["none", "flat", "plate"]
    records = [{**record, "options": {"to": 3, "stakes": name}} for name in stakes]
    assert len({engine.audit(record).digest for record in records}) == 3
