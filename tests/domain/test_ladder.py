"""The ladder: everybody meets everybody equally often, also when players come and go."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.test_proof_formats import play as with_a_result
from tests.quick import examples
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.messages import explain
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.pairing.base import Draw, Field
from tournaments.domain.pairing.checks import objections
from tournaments.domain.pairing.ladder import CRITERIA, FORMAT, balanced_turns, draw, ladder_order
from tournaments.domain.pairing.past import pair as key_of
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Stage,
    State,
    Table,
    TournamentRows,
)
from tournaments.domain.stages import is_finished

FEW = settings(max_examples=examples(20), deadline=None)


def stage_of(entrants: int, seed: str = "5eed") -> Stage:
    return Stage(1, "ladder", FORMAT.rules, tuple(range(1, entrants + 1)), seed=seed)


def field_of(stage: Stage, here: tuple[int, ...] | None = None, **more: object) -> Field:
    entrants = more.pop("entrants", None) or {n: Entrant(n) for n in stage.entrants}
    present = stage.entrants if here is None else here
    return Field(stage, entrants, len(stage.rounds) + 1, present, **more)  # type: ignore[arg-type]


def after(stage: Stage, drawn: Draw, chance: Random) -> Stage:
    tables = tuple(with_a_result(table, chance) for table in drawn.tables)
    tables = tuple(replace(table, forfeits=()) for table in tables)
    tables = tuple(
        table if table.is_bye or table.marks else replace(table, marks=(Mark(1), Mark(0)))
        for table in tables
    )
    number = len(stage.rounds) + 1
    return replace(stage, rounds=(*stage.rounds, Round(number, tables, State.CLOSED)))


def play(stage: Stage, times: int, here: tuple[int, ...] | None = None) -> Stage:
    chance = Random(f"{stage.seed} {len(stage.rounds)}")
    for _ in range(times):
        stage = after(stage, draw(field_of(stage, here)), chance)
    return stage


def meetings(stage: Stage, first: int = 0) -> Counter[tuple[int, int]]:
    counts = Counter(dict.fromkeys(combinations(stage.entrants, 2), 0))
    counts.update(
        key_of(*table.entrants)
        for round_ in stage.rounds[first:]
        for table in round_.tables
        if not table.is_bye
    )
    return counts


def byes(stage: Stage) -> Counter[int]:
    counts = Counter(dict.fromkeys(stage.entrants, 0))
    counts.update(t.entrants[0] for r in stage.rounds for t in r.tables if t.is_bye)
    return counts


def spread(counts: Counter[int] | Counter[tuple[int, int]]) -> int:
    return max(counts.values()) - min(counts.values())


# --- a field that stays ------------------------------------------------------------------------


@given(st.integers(2, 21), st.integers(1, 45), st.text("0123456789abcdef", max_size=6))
@FEW
def test_at_any_moment_no_two_have_met_twice_more_often_than_two_others(
    entrants: int, times: int, seed: str
) -> None:
    stage = play(stage_of(entrants, seed), min(times, 3 * entrants))
    assert spread(meetings(stage)) <= 1
    assert spread(byes(stage)) <= 1


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 8, 10, 13, 16])
def test_a_cycle_lets_everybody_meet_everybody_once_and_rest_at_most_once(entrants: int) -> None:
    cycle = entrants - 1 + entrants % 2
    stage = play(stage_of(entrants), 2 * cycle)
    assert set(meetings(stage).values()) == {2}
    assert set(meetings(stage, cycle).values()) == {1}
    assert set(byes(stage).values()) == {2 * (entrants % 2)}


def test_among_the_rounds_owed_the_one_comes_in_which_the_best_meet() -> None:
    stage = play(stage_of(8), 3)
    place = {entrant: n for n, entrant in enumerate(ladder_order(stage, stage.entrants))}

    def apart(tables: tuple[Table, ...]) -> int:
        return sum((place[t.entrants[0]] - place[t.entrants[1]]) ** 2 for t in tables)

    pairing = draw(field_of(stage))
    assert pairing.quality["distance"] == apart(pairing.tables)
    later = stage
    owed = []
    for _ in range(4):
        later = play(later, 1)
        owed.append(apart(later.rounds[-1].tables))
    assert apart(pairing.tables) == min(owed)


@given(st.integers(2, 30), st.integers(0, 8))
@FEW
def test_everybody_here_is_at_one_table_numbered_through_byes_last(
    entrants: int, times: int
) -> None:
    stage = play(stage_of(entrants), times)
    tables = draw(field_of(stage)).tables
    assert sorted(entrant for table in tables for entrant in table.entrants) == list(stage.entrants)
    assert [table.number for table in tables] == list(range(1, len(tables) + 1))
    assert [table.bye for table in tables if table.is_bye] == [Bye.PAIRING] * (entrants % 2)
    assert not any(table.is_bye for table in tables[:-1])


def test_the_sides_that_deal_are_shared_out() -> None:
    stage = play(stage_of(8), 7)
    first = Counter(table.entrants[0] for round_ in stage.rounds for table in round_.tables)
    assert set(first.values()) <= {3, 4}


# --- a field that changes ----------------------------------------------------------------------


def cheapest(field: Field) -> int:
    """The least imbalance of meetings over all rounds there are, by looking at every one."""
    turns = balanced_turns(field.stage, field.present)
    min_meetings = min(turns.meetings[key_of(*two)] for two in combinations(field.present, 2))

    def best(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, *others = left
        return min(
            (turns.meetings[key_of(first, other)] - min_meetings) ** 2
            + best(tuple(entrant for entrant in others if entrant != other))
            for other in others
        )

    return best(tuple(field.present))


@given(st.data())
@settings(max_examples=examples(30), deadline=None)
def test_one_who_comes_and_goes_no_round_could_share_the_meetings_out_better(
    data: st.DataObject,
) -> None:
    stage = stage_of(8)
    chance = Random(data.draw(st.integers(0, 10**6)))
    for _ in range(data.draw(st.integers(1, 9))):
        present = tuple(sorted(chance.sample(stage.entrants, chance.choice([4, 6, 8]))))
        field = field_of(stage, present)
        pairing = draw(field)
        assert pairing.quality["meetings"] == cheapest(field)
        stage = after(stage, pairing, chance)


@given(st.data())
@FEW
def test_who_rests_has_rested_least_of_those_here(data: st.DataObject) -> None:
    stage, chance = stage_of(9), Random(data.draw(st.integers(0, 10**6)))
    for _ in range(8):
        present = tuple(sorted(chance.sample(stage.entrants, chance.choice([3, 5, 7, 9]))))
        turns, pairing = balanced_turns(stage, present), draw(field_of(stage, present))
        (resting,) = (table.entrants[0] for table in pairing.tables if table.is_bye)
        assert turns.byes[resting] == min(turns.byes[entrant] for entrant in present)
        stage = after(stage, pairing, chance)


def test_a_newcomer_does_not_rest_before_those_who_have_rested_less() -> None:
    stage = play(stage_of(9), 3, tuple(range(1, 8)))
    waiting = {entrant for entrant in range(1, 8) if not byes(stage)[entrant]}
    stage = play(stage, 4)
    assert {entrant for entrant in waiting if byes(stage)[entrant] == 1} == waiting
    assert byes(stage)[8] == byes(stage)[9] == 0


def test_who_comes_late_stands_level_with_those_who_met_least_often() -> None:
    stage = play(stage_of(7), 10, tuple(range(1, 7)))
    turns = balanced_turns(stage, stage.entrants)
    assert {turns.meetings[key_of(7, entrant)] for entrant in range(1, 7)} == {2}
    stage = play(stage_of(8), 15, tuple(range(1, 7)))
    counts = meetings(play(stage, 7), 15)
    assert set(counts.values()) == {1}


def test_who_was_away_for_long_is_not_paired_again_and_again_with_the_same() -> None:
    stage = play(stage_of(6), 20, tuple(range(1, 5)))
    stage = play(stage, 5)
    counts = meetings(stage, 20)
    assert all(counts[key_of(entrant, other)] == 1 for entrant in (5, 6) for other in range(1, 5))


def test_a_forfeited_match_is_still_owed() -> None:
    tables = (
        Table(1, ((1,), (2,)), forfeits=(0,)),
        Table(2, ((3,), (4,)), marks=(Mark(1), Mark(0))),
    )
    stage = replace(stage_of(4), rounds=(Round(1, tables),))
    assert balanced_turns(stage, stage.entrants).meetings[1, 2] == 0


def test_who_asked_for_a_bye_does_not_lose_their_turn_to_rest() -> None:
    tables = (Table(1, ((1,), (2,))), Table(2, ((3,),), bye=Bye.HALF))
    stage = replace(stage_of(3), rounds=(Round(1, tables),))
    assert balanced_turns(stage, stage.entrants).byes == Counter({3: 0, 1: 0, 2: 0})


def test_two_who_are_kept_apart_do_not_meet() -> None:
    stage, chance = stage_of(6), Random(1)
    entrants = {n: Entrant(n, apart=("Marta",) if n < 3 else ()) for n in stage.entrants}
    for _ in range(12):
        stage = after(stage, draw(field_of(stage, entrants=entrants)), chance)
    assert meetings(stage)[1, 2] == 0


def test_a_pinned_table_stays_and_the_others_are_paired_round_it() -> None:
    pinned = (Table(2, ((1,), (5,)), pinned=True),)
    pairing = draw(field_of(play(stage_of(7), 3), pinned_tables=pinned))
    assert pinned[0] in pairing.tables
    assert sorted(entrant for table in pairing.tables for entrant in table.entrants) == list(
        range(1, 8)
    )
    pinned_pairing = draw(field_of(stage_of(2), pinned_tables=(Table(1, ((1,), (2,))),)))
    assert pinned_pairing.quality == dict.fromkeys(CRITERIA, 0)


# --- whole ladders -----------------------------------------------------------------------------


def test_there_is_no_end_unless_one_was_agreed() -> None:
    endless = play(stage_of(3), 9)
    rows = TournamentRows("Escalera", entrants=tuple(Entrant(n) for n in (1, 2, 3)))
    assert FORMAT.rounds(3, endless.rules) is None
    assert not is_finished(rows, endless)
    agreed = replace(endless, rules=replace(endless.rules, rounds=9))
    assert is_finished(rows, agreed)
    with pytest.raises(CannotDraw) as refused:
        draw(field_of(agreed))
    assert refused.value.code == "stage_over"


def test_one_alone_has_nobody_to_meet() -> None:
    with pytest.raises(CannotDraw) as refused:
        draw(field_of(stage_of(3), (2,)))
    assert (refused.value.code, refused.value.facts) == ("too_few", {"least": 2})


def test_the_ranking_is_by_the_mean_so_that_coming_late_is_no_arrear() -> None:
    def won(number: int, winner: int, loser: int) -> Round:
        return Round(number, (Table(1, ((winner,), (loser,)), marks=(Mark(3, 300), Mark(1, 200))),))

    rounds = (won(1, 1, 2), won(2, 1, 2), won(3, 2, 1), won(4, 3, 1))
    stage = replace(stage_of(3), rounds=rounds)
    rows = TournamentRows("Escalera", entrants=(Entrant(1), Entrant(2), Entrant(3)))
    lines = ranking(rows, stage)
    assert [(line.entrant, line.values[0].number) for line in lines] == [
        (3, Fraction(2)),
        (1, Fraction(1)),
        (2, Fraction(2, 3)),
    ]
    assert [line.match_points for line in lines] == [Points(2), Points(4), Points(2)]
    assert [line.decided_by for line in lines[1:]] == ["mean_match_points"] * 2
    assert ladder_order(stage, (1, 2, 3)) == [3, 1, 2]
    fined = ranking(replace(rows, penalties=(Penalty(1, 1, Points(3)),)), stage)
    assert {line.entrant: line.values[0].number for line in fined}[1] == Fraction(1, 4)


def test_meeting_and_resting_again_is_no_objection() -> None:
    stage = play(stage_of(3), 6)
    assert objections(field_of(stage), draw(field_of(stage)).tables) == ()


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_table_says_why(language: str) -> None:
    stage = play(stage_of(5), 7)
    pairing = draw(field_of(stage))
    assert {reason.table for reason in pairing.reasons} == {
        table.number for table in pairing.tables
    }
    for reason in pairing.reasons:
        assert "{" not in explain(reason, str, language)
    (rest,) = (reason for reason in pairing.reasons if reason.code == "ladder_rest")
    assert rest.facts == {"rests": byes(stage)[rest.entrants[0]]}


def test_the_draw_is_the_same_in_every_process() -> None:
    rows = TournamentRows(
        "Escalera",
        entrants=tuple(Entrant(n) for n in range(1, 10)),
        stages=(play(stage_of(9), 12),),
    )
    script = (
        "import json, sys\n"
        "from tournaments.domain.file import rows_from_bytes\n"
        "from tournaments.domain.stages import next_draw\n"
        "drawn = next_draw(rows_from_bytes(sys.stdin.buffer.read()))\n"
        "print(json.dumps([[list(side) for side in t.sides] for t in drawn.tables]))\n"
    )
    source = rows_to_bytes(rows)
    answers = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=source,
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    }
    (response,) = answers
    tables = draw(field_of(rows_from_bytes(source).stages[0])).tables
    assert json.loads(response) == [[list(side) for side in table.sides] for table in tables]


def test_another_seed_begins_with_other_meetings() -> None:
    first = {
        frozenset(table.entrants for table in draw(field_of(stage_of(12, seed))).tables)
        for seed in ("00", "11", "22")
    }
    assert len(first) == 3


def test_it_is_one_of_the_formats() -> None:
    assert FORMATS["ladder"] is FORMAT
