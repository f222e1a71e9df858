"""Tables of three, four and five: their sizes, who meets whom, what they are worth."""

import math
from fractions import Fraction

import pytest

from tournaments.domain.awards import table_awards
from tournaments.domain.file import FileError
from tournaments.domain.file.consistency import check_table
from tournaments.domain.movements.threes import (
    History,
    design_seats,
    history,
    imbalance,
    plan,
    table_sizes,
)
from tournaments.domain.rows import Mark, Points, Scale, Scoring, StageRules, Table


@pytest.mark.parametrize(
    ("players", "size", "other", "sizes"),
    [
        (13, 4, 3, (4, 3, 3, 3)),
        (22, 4, 5, (4, 4, 4, 5, 5)),
        (12, 4, 3, (4, 4, 4)),
        (11, 5, 3, (5, 3, 3)),
        (5, 4, 3, (4,)),
        (3, 4, 3, (3,)),
        (10, 3, None, (3, 3, 3)),
        (2, 4, 3, ()),
    ],
)
def test_as_few_as_can_be_rest_then_as_few_as_can_be_sit_at_the_other_size(
    players: int, size: int, other: int | None, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(players, size, other) == sizes


@pytest.mark.parametrize("other", [3, 5])
@pytest.mark.parametrize("players", [13, 16, 22, 50])
def test_over_five_rounds_at_fours_nobody_meets_anybody_oftener_than_must_nearly_be(
    players: int, other: int
) -> None:
    people = range(1, players + 1)
    sizes = table_sizes(players, 4, other)
    seats = design_seats(people, people, 4)
    rounds = plan(people, 5, History(seats=max(sizes)), sizes=sizes, seats=seats, seed="c0ffee")
    assert all(sorted(p for t in r.tables for p in t) == list(people) for r in rounds)
    balance = imbalance(rounds, people)
    assert balance.most <= (1 if players == 16 else math.ceil(5 * 3 / (players - 1)) + 1)
    assert balance.seats <= (1 if len(set(sizes)) == 1 else 2)


def test_at_fives_twenty_five_meet_once_and_go_on_when_five_more_come() -> None:
    first, later = range(1, 26), range(1, 31)
    seats = design_seats(first, first, 5)
    six = plan(first, 6, History(seats=5), sizes=(5,) * 5, seats=seats)
    assert set(history(six, seats=5).meetings.values()) == {1}
    before = history(six[:2], later, seats=5)
    balance = imbalance((*six[:2], *plan(later, 4, before, sizes=(5,) * 6)), first)
    assert balance.most <= 2
    # Two games were played, in which only two of the five chairs came up.
    assert balance.seats <= 2


# --- what a table is worth ----------------------------------------------------------------------

RULES = StageRules(
    scoring=Scoring.TABLE,
    points_by_size=tuple(
        tuple(map(Points, points)) for points in ((2, 0, -2), (3, 1, -1, -3), (4, 2, 0, -2, -4))
    ),
    scale=Scale(forfeit_loss=Points(-5)),
)


def table(*places: int, hands: tuple[int, ...] = (), forfeits: tuple[int, ...] = ()) -> Table:
    """Return a table by stated places, or by hands."""
    sides = tuple((n,) for n in range(1, max(len(places), len(hands)) + 1))
    marks = tuple(map(Mark, hands or (0,) * len(places)))
    return Table(1, sides, marks=marks, places=places, forfeits=forfeits)


@pytest.mark.parametrize(
    ("played", "points", "winner"),
    [
        (table(2, 1, 3), (0, 2, -2), 1),
        (table(1, 2, 2, 4), (3, 0, 0, -3), 0),
        (table(1, 1, 3, 4), (2, 2, -1, -3), None),
        (table(5, 4, 3, 2, 1), (-4, -2, 0, 2, 4), 4),
        (table(hands=(1, 3, 0, 2)), (-1, 3, -3, 1), 1),
        (table(1, 2, 3, 4, forfeits=(3,)), (3, 1, -1, -5), None),
    ],
)
def test_places_rank_where_they_are_stated_and_each_size_of_table_has_its_points(
    played: Table, points: tuple[int, ...], winner: int | None
) -> None:
    assert table_awards(RULES, played) == points
    assert played.winner == winner


def test_a_table_of_two_has_the_points_by_rank_of_before_and_shares_may_be_broken() -> None:
    assert table_awards(RULES, table(hands=(0, 1))) == (0, 2)
    shared = table_awards(RULES, table(1, 1, 1, 4))
    assert shared == (1, 1, 1, -3)
    four = StageRules(points_by_size=((Points(4), Points(3), Points(2), Points(1)),))
    assert table_awards(four, table(1, 2, 2, 4)) == (4, Fraction(5, 2), Fraction(5, 2), 1)


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 2, 2, 3), (2, 3, 4, 5), (1, 1, 2, 4)])
def test_a_file_with_impossible_places_is_refused(places: tuple[int, ...]) -> None:
    bad = Table(1, ((1,), (2,), (3,), (4,)), marks=(Mark(),) * 4, places=places)
    with pytest.raises(FileError, match="bad_places"):
        check_table(bad, "/table")
    check_table(table(1, 2, 2, 4), "/table")
