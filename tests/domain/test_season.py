"""A season: the best results of several tournaments."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from tests.domain.crosstables import untyped
from tournaments.domain.rows import Points
from tournaments.domain.season import (
    Event,
    FinalPlace,
    PlaceScale,
    SeasonCriterion,
    SeasonLine,
    SeasonRules,
    place_values,
    running_totals,
    season,
)


def event(number: int, *ranks: tuple[int, int]) -> Event:
    return Event(number, tuple(FinalPlace(entrant, rank) for entrant, rank in ranks))


def line(table: tuple[SeasonLine, ...], entrant: int) -> SeasonLine:
    return next(row for row in table if row.who == entrant)


def test_the_fixed_scales_end_where_they_are_known_to() -> None:
    fixed, long = place_values(PlaceScale.FIXED, 18), place_values(PlaceScale.FIXED40, 42)
    assert untyped(fixed[:5]) == (18, 16, 14, 13, 12)
    assert untyped(fixed[15:]) == (1, 0, 0)
    assert untyped((long[0], long[10], long[11], long[20], long[21], long[31], long[32])) == (
        1000,
        400,
        375,
        150,
        140,
        40,
        35,
    )
    assert untyped(long[38:]) == (5, 1, 0, 0)


def test_the_linear_scale_goes_from_100_to_1_and_the_millesimal_by_the_field() -> None:
    assert untyped(place_values(PlaceScale.LINEAR, 4)) == (100, 67, 34, 1)
    assert untyped(place_values(PlaceScale.LINEAR, 1)) == (100,)
    assert untyped(place_values(PlaceScale.MILLESIMAL, 4)) == (1000, 750, 500, 250)


def test_points_are_not_given_by_place() -> None:
    with pytest.raises(ValueError, match="made"):
        place_values(PlaceScale.POINTS, 3)


def test_only_the_best_results_count() -> None:
    events = [event(1, (7, 1), (8, 2)), event(2, (8, 1), (7, 2)), event(5, (7, 1), (8, 2))]
    table = season(events, SeasonRules(PlaceScale.FIXED, best=2))
    seven = line(table, 7)
    assert untyped((seven.total, seven.wins, seven.rank)) == (36, 2, 1)
    assert [(result.event, result.counts) for result in seven.results] == [
        (1, True),
        (2, False),
        (5, True),
    ]
    assert untyped((line(table, 8).total, line(table, 8).decided_by)) == (34, "total")


def test_of_equal_results_the_later_ones_count() -> None:
    table = season([event(1, (1, 1)), event(2, (1, 1))], SeasonRules(PlaceScale.FIXED, best=1))
    assert [result.counts for result in table[0].results] == [False, True]


def test_who_share_a_place_share_what_the_places_are_worth() -> None:
    table = season([event(1, (1, 1), (2, 2), (3, 2), (4, 4))], SeasonRules(PlaceScale.FIXED))
    assert untyped([(row.who, row.total, row.rank, row.shared) for row in table]) == [
        (1, 18, 1, False),
        (2, 15, 2, True),
        (3, 15, 2, True),
        (4, 13, 4, False),
    ]
    assert table[2].decided_by == "shared"


def test_points_made_are_added_as_they_are() -> None:
    first = Event(1, (FinalPlace(1, 1, Points(9)), FinalPlace(2, 2, Points(17, 2))))
    table = season([first], SeasonRules(PlaceScale.POINTS))
    assert [row.total for row in table] == [9, Fraction(17, 2)]


def test_when_totals_and_wins_are_level_the_last_event_decides_then_the_one_before() -> None:
    events = [event(1, (1, 1), (2, 2)), event(2, (2, 1), (1, 2))]
    table = season(events, SeasonRules(PlaceScale.FIXED))
    assert [(row.who, row.rank, row.decided_by) for row in table] == [
        (2, 1, ""),
        (1, 2, "last_event"),
    ]


def test_more_wins_decide_between_equal_totals() -> None:
    first = Event(1, (FinalPlace(1, 1, Points(5)), FinalPlace(2, 2, Points(5))))
    table = season(
        [first, Event(2, (FinalPlace(2, 2, Points(1)), FinalPlace(1, 3, Points(1))))],
        SeasonRules(PlaceScale.POINTS),
    )
    assert [(row.who, row.decided_by) for row in table] == [(1, ""), (2, "wins")]


def test_who_was_absent_from_the_last_event_is_below_who_came_and_took_nothing() -> None:
    first = Event(1, (FinalPlace(1, 2, Points(3)), FinalPlace(2, 2, Points(3))))
    table = season(
        [first, Event(2, (FinalPlace(2, 2, Points(0)),))], SeasonRules(PlaceScale.POINTS)
    )
    assert [row.who for row in table] == [2, 1]


def test_at_least_one_result_counts() -> None:
    with pytest.raises(ValueError, match="at least one"):
        season([], SeasonRules(PlaceScale.FIXED, best=0))


# --- A club's own rules, against a spreadsheet ----------------------------------------------------

OF_A_CLUB = {
    "own scale, best four": SeasonRules(
        own_scale=(25, 18, 15, 12, 10, 8, 6, 4, 2, 1),
        best=4,
        criteria=(SeasonCriterion.WINS, SeasonCriterion.COUNTBACK),
    ),
    "own scale, mean of at least four": SeasonRules(
        own_scale=(30, 20, 14, 9, 5),
        mean_of=4,
        criteria=(SeasonCriterion.PLAYED, SeasonCriterion.BEST_RESULT),
    ),
    "linear, mean of the best three of at least three": SeasonRules(
        PlaceScale.LINEAR,
        best=3,
        mean_of=3,
        criteria=(SeasonCriterion.BEST_RESULT, SeasonCriterion.LAST_EVENT),
    ),
}


@pytest.mark.parametrize("name", OF_A_CLUB)
def test_three_seasons_are_those_of_a_spreadsheet(name: str) -> None:
    """Totals, dropped events and places were computed apart from this code."""
    with (Path(__file__).parent / "data" / "three_seasons.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["season"] == name]
    who = {row["player"]: number for number, row in enumerate(rows)}
    events = [
        event(number, *((who[row["player"]], int(row[column])) for row in rows if row[column]))
        for number, column in enumerate(("e1", "e2", "e3", "e4", "e5", "e6"), 1)
    ]
    table = {line.who: line for line in season(events, OF_A_CLUB[name])}
    assert len(table) == len(rows) > 15
    for row in rows:
        found = table[who[row["player"]]]
        dropped = [str(result.event) for result in found.results if not result.counts]
        assert (str(found.total), " ".join(dropped), str(found.rank)) == (
            row["total"],
            row["dropped"],
            row["place"],
        ), row


def test_who_played_too_few_for_the_mean_stands_below_whatever_the_mean() -> None:
    events = [event(1, (1, 1), (2, 2)), event(2, (2, 1))]
    table = season(events, SeasonRules(mean_of=2))
    assert [(row.who, row.total, row.missing, row.decided_by) for row in table] == [
        (2, Fraction(17), 0, ""),
        (1, Fraction(18), 1, "too_few"),
    ]


def test_events_missed_are_zeros_of_the_mean_where_the_rules_say_so() -> None:
    events = [event(1, (1, 1), (2, 2)), event(2, (2, 1)), event(3, (3, 1))]
    table = season(events, SeasonRules(mean_of=2, missed_as_zero=True))
    assert [(row.who, row.total, row.missing) for row in table] == [
        (2, Fraction(17), 0),
        (3, Fraction(9), 1),
        (1, Fraction(9), 1),
    ]
    best = season(events, SeasonRules(mean_of=4, best=2, missed_as_zero=True))
    assert [(row.who, row.total) for row in best] == [
        (2, Fraction(17)),
        (3, Fraction(9)),
        (1, Fraction(9)),
    ]


def test_wins_then_the_sum_of_all_results_place_those_who_are_level() -> None:
    order = (SeasonCriterion.WINS, SeasonCriterion.ALL_RESULTS)
    events = [event(1, (1, 1), (2, 2)), event(2, (2, 1), (3, 2)), event(3, (2, 3), (3, 1))]
    table = season(events, SeasonRules(best=1, criteria=order))
    assert [(row.who, row.decided_by) for row in table] == [
        (2, ""),
        (3, "all_results"),
        (1, "all_results"),
    ]


def test_a_countback_compares_first_places_then_second_ones() -> None:
    own = SeasonRules(own_scale=(3, 2, 1), criteria=(SeasonCriterion.COUNTBACK,))
    events = [event(1, (1, 1), (2, 2)), event(2, (3, 1), (2, 2), (1, 3))]
    table = season(events, own)
    assert [(row.who, row.decided_by) for row in table] == [(1, ""), (2, "countback"), (3, "total")]


def test_a_countback_leaves_out_results_that_are_struck_out() -> None:
    own = SeasonRules(own_scale=(3, 2, 1), best=1, criteria=(SeasonCriterion.COUNTBACK,))
    table = season([event(1, (1, 1), (2, 2)), event(2, (1, 1)), event(3, (2, 1))], own)
    assert [(row.who, row.rank, row.shared) for row in table] == [(1, 1, True), (2, 1, True)]


def test_running_totals_are_those_of_the_table_after_each_event() -> None:
    events = [event(1, (1, 1), (2, 2)), event(2, (2, 1)), event(3, (1, 1), (2, 2))]
    running = running_totals(events, SeasonRules(best=2), (1, 2))
    assert untyped(dict(running)) == {1: (18, 18, 36), 2: (16, 34, 34)}
    assert not running_totals([], SeasonRules(), ())
