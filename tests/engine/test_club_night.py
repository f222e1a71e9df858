"""The sample data: 53 records that are valid, 24 that have one fault each, named beforehand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
import tournaments
from tests.engine import naive
from tests.engine.comparing import difference
from tests.engine.naive_rules import NAMES

CLUB_NIGHT = Path(tournaments.__file__).parent / "management" / "commands" / "club_night"


def lines(name: str) -> list[str]:
    return (CLUB_NIGHT / name).read_text(encoding="utf-8").splitlines()


RECORDS = lines("records.ndjson")
SAMPLER = lines("sampler.ndjson")
DISPUTED = list(zip(lines("disputed.ndjson"), lines("disputed.expected.ndjson"), strict=True))


def fields_named(fault: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """The fields of a fault that the expectation names, the legal cards as a set."""
    fields = {name: fault.get(name) for name in expected if name != "line"}
    return {**fields, "legal": set(fault["legal"])}


def test_the_liguilla_has_four_tables_in_each_of_seven_rounds() -> None:
    tables = {
        (json.loads(line)["tags"]["round"], json.loads(line)["tags"]["table"]) for line in RECORDS
    }
    assert len(RECORDS) == len(tables) == 28


@pytest.mark.parametrize("line", RECORDS)
def test_every_record_of_the_liguilla_is_valid(line: str) -> None:
    verdict = engine.audit(line)
    assert verdict.valid, verdict.faults
    assert verdict.score == json.loads(line)["score"]
    assert verdict.winner == json.loads(line)["winner"]
    assert naive.verdict(json.loads(line)).valid


def test_the_sampler_has_five_matches_of_every_other_ruleset() -> None:
    rulesets = [json.loads(line)["ruleset"] for line in SAMPLER]
    assert {name: rulesets.count(name) for name in NAMES} == {
        **dict.fromkeys(NAMES, 5),
        "parejas-online": 0,
    }


@pytest.mark.parametrize("line", SAMPLER)
def test_every_record_of_the_sampler_is_valid(line: str) -> None:
    record = json.loads(line)
    verdict = engine.audit(line)
    assert verdict.valid, verdict.faults
    assert verdict.score == record["score"]
    assert verdict.winner == record["winner"]
    assert naive.verdict(record).valid
    assert not difference(record)


@pytest.mark.parametrize(("line", "expectation"), DISPUTED)
def test_every_disputed_record_has_exactly_its_one_fault(line: str, expectation: str) -> None:
    expected = json.loads(expectation)
    fields = {name: value for name, value in expected.items() if name != "line"}
    fields["legal"] = set(fields["legal"])
    faults = engine.audit(line).as_dict()["faults"]
    assert [fields_named(fault, expected) for fault in faults] == [fields]
    faults = [vars(fault) for fault in naive.verdict(json.loads(line)).faults]
    assert [fields_named(fault, expected) for fault in faults] == [fields]


def test_the_disputed_records_are_valid_but_for_their_faulty_hand() -> None:
    for line, expectation in DISPUTED:
        faulty = json.loads(expectation)["hand"]
        for hand in engine.audit(line).as_dict()["hands"]:
            assert hand["number"] == faulty or hand["points"] is not None
