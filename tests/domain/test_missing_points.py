"""Card points that only some tables reported decide no place under the rule ``played``."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.ranking import StandingsLine, ranking, tables
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    PlaceRule,
    Round,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)

ORDER = ("point_difference", "points_for", "mini_point_difference")


def swiss(*rounds: tuple[Table, ...], order: tuple[str, ...], **rules: object) -> TournamentRows:
    """A Swiss with these tables, its places by what was played."""
    entrants = sorted({n for tables_ in rounds for table in tables_ for n in table.entrants})
    stage = Stage(
        1,
        "swiss",
        replace(StageRules(order=order, places=PlaceRule.PLAYED), **rules),  # type: ignore[arg-type]
        tuple(entrants),
        tuple(Round(number, tables_) for number, tables_ in enumerate(rounds, 1)),
    )
    return TournamentRows("", entrants=tuple(map(Entrant, entrants)), stages=(stage,))


def met(number: int, one: int, other: int, score: str, points: str = "0-0") -> Table:
    hands, cards = (tuple(map(int, text.split("-"))) for text in (score, points))
    marks = tuple(map(Mark, hands, cards))
    return Table(number, ((one,), (other,)), marks=marks)


def listed(rows: TournamentRows) -> TournamentRows:
    stage = rows.stages[0]
    rules = replace(stage.rules, places=PlaceRule.LISTED)
    return replace(rows, stages=(replace(stage, rules=rules),))


def placed(rows: TournamentRows) -> list[tuple[int, int]]:
    return [(line.rank, line.entrant) for line in ranking(rows, rows.stages[0])]


def numbers(line: StandingsLine) -> list[Fraction | None]:
    return [value.number for value in line.values]


EIGHT = (
    met(1, 1, 2, "3-1", "400-300"),
    met(2, 3, 4, "3-1"),
    met(3, 5, 6, "3-1"),
    met(4, 7, 8, "3-1"),
)


def test_one_table_with_points_decides_nothing_in_a_swiss_of_eight() -> None:
    rows = swiss(EIGHT, order=("point_difference",))
    assert placed(rows) == [(1, 1), (1, 3), (1, 5), (1, 7), (5, 2), (5, 4), (5, 6), (5, 8)]
    assert placed(listed(rows))[0] == (1, 1)
    assert placed(listed(rows))[-1] == (8, 2)
    (table,) = tables(rows, rows.stages[0])
    assert table.passed_over == ("point_difference",)
    assert tables(listed(rows), listed(rows).stages[0])[0].passed_over == ()


def test_an_entrant_has_a_number_only_where_no_table_of_theirs_lacks_points() -> None:
    rows = swiss(EIGHT, order=("point_difference",))
    assert {
        line.entrant: number for line in ranking(rows, rows.stages[0]) for number in numbers(line)
    } == {1: 100, 2: -100, 3: None, 4: None, 5: None, 6: None, 7: None, 8: None}


def test_those_who_all_have_their_points_are_ordered_by_them() -> None:
    """A tie is judged by itself: 3 and 4 are level on hands, and all of theirs is written down."""
    tables_ = (
        met(1, 3, 1, "3-0", "300-100"),
        met(2, 4, 2, "3-0", "310-100"),
        met(3, 5, 6, "3-1"),
    )
    rows = swiss(tables_, order=("hand_difference", "point_difference"))
    assert placed(rows)[:3] == [(1, 4), (2, 3), (3, 5)]
    assert tables(rows, rows.stages[0])[0].passed_over == ()


def test_byes_and_forfeits_lack_no_points() -> None:
    tables_ = (
        met(1, 1, 2, "3-0", "300-100"),
        Table(2, ((3,), (4,)), forfeits=(1,)),
        Table(3, ((5,),), Bye.PAIRING),
    )
    rows = swiss(tables_, order=("point_difference",))
    assert placed(rows) == [(1, 1), (2, 3), (2, 5), (4, 4), (5, 2)]


def test_the_next_criterion_goes_on_where_points_are_passed_over() -> None:
    tables_ = (met(1, 1, 2, "3-1", "400-300"), met(2, 3, 4, "3-0"))
    rows = swiss(tables_, order=("point_difference", "hand_difference"))
    assert placed(rows) == [(1, 3), (2, 1), (3, 2), (4, 4)]
    lines = ranking(rows, rows.stages[0])
    assert [line.decided_by for line in lines] == [
        "",
        "hand_difference",
        "match_points",
        "hand_difference",
    ]


def test_among_the_tied_only_their_own_matches_need_points() -> None:
    tables_ = (
        (met(1, 1, 2, "3-0", "300-100"), met(2, 3, 4, "3-0")),
        (met(1, 2, 3, "3-0", "200-100"), met(2, 4, 1, "0-3")),
        (met(1, 3, 1, "3-0", "240-100"), met(2, 2, 4, "3-0")),
    )
    rows = swiss(*tables_, order=("mini_point_difference",))
    assert placed(rows) == [(1, 1), (2, 3), (3, 2), (4, 4)]


RESULTS = st.tuples(st.integers(0, 3), st.integers(0, 400), st.booleans())


@given(st.lists(RESULTS, max_size=12), st.sampled_from(ORDER))
def test_points_separate_only_those_who_all_have_them(
    results: list[tuple[int, int, bool]], code: str
) -> None:
    tables_: list[Table] = []
    reported: dict[int, bool] = {}
    for number, (hands, points, is_reported) in enumerate(results, 1):
        home, away = 2 * number - 1, 2 * number
        cards = f"{points}-1" if is_reported else "0-0"
        tables_.append(met(number, home, away, f"{hands}-3", cards))
        reported |= {home: is_reported, away: is_reported}
    rows = swiss(tuple(tables_), order=(code,))
    tied: dict[Fraction, list[StandingsLine]] = {}
    for line in ranking(rows, rows.stages[0]):
        tied.setdefault(line.match_points, []).append(line)
    for lines in tied.values():
        separated = len({line.rank for line in lines}) > 1
        assert not separated or all(reported[line.entrant] for line in lines)
    if all(reported.values()):
        assert placed(rows) == placed(listed(rows))
