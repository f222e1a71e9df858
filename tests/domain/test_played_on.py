"""Who plays the next match of a bracket is in it, whatever was corrected behind."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.domain.events import better_seed_wins, by_chance, event, played, with_next
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw
from tournaments.domain.pairing.tree import OvertakenMatch
from tournaments.domain.ranking import ranking, with_corrections
from tournaments.domain.rows import Entrant, Mark, PlaceRule, Stage, Table, TournamentRows
from tournaments.domain.stages import is_finished, with_stage

PLAYED, LISTED = PlaceRule.PLAYED, PlaceRule.LISTED


def with_rule(rows: TournamentRows, rule: PlaceRule) -> TournamentRows:
    (stage,) = rows.stages
    return with_stage(rows, replace(stage, rules=replace(stage.rules, places=rule)))


def corrected(rows: TournamentRows, changes: Mapping[tuple[int, int], Table]) -> TournamentRows:
    return with_stage(rows, with_corrections(rows.stages[0], changes))


def turned(table: Table) -> Table:
    """The table with the other winner."""
    assert table.marks is not None
    return replace(table, marks=table.marks[::-1], decided=None)


def tables(rows: TournamentRows) -> dict[tuple[int, int], Table]:
    return {(round_, table.number): table for round_, table in rows.stages[0].tables()}


def places(rows: TournamentRows) -> list[tuple[int, int]]:
    return [(line.rank, line.entrant) for line in ranking(rows, rows.stages[0])]


def overtaken(stage: Stage, rows: TournamentRows) -> tuple[OvertakenMatch, ...]:
    list_ = FORMATS[stage.format].overtaken
    assert list_ is not None
    return list_(stage, rows.by_number)


def test_the_input_has_two_firsts_as_it_lies_and_one_with_the_rule() -> None:
    """A knock-out of four; the semi-final 2 - 3 was corrected after 2 had played the final."""
    rows = played(event("knockout", 4))
    rows = corrected(rows, {(1, 2): turned(tables(rows)[1, 2])})
    assert places(rows) == [(1, 1), (1, 3), (3, 2), (4, 4)]
    assert places(with_rule(rows, PLAYED)) == [(1, 1), (2, 2), (3, 3), (3, 4)]
    expected = OvertakenMatch(1, 2, winner=3, plays=2, next_round=2, next_table=1)
    assert overtaken(rows.stages[0], rows) == (expected,)


def test_the_finalist_of_a_repesca_stays_second() -> None:
    rows = with_rule(played(event("repesca", 8)), PLAYED)
    before = places(rows)
    final = max(round_ for round_, table in tables(rows) if table == 1)
    for key, table in tables(rows).items():
        if 2 in table.entrants and not table.is_bye and key[0] < 3:
            rows = corrected(rows, {key: turned(table)})
    assert final
    assert places(rows) == before


def test_a_second_final_that_was_played_stays_when_the_first_is_corrected() -> None:
    def below_wins_once(table: Table) -> Table:
        return better_seed_wins(table)

    rows = played(with_rule(event("double", 4), PLAYED), below_wins_once)
    last = max(tables(rows))
    rows = corrected(rows, {last: turned(tables(rows)[last])})
    rows = with_next(rows, better_seed_wins)  # the second final
    champion = places(rows)[0]
    rows = corrected(rows, {last: turned(tables(rows)[last])})
    assert places(rows)[0] == champion
    assert is_finished(rows, rows.stages[0])


BRACKETS = ["knockout", "double", "repesca"]


@pytest.mark.parametrize("format_", BRACKETS)
@given(
    count=st.integers(2, 12),
    third=st.booleans(),
    away=st.dictionaries(st.integers(1, 17), st.tuples(st.integers(1, 5), st.integers(1, 3))),
    seed=st.integers(0, 10**6),
)
def test_without_a_correction_both_rules_are_the_same(
    format_: str, count: int, third: bool, away: dict[int, tuple[int, int]], seed: int
) -> None:
    chance = Random(seed)
    rules = {"third_place": True} if third and format_ != "double" else {}
    people = [
        Entrant(n, absences=((away[n][0], away[n][0] + away[n][1]),) if n in away else ())
        for n in range(1, count + 1)
    ]
    rows = with_rule(event(format_, people, **rules), PLAYED)
    while not is_finished(rows, rows.stages[0]):
        try:
            rows = with_next(rows, by_chance(chance, 0.3))
        except CannotDraw:
            return
        if format_ != "double":  # the earlier rule shared the first place with two who never came
            assert places(rows) == places(with_rule(rows, LISTED))
        assert not overtaken(rows.stages[0], rows)


@pytest.mark.parametrize("format_", BRACKETS)
@given(
    count=st.integers(2, 17),
    third=st.booleans(),
    all_come=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_only_a_result_from_which_nobody_has_played_on_changes_a_place(
    format_: str, count: int, third: bool, all_come: bool, seed: int
) -> None:
    # Two meet again at once: who played on is not to be told from who came up from below.
    assume(format_ != "double" or count > 2)
    chance = Random(seed)
    rules = {"third_place": True} if third and format_ != "double" else {}
    rows = with_rule(event(format_, count, **rules), PLAYED)
    shadow = rows  # the same tables, with the corrections alone from which nobody had played on
    result = by_chance(chance, 0.0 if all_come else 0.1)
    while not is_finished(rows, rows.stages[0]):
        rows = with_next(rows, result)
        (stage,) = rows.stages
        rounds = (*shadow.stages[0].rounds, stage.rounds[-1])
        shadow = with_stage(shadow, replace(stage, rounds=rounds))
        for key, table in tables(rows).items():
            if table.is_bye or chance.random() > 0.2:
                continue
            marks = tuple(Mark(won) for won in chance.choice([(4, 0), (0, 4)]))
            change = {key: replace(table, marks=marks, forfeits=())}
            rows = corrected(rows, change)
            later = {
                entrant
                for (round_, _), other in tables(rows).items()
                for entrant in other.entrants
                if round_ > key[0]
            }
            if later.isdisjoint(table.entrants):
                shadow = corrected(shadow, change)
        assert sorted(entrant for _, entrant in places(rows)) == list(range(1, count + 1))
        # Where both stayed away, the next round was drawn without either: nobody played on.
        assert places(rows) == places(shadow) or not all_come
    if all_come:
        assert [rank for rank, _ in places(rows)].count(1) == 1
        assert places(rows) == places(with_rule(shadow, LISTED))
        assert not overtaken(shadow.stages[0], shadow)
