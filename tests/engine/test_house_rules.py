"""House rules that turn one ruleset into another make it judge as the other does (R3).

Every cell of R3 in which two rulesets of one table differ is a field of both. With all of them
overridden a record says the same as under the other name; with any one left out, it does not.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.rulesets import HOUSE_RULES
from tests.engine import chance, mutations
from tests.engine.comparing import by_engine
from tests.quick import IS_QUICK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engine.chance import Record

FOUR = ["parejas", "parejas-online", "cuatro"]
TWO = ["habanero", "mano-a-mano"]
PAIRS = [
    (ruleset, other)
    for group in [FOUR, TWO]
    for ruleset in group
    for other in group
    if ruleset != other
]
MATCHES = 30 if IS_QUICK else 120
LOOKED_THROUGH = 2000
"""Matches among which one must be judged differently: some differences are rare."""


def differing(one: str, other: str) -> dict[str, Any]:
    """The house rules under which `one` is played as `other`."""
    rules, other_rules = engine.RULESETS[one], engine.RULESETS[other]
    return {
        name: getattr(other_rules, name)
        for name in HOUSE_RULES
        if getattr(rules, name) != getattr(other_rules, name)
    }


DIFFERING = [
    (ruleset, other, name) for ruleset, other in PAIRS for name in differing(ruleset, other)
]


@cache
def match(ruleset: str, seed: int) -> Record | None:
    """The match of a seed: one in three as played, the others corrupted.

    `None` where the corruption hit the ruleset or its options.
    """
    rng = Random(seed)
    record = chance.match(rng, ruleset)
    before = record["ruleset"], dict(record["options"])
    if seed % 3:
        mutations.corrupt(rng, record)
    return record if (record.get("ruleset"), record.get("options")) == before else None


def matches(ruleset: str, number: int = MATCHES) -> Iterator[tuple[int, Record]]:
    for seed in range(number):
        record = match(ruleset, seed)
        if record is not None:
            yield seed, record


@cache
def judged(ruleset: str, seed: int) -> dict[str, Any]:
    record = match(ruleset, seed)
    assert record is not None
    return judgement(record)


def judgement(record: Record) -> dict[str, Any]:
    """Faults, notices, points, winners: all but the name and the digest."""
    return by_engine(engine.audit(record).as_dict())


def under(ruleset: str, house_rules: dict[str, Any], record: Record) -> Record:
    return {**record, "ruleset": ruleset, "options": {**record["options"], **house_rules}}


def test_what_cuatro_lacks_to_be_parejas() -> None:
    """R3, read along its rows."""
    assert differing("cuatro", "parejas") == {
        "must_overtrump": False,
        "declare_at": "first",
        "declarations_per_trick": 0,
        "declaring_order": "forty_in_deal",
        "omitted_is_lost": True,
        "tute_ranks": "R",
    }


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_with_all_house_rules_of_another_ruleset_a_record_is_judged_as_there(
    one: str, other: str
) -> None:
    rules = differing(one, other)
    for seed, record in matches(other):
        assert judgement(under(one, rules, record)) == judged(other, seed), seed


@pytest.mark.parametrize(("one", "other", "name"), DIFFERING)
def test_without_one_of_them_some_record_is_judged_differently(
    one: str, other: str, name: str
) -> None:
    rules = differing(one, other)
    rules.pop(name)
    assert any(
        judgement(under(one, rules, record)) != judged(other, seed)
        for seed, record in matches(other, LOOKED_THROUGH)
    )


@pytest.mark.parametrize("ruleset", engine.RULESETS)
def test_a_house_rule_that_says_what_the_ruleset_says_changes_nothing(ruleset: str) -> None:
    rules = engine.RULESETS[ruleset]
    getattrs_by_name = {
        name: getattr(rules, name) for name in HOUSE_RULES if name not in ["target", "stakes"]
    }
    for seed, record in matches(ruleset):
        assert judgement(under(ruleset, getattrs_by_name, record)) == judged(ruleset, seed), seed
