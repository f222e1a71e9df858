"""The conformance suite: what is in it, and that the engine passes it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from itertools import cycle, pairwise
from pathlib import Path

import pytest

import engine
from engine.cli import main
from engine.conformance import KINDS, SUITE, Case, is_expected, read_cases
from engine.messages import FOLDER
from tests.engine import comparing
from tests.engine.codes import CODES
from tools.conformance.suite import lines_of

ROOT = Path(__file__).parent.parent.parent
CASES = list(read_cases())

NO_CASE = {
    "R6.5": "its parts a to d are rules of their own",
    "R10.2": "what a renuncio costs is the ruling of the arbiter, never of a program",
}
"""Rules without a case, and why."""


ONLY_IN: dict[str, tuple[list[str], str]] = {
    "play.must_overtrump": (
        ["parejas-online", "cuatro", "arrastrado"],
        "R4.4a: the others demand no higher trump over a trump",
    ),
    "declare.limit": (
        ["mano-a-mano", "parejas-online", "cuatro", "arrastrado"],
        "R6.4: the others limit nothing",
    ),
    "declare.forfeited": (["parejas", "parejas-online"], "R6.6: elsewhere silence costs nothing"),
    "declare.omitted": (["parejas", "parejas-online"], "R6.6: elsewhere silence costs nothing"),
    "declare.order": (
        ["habanero", "parejas", "parejas-online", "arrastrado"],
        "R6.5: the others have no order",
    ),
    "exchange.window": (["habanero", "mano-a-mano", "arrastrado"], "R5: no exchange elsewhere"),
    "exchange.not_held": (["habanero", "mano-a-mano", "arrastrado"], "R5: no exchange elsewhere"),
    "exchange.upcard": (["habanero", "mano-a-mano", "arrastrado"], "R5: no exchange elsewhere"),
    "exchange.no_trick": (["mano-a-mano"], "R5.4: elsewhere no trick is needed"),
    "exchange.not_admitted": (["parejas", "parejas-online", "cuatro"], "R5: the others exchange"),
    "claim.window": (["mano-a-mano"], "R9: no race elsewhere"),
    "claim.missing": (["mano-a-mano"], "R9: no race elsewhere"),
    "claim.not_admitted": (
        ["habanero", "parejas", "parejas-online", "cuatro", "arrastrado"],
        "R9: the race admits it",
    ),
    "support.window": (["arrastrado"], "R8.4: no plate elsewhere"),
}
"""Codes that cannot occur in every ruleset: where they do, and why nowhere else."""


def fault_codes() -> set[str]:
    """The engine's list of fault codes and notices: those that its catalogue has words for."""
    text = (FOLDER / "en" / "LC_MESSAGES" / "engine.po").read_text(encoding="utf-8")
    return set(re.findall(r'^msgid "fault\.([a-z_.]+)', text, re.MULTILINE))


def rules_of_docs() -> set[str]:
    """The numbers of the rules in `docs/programs/rules.md`, with their parts."""
    text = (ROOT / "docs" / "programs" / "rules.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"\bR\d+\.\d+[a-d]?\b", text)) | {"R1", "R3"}
    return numbers | {"R4.4a", "R4.4b"} | {f"R6.5{part}" for part in "abcd"}


def ruleset_of(case: Case) -> str:
    return case.id.split("/")[1]


def faults_of(case: Case) -> list[dict[str, str]]:
    if case.kind == "try":
        return [case.expect["fault"]] if case.expect["fault"] else []
    return [*case.expect.get("faults", []), *case.expect.get("notices", [])]


def faults_by_ruleset() -> dict[str, set[tuple[str, str]]]:
    codes: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for case in CASES:
        if case.kind in ("try", "record"):
            codes[ruleset_of(case)] |= {(f["code"], f["rule"]) for f in faults_of(case)}
    return codes


# --- what is in it ------------------------------------------------------------------------------


def test_there_are_over_3000_cases_of_every_kind_in_less_than_three_megabytes() -> None:
    assert len(CASES) > 3000
    assert {case.kind for case in CASES} == set(KINDS)
    files = list((SUITE / "cases").iterdir())
    assert sum(path.stat().st_size for path in files) < 3_000_000
    assert {path.suffix for path in files} == {".ndjson"}
    assert list(SUITE.rglob("*.py")) == []


def test_each_case_has_its_own_id_and_the_shortest_come_first() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    for kind in KINDS:
        lines = (SUITE / "cases" / f"{kind}.ndjson").read_text(encoding="utf-8").splitlines()
        assert all(len(line) <= len(other) for line, other in pairwise(lines))


def test_every_rule_is_proved() -> None:
    proved = {rule for case in CASES for rule in case.proves}
    assert rules_of_docs() - proved == set(NO_CASE)
    assert proved - rules_of_docs() == {"F1", "F2", "F3"}


@pytest.mark.parametrize("ruleset", CODES)
def test_every_fault_code_occurs_in_every_ruleset_where_it_can(ruleset: str) -> None:
    possible = {code for code in fault_codes() if ruleset in ONLY_IN.get(code, (list(CODES),))[0]}
    fault = faults_by_ruleset()[ruleset]
    assert possible - {code for code, _rule in fault} == set()
    assert {tuple(code.split()) for code in CODES[ruleset]} - fault == set()


@pytest.mark.parametrize("ruleset", CODES)
def test_the_rules_that_all_share_are_proved_under_each_ruleset(ruleset: str) -> None:
    proved = {rule for case in CASES if ruleset_of(case) == ruleset for rule in case.proves}
    assert {"R4.1", "R4.2", "R4.4", "R4.5", "R4.7", "R6.1", "R7.1", "R7.4"} <= proved


def test_the_documents_of_the_suite_name_every_kind() -> None:
    text = (SUITE / "README.md").read_text(encoding="utf-8")
    assert all(f"| `{kind}` |" in text for kind in KINDS)


# --- that it is right ---------------------------------------------------------------------------


@pytest.mark.slow
def test_the_engine_passes_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance"]) == 0
    assert capsys.readouterr().out.endswith(f"{len(CASES)} of {len(CASES)} cases: 100 %\n")


def naive_records() -> list[Case]:
    """The records that the naive implementation can judge: no house rules, no strange signs."""
    cases = []
    for case in CASES:
        record = case.input.get("record", {})
        options = record.get("options", {})
        is_supported = not isinstance(options, dict) or set(options) <= {"to", "deals", "stakes"}
        if (
            case.kind == "record"
            and record
            and is_supported
            and "\\x00" not in str(record.get("seats"))
        ):
            cases.append(case)
    return cases


@pytest.mark.parametrize("part", range(20))
def test_the_verdicts_are_those_of_the_naive_implementation(part: int) -> None:
    cases = naive_records()[part::20]
    assert len(cases) > 30
    different = {case.id: comparing.difference(case.input["record"]) for case in cases}
    assert {name: codes for name, codes in different.items() if codes} == {}


# A kind takes seconds a ruleset: each kind of one, and each ruleset in some kind.
@pytest.mark.parametrize(("kind", "ruleset"), list(zip(KINDS, cycle(CODES), strict=False)))
def test_the_generator_writes_the_same_cases_of_a_ruleset(kind: str, ruleset: str) -> None:
    lines = (SUITE / "cases" / f"{kind}.ndjson").read_text(encoding="utf-8").splitlines(True)
    ids = f"{kind}/{ruleset}/"
    of_ruleset = [line for line in lines if json.loads(line)["id"].startswith(ids)]
    assert lines_of(kind, [ruleset]) == of_ruleset


@pytest.mark.long  # a minute
@pytest.mark.parametrize("kind", KINDS)
def test_the_generator_writes_the_same_files(kind: str) -> None:
    text = (SUITE / "cases" / f"{kind}.ndjson").read_text(encoding="utf-8")
    assert "".join(lines_of(kind)) == text


# --- comparing ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "answer", "same"),
    [
        ({"legal": ["1o", "3o"]}, {"legal": ["3o", "1o"]}, True),
        ({"legal": ["1o", "3o"]}, {"legal": ["1o", "1o"]}, False),
        ({"legal": ["1o"]}, {"legal": ["1o", "3o"]}, False),
        ({"legal": ["1o"]}, {"legal": [1]}, False),
        ({"legal": ["1o"]}, {"legal": "1o"}, False),
        ({"fault": None}, {}, True),
        ({"fault": None}, {"fault": {"code": "play.token"}}, False),
        ({"faults": []}, {}, False),
        ({"faults": [{"code": "a"}]}, {"faults": [{"code": "a", "message": "b"}]}, True),
        (
            {"faults": [{"code": "a"}, {"code": "b"}]},
            {"faults": [{"code": "b"}, {"code": "a"}]},
            False,
        ),
        ({"count": 1}, {"count": True}, False),
        ({"count": 1}, {"count": 2}, False),
        ({"count": 1}, None, False),
        ({"valid": True}, {"valid": 1}, False),
    ],
)
def test_answers_are_compared_as_the_suite_says(
    expected: object, answer: object, same: bool
) -> None:
    assert is_expected(expected, answer) is same


def test_the_example_of_the_protocol_is_answered_as_written() -> None:
    text = (SUITE / "README.md").read_text(encoding="utf-8")
    document = json.loads(next(line[2:] for line in text.splitlines() if line.startswith("> {")))
    reply = json.loads(next(line[2:] for line in text.splitlines() if line.startswith("< {")))
    position = engine.position_from_dict(document["input"])
    assert reply == {"id": document["id"], "answer": {"legal": list(position.legal_tokens())}}
