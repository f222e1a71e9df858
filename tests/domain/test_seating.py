"""The seats of a record set against the entries of a match."""

from itertools import permutations

import pytest

import engine
from tournaments.domain.scores import Score, home_side, score_of, sides_of

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


# --- Single players -----------------------------------------------------------------------------


def test_two_players_have_a_seat_each() -> None:
    assert home_side(("Ana", "Bea"), ("Ana",), ("Bea",)) == "A"
    assert home_side(("Bea", "Ana"), ("Ana",), ("Bea",)) == "B"
    assert home_side(("Bea", "Eva"), ("Ana",), ("Bea",)) == ""


@pytest.mark.parametrize("seats", list(permutations(("Ana", "Bea", "Carlos"))))
def test_three_players_are_reported_by_the_seats_of_home_away_and_third(
    seats: tuple[str, ...],
) -> None:
    side = home_side(seats, ("Ana",), ("Bea",), ("Carlos",))
    assert [seats["ABC".index(seat)] for seat in side] == ["Ana", "Bea", "Carlos"]


def test_as_many_sit_down_as_the_match_has_people() -> None:
    assert home_side(("Ana", "Bea", "Carlos", "Diego"), ("Ana",), ("Bea",), ("Carlos",)) == ""
    assert home_side(("Ana", "Bea", "Carlos"), ("Ana",), ("Bea",)) == ""
    assert home_side(("Ana", "Bea"), ("Ana", "Bea"), ("Carlos", "Diego")) == ""


def test_the_score_of_three_is_in_the_order_of_the_match() -> None:
    hand = {"dealer": "A", "play": None, "points": {"A": 30, "B": 70, "C": 30}, "winner": "B"}
    verdict = engine.audit(
        {
            "format": "baza/1",
            "ruleset": "arrastrado",
            "options": {"to": 1},
            "seats": ["Carlos", "Ana", "Bea"],
            "hands": [hand],
        }
    )
    assert verdict.valid
    assert score_of(verdict, "BCA") == Score(1, 0, 70, 30, 0, 30)


@pytest.mark.parametrize("word", ["", "AB", "ABD", "ABCC", "D"])
def test_a_word_that_says_of_no_side_where_it_sat_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="where it sat"):
        sides_of(word)


def test_of_four_single_players_each_has_a_seat_and_the_dealer_sits_out() -> None:
    names = ("Ana", "Bea", "Carlos", "Diego")
    sides = tuple((name,) for name in names)
    words = [home_side(seats, *sides) for seats in permutations(names)]
    assert (len(set(words)), home_side(("Diego", "Ana", "Bea", "Carlos"), *sides)) == (24, "BCDA")
    assert sides_of("BCDA") == ("B", "C", "D", "A")
    hand = {"dealer": "A", "play": None, "points": {"B": 60, "C": 50, "D": 20}, "winner": "B"}
    record = {"format": "baza/1", "ruleset": "arrastrado", "options": {"deals": 4}}
    verdict = engine.audit({**record, "seats": list(names), "hands": [hand]})
    assert score_of(verdict, "BCDA") == Score.of((1, 0, 0, 0), (60, 50, 20, 0))
