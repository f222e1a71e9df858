"""The seats of a record set against the entries of a match."""

from itertools import permutations

import pytest

import engine
from tournaments.domain.seating import home_side, score_of
from tournaments.domain.standings import Score

HOME, AWAY = ("Ana", "Bea"), ("Carlos", "Diego")


@pytest.mark.parametrize("seats", list(permutations((*HOME, *AWAY))))
def test_partners_sit_opposite_each_other(seats: tuple[str, ...]) -> None:
    side = home_side(seats, HOME, AWAY)
    if {seats[0], seats[2]} == set(HOME):
        assert side == "AC"
    elif {seats[1], seats[3]} == set(HOME):
        assert side == "BD"
    else:
        assert side == ""


@pytest.mark.parametrize(
    "seats",
    [
        (),
        ("Ana", "Carlos", "Bea"),
        ("Ana", "Carlos", "Ana", "Diego"),
        ("Ana", "Carlos", "Bea", "Eva"),
        ("Ana", "Carlos", "Bea", "Diego", "Eva"),
    ],
)
def test_other_people_do_not_fit(seats: tuple[str, ...]) -> None:
    assert home_side(seats, HOME, AWAY) == ""


def test_the_score_is_homes_first_wherever_it_sat() -> None:
    hand = {"dealer": "A", "play": None, "winner": "AC"}
    verdict = engine.audit(
        {
            "format": "baza/1",
            "ruleset": "parejas-online",
            "options": {"to": 1},
            "seats": ["A", "B", "C", "D"],
            "hands": [{**hand, "points": {"AC": 90, "BD": 40}}],
        }
    )
    assert score_of(verdict, "AC") == Score(1, 0, 90, 40)
    assert score_of(verdict, "BD") == Score(0, 1, 40, 90)
