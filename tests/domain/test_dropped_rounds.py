"""The worst rounds of an entrant count for nothing, and the best one decides ties."""

from dataclasses import replace

import pytest

from tournaments.domain.ranking import CannotRank, order_of, ranking, tally_of
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    PlaceRule,
    Points,
    Round,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.tiebreaks import CRITERIA

ORDER = ("best_round", "point_difference")


def met(number: int, one: int, other: int, hands: str, points: str) -> Table:
    marks = zip(map(int, hands.split("-")), map(int, points.split("-")), strict=True)
    return Table(number, ((one,), (other,)), marks=tuple(Mark(*mark) for mark in marks))


def swiss(
    *rounds: tuple[Table, ...], penalties: tuple[Penalty, ...] = (), drop: int = 1
) -> TournamentRows:
    rules = StageRules(order=ORDER, drop_rounds=drop, places=PlaceRule.PLAYED)
    numbers = sorted({n for tables in rounds for table in tables for n in table.entrants})
    rounds_ = tuple(Round(number, tables) for number, tables in enumerate(rounds, 1))
    stage = Stage(1, "swiss", rules, tuple(numbers), rounds_)
    entrants = tuple(map(Entrant, numbers))
    return TournamentRows("", entrants=entrants, stages=(stage,), penalties=penalties)


def dropped(rows: TournamentRows, entrant: int) -> set[int]:
    return set(tally_of(rows, rows.stages[0]).dropped(entrant))


def totals(rows: TournamentRows) -> dict[int, Points]:
    return {line.entrant: line.match_points for line in ranking(rows, rows.stages[0])}


FIVE = (
    (met(1, 1, 2, "3-0", "120-90"), met(2, 3, 4, "3-1", "110-80")),
    (met(1, 3, 1, "3-1", "130-60"), met(2, 2, 4, "3-2", "100-95")),
    (met(1, 1, 4, "3-0", "125-75"), met(2, 2, 3, "3-1", "140-70")),
    (met(1, 1, 2, "3-2", "105-100"), met(2, 3, 4, "3-0", "115-60")),
    (met(1, 1, 4, "3-0", "110-70"), met(2, 2, 3, "1-3", "80-90")),
)
"""Five rounds of four: 1 and 3 win four each, 2 wins two, 4 none."""


def test_of_five_rounds_the_worst_is_dropped_and_the_best_decides_the_tie() -> None:
    rows = swiss(*FIVE)
    lines = ranking(rows, rows.stages[0])
    placed = [(3, Points(8)), (1, Points(8)), (2, Points(4)), (4, Points(0))]
    assert [(line.entrant, line.match_points) for line in lines] == placed
    assert [line.values[0].number for line in lines] == [130, 125, 140, 95]
    assert lines[1].decided_by == "best_round"
    assert (dropped(rows, 1), dropped(rows, 3)) == ({2}, {3})


def test_what_is_dropped_is_shown_and_counts_in_no_sum() -> None:
    rows = swiss(*FIVE)
    tally = tally_of(rows, rows.stages[0])
    for code in ("match_points", "point_difference", "points_for", "won"):
        cut = {term.round for term in CRITERIA[code].terms(tally, 1, ()) if term.cut}
        assert cut == ({2} if code != "won" else set())
    assert CRITERIA["points_for"].number(tally, 1) == 120 + 125 + 105 + 110
    assert sum(line.points for line in ranking(rows, rows.stages[0]) if line.entrant == 1) == 520


def test_a_round_counts_less_its_penalties_and_takes_them_along() -> None:
    penalised = swiss(*FIVE, penalties=(Penalty(1, 3, Points(3)),))
    assert dropped(penalised, 1) == {3}
    assert totals(penalised)[1] == 6
    before_any = swiss(*FIVE, penalties=(Penalty(1, 0, Points(3)),))
    assert (dropped(before_any, 1), totals(before_any)[1]) == ({2}, Points(5))


@pytest.mark.parametrize(
    ("bye", "worst"), [(Bye.ZERO, 2), (Bye.HALF, 2), (Bye.PAIRING, 1), (Bye.FULL, 1)]
)
def test_an_absence_goes_before_a_defeat_and_a_bye_worth_a_win_after_it(
    bye: Bye, worst: int
) -> None:
    rows = swiss(
        (met(1, 1, 2, "0-3", "60-90"),),
        (Table(1, ((1,),), bye=bye), Table(2, ((2,),), bye=Bye.FULL)),
    )
    assert dropped(rows, 1) == {worst}


def test_a_walk_over_that_was_lost_goes_before_a_defeat() -> None:
    lost = Table(1, ((1,), (2,)), forfeits=(0,))
    rows = swiss((met(1, 1, 2, "0-3", "60-90"),), (lost,), (met(1, 1, 2, "3-0", "90-60"),))
    assert dropped(rows, 1) == {2}


def test_one_round_always_counts() -> None:
    rows = swiss(*FIVE[:2], drop=4)
    assert totals(rows) == {1: 2, 2: 2, 3: 2, 4: 0}
    assert dropped(swiss(FIVE[0], drop=4), 1) == set()


@pytest.mark.parametrize(
    ("format_", "order", "code"),
    [
        ("swiss", None, "drop_with_criterion"),
        ("swiss", ("sonneborn_berger",), "drop_with_criterion"),
        ("swiss", ("progressive",), "drop_with_criterion"),
        ("knockout", None, "cannot_drop"),
        ("ladder", ("direct_encounter",), "cannot_drop"),
    ],
)
def test_drops_are_refused_where_a_number_would_need_every_round(
    format_: str, order: tuple[str, ...] | None, code: str
) -> None:
    with pytest.raises(CannotRank) as refused:
        order_of(Stage(1, format_, StageRules(order=order, drop_rounds=1)))
    assert (refused.value.code, refused.value.rule) == (code, "drop_rounds")


def test_points_among_the_tied_place_those_whose_differences_are_level() -> None:
    rows = swiss(
        (met(1, 1, 2, "3-1", "80-60"), met(2, 3, 4, "3-1", "100-90")),
        (met(1, 2, 1, "3-1", "70-50"), met(2, 4, 3, "3-1", "110-100")),
        drop=0,
    )
    stage = rows.stages[0]
    order = ("mini_point_difference", "mini_points_for")
    stage = replace(stage, rules=replace(stage.rules, order=order))
    lines = ranking(replace(rows, stages=(stage,)), stage)
    assert [(line.rank, line.entrant) for line in lines] == [(1, 3), (1, 4), (3, 1), (3, 2)]
    assert lines[2].decided_by == "mini_points_for"
