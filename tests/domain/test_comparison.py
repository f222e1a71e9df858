"""Duplicate scoring: a result is worth what it is beside the others with the same cards."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.awards import awards
from tournaments.domain.comparison import (
    average_differences,
    match_points,
    score_sheet,
    top_score,
)
from tournaments.domain.rows import (
    AVERAGE,
    Bye,
    Mark,
    Points,
    Round,
    Scoring,
    Stage,
    StageRules,
    Table,
)

results = st.lists(st.integers(-130, 130), min_size=1, max_size=12)
RULES = StageRules(scoring=Scoring.COMPARISON, deals=1)


def played(number: int, sides: tuple[int, int], **deals: tuple[int, int]) -> Table:
    """A table at which the sides made these points in deals ``d1``, ``d2`` …"""
    points = tuple(deals.values())
    total = tuple(Mark(points=sum(deal[side] for deal in points)) for side in (0, 1))
    return Table(
        number,
        ((sides[0],), (sides[1],)),
        marks=total,
        boards=tuple(int(name[1:]) for name in deals),
        board_points=points,
    )


def stage_of(*rounds: tuple[Table, ...], rules: StageRules = RULES) -> Stage:
    return Stage(
        1,
        "duplicate",
        rules,
        rounds=tuple(Round(number, tables) for number, tables in enumerate(rounds, start=1)),
    )


def awarded(stage: Stage) -> Mapping[tuple[int, int], tuple[Points | int, ...]]:
    return awards(stage)


def shared_out(results: list[int], expected: int | None = None) -> tuple[Points | int, ...]:
    return match_points(results, expected)


def differences(results: list[int]) -> tuple[Points | int, ...]:
    return average_differences(results)


def test_two_match_points_for_each_result_beaten_and_one_for_each_equalled() -> None:
    assert shared_out([50, 10, 10, -30]) == (6, 3, 3, 0)
    assert shared_out([7]) == (0,)


def test_with_fewer_results_neuberg_brings_the_deal_to_the_same_top() -> None:
    # Three results of four: (4/3)(m + 1) - 1.
    assert shared_out([9, 5, 1], 4) == (Fraction(17, 3), 3, Fraction(1, 3))
    assert shared_out([9], 4) == (3,)


@given(results, st.integers(0, 20))
def test_match_points_of_a_deal_average_half_of_the_top(numbers: list[int], more: int) -> None:
    expected = len(numbers) + more
    awarded_points = match_points(numbers, expected)
    assert sum(awarded_points) / len(numbers) == expected - 1
    assert all(0 <= points <= 2 * (expected - 1) for points in awarded_points)
    opposite = match_points([-result for result in numbers], expected)
    assert [a + b for a, b in zip(awarded_points, opposite, strict=True)] == [
        2 * (expected - 1)
    ] * len(numbers)


@given(results)
def test_a_better_result_is_worth_more_match_points(numbers: list[int]) -> None:
    ranked = sorted(zip(numbers, match_points(numbers), strict=True))
    for (worse, less), (better, more) in itertools.pairwise(ranked):
        assert (less < more) == (worse < better)


@given(results)
def test_average_differences_of_both_sides_cancel_out(numbers: list[int]) -> None:
    points = average_differences(numbers)
    opposite = average_differences([-result for result in numbers])
    assert [a + b for a, b in zip(points, opposite, strict=True)] == [0] * len(numbers)
    assert abs(sum(points, Points(0))) <= Fraction(len(numbers), 200)


def test_an_average_difference_is_taken_from_the_mean_of_the_others() -> None:
    assert differences([30, 10, -10]) == (30, 0, -30)
    assert differences([5]) == (0,)


def test_each_side_is_compared_with_the_same_side_of_the_other_tables() -> None:
    stage = stage_of((played(1, (1, 4), d1=(80, 50)), played(2, (2, 5), d1=(90, 40))))
    assert awarded(stage) == {(1, 1): (0, 2), (1, 2): (2, 0)}
    assert [(line.board, line.table, line.difference) for line in score_sheet(stage)] == [
        (1, 1, 30),
        (1, 2, 50),
    ]


def test_a_deal_is_compared_over_all_rounds_of_the_stage() -> None:
    stage = stage_of(
        (played(1, (1, 4), d1=(80, 50)), played(2, (2, 5), d2=(65, 65))),
        (played(1, (1, 5), d2=(70, 60)), played(2, (2, 4), d1=(60, 70))),
    )
    assert awarded(stage) == {(1, 1): (2, 0), (1, 2): (0, 2), (2, 1): (2, 0), (2, 2): (0, 2)}


def test_the_deals_of_a_table_are_added_up() -> None:
    stage = stage_of(
        (
            played(1, (1, 4), d1=(80, 50), d2=(40, 90)),
            played(2, (2, 5), d1=(90, 40), d2=(40, 90)),
        )
    )
    assert awarded(stage) == {(1, 1): (1, 3), (1, 2): (3, 1)}
    average = replace(stage, rules=replace(RULES, comparison=AVERAGE))
    assert awarded(average) == {(1, 1): (-20, 20), (1, 2): (20, -20)}
    assert top_score(average) == 0


def test_who_sits_out_gets_the_mean_of_what_they_played() -> None:
    stage = stage_of(
        (
            played(1, (1, 4), d1=(80, 50)),
            played(2, (2, 5), d1=(90, 40)),
            Table(3, ((3,),), bye=Bye.PAIRING),
        ),
        (Table(1, ((2,),), bye=Bye.PAIRING),),
    )
    points = awarded(stage)
    assert points[2, 1] == (2,)
    assert points[1, 3] == (1,)


@pytest.mark.parametrize(("bye", "worth"), [(Bye.FULL, "6/5"), (Bye.HALF, "1"), (Bye.ZERO, "0")])
def test_a_bye_that_was_asked_for_is_a_share_of_the_top(bye: Bye, worth: str) -> None:
    stage = stage_of(
        (
            played(1, (1, 4), d1=(80, 50)),
            played(2, (2, 5), d1=(90, 40)),
            Table(3, ((3,),), bye=bye),
        )
    )
    assert awarded(stage)[1, 3] == (Fraction(worth),)


def test_who_does_not_come_gets_nothing_and_the_others_three_fifths() -> None:
    stage = stage_of(
        (
            played(1, (1, 4), d1=(80, 50)),
            played(2, (2, 5), d1=(90, 40)),
            Table(3, ((3,), (6,)), forfeits=(1,), boards=(2, 3)),
        )
    )
    assert awarded(stage)[1, 3] == (Fraction(12, 5), 0)


def test_a_table_whose_deals_are_not_known_is_compared_with_nothing_and_earns_nothing() -> None:
    lone = Table(1, ((1,), (4,)), marks=(Mark(2, 90), Mark(0, 40)), boards=(1,))
    assert awarded(stage_of((lone,))) == {(1, 1): (0, 0)}


def test_three_sides_cannot_be_compared() -> None:
    three = Table(
        1,
        ((1,), (2,), (3,)),
        marks=(Mark(), Mark(), Mark()),
        boards=(1,),
        board_points=((1, 2, 3),),
    )
    with pytest.raises(ValueError, match="3 sides"):
        awards(stage_of((three,)))


@given(st.lists(st.tuples(st.integers(0, 130), st.integers(0, 130)), min_size=2, max_size=8))
def test_a_deal_gives_the_same_sum_to_both_sides_together(results: list[tuple[int, int]]) -> None:
    tables = tuple(
        played(number, (number, 100 + number), d1=points)
        for number, points in enumerate(results, start=1)
    )
    stage = stage_of(tables)
    assert all(sum(points, Points(0)) == top_score(stage) for points in awards(stage).values())
