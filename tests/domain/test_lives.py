"""Three ceros: out at the third loss, until one is left."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, by_chance, byes, event, matches, played, with_next
from tests.quick import examples
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.pairing.lives import ledger
from tournaments.domain.rows import Entrant, TournamentRows
from tournaments.domain.stages import next_draw

ranking = FORMATS["lives"].ranking


def losses(rows: TournamentRows) -> dict[int, int]:
    lost = {entrant.number: 0 for entrant in rows.entrants}
    for _, table in matches(rows):
        for index, side in enumerate(table.sides):
            lost[side[0]] += table.winner is not None and index != table.winner
            lost[side[0]] += len(table.forfeits) == 2
    return lost


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(2, 17), st.integers(1, 4), st.integers(0, 2**32))
def test_everybody_plays_until_their_last_life_and_one_is_left(
    size: int, lives: int, seed: int
) -> None:
    rows = played(event("lives", size, lives=lives), by_chance(Random(seed)))
    lost = losses(rows)
    assert sorted(lost.values())[1:] == [lives] * (size - 1)
    assert min(lost.values()) < lives
    assert ranking is not None
    winner, *others = ranking(rows.stages[0], rows.by_number)
    assert len(winner) == 1
    assert lost[winner[0]] < lives
    assert sum(map(len, others)) == size - 1


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(2, 8), st.integers(0, 2**32))
def test_nobody_meets_again_while_that_can_be_avoided(size: int, seed: int) -> None:
    rows, result = event("lives", size), by_chance(Random(seed))
    while not FORMATS["lives"].is_over(rows.stages[0], rows.by_number):
        before = ledger(rows.stages[0], rows.by_number)
        rows = with_next(rows, result)
        tables = rows.stages[0].rounds[-1].tables
        cost = sum(before.meetings[frozenset(t.entrants)] ** 2 for t in tables if not t.is_bye)
        people = [entrant for table in tables for entrant in table.entrants]
        min_cost = min(
            sum(
                before.meetings[frozenset(order[n : n + 2])] ** 2
                for n in range(0, len(order) - len(order) % 2, 2)
            )
            for order in permutations(people)
        )
        assert cost == min_cost


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(4, 12), st.integers(0, 2**32))
def test_it_ends_with_one_left_though_people_come_late_and_leave(size: int, seed: int) -> None:
    chance = Random(seed)
    people = [*map(Entrant, range(1, size + 1))]
    people[0] = replace(people[0], absences=((2, None),))
    people[1] = replace(people[1], absences=((2, 3),))
    people += [Entrant(size + n, joined=n + 1) for n in range(1, chance.randrange(1, 4))]
    rows = played(event("lives", people), by_chance(chance, forfeits=0.1))
    lives = ledger(rows.stages[0], rows.by_number)
    left = [
        person.number
        for person in people
        if person.number not in lives.out_in and not person.has_left(99)
    ]
    assert len(left) <= 1 + sum(p.joined > len(rows.stages[0].rounds) for p in people)
    for round_ in rows.stages[0].rounds:
        seated = {entrant for table in round_.tables for entrant in table.entrants}
        assert all(lives.out_in.get(entrant, 99) >= round_.number for entrant in seated)


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_byes_are_shared_out_in_the_first_rounds(size: int) -> None:
    rows = played(event("lives", size), better_seed_wins, rounds=3)
    assert max(byes(rows).values()) == 1


def test_a_round_missed_is_a_cero_and_a_latecomer_keeps_their_last_life() -> None:
    people = [*map(Entrant, range(1, 9)), Entrant(9, joined=5)]
    people[7] = replace(people[7], absences=((1, 2),))
    rows = played(event("lives", people), better_seed_wins, rounds=1)
    assert ledger(rows.stages[0], rows.by_number).ceros[8] == 1
    rows = played(event("lives", people), better_seed_wins, rounds=4)
    assert ledger(rows.stages[0], rows.by_number).ceros[9] == 2
    assert 9 in {entrant for table in next_draw(rows).tables for entrant in table.entrants}


def test_an_open_table_is_waited_for() -> None:
    rows = with_next(event("lives", 4), lambda table: table)
    with pytest.raises(CannotDraw) as refusal:
        next_draw(rows)
    assert refusal.value.code == "waiting"
    assert refusal.value.facts["tables"] == ((1, 1), (1, 2))
