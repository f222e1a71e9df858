"""The liguilla: everybody meets everybody, also when pairs come late or leave."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import (
    better_seed_wins,
    by_chance,
    byes,
    event,
    meetings,
    played,
    with_next,
)
from tests.quick import examples
from tournaments.domain.pairing import FORMATS, CannotDraw, berger
from tournaments.domain.pairing.colouring import min_rounds, schedule_meetings
from tournaments.domain.rows import Bye, Entrant, Table
from tournaments.domain.stages import draw_all, next_draw

sizes = st.integers(2, 13)


@settings(max_examples=examples(25), deadline=None)
@given(sizes, st.integers(1, 3))
def test_a_complete_field_plays_exactly_the_tables_of_berger(size: int, turns: int) -> None:
    rounds = draw_all(event("liguilla", size, turns=turns))
    assert [[(table.number, *table.entrants) for table in round_.tables] for round_ in rounds] == [
        [(p.table, p.home) if p.away is None else tuple(p) for p in round_]
        for round_ in berger(size, turns)
    ]


@settings(max_examples=examples(30), deadline=None)
@given(sizes, st.integers(1, 2), st.data())
def test_one_who_comes_late_still_meets_everybody_once_a_turn(
    size: int, turns: int, data: st.DataObject
) -> None:
    last = data.draw(st.integers(1, max(1, size - 1)))
    late = data.draw(st.lists(st.integers(2, max(2, last)), max_size=3))
    people = [Entrant(n) for n in range(1, size + 1)]
    people += [Entrant(size + n, joined=joined) for n, joined in enumerate(sorted(late), 1)]
    rows = played(event("liguilla", people, turns=turns))
    entrants = [person.number for person in people if person.joined <= len(rows.stages[0].rounds)]
    assert meetings(rows) == {frozenset(pair): turns for pair in combinations(entrants, 2)}
    rests = byes(rows)
    assert len({rests[number] for number in range(1, size + 1)}) == 1


@pytest.mark.parametrize("size", range(2, 15))
def test_a_latecomer_costs_no_more_rounds_than_their_own_meetings(size: int) -> None:
    for joined in range(2, size + size % 2):
        people = [*map(Entrant, range(1, size + 1)), Entrant(size + 1, joined=joined)]
        rows = played(event("liguilla", people))
        assert len(rows.stages[0].rounds) == joined - 1 + size


def test_a_latecomer_takes_the_empty_chair_and_nobody_elses_table_changes() -> None:
    people = [*map(Entrant, range(1, 8)), Entrant(8, joined=3)]
    rows = played(event("liguilla", people))
    alone = played(event("liguilla", 7))
    for number in range(7):
        with_him = {frozenset(t.entrants) for t in rows.stages[0].rounds[number].tables}
        without = {frozenset(t.entrants) for t in alone.stages[0].rounds[number].tables}
        pairs = {pair for pair in without if len(pair) == 2}
        assert pairs <= with_him
        assert (number < 2) == (with_him == without)


def test_a_latecomer_takes_the_chair_of_one_who_left() -> None:
    people = [*map(Entrant, range(1, 8)), Entrant(8, absences=((3, None),)), Entrant(9, joined=3)]
    rows = played(event("liguilla", people))
    assert len(rows.stages[0].rounds) == 7 + 2
    assert meetings(rows)[frozenset((8, 9))] == 0
    assert sum(meetings(rows)[frozenset((9, n))] for n in range(1, 8)) == 7


@settings(max_examples=examples(30), deadline=None)
@given(sizes, st.data())
def test_nobody_meets_twice_when_some_leave_and_some_come_back(
    size: int, data: st.DataObject
) -> None:
    chance = Random(data.draw(st.integers(0, 2**32)))
    people = []
    for number in range(1, size + 3):
        start = chance.randrange(2, size + 3)
        away = chance.choice([None, None, None, start + 1, start + 3, 0])
        absences = () if away is None else ((start, away or None),)
        people.append(Entrant(number, joined=1 if number <= size else start, absences=absences))
    rows = event("liguilla", people)
    rows = played(rows, by_chance(chance, forfeits=0.1))
    ends = len(rows.stages[0].rounds) + 1
    counts = meetings(rows)
    assert all(count == 1 for count in counts.values())
    staying = [p.number for p in people if p.joined <= ends and not p.has_left(ends)]
    assert all(frozenset(pair) in counts for pair in combinations(staying, 2))
    for round_ in rows.stages[0].rounds:
        at_tables = [entrant for table in round_.tables for entrant in table.entrants]
        present = [p.number for p in people if p.is_here(round_.number)]
        assert sorted(at_tables) == sorted(present)


def test_the_meetings_of_one_who_left_become_byes_worth_what_the_scale_says() -> None:
    people = [*map(Entrant, range(1, 6)), Entrant(6, absences=((3, None),))]
    rows = played(event("liguilla", people))
    assert len(rows.stages[0].rounds) == 5
    assert sum(byes(rows).values()) == 3
    assert all(t.bye is Bye.PAIRING for _, t in rows.stages[0].tables() if t.is_bye)
    assert rows.stages[0].rules.scale.bye_points(Bye.PAIRING) == 0


def test_a_meeting_missed_by_an_absence_is_made_up_after_the_last_round() -> None:
    people = [*map(Entrant, range(1, 6)), Entrant(6, absences=((2, 4),))]
    rows = played(event("liguilla", people))
    assert len(rows.stages[0].rounds) == 5 + 2
    assert set(meetings(rows).values()) == {1}
    assert len(meetings(rows)) == 15


def test_a_table_that_was_swapped_by_hand_is_planned_around() -> None:
    rows = event("liguilla", 6)
    fixed = (Table(1, ((1,), (2,)), pinned=True),)
    draw = next_draw(rows, pinned_tables=fixed)
    assert draw.tables[0] == fixed[0]
    assert len(draw.tables) == 3
    rows = with_next(rows, better_seed_wins)
    stage = rows.stages[0]
    swapped = replace(stage.rounds[0], tables=tuple(map(better_seed_wins, draw.tables)))
    rows = played(replace(rows, stages=(replace(stage, rounds=(swapped,)),)), rounds=20)
    assert set(meetings(rows).values()) == {1}
    assert len(meetings(rows)) == 15


def test_a_finished_liguilla_draws_nothing_more() -> None:
    with pytest.raises(CannotDraw) as refusal:
        next_draw(played(event("liguilla", 4)))
    assert refusal.value.code == "stage_over"


def test_one_entrant_alone_is_too_few() -> None:
    with pytest.raises(CannotDraw) as refusal:
        next_draw(event("liguilla", 1))
    assert refusal.value.code == "too_few"


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(2, 12), st.integers(0, 2**32))
def test_meetings_are_put_into_rounds_without_losing_or_doubling_any(size: int, seed: int) -> None:
    chance = Random(seed)
    owed = tuple(pair for pair in combinations(range(size), 2) for _ in range(chance.randrange(3)))
    rounds = schedule_meetings(owed)
    assert sorted(pair for round_ in rounds for pair in round_) == sorted(owed)
    for round_ in rounds:
        people = [entrant for pair in round_ for entrant in pair]
        assert len(people) == len(set(people))
    assert min_rounds(owed) <= len(rounds) <= min_rounds(owed) + 2


@pytest.mark.parametrize(
    ("size", "turns", "absences", "joined"),
    [
        (4, 2, {2: ((2, 3),), 3: ((5, None),), 1: ((6, None),)}, ()),
        (4, 3, {3: ((4, None),), 1: ((6, None),), 4: ((7, None),)}, (5,)),
    ],
)
def test_two_who_still_owe_a_meeting_play_it_when_all_others_of_their_rounds_have_left(
    size: int,
    turns: int,
    absences: dict[int, tuple[tuple[int, int | None], ...]],
    joined: tuple[int, ...],
) -> None:
    people = [Entrant(n, absences=absences.get(n, ())) for n in range(1, size + 1)]
    people += [Entrant(size + n, joined=round_) for n, round_ in enumerate(joined, 1)]
    rows = played(event("liguilla", people, turns=turns), rounds=30)
    stage = rows.stages[0]
    assert FORMATS["liguilla"].is_over(stage, rows.by_number)
    assert any(not table.is_bye for table in stage.rounds[-1].tables)


def test_a_calendar_without_end_is_refused() -> None:
    people = [Entrant(1), Entrant(2), Entrant(3, absences=((2, 10**6),))]
    rows = played(event("liguilla", people), rounds=3)
    (stage,) = rows.stages
    waited = tuple(replace(stage.rounds[-1], number=number) for number in range(4, 491))
    rows = replace(rows, stages=(replace(stage, rounds=(*stage.rounds, *waited)),))
    with pytest.raises(CannotDraw) as refusal:
        draw_all(rows)
    assert (refusal.value.code, refusal.value.facts) == ("too_many_rounds", {"most": 500})
