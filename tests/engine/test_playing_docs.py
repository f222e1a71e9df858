"""What the page on matches between bots says of deals and of the library is so."""

import re
from pathlib import Path

import pytest

import engine
from engine.rulesets import at_table

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
    (program,) = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    exec(compile(program, "docs/bots/playing.md", "exec"), {})  # noqa: S102 - it is our own page
    assert capsys.readouterr().out.startswith("Interval(mean=")
