"""`baza conformance COMMAND`: programs under test, right, wrong and broken."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from engine.cli import main
from engine.conformance import KINDS, SUITE

ENGINE = """
import json, sys
from engine.cli import main
{change}
sys.exit(main(["conformance", "--answer"]))
"""
SHOULD_HEAD_IS_FORGOTTEN = """
from engine import state
right = state.legal_cards
def legal_cards(rules, hand, table, trumps, stock=0):
    from engine.cards import SUIT_OF
    legal = right(rules, hand, table, trumps, stock)
    follow = hand & SUIT_OF[table[0]] if table else 0
    return follow if legal & follow and not legal & ~follow else legal
state.legal_cards = legal_cards
"""
ENDLESS = "import sys\nwhile True: sys.stdout.write('x' * 65536)"


@pytest.fixture
def tenth(tmp_path: Path) -> str:
    """A suite of every tenth case."""
    (tmp_path / "cases").mkdir()
    for path in (SUITE / "cases").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / "cases" / path.name).write_text("".join(lines[::10]), encoding="utf-8")
    return str(tmp_path)


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


@pytest.mark.slow
def test_the_engine_passes_over_a_pipe(tenth: str, capfd: pytest.CaptureFixture[str]) -> None:
    command = python(ENGINE.format(change=""))
    assert main(["conformance", "--suite", tenth, *command]) == 0
    assert capfd.readouterr().out.endswith("cases: 100 %\n")


def test_a_program_that_forgets_to_head_fails_by_that_rule(
    tenth: str, capfd: pytest.CaptureFixture[str]
) -> None:
    command = python(ENGINE.format(change=SHOULD_HEAD_IS_FORGOTTEN))
    assert main(["conformance", "--suite", tenth, "--kind", "legal", *command]) == 1
    report = capfd.readouterr().out
    assert "✗ R4.2 " in report
    assert "✓ R4.6 " in report
    assert "✗ legal/" in report
    assert "100 %" not in report


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import time; time.sleep(60)", "no answer within 2 s"),
        ("import sys; sys.exit(3)", "ended without an answer (exit code 3)"),
        ("input(); print('hello'); input()", "not an answer to this case: hello"),
        ("input(); print('[1]'); input()", "not an answer to this case: [1]"),
        ('input(); print(\'{"id": 7, "answer": {}}\'); input()', "not an answer to this case"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\n'); input()", "not an answer to this case"),
        ("input(); print('[' * 100_000); input()", "not an answer to this case: [[["),
        ('input(); print(\'{"id": 1, "id": 2}\'); input()', "not an answer to this case"),
        (ENDLESS, "not an answer to this case: xxx"),
    ],
)
def test_a_program_that_does_not_answer_is_named_with_the_case(
    program: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-u", "-S", "-c", program]
    assert main(["conformance", "--timeout", "2", "--kind", "legal", *command]) == 2
    error = capfd.readouterr().err
    assert error.startswith("tute: legal/")
    assert words in error
    assert len(error) < 600


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["/no/such/program"], "/no/such/program cannot be started: No such file"),
        (["--suite", "/no/such/folder"], "there is no conformance suite in /no/such/folder"),
        (["--rule", "R77"], "no case of the suite has this rule and kind"),
        (["--rule", "R77", "--lang", "de"], "kein Fall hat diese Regel und Art"),
    ],
)
def test_a_call_that_cannot_be_followed_says_why(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conformance", *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("line", ["[" * 100_000, "7", '{"id": "legal/1"}', '{"id": 1, "id": 2}'])
def test_a_line_that_is_no_case_is_named(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cases").mkdir()
    for kind in KINDS:
        (tmp_path / "cases" / f"{kind}.ndjson").write_text(f"{line}\n", encoding="utf-8")
    assert main(["conformance", "--suite", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("legal.ndjson:1: no case of the conformance suite\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n"))
    assert main(["conformance", "--answer"]) == 2
    assert capsys.readouterr().err == "tute: stdin:1: no case of the conformance suite\n"


def test_a_rule_chooses_its_parts_and_no_other_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", "--kind", "legal", "--rule", "R4.4", "--lang", "es"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[1] for line in lines if line[0] == "✓"] == ["R4.4", "R4.4a", "R4.4b", "legal"]
    assert lines[0] == ["Por", "regla:"]
