"""The table of a liguilla and what separates its places."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.liguilla_table import (
    Criterion,
    Played,
    Scale,
    Score,
    Standing,
    crosstable,
    standings,
)
from tournaments.domain.pairing import berger


def result(home: int, away: int, hands: str, points: str = "0-0") -> Played:
    home_hands, away_hands = map(int, hands.split("-"))
    home_points, away_points = map(int, points.split("-"))
    return Played(home, away, Score(home_hands, away_hands, home_points, away_points))


def order(table: tuple[Standing, ...]) -> list[int]:
    return [line.entry for line in table]


# --- The sums --------------------------------------------------------------------------------


def test_a_line_adds_up_matches_hands_and_points_from_both_seats() -> None:
    table = standings([1, 2, 3], [result(1, 2, "3-1", "300-200"), result(3, 1, "3-2", "310-290")])
    first_line = next(line for line in table if line.entry == 1)
    assert (first_line.played, first_line.won, first_line.tied, first_line.lost) == (2, 1, 0, 1)
    assert (first_line.match_points, first_line.hands_for, first_line.hands_against) == (2, 5, 4)
    assert (first_line.points_for, first_line.points_against) == (590, 510)
    assert (first_line.hand_difference, first_line.point_difference) == (1, 80)


def test_a_tie_gives_each_one_point() -> None:
    table = standings([1, 2], [result(1, 2, "4-4")])
    assert [(line.tied, line.match_points) for line in table] == [(1, 1), (1, 1)]


def test_another_scale_gives_other_match_points() -> None:
    table = standings([1, 2], [result(1, 2, "3-0")], Scale(win=3, tie=1, loss=0))
    assert [line.match_points for line in table] == [3, 0]


def test_before_any_result_all_share_the_first_place() -> None:
    table = standings([3, 1, 2], [])
    assert order(table) == [1, 2, 3]
    assert all(line.rank == 1 and line.shared for line in table)
    assert [line.decided_by for line in table] == [
        Criterion.FIRST,
        Criterion.SHARED,
        Criterion.SHARED,
    ]


def test_nobody_plays_nothing() -> None:
    assert standings([], []) == ()


def test_a_result_of_a_stranger_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"\[9\]"):
        standings([1, 2], [result(1, 9, "3-0")])


# --- Direct encounter (C.07 article 6) -------------------------------------------------------


def test_direct_encounter_goes_before_hand_difference() -> None:
    """1 and 2 win two matches each; 2 has the better hands, but 1 won their match."""
    table = standings(
        [1, 2, 3, 4],
        [
            result(1, 2, "3-2"),
            result(1, 3, "3-2"),
            result(4, 1, "3-0"),
            result(2, 3, "3-0"),
            result(2, 4, "3-0"),
            result(3, 4, "3-0"),
        ],
    )
    assert order(table)[:2] == [1, 2]
    assert table[1].decided_by is Criterion.DIRECT_ENCOUNTER
    assert [line.direct_points for line in table[:2]] == [Fraction(2), Fraction(0)]


def test_three_who_beat_one_another_in_turn_go_on_to_the_hands() -> None:
    table = standings([1, 2, 3], [result(1, 2, "3-0"), result(2, 3, "3-1"), result(3, 1, "3-2")])
    # 1: 5-3 = +2; 3: 4-5 = -1; 2: 3-4 = -1: the hands leave 2 and 3 tied, all points are 0.
    assert order(table) == [1, 2, 3]
    assert table[1].decided_by is Criterion.HAND_DIFFERENCE
    assert (table[1].rank, table[2].rank, table[2].shared) == (2, 2, True)
    assert table[2].decided_by is Criterion.SHARED


def test_direct_encounter_is_applied_again_to_those_it_leaves_tied() -> None:
    """Article 6.2. Among the four with four points: 1 and 4 took four, 2 and 3 took two.

    Between themselves 1 beat 4, and 2 beat 3.
    """
    table = standings(
        [1, 2, 3, 4, 5],
        [
            result(1, 2, "3-0"),
            result(1, 3, "0-3"),
            result(1, 4, "3-0"),
            result(2, 3, "3-0"),
            result(2, 4, "0-3"),
            result(3, 4, "0-3"),
            result(2, 5, "3-0"),
            result(3, 5, "3-0"),
        ],
    )
    assert [line.match_points for line in table] == [4, 4, 4, 4, 0]
    assert order(table) == [1, 4, 2, 3, 5]
    assert [line.decided_by for line in table[1:4]] == [Criterion.DIRECT_ENCOUNTER] * 3
    assert [line.direct_points for line in table[:4]] == [2, 0, 2, 0]


def test_two_meetings_count_their_average() -> None:
    """Article 6.1.2: 1 beat 2 twice, 2 beat 3, 3 beat 1: two points on average for each.

    Sums would have put 1 first with four.
    """
    table = standings(
        [1, 2, 3, 4],
        [
            result(1, 2, "3-2"),
            result(2, 1, "2-3"),
            result(2, 3, "3-0"),
            result(3, 1, "3-0"),
            result(2, 4, "3-0"),
            result(3, 4, "3-2"),
        ],
    )
    assert [line.match_points for line in table] == [4, 4, 4, 0]
    assert order(table) == [2, 3, 1, 4]
    assert [line.decided_by for line in table[1:3]] == [Criterion.HAND_DIFFERENCE] * 2


def test_nobody_is_placed_by_an_encounter_still_to_come() -> None:
    table = standings(
        [1, 2, 3, 4], [result(1, 3, "3-0", "300-100"), result(2, 4, "3-2", "300-290")]
    )
    assert order(table)[:2] == [1, 2]
    assert table[1].decided_by is Criterion.HAND_DIFFERENCE


def test_who_beat_all_the_others_tied_leads_whatever_they_do_between_themselves() -> None:
    """Article 6.3: 1 beat 2 and 3, who have not met: one of them may reach two points, not four."""
    table = standings(
        [1, 2, 3, 4, 5],
        [
            result(1, 2, "3-2"),
            result(1, 3, "3-2"),
            result(2, 4, "3-0"),
            result(3, 4, "3-0"),
            result(2, 5, "3-0"),
            result(3, 5, "3-1"),
        ],
    )
    assert order(table)[:3] == [1, 2, 3]
    assert table[1].decided_by is Criterion.DIRECT_ENCOUNTER
    assert table[2].decided_by is Criterion.HAND_DIFFERENCE


def test_a_leader_of_the_mini_table_who_can_still_be_caught_is_not_placed_by_it() -> None:
    """1 beat 2, but 3 has met neither and could win both: hands decide, and 2 has more of them."""
    table = standings(
        [1, 2, 3, 4, 5],
        [
            result(1, 2, "3-2"),
            result(2, 4, "3-0"),
            result(3, 4, "3-2"),
        ],
    )
    assert order(table)[:3] == [2, 1, 3]
    assert table[1].decided_by is Criterion.HAND_DIFFERENCE


# --- The last criteria -----------------------------------------------------------------------


def test_points_separate_what_hands_leave_level() -> None:
    table = standings(
        [1, 2, 3, 4], [result(1, 3, "3-1", "300-250"), result(2, 4, "3-1", "320-250")]
    )
    assert order(table)[:2] == [2, 1]
    assert table[1].decided_by is Criterion.POINT_DIFFERENCE


def test_a_shared_place_is_counted_on_after_it() -> None:
    table = standings([1, 2, 3], [result(1, 2, "2-2")])
    assert [(line.entry, line.rank, line.shared) for line in table] == [
        (1, 1, True),
        (2, 1, True),
        (3, 3, False),
    ]


# --- Laws ------------------------------------------------------------------------------------


@st.composite
def liguillas(draw: st.DrawFn) -> tuple[int, list[Played]]:
    """Some of the matches of a liguilla, with results to three hands."""
    entries = draw(st.integers(2, 9))
    pairings = [p for round_ in berger(entries) for p in round_ if p.away is not None]
    scores = st.sampled_from([(3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (2, 2)])
    points = st.integers(0, 4).map(lambda fifties: 50 * fifties)
    played = [
        Played(p.home, p.away, Score(*draw(scores), draw(points), draw(points)))
        for p in pairings
        if p.away is not None and draw(st.booleans())
    ]
    return entries, played


@given(liguillas())
def test_places_are_numbered_on_and_what_is_won_is_lost(
    liguilla: tuple[int, list[Played]],
) -> None:
    entries, played = liguilla
    table = standings(range(1, entries + 1), played)
    assert sorted(order(table)) == list(range(1, entries + 1))
    for place, line in enumerate(table, start=1):
        assert line.rank == place or (line.shared and line.decided_by is Criterion.SHARED)
    assert sum(line.match_points for line in table) == 2 * len(played)
    assert sum(line.hand_difference for line in table) == 0
    assert sum(line.point_difference for line in table) == 0


@given(liguillas(), st.randoms(use_true_random=False))
def test_the_order_in_which_results_came_does_not_matter(
    liguilla: tuple[int, list[Played]], random: Random
) -> None:
    entries, played = liguilla
    shuffled = list(played)
    random.shuffle(shuffled)
    numbers = range(1, entries + 1)
    assert standings(numbers, shuffled) == standings(numbers, played)


@given(liguillas())
def test_neighbours_differ_by_the_criterion_named(liguilla: tuple[int, list[Played]]) -> None:
    entries, played = liguilla
    table = standings(range(1, entries + 1), played)
    for above, below in pairwise(table):
        match below.decided_by:
            case Criterion.MATCH_POINTS:
                assert above.match_points > below.match_points
            case Criterion.DIRECT_ENCOUNTER:
                assert above.match_points == below.match_points
                assert above.direct_points is not None
            case Criterion.HAND_DIFFERENCE:
                assert above.match_points == below.match_points
                assert above.hand_difference > below.hand_difference
            case Criterion.POINT_DIFFERENCE:
                assert above.hand_difference == below.hand_difference
                assert above.point_difference > below.point_difference
            case _:
                assert below.decided_by is Criterion.SHARED
                assert above.rank == below.rank


@given(liguillas())
def test_each_meeting_stands_in_the_crosstable_from_both_sides(
    liguilla: tuple[int, list[Played]],
) -> None:
    _, played = liguilla
    cells = crosstable(played)
    assert len(cells) == 2 * len(played)
    for match in played:
        assert cells[match.home, match.away] == (match.score,)
        assert cells[match.away, match.home] == (match.score.reversed(),)
