"""The individual: a new partner in every round, also when players come and go."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, by_chance, event, played, with_next
from tests.quick import examples
from tournaments.domain.awards import awards
from tournaments.domain.messages import explain
from tournaments.domain.movements import rotating
from tournaments.domain.pairing import FORMATS, CannotDraw, individual
from tournaments.domain.rows import Bye, Entrant, StageRules, Table, TournamentRows
from tournaments.domain.stages import field_for, next_draw

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True, scope="module")
def little_annealing() -> Iterator[None]:
    """The laws hold however long the annealing looks for something better."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rotating, "STEPS", 1500)
        individual.plan_from.cache_clear()
        yield
    individual.plan_from.cache_clear()


Two = frozenset[int]


def rounds_of(rows: TournamentRows) -> list[tuple[Table, ...]]:
    return [round_.tables for round_ in rows.stages[0].rounds]


def partners(tables: tuple[Table, ...]) -> list[Two]:
    return [frozenset(side) for table in tables if not table.is_bye for side in table.sides]


def opponents(tables: tuple[Table, ...]) -> list[Two]:
    return [frozenset(two) for table in tables if not table.is_bye for two in product(*table.sides)]


def resting(tables: tuple[Table, ...]) -> set[int]:
    return {table.entrants[0] for table in tables if table.bye is Bye.PAIRING}


def all_can_have_new_partners(players: set[int], had: set[Two]) -> bool:
    """Ask another library for a perfect matching of those who were never partners."""
    graph = nx.Graph()
    graph.add_nodes_from(players)
    graph.add_edges_from(
        two for two in combinations(sorted(players), 2) if frozenset(two) not in had
    )
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(players)


@st.composite
def restless_events(draw: st.DrawFn) -> TournamentRows:
    """Four stay throughout, so that there is always a table; the others come and go."""
    size, last = draw(st.integers(4, 13)), draw(st.integers(1, 8))
    people = [Entrant(number) for number in range(1, 5)]
    for number in range(5, size + 1):
        joined = draw(st.sampled_from([1, 1, 1, 2, 3, 5]))
        start = draw(st.sampled_from([0, 0, 0, 2, 4]))
        end = draw(st.sampled_from([None, start + 1, start + 2]))
        byes = draw(st.sampled_from([(), (), ((3, Bye.HALF),)]))
        absences = ((start, end),) if start else ()
        people.append(Entrant(number, joined=joined, absences=absences, byes=byes))
    return event("individual", people, rounds=last)


@settings(max_examples=examples(60), deadline=None)
@given(restless_events(), st.randoms(use_true_random=False))
def test_everybody_who_is_here_has_one_seat_or_sits_out(
    rows: TournamentRows, chance: Random
) -> None:
    rows = played(rows, by_chance(chance, forfeits=0.1))
    assert len(rounds_of(rows)) == rows.stages[0].rules.rounds
    for number, tables in enumerate(rounds_of(rows), 1):
        present = [e.number for e in rows.entrants if e.is_here(number)]
        numbers = {e.number for e in rows.entrants if e.is_here(number) and e.bye_in(number)}
        assert sorted(entrant for table in tables for entrant in table.entrants) == present
        assert {t.entrants[0] for t in tables if t.bye is Bye.HALF} == numbers
        assert len(resting(tables)) == (len(present) - len(numbers)) % 4
        assert all(
            [len(side) for side in table.sides] == [2, 2] for table in tables if not table.is_bye
        )
        assert [table.is_bye for table in tables] == sorted(table.is_bye for table in tables)


@settings(max_examples=examples(60), deadline=None)
@given(restless_events())
def test_nobody_has_a_partner_again_while_all_could_have_new_ones(rows: TournamentRows) -> None:
    had: set[Two] = set()
    for tables in rounds_of(played(rows)):
        pairs = partners(tables)
        if had & set(pairs):
            playing = {player for two in pairs for player in two}
            assert not all_can_have_new_partners(playing, had)
        had |= set(pairs)


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(4, 9), st.integers(1, 11))
def test_no_other_choice_of_who_sits_out_would_have_spared_a_partner(size: int, last: int) -> None:
    had: set[Two] = set()
    rests: Counter[int] = Counter(dict.fromkeys(range(1, size + 1), 0))
    for tables in rounds_of(played(event("individual", size, rounds=last))):
        pairs = partners(tables)
        if had & set(pairs):
            fewest = sum(sorted(rests.values())[: size % 4])
            for out in combinations(range(1, size + 1), size % 4):
                if sum(rests[player] for player in out) == fewest:
                    assert not all_can_have_new_partners(set(rests) - set(out), had)
        had |= set(pairs)
        rests.update(resting(tables))


@settings(max_examples=examples(40), deadline=None)
@given(restless_events())
def test_those_who_are_always_here_sit_out_equally_often_within_one(rows: TournamentRows) -> None:
    rests: Counter[int] = Counter()
    always = [e.number for e in rows.entrants if e.joined == 1 and not e.absences and not e.byes]
    for tables in rounds_of(played(rows)):
        rests.update(resting(tables))
        counts = [rests[player] for player in always]
        assert max(counts) - min(counts) <= 1


def test_a_latecomer_has_not_to_make_up_for_sitting_out() -> None:
    people = [*map(Entrant, range(1, 10)), Entrant(10, joined=5)]
    rests = [resting(tables) for tables in rounds_of(played(event("individual", people, rounds=9)))]
    # Four of the nine sat out once. Of the others, who never did, the latecomer is the first to.
    assert [len(out) for out in rests] == [1] * 4 + [2] * 5
    assert 10 in rests[4]
    assert 10 not in rests[5] | rests[6]


@pytest.mark.parametrize("size", [8, 9, 12, 13, 16])
def test_sixteen_or_so_who_stay_play_the_whist_design_to_its_end(size: int) -> None:
    rows = played(event("individual", size))
    rounds = rounds_of(rows)
    assert len(rounds) == (size if size % 4 else size - 1)
    all_pairs = [frozenset(two) for two in combinations(range(1, size + 1), 2)]
    assert Counter(two for tables in rounds for two in partners(tables)) == dict.fromkeys(
        all_pairs, 1
    )
    assert Counter(two for tables in rounds for two in opponents(tables)) == dict.fromkeys(
        all_pairs, 2
    )
    with pytest.raises(CannotDraw) as refusal:
        next_draw(rows, stage=1)
    assert refusal.value.code == "stage_over"


def test_another_seed_shuffles_the_players_of_the_design() -> None:
    rows = event("individual", 16)
    other = replace(rows, stages=(replace(rows.stages[0], seed="0ther"),))
    assert next_draw(rows).tables != next_draw(other).tables


@pytest.mark.parametrize("size", [8, 13, 16, 18, 40])
def test_everybody_sits_on_both_sides_equally_often_within_two(size: int) -> None:
    balance: Counter[int] = Counter()
    for tables in rounds_of(played(event("individual", size, rounds=8))):
        for table in tables:
            if not table.is_bye:
                balance.update(table.sides[0])
                balance.subtract(table.sides[1])
    assert max(map(abs, balance.values())) <= 2


@pytest.mark.parametrize("size", [100, 200])
def test_in_eight_rounds_a_hundred_people_meet_nobody_twice(size: int) -> None:
    rounds = rounds_of(played(event("individual", size, rounds=8)))
    counts = Counter(two for tables in rounds for two in partners(tables) + opponents(tables))
    assert set(counts.values()) == {1}
    assert all(len(tables) == size // 4 for tables in rounds)


def test_people_of_one_family_share_no_table_while_that_can_be_avoided() -> None:
    people = [Entrant(n, apart=("Roca",) if n <= 3 else ()) for n in range(1, 17)]
    for tables in rounds_of(played(event("individual", people, rounds=6))):
        for table in tables:
            assert len({1, 2, 3} & set(table.entrants)) <= 1


def test_a_family_of_five_at_two_tables_is_informed_that_it_could_not_be_avoided() -> None:
    people = [Entrant(n, apart=("Roca",) if n <= 5 else ()) for n in range(1, 9)]
    draw = next_draw(event("individual", people, rounds=1))
    codes = {reason.table: reason.code for reason in draw.reasons}
    clashes = [t for t in draw.tables if len({*range(1, 6)} & set(t.entrants)) > 1]
    assert clashes
    assert all(codes[table.number] == "individual_apart" for table in clashes)
    assert not any({*range(1, 6)} >= set(side) for table in draw.tables for side in table.sides[1:])


def test_results_do_not_change_who_plays_with_whom() -> None:
    rows = event("individual", 11, rounds=6)
    first, other = played(rows), played(rows, by_chance(Random(5), forfeits=0.3))
    assert [[t.sides for t in tables] for tables in rounds_of(first)] == [
        [t.sides for t in tables] for tables in rounds_of(other)
    ]


def test_a_pinned_table_stays_and_the_others_are_drawn_around_it() -> None:
    rows = with_next(event("individual", 14, rounds=5), better_seed_wins)
    pinned = Table(2, ((1, 2), (3, 4)), pinned=True)
    draw = next_draw(rows, pinned_tables=(pinned,))
    assert pinned in draw.tables
    assert sorted(table.number for table in draw.tables) == [1, 2, 3, 4, 5]
    assert sorted(entrant for table in draw.tables for entrant in table.entrants) == [*range(1, 15)]
    assert not set(partners(rounds_of(rows)[0])) & set(partners(draw.tables)[2:])


def test_three_players_have_no_table() -> None:
    with pytest.raises(CannotDraw) as refusal:
        next_draw(event("individual", 3))
    assert (refusal.value.code, refusal.value.facts) == ("too_few", {"least": 4})
    people = [*map(Entrant, range(1, 4)), Entrant(4, absences=((2, None),))]
    with pytest.raises(CannotDraw) as refusal:
        next_draw(with_next(event("individual", people, rounds=3), better_seed_wins))
    assert refusal.value.code == "too_few"


@pytest.mark.parametrize(
    ("size", "length"), [(4, 3), (5, 5), (6, 5), (7, 6), (16, 15), (17, 17), (45, 44), (49, 49)]
)
def test_a_stage_lasts_until_all_could_have_been_partners(size: int, length: int) -> None:
    assert FORMATS["individual"].rounds(size, StageRules()) == length
    assert FORMATS["individual"].rounds(size, StageRules(rounds=7)) == 7


def test_partners_come_back_when_more_rounds_are_asked_for() -> None:
    rounds = rounds_of(played(event("individual", 4, rounds=6)))
    assert Counter(two for tables in rounds for two in partners(tables)) == dict.fromkeys(
        map(frozenset, combinations(range(1, 5), 2)), 2
    )


def test_the_reasons_are_sentences() -> None:
    rows = event("individual", 5, rounds=7)
    first = next_draw(rows)
    new, rest = [explain(reason, "J{}".format, "en") for reason in first.reasons]
    (a, c), (b, d) = first.tables[0].sides
    (e,) = first.tables[1].entrants
    assert new == (
        f"J{a} and J{c} have not been partners before, nor J{b} and J{d}; all opponents are new."
    )
    assert rest == (
        f"J{e} sits out: tables are of four and 1 are left over; no player at a table has sat out"
        " less (sat out so far: 0)."
    )
    last = next_draw(played(rows, rounds=5))
    assert [reason.code for reason in last.reasons] == [
        "individual_partners_again",
        "individual_rest",
    ]
    assert last.reasons[0].facts["first"] == last.reasons[0].facts["second"] == 1
    assert {last.reasons[0].facts[f"met_{two}"] for two in ("02", "03", "12", "13")} == {2}


DRAWN = """
from tests.domain.events import event, played
from tournaments.domain.rows import Entrant
people = [Entrant(n, joined=1 + (n > 20), apart=("x",) if n < 4 else ()) for n in range(1, 24)]
for round_ in played(event("individual", people, rounds=3)).stages[0].rounds:
    print([(table.number, table.sides) for table in round_.tables])
"""


def test_two_processes_draw_the_same_rounds() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", DRAWN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == 3


def test_the_next_round_is_drawn_for_those_who_are_here() -> None:
    field = field_for(event("individual", [Entrant(n, joined=1 + n // 8) for n in range(1, 9)]))
    assert field.present == tuple(range(1, 8))
    assert len(individual.draw(field).tables) == 4


def test_a_player_takes_the_match_points_of_their_side_and_a_tie_for_sitting_out() -> None:
    rows = played(event("individual", 5, rounds=1))
    table, rest = rounds_of(rows)[0]
    assert awards(rows.stages[0]) == {
        (1, table.number): (2, 0) if table.winner == 0 else (0, 2),
        (1, rest.number): (1,),
    }
