"""The score of a match, side by side."""

import pytest

from tournaments.domain.scores import Score


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
def test_whoever_has_most_hands_alone_has_won(score: Score, winner: int | None) -> None:
    assert score.winner == winner


def test_a_score_without_points_agrees_with_one_that_has_them() -> None:
    assert Score(3, 1, 0, 0).agrees_with(Score(3, 1, 300, 250))
    assert Score(3, 1, 300, 250).agrees_with(Score(3, 1, 0, 0))
    assert not Score(3, 1, 300, 250).agrees_with(Score(3, 1, 310, 250))
    assert not Score(3, 1, 0, 0).agrees_with(Score(1, 3, 0, 0))


def test_a_score_turned_round_is_the_other_sides() -> None:
    assert Score(3, 1, 300, 250).reversed() == Score(1, 3, 250, 300)
