"""No control character of a record reaches a terminal, whatever the command and the place."""

from __future__ import annotations

import io
import json
import os
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.cli import main
from engine.errors import RecordError
from engine.printable import escape_controls, escape_json
from tests.engine.test_fuzz import mutated
from tests.quick import examples
from tests.support.hostile import MOVES, hostile_record, sound_records

if TYPE_CHECKING:
    from pathlib import Path

BATCH = 20
"""Records of one example: each goes through every command."""

COMMANDS = (
    ["audit"],
    ["audit", "--json"],
    ["audit", "--lang", "de", "--hints"],
    ["convert", "--to", "json"],
    ["convert", "--to", "tute"],
    ["analyse", "--no-fair", "--hand", "1"],
    ["analyse", "--no-fair", "--hand", "1", "--json"],
)
TEXT = "".join(f"{chr(code)}a" for code in (*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x202E))


def printed(monkeypatch: pytest.MonkeyPatch, arguments: list[str], source: bytes) -> str:
    """What a command prints about a file, and its errors."""
    output, errors = io.BytesIO(), io.BytesIO()
    for name, stream in (("stdout", output), ("stderr", errors)):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(stream, "utf-8", write_through=True))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
    assert main([*arguments, "-"]) in {0, 1, 2}
    return (output.getvalue() + errors.getvalue()).decode()


@settings(max_examples=int(os.environ.get("BAZA_HOSTILE_BATCHES", examples(30))), deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**32 - 1))
def test_no_command_prints_a_control_of_a_record(seed: int) -> None:
    chance = Random(seed)
    records = [json.dumps(hostile_record(chance), ensure_ascii=False) for _ in range(BATCH)]
    lines = "\n".join(records).encode()
    texts = b"\n".join(mutated(chance, text) for text in written())
    with pytest.MonkeyPatch.context() as monkeypatch:
        for command in COMMANDS:
            output = printed(monkeypatch, command, lines)
            assert output
            assert not MOVES.search(output), (command, seed)
            if command == ["audit"]:
                verdicts = [line for line in output.splitlines() if line[0] in "✓✗"]
                assert len(verdicts) == BATCH, seed
        for command in COMMANDS[:5]:
            assert not MOVES.search(printed(monkeypatch, command, texts)), (command, seed)
        for number, record in enumerate(records):
            command = ["explain", *(["--json"] if number % 2 else [])]
            output = printed(monkeypatch, command, record.encode())
            assert not MOVES.search(output), (command, record)


def test_what_is_escaped_is_written_as_python_writes_it() -> None:
    assert escape_controls("8o\x1b[2J\r\n\u202e") == r"8o\x1b[2J\r\n\u202e"
    assert escape_controls(TEXT) == repr(TEXT)[1:-1]
    assert escape_controls(escape_controls(TEXT)) == escape_controls(TEXT)
    assert escape_controls("a\nb\r", keep="\n") == "a\nb\\r"
    assert escape_controls("Núñez · 3–2 “así”\u00a0✓") == "Núñez · 3–2 “así”\u00a0✓"


@pytest.mark.parametrize("indent", [None, 1])
def test_json_in_printable_characters_writes_the_same_value(indent: int | None) -> None:
    value = {TEXT: [TEXT, {"\\\u202e": "\\"}]}
    text = escape_json(json.dumps(value, ensure_ascii=False, indent=indent))
    assert json.loads(text) == value
    assert not MOVES.search(text)


def test_a_fault_of_a_token_is_quoted_once() -> None:
    fault = engine.Fault("play.token", "F1", facts={"text": "\x1b'8o"})
    assert engine.explain(fault) == '"\\x1b\'8o" is no card and no call'


@pytest.mark.parametrize("path", ["/tags/\x1b[31m\r\n✓ forged\u202e", "/\x9b"])
def test_an_exception_of_a_record_says_its_path_in_printable_characters(path: str) -> None:
    for error in (
        RecordError(engine.Fault("record.field", "F1", path=path), "unknown_field"),
        engine.PositionError(path, "unknown_field"),
    ):
        assert not MOVES.search(str(error)), str(error)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_bot_under_test_does_not_write_to_the_terminal(
    stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"import sys\nprint('\\x1b[2J\\u202e', file=sys.{stream})\n", encoding="utf-8")
    assert main(["check-bot", "--trusted", "--deals", "1", f"{sys.executable} {bot}"]) == 1
    output = capsys.readouterr()
    assert r"\x1b[2J\u202e" in output.out
    assert not MOVES.search(output.out + output.err)


def written() -> list[bytes]:
    """The records as text."""
    return [engine.write_text(json.loads(text)).encode() for text in sound_records()]
