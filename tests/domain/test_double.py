"""Double elimination: out at the second loss."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, by_chance, event, matches, played
from tests.quick import examples
from tournaments.domain.pairing import FORMATS

ranking = FORMATS["double"].ranking


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32), st.booleans())
def test_all_but_one_lose_twice_in_2n_minus_2_or_2n_minus_1_matches(
    size: int, seed: int, reset: bool
) -> None:
    rows = played(event("double", size, reset_final=reset), by_chance(Random(seed)))
    lost = Counter(
        side[0]
        for _, table in matches(rows)
        for index, side in enumerate(table.sides)
        if index != table.winner
    )
    count = sum(lost.values())
    assert ranking is not None
    places = ranking(rows.stages[0], rows.by_number)
    winner, second = places[0], places[1]
    assert len(winner) == len(second) == 1
    others = set(range(1, size + 1)) - {*winner, *second}
    assert all(lost[entrant] == 2 for entrant in others)
    if reset:
        assert (lost[second[0]], count) == (2, 2 * size - 2 + lost[winner[0]])
        assert lost[winner[0]] <= 1
    else:
        assert count == 2 * size - 2


@pytest.mark.parametrize("size", range(2, 34))
def test_when_the_better_seed_wins_the_second_seed_comes_back_to_the_final(size: int) -> None:
    rows = played(event("double", size), better_seed_wins)
    assert set(rows.stages[0].rounds[-1].tables[0].entrants) == {1, 2}
    assert len(list(matches(rows))) == 2 * size - 2


@pytest.mark.parametrize(("size", "places"), [(8, 3), (16, 4), (32, 5), (64, 7)])
def test_nobody_meets_again_early(size: int, places: int) -> None:
    for seed in range(6):
        rows = played(event("double", size), by_chance(Random(seed)))
        counts: Counter[frozenset[int]] = Counter()
        for round_, table in matches(rows):
            counts[frozenset(table.entrants)] += 1
            assert counts[frozenset(table.entrants)] == 1 or round_ > places


@pytest.mark.parametrize("size", range(2, 34))
def test_no_table_seats_nobody_and_byes_never_meet(size: int) -> None:
    rows = played(event("double", size), by_chance(Random(size)))
    for round_ in rows.stages[0].rounds:
        assert any(not table.is_bye for table in round_.tables)
        people = [entrant for table in round_.tables for entrant in table.entrants]
        assert len(people) == len(set(people))
