"""The circle method of the liguilla."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.pairing import FORMATS, berger

entry_counts = st.integers(2, 41)
turn_counts = st.integers(1, 3)

CLUB_NIGHT = (
    ((1, 8), (2, 7), (3, 6), (4, 5)),
    ((7, 1), (6, 8), (5, 2), (4, 3)),
    ((1, 6), (7, 5), (8, 4), (2, 3)),
    ((5, 1), (4, 6), (3, 7), (2, 8)),
    ((1, 4), (5, 3), (6, 2), (7, 8)),
    ((3, 1), (2, 4), (8, 5), (7, 6)),
    ((1, 2), (3, 8), (4, 7), (5, 6)),
)
"""The rounds of the sample club night, tables in order, home first."""


def test_eight_entries_get_the_rounds_of_the_club_night() -> None:
    rounds = berger(8)
    assert tuple(tuple((p.home, p.away) for p in round_) for round_ in rounds) == CLUB_NIGHT
    assert all([p.table for p in round_] == [1, 2, 3, 4] for round_ in rounds)


def test_five_entries_rest_once_each_at_the_last_table() -> None:
    rounds = berger(5)
    assert len(rounds) == 5
    assert all(round_[-1].away is None and round_[-1].table == 3 for round_ in rounds)
    assert sorted(round_[-1].home for round_ in rounds) == [1, 2, 3, 4, 5]


@given(entry_counts)
def test_in_a_turn_everybody_meets_everybody_once(entries: int) -> None:
    counts = Counter(
        frozenset((p.home, p.away)) for round_ in berger(entries) for p in round_ if p.away
    )
    assert len(counts) == entries * (entries - 1) // 2
    assert set(counts.values()) == {1}


@given(entry_counts, turn_counts)
def test_nobody_sits_at_two_tables_of_a_round(entries: int, turns: int) -> None:
    for round_ in berger(entries, turns):
        seated = [entrant for p in round_ for entrant in (p.home, p.away) if entrant is not None]
        assert sorted(seated) == list(range(1, entries + 1))
        assert [p.table for p in round_] == list(range(1, len(round_) + 1))


@given(entry_counts, turn_counts)
def test_a_turn_has_as_many_rounds_as_there_are_opponents_or_chairs(
    entries: int, turns: int
) -> None:
    assert len(berger(entries, turns)) == turns * (entries - 1 + entries % 2)


@given(st.integers(1, 20).map(lambda half: 2 * half + 1), turn_counts)
def test_odd_numbers_rest_once_a_turn(entries: int, turns: int) -> None:
    rests = Counter(p.home for round_ in berger(entries, turns) for p in round_ if p.away is None)
    assert rests == dict.fromkeys(range(1, entries + 1), turns)


@given(entry_counts)
def test_the_second_turn_swaps_home_and_away_table_by_table(entries: int) -> None:
    rounds = berger(entries, 2)
    first, second = rounds[: len(rounds) // 2], rounds[len(rounds) // 2 :]
    for once, repeat in zip(first, second, strict=True):
        for p, q in zip(once, repeat, strict=True):
            assert (q.table, q.home, q.away) == (
                (p.table, p.away, p.home) if p.away else (p.table, p.home, None)
            )


@given(entry_counts)
def test_home_and_away_differ_by_four_at_most_in_a_turn(entries: int) -> None:
    balance: Counter[int] = Counter()
    for round_ in berger(entries):
        for p in round_:
            if p.away is not None:
                balance[p.home] += 1
                balance[p.away] -= 1
    assert max(abs(difference) for difference in balance.values()) <= 4


@pytest.mark.parametrize(("entries", "turns"), [(0, 1), (1, 1), (4, 0), (-3, 1)])
def test_a_liguilla_needs_two_entries_and_a_turn(entries: int, turns: int) -> None:
    with pytest.raises(ValueError, match="no liguilla"):
        berger(entries, turns)


def test_the_liguilla_is_found_by_its_name() -> None:
    assert FORMATS["liguilla"].rounds(4, FORMATS["liguilla"].rules) == len(berger(4))
