"""The race chart of a season: positions follow from the totals."""

import pytest

from tournaments.domain.race import BELOW, HEIGHT, LEFT, MIN_APART, RIGHT, TOP, WIDTH, draw_race

FIVE = [("Ana", [18, 36, 50]), ("Leo", [16, 16, 34]), ("Eva", [0, 18, 34])]


def test_lines_go_from_the_first_event_to_the_last_and_up_with_the_total() -> None:
    race = draw_race(FIVE)
    assert race is not None
    floor, room = HEIGHT - BELOW, HEIGHT - BELOW - TOP
    ana = race.lines[0]
    assert [tuple(map(float, point.split())) for point in ana.path[1:].split(" L")] == [
        (LEFT, round(floor - room * 18 / 50, 1)),
        (LEFT + (WIDTH - LEFT - RIGHT) / 2, round(floor - room * 36 / 50, 1)),
        (WIDTH - RIGHT, TOP),
    ]
    assert ana.end == (float(WIDTH - RIGHT), float(TOP))
    assert [(grid.label, grid.at) for grid in race.totals][:2] == [
        (0, floor),
        (10, round(floor - room / 5, 1)),
    ]
    assert [grid.label for grid in race.events] == [1, 2, 3]


def test_labels_of_lines_that_end_together_lie_apart() -> None:
    race = draw_race(FIVE)
    assert race is not None
    leo, eva = race.lines[1:]
    assert leo.end == eva.end
    assert eva.label - leo.label == pytest.approx(MIN_APART)


def test_labels_at_the_foot_move_up_into_the_drawing() -> None:
    race = draw_race([("Ana", [0, 50]), ("Leo", [0, 0]), ("Eva", [0, 0])])
    assert race is not None
    assert race.lines[2].label == HEIGHT - BELOW
    assert race.lines[1].label == HEIGHT - BELOW - MIN_APART


def test_only_the_first_five_are_drawn_and_nothing_of_one_event() -> None:
    race = draw_race([(str(n), [1, 2]) for n in range(9)])
    assert race is not None
    assert len(race.lines) == 5
    assert draw_race([("Ana", [18])]) is None
    assert draw_race([]) is None
