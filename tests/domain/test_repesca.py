"""The repesca: the loser of the first match plays on in the losers' board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import by_chance, event, matches, played, with_next
from tests.quick import examples
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Mark, Table, TournamentRows
from tournaments.domain.stages import is_finished

ranking = FORMATS["repesca"].ranking


@settings(max_examples=examples(50), deadline=None)
@given(st.integers(2, 40), st.integers(0, 2**32))
def test_one_who_loses_their_first_match_gets_a_second_one_and_ranks_below(
    size: int, seed: int
) -> None:
    rows = played(event("repesca", size), by_chance(Random(seed)))
    results: dict[int, list[bool]] = {number: [] for number in range(1, size + 1)}
    for _, table in matches(rows):
        for index, side in enumerate(table.sides):
            results[side[0]].append(index == table.winner)
    assert ranking is not None
    places = ranking(rows.stages[0], rows.by_number)
    place = {entrant: index for index, group in enumerate(places) for entrant in group}
    assert sorted(place) == list(range(1, size + 1))
    finalists = {places[0][0], places[1][0]}
    above = [entrant for entrant, won in results.items() if won[0] or entrant in finalists]
    below = [entrant for entrant in results if entrant not in above]
    assert not below or max(place[entrant] for entrant in above) < min(
        place[entrant] for entrant in below
    )
    losses = Counter(entrant for entrant, won in results.items() for is_win in won if not is_win)
    assert all(losses[entrant] <= 2 for entrant in below)
    assert all(losses[entrant] <= 1 for entrant in above)
    if below:
        best = min(below, key=place.__getitem__)
        assert losses[best] == 1
        assert sum(losses[entrant] == 1 for entrant in below) == 1


@pytest.mark.parametrize("size", [4, 8, 16, 32])
def test_a_full_bracket_plays_half_of_it_again_below(size: int) -> None:
    rows = played(event("repesca", size))
    assert len(list(matches(rows))) == size - 1 + size // 2 - 1
    assert len(rows.stages[0].rounds) == (size - 1).bit_length()


def test_third_place_can_be_played_as_well() -> None:
    rows = played(event("repesca", 8, third_place=True))
    assert ranking is not None
    assert ranking(rows.stages[0], rows.by_number)[:5] == ((1,), (2,), (3,), (4,), (5,))


def lower_seed_loses(table: Table) -> Table:
    """The better seed loses."""
    if table.is_bye:
        return table
    worst = max(table.entrants)
    return replace(table, marks=tuple(Mark(4 if worst in side else 0) for side in table.sides))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_a_seed_that_rested_and_loses_the_semifinal_plays_below_and_not_for_third_place(
    size: int,
) -> None:
    rows = played(event("repesca", size, third_place=True), lower_seed_loses)
    third = rows.stages[0].rounds[2]
    people = [entrant for table in third.tables for entrant in table.entrants]
    assert len(people) == len(set(people))
    assert 1 in people


def test_a_result_that_is_corrected_after_later_rounds_seats_nobody_twice() -> None:
    """The loser by the correction has meanwhile won a match above, and plays on there."""
    for format_ in ("repesca", "double", "knockout"):
        for seed in range(25):
            chance = Random(seed)
            rows = event(format_, 5 + seed % 9)
            for _ in range(60):
                if is_finished(rows, rows.stages[0]):
                    break
                rows = with_next(rows, by_chance(chance))
                rows = corrected(rows, chance)
            assert is_finished(rows, rows.stages[0])


def corrected(rows: TournamentRows, chance: Random) -> TournamentRows:
    """Turn one result of any round round."""
    (stage,) = rows.stages
    round_ = chance.choice(stage.rounds)
    table = chance.choice([table for table in round_.tables if not table.is_bye])
    assert table.marks is not None
    turned = replace(table, marks=table.marks[::-1])
    tables = tuple(turned if old_table is table else old_table for old_table in round_.tables)
    rounds = tuple(
        replace(old_round, tables=tables) if old_round is round_ else old_round
        for old_round in stage.rounds
    )
    return replace(rows, stages=(replace(stage, rounds=rounds),))
