"""The kernel says of every record what the core says, and the command prints it in any number."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.cli import audit as audit_command
from engine.cli import audit_many as many
from engine.cli import main, progress
from engine.conformance import is_expected, read_cases, verdict_to_dict
from engine.fast.auditing import ValidVerdict, audit_many
from tests.engine import chance, mutations
from tests.engine.kernel_cases import STYLES, cases, compare, compare_tokens
from tests.quick import examples, slow

HANDS = int(os.environ.get("BAZA_KERNEL_HANDS", "250"))
"""Of each ruleset; `python -m tests.engine.kernel_cases` compares any number."""


def with_results(record: dict[str, Any]) -> dict[str, Any]:
    """The record, all its hands with the points and the winner that they came to."""
    for hand, verdict in zip(record["hands"], engine.audit(record).hands, strict=True):
        hand["points"], hand["winner"] = dict(verdict.points or {}), verdict.winner
    return record


@pytest.mark.parametrize("ruleset", list(engine.RULESETS))
def test_kernel_and_core_agree_on_verdict_points_digest_and_place_of_the_fault(
    ruleset: str,
) -> None:
    rng, hands = Random(ruleset), 0
    while hands < HANDS:
        counts = compare([line for _ in range(5) for line in cases(rng, ruleset)])
        assert counts["valid"] > 0 < counts["faulty"]
        hands += counts["hands"]


@pytest.mark.parametrize("ruleset", list(engine.RULESETS))
def test_kernel_and_core_agree_on_every_token_at_a_moment(ruleset: str) -> None:
    rng = Random(ruleset)
    assert sum(compare_tokens(rng, ruleset)["tried"] for _ in range(4)) > 0


def test_the_kernel_judges_what_the_bots_of_the_house_play() -> None:
    for ruleset, rules in engine.RULESETS.items():
        bots = {seat: engine.HOUSE_BOTS["simple"](seat.encode()) for seat in rules.seats}
        names = ["Ana", "Bea", "Carlos", "Íñigo"][: rules.seat_count]
        record = engine.play_match(rules, bots, b"seed", ruleset, names)
        for style in STYLES:
            line = json.dumps(record, **style).encode()
            assert compare([line])["valid"] == 1, ruleset


@pytest.mark.slow
def test_the_kernel_passes_the_conformance_suite() -> None:
    """Every record of the suite, those in text aside; what the kernel leaves the core answers."""
    record_cases = [
        case for case in read_cases() if case.kind == "record" and "tute" not in case.input
    ]
    lines = [
        case.input["json"].encode()
        if "json" in case.input
        else json.dumps(case.input["record"]).encode()
        for case in record_cases
    ]
    for case, verdict in zip(record_cases, audit_many(lines), strict=True):
        whole = verdict.to_verdict() if isinstance(verdict, ValidVerdict) else verdict
        unwritable = (
            "json" not in case.input
            and whole.faults[:1]
            and (
                whole.faults[0].code == "record.syntax"  # an object that no text in JSON can be
            )
        )
        assert unwritable or is_expected(case.expect, verdict_to_dict(whole)), case.id
    counts = compare(lines)
    assert min(counts["valid"], counts["faulty"]) > 200, counts


def a_record(seed: int = 1) -> dict[str, Any]:
    rng = Random(seed)
    while True:
        record = chance.match(rng, "parejas-online")
        if len(record["hands"]) > 1 and all(hand["play"] for hand in record["hands"]):
            return with_results(record)


def variants() -> list[bytes]:
    """One valid record, and what strict JSON and the limits make of small changes to its text."""
    text = json.dumps(a_record(), ensure_ascii=False)
    first = text.index('"dealer": "') + len('"dealer": "')
    dealer = text[first]
    play = text.index('"play": "') + len('"play": "')
    changes = [
        ("{", '{"winner": "AC", '),
        ('"format"', '"format": "baza/1", "format"'),
        ('"tags": {', '"tags": {"event": "twice", "event": "once", '),
        ('"dealer": ', f'"dealer": "{dealer}", "dealer": '),
        ('"options": {', '"options": {"to": NaN, '),
        ('"options": {', '"options": {"must_overtrump": false, '),
        ('"options": {', '"options": {"to": 1e400, '),
        ('"options": {', '"options": {"to": 2.0, '),
        ('"options": {', '"options": {"to": 99999999999999999999, '),
        ('"hands": [', '"hands": [' + "[" * 2000 + "]" * 2000 + ", "),
        ('"hands": [{', '"hands": [{"a": ' + "[" * 500 + "]" * 500 + ", "),
        ('"hands": [{', '"hands": [{"colour": "red", '),
        ('"hands": [', '"hands" : [ '),
        ('"hands": [', '"hands": [], "hands": ['),
        ('"tags": {', '"tags": {"hands": [{}], '),
        ('"tags": {', '"tags": {"x": "}]", '),
        ('"tags": {', '"tags": {"x": "\\"hands\\": [{", '),
        ('"tags": {', '"tags": {"x": "' + "y" * 1001 + '", '),
        ('"tags": {', '"tags": {"x": "\u200b", '),
        ('"tags": {', '"tags": {"x": "\x01", '),
        ('"tags": {', '"tags": {"x": "\\ud800", '),
        ('"tags": {', '"tags": {"x": 3, '),
        ('"Ana"', '"\\u0041na"'),
        ('"Ana"', "null"),
        ('"Ana", ', ""),
        ('"play": "', '"play": " '),
        ('"play": "', '"play": "\t'),
        ('"play": "', '"play": "\\t'),
        ('"play": "', '"play": "é '),
        (text[play : play + 2], text[play : play + 2].upper()),
        (text[play : play + 3], text[play : play + 2] + "  "),
        (text[play : play + 3], text[play : play + 2] + "\\u0020"),
        ('"deal": {"A": "', '"deal": {"A": " '),
        ('"format": "baza/1"', '"format": "baza/2"'),
        ('"ruleset": "parejas-online"', '"ruleset": ["parejas-online"]'),
        ('"ruleset": "parejas-online"', '"ruleset": "habanero"'),
    ]
    changed = [text, *(text.replace(old, new, 1) for old, new in changes)]
    for old in ('"points": {"AC": ', '"BD": '):
        at = text.find(old)
        if at > 0:
            end = at + len(old)
            changed += [text[:end] + "0" + text[end:], text[:end] + "-" + text[end:]]
            changed += [text[:end] + "1" + text[end:], text[:end] + '"' + text[end:]]
    lines = [variant.encode("utf-8", "surrogatepass") for variant in changed]
    lines += [b"", b"{}", b"[]", b"null", b"{broken", b"\xff", b"\xef\xbb\xbf" + lines[0]]
    lines += [lines[0] + b" x", lines[0] + b" " * (1 << 20), b" " + lines[0] + b" "]
    lines += [lines[0][:-1], lines[0][: len(lines[0]) // 2], lines[0].replace(b"Ana", b"\xff")]
    return lines


def test_strict_json_and_limits_are_those_of_the_core() -> None:
    compare(variants())


def test_hands_that_state_different_things_are_judged_too() -> None:
    lines = []
    for dropped in [{}, {0: "points"}, {1: "winner"}, {0: "points", 1: "winner"}, {0: "winner"}]:
        for style in STYLES:
            record = a_record(2)
            for index, name in dropped.items():
                del record["hands"][index][name]
            lines.append(json.dumps(record, **style).encode())
    assert compare(lines)["valid"] == len(lines)


def test_any_changed_byte_is_seen() -> None:
    rng = Random(7)
    line = json.dumps(a_record(3), ensure_ascii=False).encode()
    lines = [line]
    for _ in range(800):
        at = rng.randrange(len(line))
        byte = rng.choice([*b'"{}[]:, 0123456789ocebABCD\\RS', rng.randrange(256)])
        how = rng.random()
        cut = at + (how < 0.7)
        lines.append(line[:at] + (b"" if how > 0.85 else bytes([byte])) + line[cut:])
    compare(lines)


PLAYED = [json.dumps(a_record(seed), ensure_ascii=False).encode() for seed in (1, 2)]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sampled_from(PLAYED),
    st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=3), st.integers(0, 3))
    ),
)
def test_kernel_and_core_agree_whatever_is_written(
    line: bytes, changes: list[tuple[float, bytes, int]]
) -> None:
    for where, put, dropped in changes:
        at = int(where * len(line))
        line = line[:at] + put + line[at + dropped :]
    compare([line, PLAYED[0], line])


def test_many_records_are_audited_in_order_and_in_batches() -> None:
    record = a_record()
    lines: list[bytes] = []
    for number in range(3000):
        record["tags"] = {"table": str(number)}
        lines.append(json.dumps(record).encode() if number % 100 else b"{broken")
    verdicts = list(audit_many(lines))
    assert [verdict.valid for verdict in verdicts] == [bool(n % 100) for n in range(3000)]


def test_the_core_does_without_arrays() -> None:
    code = (
        "import sys, engine; engine.audit('{}');"
        " print([name for name in ('numpy', 'numba', 'engine.fast') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=Path.cwd()
    )
    assert run.stdout.strip() == "[]"


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is loaded after twenty records, so that the files of these tests may be short."""
    monkeypatch.setattr(many, "MAX_HERE", 20)


def numbered(record: dict[str, Any], count: int, path: Path) -> str:
    """A file with `count` records, each with a tag of its own."""
    text = json.dumps(record, ensure_ascii=False)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            file.write(text.replace('"tags": {', f'"tags": {{"table": "{number}", ', 1) + "\n")
    return str(path)


def mixed(count: int, path: Path) -> str:
    """A file of records of all rulesets, every tenth corrupted."""
    rng, lines = Random(12), list[str]()
    for number in range(count):
        record = chance.match(rng, [*engine.RULESETS][number % 6])
        if not number % 10:
            mutations.corrupt(rng, record)
        lines.append(json.dumps(record) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_file_is_audited_in_constant_memory(tmp_path: Path, jobs: str) -> None:
    code = (
        "import resource as r, sys; from engine.cli import main; main(['audit', *sys.argv[1:]]);"
        "print(sum(r.getrusage(who).ru_maxrss for who in (r.RUSAGE_SELF, r.RUSAGE_CHILDREN)))"
    )
    peaks = []
    for count in (4000, 24000):
        name = numbered(a_record(), count, tmp_path / f"{count}.ndjson")
        words = [sys.executable, "-c", code, "-j", jobs, name]
        run = subprocess.run(words, stdout=subprocess.PIPE, check=True)
        *_, summary, peak = run.stdout.decode().splitlines()
        assert summary == f"{count} valid, 0 invalid"
        peaks.append(int(peak))
    assert peaks[1] < 1.1 * peaks[0]


@pytest.mark.parametrize(
    "form", [["--json"], *slow([[], ["--hints"], ["--lang", "es", "--quiet"]])]
)
def test_one_process_two_and_the_core_alone_print_the_same(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    form: list[str],
) -> None:
    name, printed = mixed(90, tmp_path / "some.ndjson"), []
    for jobs in ("1", "2"):
        assert main(["audit", *form, "--jobs", jobs, name]) == 1
        printed.append(capsys.readouterr().out.splitlines())
    monkeypatch.setattr(many, "MAX_HERE", 1000)
    assert main(["audit", *form, name]) == 1
    by_core = capsys.readouterr().out.splitlines()
    assert printed[0] == printed[1]
    assert [line for line in printed[0] if "by the kernel" not in line] == by_core


def test_the_command_says_how_many_records_the_kernel_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = numbered(a_record(), 60, tmp_path / "some.ndjson")
    with Path(name).open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    assert main(["audit", "-j", "1", name]) == 1
    *_, share, summary = capsys.readouterr().out.splitlines()
    assert share == "40 of 41 records judged by the kernel, 1 by the core"
    assert summary == "60 valid, 1 invalid"


def test_without_numba_the_core_does_the_same_and_the_command_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, "is_compiled", lambda: False)
    monkeypatch.setattr(audit_command, "is_compiled", lambda: False)
    assert main(["audit", "-j", "2", numbered(a_record(), 50, tmp_path / "some.ndjson")]) == 0
    *_, share, summary = capsys.readouterr().out.splitlines()
    assert share == "numba is not installed: the core judged all records"
    assert summary == "50 valid, 0 invalid"


def test_quiet_prints_faults_alone_and_first_stops_at_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = mixed(60, tmp_path / "some.ndjson")
    assert main(["audit", "--quiet", "-j", "1", name]) == 1
    faulty = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert len(faulty) == 6
    assert all(line.startswith("✗") for line in faulty)
    assert main(["audit", "--quiet", "--first", "-j", "1", name]) == 1
    assert [line for line in capsys.readouterr().out.splitlines() if line[0] != " "] == faulty[:1]
    good = numbered(a_record(), 30, tmp_path / "good.ndjson")
    assert main(["audit", "--quiet", good]) == 0
    assert capsys.readouterr().out == ""


def test_a_long_audit_shows_a_terminal_its_progress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = numbered(a_record(), 60, tmp_path / "some.ndjson")
    main(["audit", "-j", "1", name])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    main(["audit", "-j", "1", name])
    errors = capsys.readouterr().err
    assert "60 records, " in errors
    assert errors.endswith("\r\033[K")
