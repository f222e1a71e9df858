"""Both parsers under anything at all: typed errors only, linear time, bounded memory (F1, F2)."""

from __future__ import annotations

import io
import json
import sys
import tracemalloc
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine
from engine.text_words import TextError
from tests.quick import examples, slow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

GAMES = [path.read_bytes() for path in sorted(Path("tests/records").glob("*.tute"))]
JSON_LINES = [
    line
    for path in sorted(Path("tournaments/management/commands/club_night").glob("*.ndjson"))
    for line in path.read_bytes().splitlines()
]
SCRAPS = [
    *[
        b'"',
        b"\\",
        b"[",
        b"]",
        b"{",
        b"}",
        b";",
        b"#",
        b"-",
        b"*",
        b":",
        b",",
        b"\n",
        b"\n\n",
        b" ",
    ],
    *[b"A:", b"E:", b"1o", b"A:40", b"null", b"true", b"1e999", b"-0", b"9" * 30, b"\\u0000"],
    *[b"\xff", b"\xc3\xb1", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\x00", b"\r", b"\xc2\x85"],
    *[b'[Format "baza/1"]\n', b'[A "#"]\n', b"dealer A\n", b"deal A -\n", b"points A 1\n"],
]

seeds = st.integers(min_value=0, max_value=2**32 - 1)
long = settings(max_examples=examples(300), deadline=None)
scraps = st.lists(st.sampled_from(SCRAPS), max_size=60).map(b"".join)


def mutated(rng: Random, source: bytes) -> bytes:
    """The bytes with some of them deleted, doubled, moved, changed, or scraps put between them."""
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        at, to = sorted(rng.randrange(len(source) + 1) for _ in range(2))
        to = min(to, at + rng.choice([1, 4, 40, 400]))
        piece = source[at:to]
        new = rng.choice(
            [b"", piece * 2, piece[::-1], rng.choice(SCRAPS), rng.randbytes(1), piece.swapcase()]
        )
        source = source[:at] + new + source[to:]
    return source


def read_all(source: bytes) -> list[engine.TextRecord | TextError]:
    """Every record of a text, or what is wrong with it; nothing else may be raised."""
    reader, errors = engine.TextReader(io.BytesIO(source)), list[engine.TextRecord | TextError]()
    while True:
        try:
            record = reader.read()
        except TextError as error:
            errors.append(error)
            continue
        if record is None:
            return errors
        errors.append(record)


def hold_text(source: bytes) -> None:
    """What is true of any bytes that are read as text."""
    lines = source.count(b"\n") + 1
    for record in read_all(source):
        if isinstance(record, TextError):
            for error in (record, *record.also):
                assert 1 <= (error.line or 0) <= lines
                assert (error.column or 0) >= 1
                assert len(error.excerpt) < 200
                assert engine.explain(error.fault, "es")
            continue
        verdict = engine.audit_text(record)
        assert json.dumps(verdict.as_dict("es"))
        document = engine.document_with_comments(record)
        hold_document(document)
    reader = engine.TextReader(io.BytesIO(source))
    while reader.skip():
        pass


def hold_document(document: Mapping[str, Any]) -> None:
    """What is true of any object: it is refused with a fault, or it is text and back the same."""
    try:
        text = engine.write_text(document)
    except engine.RecordError:
        return
    back = engine.document_with_comments(engine.parse_text(text))
    assert engine.write_text(back) == text
    assert engine.digest(engine.parse_record(back)) == engine.digest(engine.parse_record(document))


def hold_json(source: bytes) -> None:
    """What is true of any bytes that are read as JSON."""
    verdict = engine.audit(source)
    assert json.dumps(verdict.as_dict("es"))
    if verdict.digest is None:
        with pytest.raises(engine.RecordError) as error:
            engine.parse_record(source)
        assert verdict.faults == (error.value.fault,)
    else:
        hold_document(engine.read_json(source))


@long
@given(st.binary(max_size=300) | scraps)
@example(b'[Format "baza/1"]\ndealer A\n"')
@example(b'[Format "baza/1"]\n[Options "to=9 to=9"]\n[Score "A"]')
def test_any_bytes_are_read_as_text_or_refused(source: bytes) -> None:
    hold_text(source)
    hold_text(GAMES[0] + source)


@long
@given(st.binary(max_size=300) | scraps)
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
def test_any_bytes_are_read_as_json_or_refused(source: bytes) -> None:
    hold_json(source)


@long
@given(seeds)
def test_a_text_with_bytes_changed_is_read_or_refused(seed: int) -> None:
    rng = Random(seed)
    hold_text(mutated(rng, rng.choice(GAMES)))


@long
@given(seeds)
def test_a_json_record_with_bytes_changed_is_read_or_refused(seed: int) -> None:
    rng = Random(seed)
    hold_json(mutated(rng, rng.choice(JSON_LINES)))


# --- time and memory -----------------------------------------------------------------------------

HEAD = b'[Format "baza/1"]\n[Ruleset "parejas"]\n'
HARD: dict[str, Callable[[int], bytes]] = {
    "quotes": lambda n: HEAD + b'"' * n,
    "pairs of quotes": lambda n: HEAD + b"dealer A\nA: " + b'""' * n,
    "escapes": lambda n: HEAD + b'[Event "' + b"\\" * n,
    "escaped quotes": lambda n: HEAD + b'[Event "' + b'\\"' * n + b'"] x',
    "blanks": lambda n: HEAD + b"[a" + b" " * n,
    "names": lambda n: HEAD + b"[" + b"a" * n,
    "blanks at the end": lambda n: HEAD + b'[Event "x"]' + b" " * n + b"x",
    "brackets": lambda n: HEAD + b"[" * n,
    "comments": lambda n: HEAD + b";;" * n,
    "lines of comment": lambda n: HEAD + b"; x\n" * n + b"dealer A",
    "comments after cards": lambda n: HEAD + b"dealer A\n" + b"1o ; x\n" * n,
    "options": lambda n: HEAD + b'[Options "' + b"a=" * n + b'"]',
    "other options": lambda n: (
        HEAD
        + b'[Options "'
        + b" ".join(b"%x=1" % i for i in range(n)).translate(
            bytes.maketrans(b"0123456789", b"ghijklmnop")
        )
        + b'"]'
    ),
    "tags": lambda n: HEAD + b"".join(b'[T%d "x"]\n' % i for i in range(n)),
    "heads": lambda n: b'[Format "baza/1"]\n[Event "#"]\n' * n,
    "hands": lambda n: HEAD + b"dealer A\n" * n,
    "cards": lambda n: HEAD + b"dealer A\n" + b"A: 1o 2o 3o 4o\n" * n,
    "leaders": lambda n: HEAD + b"dealer A\n" + b"A: B: " * n,
    "points": lambda n: HEAD + b"dealer A\npoints " + b"A 1 " * n,
    "seats": lambda n: HEAD + b"dealer A\n" + b"deal A 1o\n" * n,
    "digits": lambda n: HEAD + b"dealer A\npoints A " + b"9" * n,
    "junk": lambda n: b"x" * n,
    "zeros": lambda n: b"\x00" * n,
    "broken bytes": lambda n: b"\xff" * n,
    "faults": lambda n: HEAD + b"x\n" * n,
}
HARD_JSON: dict[str, Callable[[int], bytes]] = {
    "brackets": lambda n: b"[" * n,
    "braces": lambda n: b'{"a":' * n,
    "keys": lambda n: json.dumps({f"k{i}": i for i in range(n)}).encode()[:-1] + b', "k1": 1}',
    "the last key": lambda n: (
        json.dumps({f"k{i}": i for i in range(n)}).encode()[:-1] + b', "k%d": 1}' % (n - 1)
    ),
    "strings": lambda n: b'"' + b"\\" * n,
    "blanks": lambda n: b" " * n + b"x",
    "digits": lambda n: b'{"a": ' + b"9" * n + b"}",
    "stock": lambda n: habanero(stock=" ".join(["1o"] * n)),
    "deal": lambda n: habanero(deal={"A": " ".join(["1o"] * n), "B": ""}),
    "play": lambda n: habanero(play=" ".join(["1o"] * n)),
    "hands": lambda n: habanero(count=n),
}


def habanero(count: int = 1, **fields: Any) -> bytes:
    record = json.loads(next(line for line in JSON_LINES if b"habanero" in line))
    record["hands"] = [record["hands"][0] | fields] * count
    return json.dumps(record).encode()


def calls(task: Callable[[], object]) -> int:
    """How many calls of functions, Python's own included, a task takes."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(before)
    return count


def hold_linear(task: Callable[[bytes], object], source: Callable[[int], bytes]) -> None:
    """Four times the input: four times the calls, Python's own included."""
    small, large = source(500), source(2000)
    assert calls(lambda: task(large)) <= 5 * calls(lambda: task(small)) + 1000


@pytest.mark.parametrize("kind", HARD)
def test_hard_text_takes_time_in_proportion_to_its_length(kind: str) -> None:
    hold_linear(read_all, HARD[kind])


@pytest.mark.parametrize("kind", HARD_JSON)
def test_hard_json_takes_time_in_proportion_to_its_length(kind: str) -> None:
    hold_linear(engine.audit, HARD_JSON[kind])


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["hands", *slow(["cards", "tags", "faults", "comments after cards"])]
)
def test_a_record_takes_memory_in_proportion_to_the_most_it_may_hold(kind: str) -> None:
    """However long a record goes on, no more than a fixed multiple of a mebibyte is held."""
    # What is read after a mebibyte adds nothing: the record is refused and skipped.
    source = HARD[kind](200_000)[: 5 * engine.MAX_BYTES // 4]
    tracemalloc.start()
    read_all(source)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 60 * engine.MAX_BYTES
