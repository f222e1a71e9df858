"""The fast lane says of every record what the core says, whatever is written in it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.cli import main, many
from engine.fast import auditing, heads
from engine.fast.auditing import BulkAudit, ValidVerdict, audit_many
from engine.fast.shapes import UNSTATED, learn
from tests.engine import chance, mutations
from tests.quick import examples

LOCK_STEP = ["parejas", "parejas-online", "cuatro"]
STYLES: list[dict[str, Any]] = [
    {"ensure_ascii": False},
    {"ensure_ascii": True},
    {"ensure_ascii": False, "separators": (",", ":")},
    {"ensure_ascii": False, "sort_keys": True},
    {"ensure_ascii": False, "separators": (" , ", " : ")},
]


def uniform(rng: Random, record: dict[str, Any]) -> None:
    """As one writer would put it down: either all hands state their results, or none does."""
    verdict = engine.audit(record)
    if rng.random() < 0.5 or verdict.faults:
        for hand in record["hands"]:
            hand.pop("points", None)
            hand.pop("winner", None)
    else:
        for hand, found in zip(record["hands"], verdict.hands, strict=True):
            hand["points"], hand["winner"] = dict(found.points or {}), found.winner


def written(rng: Random, record: dict[str, Any], style: int) -> bytes:
    return json.dumps(record, **STYLES[style]).encode() + rng.choice([b"", b"\n", b"\r\n"])


def assert_equal_to_core(lines: list[bytes]) -> BulkAudit:
    """Every verdict is the core's: the short ones in all that they say."""
    bulk = BulkAudit()
    sources = [(f"some.ndjson#{number}", line) for number, line in enumerate(lines, 1)]
    found = list(bulk.audit(sources))
    assert len(found) == len(lines)
    for (source, line), verdict in zip(sources, found, strict=True):
        expected = engine.audit(line, source)
        if not isinstance(verdict, ValidVerdict):
            assert verdict == expected
            continue
        assert verdict.valid is expected.valid, line
        assert (verdict.source, verdict.ruleset) == (expected.source, expected.ruleset)
        assert (verdict.score, verdict.winner) == (expected.score, expected.winner), line
        assert (verdict.faults, verdict.notices) == (expected.faults, expected.notices), line
        for one, other in zip(verdict.hands, expected.hands, strict=True):
            assert (one.number, one.points, one.winner) == (
                other.number,
                other.points,
                other.winner,
            )
            assert (one.audited, one.last_trick) == (True, other.last_trick)
        assert (verdict.digest, verdict.full()) == (expected.digest, expected)
    return bulk


@pytest.mark.parametrize("ruleset", list(engine.RULESETS))
def test_valid_and_corrupted_records_get_the_verdicts_of_the_core(ruleset: str) -> None:
    rng = Random(ruleset)
    lines: list[bytes] = []
    for number in range(80):
        record = chance.match(rng, ruleset)
        style = number % len(STYLES)
        lines.append(written(rng, record, style))
        uniform(rng, record)
        lines.append(written(rng, record, style))
        broken = json.loads(json.dumps(record))
        mutations.corrupt(rng, broken)
        lines.append(written(rng, broken, style))
    bulk = assert_equal_to_core(lines)
    if ruleset not in LOCK_STEP:
        assert bulk.fallen_back == bulk.records


@pytest.mark.parametrize("ruleset", LOCK_STEP)
def test_records_of_one_writer_are_taken_in_lock_step(ruleset: str) -> None:
    rng = Random(4)
    lines: list[bytes] = []
    while len(lines) < 150:
        record = chance.match(rng, ruleset)
        if all(hand["play"] for hand in record["hands"]) and record["hands"]:
            uniform(rng, record)
            lines.append(written(rng, record, 2))
    bulk = assert_equal_to_core(lines)
    assert bulk.fallen_back < 0.1 * bulk.records


def a_record(seed: int = 1) -> dict[str, Any]:
    rng = Random(seed)
    while True:
        record = chance.match(rng, "parejas-online")
        if len(record["hands"]) > 1 and all(hand["play"] for hand in record["hands"]):
            uniform(Random(0), record)
            return record


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
    lines = [one.encode("utf-8", "surrogatepass") for one in changed]
    lines += [b"", b"{}", b"[]", b"null", b"{broken", b"\xff", b"\xef\xbb\xbf" + lines[0]]
    lines += [lines[0] + b" x", lines[0] + b" " * (1 << 20), b" " + lines[0] + b" "]
    lines += [lines[0][:-1], lines[0][: len(lines[0]) // 2], lines[0].replace(b"Ana", b"\xff")]
    return lines


def test_strict_json_and_limits_are_those_of_the_core() -> None:
    assert_equal_to_core(variants())


def test_hands_that_state_different_things_are_taken_too() -> None:
    lines = []
    for dropped in [{}, {0: "points"}, {1: "winner"}, {0: "points", 1: "winner"}, {0: "winner"}]:
        for style in STYLES:
            record = a_record(2)
            for hand, found in zip(record["hands"], engine.audit(record).hands, strict=True):
                hand["points"], hand["winner"] = dict(found.points or {}), found.winner
            for index, name in dropped.items():
                del record["hands"][index][name]
            lines.append(json.dumps(record, **style).encode())
    bulk = assert_equal_to_core(lines)
    assert bulk.fallen_back <= len(STYLES)  # those with escapes, which are not written anew


def test_the_mark_of_what_is_not_stated_is_no_secret_word() -> None:
    lines = []
    for name, mark in UNSTATED.items():
        for some in (slice(None), slice(1), slice(1, None)):
            for style in STYLES:
                record = a_record(2)
                for hand in record["hands"][some]:
                    hand[name] = mark
                lines.append(json.dumps(record, **style).encode())
    assert_equal_to_core(lines)


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
    assert_equal_to_core(lines)


PLAYED = [json.dumps(a_record(seed), ensure_ascii=False).encode() for seed in (1, 2)]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sampled_from(PLAYED),
    st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=3), st.integers(0, 3))
    ),
)
def test_the_lock_step_equals_the_core_whatever_is_written(
    line: bytes, changes: list[tuple[float, bytes, int]]
) -> None:
    for where, put, dropped in changes:
        at = int(where * len(line))
        line = line[:at] + put + line[at + dropped :]
    assert_equal_to_core([line, PLAYED[0], line])


def test_a_twenty_in_trumps_is_no_forty() -> None:
    rng = Random(5)
    lines: list[bytes] = []
    while len(lines) < 40:
        record = chance.match(rng, rng.choice(LOCK_STEP))
        uniform(rng, record)
        for hand in record["hands"]:
            if ":40" in (hand["play"] or ""):
                lines.append(json.dumps(record).encode())
                hand["play"] = hand["play"].replace(":40", f":20{hand['trump'][1]}")
                lines.append(json.dumps(record).encode())
                break
    assert_equal_to_core(lines)


def test_a_shape_is_learnt_from_plain_hands_alone() -> None:
    line = json.dumps(a_record()).encode()
    start = line.index(b'"hands": [') + len(b'"hands": [')
    assert learn(line, start) is not None
    assert learn(line.replace(b'"deal": {"A": "', b'"deal": {"A": "1o '), start) is None
    assert learn(b"[" * 5000, 0) is None
    assert learn(b'{"dealer": 1}', 0) is None


def test_many_records_are_audited_in_order_and_in_batches() -> None:
    record = a_record()
    lines: list[bytes] = []
    for number in range(3000):
        record["tags"] = {"table": str(number)}
        lines.append(json.dumps(record).encode() if number % 100 else b"{broken")
    verdicts = list(audit_many(lines))
    assert [verdict.valid for verdict in verdicts] == [bool(n % 100) for n in range(3000)]


def test_the_core_does_without_arrays() -> None:
    code = "import sys, engine; print([m for m in ('numpy', 'orjson') if m in sys.modules])"
    run = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=Path.cwd()
    )
    assert run.stdout.strip() == "[]"


def numbered(record: dict[str, Any], count: int, path: Path) -> str:
    """A file with so many records, each with a tag of its own."""
    text = json.dumps(record, ensure_ascii=False)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            file.write(text.replace('"tags": {', f'"tags": {{"table": "{number}", ', 1) + "\n")
    return str(path)


@pytest.mark.slow
def test_a_long_file_is_audited_in_constant_memory(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from engine.cli import main; main(['audit', sys.argv[1]]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for count in (3000, 30000):
        name = numbered(a_record(), count, tmp_path / f"{count}.ndjson")
        run = subprocess.run([sys.executable, "-c", code, name], stdout=subprocess.PIPE, check=True)
        *_, summary, peak = run.stdout.decode().splitlines()
        assert summary == f"{count} valid, 0 invalid"
        peaks.append(int(peak))
    assert peaks[1] < 1.1 * peaks[0]


def test_the_command_tells_what_share_was_taken_in_lock_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = numbered(a_record(), 300, tmp_path / "some.ndjson")
    with Path(name).open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    assert main(["audit", name]) == 1
    *_, share, summary = capsys.readouterr().out.splitlines()
    assert share == "99.5 % of 201 records in lock step, 1 one by one"
    assert summary == "300 valid, 1 invalid"
    assert main(["audit", "--lang", "es", name]) == 1
    assert "99,5 % de 201 partidas a la vez, 1 de una en una" in capsys.readouterr().out
    assert main(["audit", "--json", name]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 301


def test_the_command_prints_the_same_as_the_core(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(12)
    records = [chance.match(rng, "parejas-online") for _ in range(140)]
    for record in records[::10]:
        mutations.corrupt(rng, record)
    lines = [written(rng, record, 0) for record in records]
    path = tmp_path / "some.ndjson"
    path.write_bytes(b"\n".join(line.strip() for line in lines))
    assert main(["audit", str(path)]) == 1
    in_lock_step = capsys.readouterr().out.splitlines()
    monkeypatch.setattr(many, "FEW", 1000)
    main(["audit", str(path)])
    one_by_one = capsys.readouterr().out.splitlines()
    assert in_lock_step[:-2] == one_by_one[:-1]


def test_without_numpy_records_are_audited_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "engine.fast.auditing", None)
    assert main(["audit", numbered(a_record(), 150, tmp_path / "some.ndjson")]) == 0
    *_, last, summary = capsys.readouterr().out.splitlines()
    assert "lock step" not in last
    assert summary == "150 valid, 0 invalid"


def test_a_long_audit_tells_a_terminal_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = numbered(a_record(), 300, tmp_path / "some.ndjson")
    main(["audit", name])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(many, "SECONDS", 0.0)
    main(["audit", name])
    told = capsys.readouterr().err
    assert "300 records, " in told
    assert told.endswith("\r\033[K")


def test_the_standard_reader_of_json_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "loads", engine.read_json)
    monkeypatch.setattr(auditing, "sorted_bytes", None)
    bulk = assert_equal_to_core([json.dumps(a_record(), **style).encode() for style in STYLES])
    assert bulk.fallen_back == 0
