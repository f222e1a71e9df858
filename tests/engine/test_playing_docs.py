"""What the page on matches between bots says of deals and of the library is so."""

import re
import sys
from dataclasses import is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import engine
from engine.rulesets import at_table
from tests.clubs import club_night_lines

PAGE = Path("docs/bots/playing.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
VECTOR = re.compile(
    r"^\| `(\S+)`, (\d) \| ([A-D]) \| (\w\w) \| (.+?) \| (?:`(.+?)`)? ?\|$", re.MULTILINE
)


@pytest.mark.parametrize("vector", VECTOR.findall(PAGE), ids=lambda vector: " ".join(vector[:2]))
def test_the_vectors_of_the_page_are_dealt(vector: tuple[str, ...]) -> None:
    ruleset, seats, dealer, trump, hands, stock = vector
    dealt = engine.deal(at_table(engine.RULESETS[ruleset], int(seats)), SEED, "prueba/1", 1)
    assert (dealt.dealer, dealt.trump, dealt.stock or "") == (dealer, trump, stock)
    stated = dict(re.findall(r"([A-D]) `(.+?)`", hands))
    assert stated == {seat: cards for seat, cards in dealt.hands.items() if cards}


def test_the_page_has_a_vector_of_every_kind_of_deal() -> None:
    assert [occurrence[:2] for occurrence in VECTOR.findall(PAGE)] == [
        ("parejas", "4"),
        ("habanero", "2"),
        ("arrastrado", "3"),
        ("arrastrado", "4"),
    ]
    assert engine.commitment("prueba", SEED) in PAGE


def test_the_program_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program, _as_data) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    exec(compile(program, "docs/bots/playing.md", "exec"), {})  # noqa: S102 - it is our own page
    assert capsys.readouterr().out.startswith("Interval(mean=")


def test_verdicts_and_plays_are_rows_of_one_line_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pandas is not installed here: a table is the list of rows that it is made of."""
    (_program, as_data) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    (tmp_path / "records.ndjson").write_text("\n".join(club_night_lines()[:2]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=list))
    tables: dict[str, Any] = {}
    exec(compile(as_data, "docs/bots/playing.md", "exec"), tables)  # noqa: S102 - it is our own page
    assert tables["verdicts"][0] == {"valid": True, "winner": "BD", "AC": 0, "BD": 3}
    assert all(is_dataclass(step) for step in tables["plays"])
    assert [step.token for step in tables["plays"][:3]] == [None, "2e", "Se"]
