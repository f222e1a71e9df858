"""The race of a match: bars as long as the points, and the score after each hand."""

from __future__ import annotations

from tournaments.domain.match_race import RaceHand, race_of

SEATS = ("AC", "BD")


def test_the_score_grows_hand_by_hand_and_the_longest_bar_is_the_most_points() -> None:
    hands = [
        RaceHand(1, (54, 96), 1, seats=SEATS, trump="Ce", calls=("B:20o",)),
        RaceHand(2, (120, 30), 0, seats=SEATS),
        RaceHand(3, (60, 90), 1, seats=SEATS),
    ]
    race = race_of(hands)
    assert [step.score for step in race] == ["0–1", "1–1", "1–2"]
    assert [[side.bar for side in step.sides] for step in race] == [[45, 80], [100, 25], [50, 75]]
    assert race[0].sides[0].start == 55
    assert [side.calls for side in race[0].sides] == [(), ("B:20o",)]
    assert [side.won for side in race[1].sides] == [True, False]


def test_each_coto_begins_at_nothing() -> None:
    hands = [RaceHand(n, (10, 20), 1, coto=coto) for n, coto in enumerate((1, 1, 2), 1)]
    assert [step.score for step in race_of(hands)] == ["0–1", "0–2", "0–1"]


def test_a_hand_without_a_winner_and_one_of_three_sides_are_drawn_too() -> None:
    tie, three = race_of([RaceHand(1, (65, 65, 0), None), RaceHand(2, (0, 0, 130), 2)])
    assert (tie.score, three.score) == ("0–0–0", "0–0–1")
    assert [side.bar for side in tie.sides] == [50, 50, 0]
    assert race_of([]) == ()


def test_a_capote_marks_its_hand() -> None:
    hands = [RaceHand(1, (130, 0), 0, capote=True), RaceHand(2, (70, 60), 0)]
    assert [step.capote for step in race_of(hands)] == [True, False]
