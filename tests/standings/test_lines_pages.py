"""What a page of a large event repeats: cells by rounds, matches in one line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from django.utils import translation

from tournaments.director.queries.rows import MatchRow, ScoreRow, Side, TableSide
from tournaments.standings.queries.crosstables import RoundCell
from tournaments.standings.queries.standings import EntryName, SumRow, TermRow
from tournaments.standings.templatetags.lines import round_cells, table_line, term_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYED = RoundCell("played", "won", 10, (7,), 3, 1, 1)
MATCH = MatchRow(
    pk=10,
    round=1,
    table=4,
    home=Side(1, "Ana <y> Luis", (), False),
    away=Side(2, "Eva y Paz", (), False),
    state="accepted",
    score=ScoreRow(3, 1, 360, 210, "home"),
    needs_arbiter=False,
    sides=(
        TableSide("home", "Ana <y> Luis", (), False, won=True, shown_name="Ana <y> Luis"),
        TableSide("away", "Eva", (), False, shown_name="Eva"),
    ),
)


@pytest.fixture(autouse=True)
def in_spanish() -> Iterator[None]:
    with translation.override("es"):
        yield


def test_a_round_that_was_played_shows_opponent_and_hands_and_leads_to_the_match() -> None:
    assert round_cells([PLAYED], {7: 2}) == (
        '<td class="won"><a href="/matches/10/"><span class="cell__who">2</span>'
        "<span>3–1</span></a></td>"
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (PLAYED._replace(kind="open", outcome=""), "sin resultado que cuente"),
        (PLAYED._replace(kind="forfeit_win"), ">inc.<"),
        (PLAYED._replace(opponents=(7, 9)), ">2+1<"),
        (RoundCell("half_bye", match_points=0.5), ">+0,5<"),
        (RoundCell("zero_bye"), ">0<"),
        (RoundCell(""), ">·<"),
    ],
)
def test_a_round_shows_what_else_it_can_have_been(cell: RoundCell, text: str) -> None:
    assert text in round_cells([cell], {7: 2, 9: 1})


TERM = TermRow(
    round=3,
    match_pk=10,
    entries=(EntryName(7, "Ana <y> Luis", "Ana <y> Luis"),),
    amount=-2.5,
    factors=(),
    note="opponent",
    cut="",
)


def lines_of(*terms: TermRow, code: str = "hand_difference") -> str:
    """Return the addends of a number as a page has them."""
    return term_lines(SumRow(code, 1, (), terms), "/t/copa/", 2)


def test_an_addend_leads_to_its_match_and_to_the_sums_that_it_comes_from() -> None:
    lines = lines_of(TERM)
    assert '<a class="open" href="/matches/10/">Ronda 3</a>' in lines
    assert 'href="/t/copa/standings/7/?stage=2#match_points">Ana &lt;y&gt; Luis</a>' in lines
    assert '<span class="term__amount number">−2,5</span>' in lines


def test_an_addend_without_a_match_names_its_round_alone() -> None:
    lines = lines_of(replace(TERM, match_pk=None))
    assert '<span class="term__what">Ronda 3 <a' in lines


def test_what_is_cut_is_crossed_out_and_says_why() -> None:
    lines = lines_of(replace(TERM, cut="cut_least"))
    assert '<li class="term term--cut">' in lines
    assert "<del>−2,5</del>" in lines
    assert " · " in lines


def test_a_product_shows_its_factors() -> None:
    lines = lines_of(replace(TERM, amount=3, factors=(2, 1.5)))
    assert '<span class="quiet small">2 × 1,5 =</span> +3<' in lines


def test_a_line_has_the_score_between_the_sides_and_names_them_safely() -> None:
    line = table_line(MATCH)
    first, score, second = line.index("Ana &lt;y&gt; Luis"), line.index("3–1"), line.rindex("Eva")
    assert first < score < second
    assert '<a href="/matches/10/">3–1' in line
    assert '<span class="match__side match__winner"><span>Ana' in line
    assert '<span class="visually-hidden">Mesa </span>4</span>' in line
    assert "badge" not in line


def test_a_line_says_when_a_match_waits_for_a_person() -> None:
    assert "Por confirmar" in table_line(replace(MATCH, state="reported"))
    assert "Necesita al árbitro" in table_line(replace(MATCH, needs_arbiter=True))
    assert ">1–0<" in table_line(replace(MATCH, score=None, in_play="1–0"))


def test_a_line_says_who_sits_out() -> None:
    line = table_line(replace(MATCH, away=None, sides=MATCH.sides[:1], score=None, state="bye"))
    assert "descansa" in line
    assert "<a" not in line


def test_a_forfeit_says_so_instead_of_hands_that_nobody_played() -> None:
    absent = replace(MATCH.sides[1], absent=True)
    score = ScoreRow(0, 0, 0, 0, "home", forfeits=("away",))
    line = table_line(replace(MATCH, score=score, sides=(MATCH.sides[0], absent)))
    assert "0–0" not in line
    assert '<abbr title="incomparecencia">inc.</abbr>' in line
    assert line.index("Eva") < line.index("no jugó")


def test_a_match_that_time_ended_says_so() -> None:
    assert MATCH.score is not None
    assert "por tiempo" in table_line(replace(MATCH, score=replace(MATCH.score, cut=True)))
    assert "por tiempo" not in table_line(MATCH)


def test_the_line_of_ones_own_table_is_marked() -> None:
    own = replace(MATCH, sides=(replace(MATCH.sides[0], entries=(7,)), MATCH.sides[1]))
    assert "table-line--own" in table_line(own, {7})
    assert "Tu mesa" in table_line(own, {7})
    assert "Tu mesa" not in table_line(own, {8})


def test_the_menu_of_a_line_has_the_reasons_of_its_pairing() -> None:
    edited = replace(MATCH, edited=True)
    assert "¿Por qué este cruce?" in table_line(edited, names={})
    assert "<details" not in table_line(edited)
    assert "<details" not in table_line(MATCH, names={})
