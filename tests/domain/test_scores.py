"""The score of a match, side by side."""

import pytest

from tournaments.domain.match_parts import Coto, can_end_with, decided_by, is_possible_coto, tally
from tournaments.domain.scores import Length, Score


def test_two_sides_have_two_hands_and_points_and_three_three() -> None:
    assert (Score(3, 1, 300, 250).hands, Score(3, 1, 300, 250).points) == ((3, 1), (300, 250))
    three = Score.of((1, 0, 2), (60, 40, 90))
    assert three == Score(1, 0, 60, 40, 2, 90)
    assert (three.hands, three.points) == ((1, 0, 2), (60, 40, 90))


@pytest.mark.parametrize(
    ("score", "winner"),
    [
        (Score(3, 1, 0, 0), 0),
        (Score(1, 3, 0, 0), 1),
        (Score(2, 2, 0, 0), None),
        (Score(1, 1, 0, 0, 2, 0), 2),
        (Score(2, 1, 0, 0, 2, 0), None),
    ],
)
def test_one_who_has_most_hands_alone_has_won(score: Score, winner: int | None) -> None:
    assert score.winner == winner


def test_a_score_without_points_agrees_with_one_that_has_them() -> None:
    assert Score(3, 1, 0, 0).agrees_with(Score(3, 1, 300, 250))
    assert Score(3, 1, 300, 250).agrees_with(Score(3, 1, 0, 0))
    assert not Score(3, 1, 300, 250).agrees_with(Score(3, 1, 310, 250))
    assert not Score(3, 1, 0, 0).agrees_with(Score(1, 3, 0, 0))


def test_a_score_turned_round_is_the_other_sides() -> None:
    assert Score(3, 1, 300, 250).reversed() == Score(1, 3, 250, 300)


@pytest.mark.parametrize(
    ("length", "sides", "endings"),
    [
        (Length(3, None, 130), 2, "03 13 23 30 31 32"),
        (Length(None, 2, 130), 2, "02 11 20"),
        (Length(3, None, 130, cotos=2), 2, "02 12 20 21"),
        (Length(1, None, 130), 3, "001 010 100"),
    ],
)
def test_the_scores_that_a_match_can_end_with_are_listed(
    length: Length, sides: int, endings: str
) -> None:
    assert [tuple(map(int, word)) for word in endings.split()] == list(length.endings(sides))


# --- Cotos --------------------------------------------------------------------------------------

BEST_OF_THREE = Length(to=3, deals=None, most=230, cotos=2)


@pytest.mark.parametrize(
    ("hands", "stands", "ends"),
    [
        ((2, 0), True, True),
        ((2, 1), True, True),
        ((1, 1), True, False),
        ((2, 2), False, False),
        ((3, 0), False, False),
        ((1, 1, 2), True, True),
    ],
)
def test_the_score_of_several_cotos_is_how_many_each_has_won(
    hands: tuple[int, ...], stands: bool, ends: bool
) -> None:
    score = Score.of(hands, (0,) * len(hands))
    assert (BEST_OF_THREE.allows(score), BEST_OF_THREE.ends_with(score)) == (stands, ends)


def test_a_coto_has_no_more_points_than_its_hands_can_give() -> None:
    assert (BEST_OF_THREE.most_hands(2), BEST_OF_THREE.most_cotos(2)) == (5, 3)
    assert BEST_OF_THREE.most_cotos(3) == 4
    assert is_possible_coto(Coto((1000, 150), 0), BEST_OF_THREE)
    assert not is_possible_coto(Coto((1000, 151), 0), BEST_OF_THREE)
    assert BEST_OF_THREE.allows(Score(2, 0, 2000, 300))
    assert not BEST_OF_THREE.allows(Score(2, 0, 2000, 301))
    assert BEST_OF_THREE.allows(Score(1, 0, 2000, 300)), "cut short in the second"


def test_a_coto_is_as_long_as_a_match_of_its_own() -> None:
    assert BEST_OF_THREE.options({"to": 5, "capote": True}) == {"to": 3, "capote": True}
    assert (BEST_OF_THREE.wins, Length(None, 4, 230).wins) == (2, None)


def test_the_match_is_decided_by_the_coto_that_makes_enough() -> None:
    home, away = Coto((300, 200), 0), Coto((100, 310), 1)
    assert decided_by([home, away], 2) is None
    assert decided_by([home, away, home], 2) == 3
    assert decided_by([home, home, away], 2) == 2
    assert tally([home, away, home], 2) == Score(2, 1, 700, 710)


def test_cotos_lead_to_a_score_that_they_can_still_become() -> None:
    away = Coto((100, 310), 1)
    assert can_end_with([away], 2, Score(2, 1, 0, 0))
    assert not can_end_with([away], 2, Score(2, 0, 0, 0))
    assert not can_end_with([away], 2, Score(2, 1, 700, 300)), "away has more points already"
    assert can_end_with([away, away], 2, Score(0, 2, 200, 620))
    assert not can_end_with([away, away], 2, Score(0, 2, 200, 630))
