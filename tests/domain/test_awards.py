"""What a table is worth to its sides: by result, by rank, by points, by victory points."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.awards import SCORINGS, awards, victory_points
from tournaments.domain.rows import (
    Bye,
    Mark,
    Points,
    Round,
    Scale,
    Scoring,
    Stage,
    StageRules,
    State,
    Table,
)

marks = st.builds(Mark, hands=st.integers(0, 6), points=st.integers(0, 500))
places = st.lists(st.integers(0, 20), min_size=1, max_size=5).map(
    lambda given_: tuple(Points(points) for points in sorted(given_, reverse=True))
)


def table(*scores: tuple[int, int], forfeits: tuple[int, ...] = (), number: int = 1) -> Table:
    sides = tuple((side,) for side in range(1, max(len(scores), 3) + 1))
    marks = tuple(Mark(hands, points) for hands, points in scores) or None
    return Table(number, sides[: len(scores)] or sides, marks=marks, forfeits=forfeits)


def awards_at(table_: Table, rules: StageRules) -> tuple[Points | int, ...]:
    return awards(Stage(1, "any", rules, rounds=(Round(1, (table_,)),)))[1, table_.number]


def by_rank(table_: Table, *points: int) -> tuple[Points | int, ...]:
    rules = StageRules(scoring=Scoring.TABLE)
    if points:
        given_ = tuple(Points(point) for point in points)
        rules = StageRules(scoring=Scoring.TABLE, table_points=given_)
    return awards_at(table_, rules)


def test_every_scoring_has_its_function() -> None:
    assert set(SCORINGS) == set(Scoring) - {Scoring.COMPARISON}


@pytest.mark.parametrize("scoring", list(Scoring))
def test_a_table_without_marks_and_a_draft_give_nothing(scoring: Scoring) -> None:
    stage = Stage(
        1,
        "any",
        StageRules(scoring=scoring),
        rounds=(
            Round(1, (Table(1, ((1,), (2,))),)),
            Round(2, (Table(1, ((1,), (2,)), marks=(Mark(1), Mark())),), State.DRAFT),
        ),
    )
    assert awards(stage) == {}


def test_at_a_table_of_three_hands_won_decide_before_points() -> None:
    assert by_rank(table((2, 60), (3, 40), (1, 90))) == (1, 2, 0)
    assert by_rank(table((0, 60), (0, 40), (0, 90))) == (1, 0, 2)


def test_two_sides_are_ranked_by_points_and_get_the_first_and_the_last_place() -> None:
    assert by_rank(table((1, 120), (2, 80))) == (2, 0)
    assert by_rank(table((1, 100), (2, 100))) == (0, 2)
    assert by_rank(table((1, 100), (1, 100))) == (1, 1)


def test_equals_share_their_places_evenly() -> None:
    assert by_rank(table((1, 50), (1, 50), (1, 20))) == (Fraction(3, 2), Fraction(3, 2), 0)
    assert by_rank(table((0, 0), (1, 50), (0, 0))) == (Fraction(1, 2), 2, Fraction(1, 2))


def test_places_without_points_are_worth_nothing() -> None:
    assert by_rank(table((1, 1), (2, 2), (3, 3)), 5) == (0, 0, 5)


def test_who_forfeits_gets_nothing_and_the_others_share_what_is_left() -> None:
    assert by_rank(table(forfeits=(1,))) == (Fraction(3, 2), 0, Fraction(3, 2))
    assert by_rank(table(forfeits=(0, 1))) == (0, 0, 2)
    assert by_rank(table(forfeits=(0, 1, 2))) == (0, 0, 0)
    assert by_rank(table((3, 90), (1, 10), (0, 0), forfeits=(2,))) == (2, 1, 0)


@given(st.lists(marks, min_size=2, max_size=5), places)
def test_by_rank_more_is_never_worth_less_and_all_places_are_given_out(
    side_marks: list[Mark], points: tuple[Points, ...]
) -> None:
    rules = StageRules(scoring=Scoring.TABLE, table_points=points)
    sides = tuple((side,) for side in range(len(side_marks)))
    shares = awards_at(Table(1, sides, marks=tuple(side_marks)), rules)
    padded = (
        points if len(points) <= len(side_marks) else (*points[: len(side_marks) - 1], points[-1])
    )
    assert sum(shares) == sum(padded)
    key = (
        (lambda m: (m.points, m.hands)) if len(side_marks) == 2 else (lambda m: (m.hands, m.points))
    )
    ranked = sorted(zip(map(key, side_marks), shares, strict=True))
    for (worse, less), (better, more) in itertools.pairwise(ranked):
        assert less <= more
        assert worse != better or less == more


@given(st.lists(marks, min_size=2, max_size=5), st.permutations(range(5)))
def test_by_rank_the_order_of_the_sides_changes_nothing(
    side_marks: list[Mark], order: list[int]
) -> None:
    rules = StageRules(scoring=Scoring.TABLE)
    moved = [at for at in order if at < len(side_marks)]
    sides = tuple((side,) for side in range(len(side_marks)))
    points = awards_at(Table(1, sides, marks=tuple(side_marks)), rules)
    moved_points = awards_at(Table(1, sides, marks=tuple(side_marks[at] for at in moved)), rules)
    assert moved_points == tuple(points[at] for at in moved)


def test_points_are_taken_as_they_are() -> None:
    rules = StageRules(scoring=Scoring.POINTS)
    assert awards_at(table((1, 120), (2, 80), (0, -20)), rules) == (120, 80, -20)


@pytest.mark.parametrize("scoring", [Scoring.MATCH, Scoring.TABLE, Scoring.POINTS])
def test_a_bye_is_worth_what_the_scale_says(scoring: Scoring) -> None:
    rules = StageRules(scoring=scoring, scale=Scale(bye=Points(7)))
    assert awards_at(Table(4, ((1,),), bye=Bye.PAIRING), rules) == (7,)
    assert awards_at(Table(4, ((1,),), bye=Bye.ZERO), rules) == (0,)


def test_in_victory_points_a_bye_and_a_forfeit_are_shares_of_twenty() -> None:
    rules = StageRules(scoring=Scoring.VICTORY, scale=Scale(bye=Fraction(6, 5)))
    assert awards_at(Table(1, ((1,),), bye=Bye.PAIRING), rules) == (12,)
    assert awards_at(Table(1, ((1,),), bye=Bye.HALF), rules) == (10,)
    assert awards_at(Table(1, ((1,), (2,)), forfeits=(0,)), rules) == (0, 20)


def test_a_level_table_gives_ten_each_and_the_full_margin_everything() -> None:
    assert victory_points(0, 60) == 10
    assert victory_points(60, 60) == victory_points(400, 60) == 20
    assert victory_points(59, 60) < 20
    assert victory_points(120, 60, 4) == 20


# B = 15 * sqrt(16) = 60 for 16 boards, worked out in floating point from the published formula:
# 1 IMP 10.31, 10 IMPs 12.80, 30 IMPs 16.73.
@pytest.mark.parametrize(("difference", "points"), [(1, "10.31"), (10, "12.80"), (30, "16.73")])
def test_sixteen_boards_are_worth_what_the_formula_says(difference: int, points: str) -> None:
    tau = (5**0.5 - 1) / 2
    expected = 10 + 10 * (1 - tau ** (3 * difference / 60)) / (1 - tau**3)
    assert victory_points(difference, 15, 16) == Fraction(points) == Fraction(f"{expected:.2f}")


@given(st.integers(0, 400), st.integers(1, 300), st.integers(1, 40))
def test_victory_points_grow_with_the_difference(difference: int, margin: int, deals: int) -> None:
    points = victory_points(difference, margin, deals)
    assert 10 <= points <= victory_points(difference + 1, margin, deals) <= 20
    assert (100 * points).denominator == 1


@given(marks, marks)
def test_both_sides_share_twenty_victory_points(ours: Mark, others: Mark) -> None:
    rules = StageRules(scoring=Scoring.VICTORY)
    points = awards_at(Table(1, ((1,), (2,)), marks=(ours, others)), rules)
    turned = awards_at(Table(1, ((2,), (1,)), marks=(others, ours)), rules)
    assert sum(points) == 20
    assert turned == points[::-1]


@pytest.mark.parametrize(("difference", "margin", "deals"), [(-1, 60, 1), (1, 0, 1), (1, 60, 0)])
def test_a_margin_or_a_number_of_deals_below_one_makes_no_sense(
    difference: int, margin: int, deals: int
) -> None:
    with pytest.raises(ValueError, match="no victory points"):
        victory_points(difference, margin, deals)


def test_hands_are_points_and_the_winner_has_the_bonus() -> None:
    rules = StageRules(scoring=Scoring.HANDS, match_bonus=Points(5, 2))
    hand_awards = SCORINGS[Scoring.HANDS]
    won = Table(1, ((1,), (2,)), marks=(Mark(1, 90), Mark(3, 40)))
    assert hand_awards(rules, won) == (Points(1), Points(11, 2))
    level = Table(1, ((1,), (2,)), marks=(Mark(2), Mark(2)))
    assert hand_awards(rules, level) == (Points(2), Points(2))
    decided = Table(1, ((1,), (2,)), marks=(Mark(2), Mark(2)), decided=0)
    assert hand_awards(rules, decided) == (Points(9, 2), Points(2))
    absent = Table(1, ((1,), (2,)), forfeits=(0,))
    assert hand_awards(rules, absent) == (rules.scale.forfeit_loss, rules.scale.forfeit_win)
