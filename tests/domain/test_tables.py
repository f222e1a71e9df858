"""Tables of three, four and five: their sizes, who meets whom, what they are worth."""

import math

import pytest

from tournaments.domain.movements.threes import (
    History,
    design_seats,
    history,
    imbalance,
    plan,
    table_sizes,
)


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
