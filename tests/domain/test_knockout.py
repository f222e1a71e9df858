"""The knock-out, for any number of entrants."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, by_chance, byes, event, matches, played, with_next
from tests.quick import examples
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.rows import Bye, Entrant, Mark, Table, TournamentRows
from tournaments.domain.seeding import cross_pots, places_in_tree, tree_size
from tournaments.domain.stages import next_draw

sizes = st.integers(2, 70)
ranking = FORMATS["knockout"].ranking


def ranked(rows: TournamentRows) -> tuple[tuple[int, ...], ...]:
    assert ranking is not None
    return ranking(rows.stages[0], rows.by_number)


@settings(max_examples=examples(30), deadline=None)
@given(sizes, st.integers(0, 2**32))
def test_all_but_one_lose_once(size: int, seed: int) -> None:
    rows = played(event("knockout", size), by_chance(Random(seed)))
    lost = [
        side[0]
        for _, table in matches(rows)
        for index, side in enumerate(table.sides)
        if index != table.winner
    ]
    assert len(lost) == len(set(lost)) == size - 1
    assert len(rows.stages[0].rounds) == (size - 1).bit_length()
    assert set(ranked(rows)[0]) == set(range(1, size + 1)) - set(lost)


@pytest.mark.parametrize("size", range(2, 66))
def test_the_top_seeds_rest_and_only_in_the_first_round(size: int) -> None:
    rows = played(event("knockout", size))
    resting = {t.entrants[0] for t in rows.stages[0].rounds[0].tables if t.is_bye}
    assert resting == set(range(1, tree_size(size) - size + 1))
    assert sum(byes(rows).values()) == len(resting)


@pytest.mark.parametrize("size", range(2, 66))
def test_when_the_better_seed_wins_the_best_meet_as_late_as_they_can(size: int) -> None:
    rows = played(event("knockout", size))
    for left, round_ in enumerate(reversed(rows.stages[0].rounds)):
        coming = {entrant for table in round_.tables for entrant in table.entrants}
        assert coming == set(range(1, min(size, 2 << left) + 1))
        assert all(
            sum(table.entrants) == (2 << left) + 1 for table in round_.tables if not table.is_bye
        )


@pytest.mark.parametrize("power", range(1, 9))
def test_the_first_two_seeds_are_in_opposite_halves(power: int) -> None:
    size = 2**power
    places = places_in_tree(size)
    assert sorted(places) == list(range(1, size + 1))
    assert (places.index(1) < size // 2) != (places.index(2) < size // 2)


def test_those_who_lose_in_the_same_round_share_the_place() -> None:
    assert ranked(played(event("knockout", 8))) == ((1,), (2,), (3, 4), (5, 6, 7, 8))


@pytest.mark.parametrize("size", range(3, 20))
def test_third_place_is_played_by_those_who_lost_a_semifinal(size: int) -> None:
    rows = played(event("knockout", size, third_place=True))
    places = ranked(rows)
    assert places[:3] == ((1,), (2,), (3,))
    assert len(list(matches(rows))) == (size if size > 3 else 2)


def test_a_level_table_is_waited_for_until_it_is_decided() -> None:
    def level(table: Table) -> Table:
        return replace(table, marks=(Mark(2), Mark(2)))

    rows = with_next(event("knockout", 4), level)
    with pytest.raises(CannotDraw) as refusal:
        next_draw(rows)
    assert refusal.value.code == "waiting"
    assert refusal.value.facts["tables"] == ((1, 1), (1, 2))
    assert not FORMATS["knockout"].is_over(rows.stages[0], rows.by_number)
    stage = rows.stages[0]
    tables = tuple(replace(table, decided=1) for table in stage.rounds[0].tables)
    decided = replace(stage, rounds=(replace(stage.rounds[0], tables=tables),))
    draw = next_draw(replace(rows, stages=(decided,)))
    assert {entrant for table in draw.tables for entrant in table.entrants} == {3, 4}


@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from(["knockout", "double", "repesca"]), st.integers(2, 24), st.data())
def test_it_ends_though_people_come_late_stay_away_and_leave(
    format_: str, size: int, data: st.DataObject
) -> None:
    chance = Random(data.draw(st.integers(0, 2**32)))
    people = []
    for number in range(1, size + 1):
        start = chance.randrange(1, 6)
        away = chance.choice([(), (), (), ((start, None),), ((start, start + 1),)])
        byes_ = ((chance.randrange(1, 5), Bye.HALF),) if chance.random() < 0.1 else ()
        people.append(Entrant(number, absences=away, byes=byes_))
    people += [Entrant(size + n, joined=n + 1) for n in range(1, chance.randrange(1, 3))]
    assume(sum(person.is_here(1) for person in people) > 1)
    assume(sum(person.bye_in(1) is None for person in people if person.is_here(1)) > 1)
    try:
        rows = played(event(format_, people), by_chance(chance, forfeits=0.1))
    except CannotDraw as refusal:
        if refusal.code != "final_rests":
            raise
        return  # a final for which both have a bye waits
    formed = FORMATS[format_].ranking
    assert formed is not None
    places = formed(rows.stages[0], rows.by_number)
    assert sorted(entrant for place in places for entrant in place) == [p.number for p in people]
    for round_ in rows.stages[0].rounds:
        for table in round_.tables:
            assert all(rows.by_number[entrant].is_here(round_.number) for entrant in table.entrants)


def test_one_who_leaves_gives_their_opponent_the_match() -> None:
    people = [*map(Entrant, range(1, 8)), Entrant(8)]
    people[0] = Entrant(1, absences=((2, None),))
    rows = with_next(event("knockout", people), better_seed_wins)
    draw = next_draw(rows)
    assert draw.tables[-1].entrants == (4,)
    assert draw.tables[-1].is_bye
    assert draw.reasons[-1].code == "walk_over"
    assert draw.reasons[-1].entrants == (4, 1)


def test_one_with_a_bye_plays_on_though_the_other_is_noted_as_present_later() -> None:
    away = Entrant(4, absences=((1, 2),))
    rows = with_next(event("knockout", [*map(Entrant, (1, 2, 3)), away]), better_seed_wins)
    assert [table.entrants for table in rows.stages[0].rounds[0].tables] == [(2, 3), (1,)]
    corrected = [Entrant(1, absences=((1, 2),)), *map(Entrant, (2, 3, 4))]
    draw = next_draw(replace(rows, entrants=tuple(corrected)))
    assert [table.entrants for table in draw.tables] == [(1, 2)]


@pytest.mark.parametrize("size", [size for size in range(3, 40) if size & (size - 1)])
def test_a_pair_more_takes_the_place_of_a_bye_and_no_other_match_changes(size: int) -> None:
    before, after = (next_draw(event("knockout", n)).tables for n in (size, size + 1))
    pairs = {frozenset(table.entrants) for table in before if not table.is_bye}
    more = {frozenset(table.entrants) for table in after if not table.is_bye} - pairs
    assert more == {frozenset((tree_size(size) - size, size + 1))}


def test_who_was_exchanged_by_hand_plays_on_from_where_they_sat() -> None:
    rows = event("knockout", 8)
    expected = {table.number: table.entrants for table in next_draw(rows).tables}
    assert expected == {1: (1, 8), 2: (4, 5), 3: (3, 6), 4: (2, 7)}
    pins = [Table(1, ((1,), (7,))), Table(4, ((2,), (8,)))]
    draw = next_draw(rows, pinned_tables=pins)
    assert {table.number: table.entrants for table in draw.tables} == {
        1: (1, 7), 2: (4, 5), 3: (3, 6), 4: (2, 8),
    }  # fmt: skip
    stage = rows.stages[0]
    first = with_next(rows, better_seed_wins).stages[0].rounds[0]

    def upset(table: Table) -> Table:
        return replace(table, marks=(Mark(0), Mark(4)))

    first = replace(first, tables=tuple(map(upset, draw.tables)))
    second = next_draw(replace(rows, stages=(replace(stage, rounds=(first,)),)))
    assert [set(table.entrants) for table in second.tables] == [{7, 5}, {6, 8}]


@given(st.integers(1, 4), st.sampled_from([2, 4, 8]))
def test_qualifiers_of_one_group_meet_as_late_as_they_can(each: int, groups: int) -> None:
    pots = [[(10 * g + place, g) for g in range(groups)] for place in range(each)]
    order = cross_pots(pots)
    assert sorted(order) == sorted(entrant for pot in pots for entrant, _ in pot)
    assert [entrant % 10 for entrant in order] == sorted(entrant % 10 for entrant in order)
    size = tree_size(len(order))
    places = {
        order[seed - 1]: n for n, seed in enumerate(places_in_tree(size)) if seed <= len(order)
    }
    for group in range(groups):
        winner, *others = (10 * group + place for place in range(each))
        halves = [places[entrant] < size // 2 for entrant in (winner, *others)]
        if each > 1:
            assert halves[0] != halves[1]
            assert abs(sum(halves) * 2 - each) <= 1 + each % 2
