"""Who left without having played comes after all others of the same match points."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.events import MAX_ROUNDS, Result, by_chance, event, played, with_next
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import CannotDraw
from tournaments.domain.ranking import LEFT_UNPLAYED, ranking
from tournaments.domain.rows import Entrant, Mark, PlaceRule, Stage, Table, TournamentRows
from tournaments.domain.stages import is_finished, with_stage

SIZES = {"individual": (8, 12), "threes": (7, 12), "tables": (8, 12), "duplicate": (8, 10)}
PLANNED = {"swiss", "ladder", "threes", "tables", "individual"}
"""Formats whose number of rounds is a setting."""


def with_rule(rows: TournamentRows, rule: PlaceRule) -> TournamentRows:
    (stage,) = rows.stages
    return with_stage(rows, replace(stage, rules=replace(stage.rules, places=rule)))


def withdrawn(number: int, first: int) -> Entrant:
    return Entrant(number, absences=((first, None),))


def of_three(chance: Random) -> Result:
    """Return results of tables with any number of sides."""

    def play(table: Table) -> Table:
        if table.is_bye:
            return table
        hands = chance.sample(range(6), len(table.sides))
        return replace(table, marks=tuple(Mark(won, 10 * won) for won in hands))

    return play


def test_who_left_before_the_first_match_stands_behind_who_lost_them_all() -> None:
    people = [*(Entrant(number) for number in (1, 2, 3, 4)), withdrawn(5, 1)]
    rows = played(event("liguilla", people))
    order = [line.entrant for line in ranking(rows, rows.stages[0])]
    assert order == [1, 2, 3, 5, 4]
    lines = ranking(*_applied(rows))
    assert [line.entrant for line in lines] == [1, 2, 3, 4, 5]
    assert [line.rank for line in lines] == [1, 2, 3, 4, 5]
    assert [line.decided_by for line in lines][-1] == LEFT_UNPLAYED
    assert [line.on_podium for line in lines] == [True, True, True, True, False]


def _applied(rows: TournamentRows) -> tuple[TournamentRows, Stage]:
    rows = with_rule(rows, PlaceRule.PLAYED)
    return rows, rows.stages[0]


def test_a_file_that_states_no_rule_keeps_its_table() -> None:
    people = [*(Entrant(number) for number in (1, 2, 3)), withdrawn(4, 1)]
    rows = played(event("swiss", people, rounds=2))
    lines = ranking(rows, rows.stages[0])
    assert all(line.on_podium for line in lines)
    assert LEFT_UNPLAYED not in [line.decided_by for line in lines]


def test_who_is_only_away_for_a_while_is_ranked_like_the_others() -> None:
    people = [*(Entrant(number) for number in (1, 2, 3)), Entrant(4, absences=((1, 3),))]
    rows = with_rule(played(event("swiss", people, rounds=2)), PlaceRule.PLAYED)
    assert all(line.on_podium for line in ranking(rows, rows.stages[0]))


@pytest.mark.parametrize("format_", sorted(FORMATS))
@given(data=st.data())
def test_nobody_who_left_unplayed_stands_above_one_who_played_with_the_same_match_points(
    format_: str, data: st.DataObject
) -> None:
    least, most = SIZES.get(format_, (4, 11))
    count = data.draw(st.integers(least, most))
    chance = Random(data.draw(st.integers(0, 10**6)))
    leavers = data.draw(st.integers(0, max(0, count - least)))
    people = [
        withdrawn(number, chance.randint(1, 3)) if number <= leavers else Entrant(number)
        for number in chance.sample(range(1, count + 1), count)
    ]
    rules = {"rounds": 3} if format_ in PLANNED else {}
    rows = with_rule(event(format_, people, **rules), PlaceRule.PLAYED)
    result = of_three(chance) if format_ in {"threes", "tables"} else by_chance(chance, 0.3)
    for _ in range(MAX_ROUNDS if not FORMATS[format_].is_endless else 3):
        if is_finished(rows, rows.stages[0]):
            break
        try:
            rows = with_next(rows, result)
        except CannotDraw:
            break
        _assert_law(rows)


def _assert_law(rows: TournamentRows) -> None:
    (stage,) = rows.stages
    played_here = {
        entrant
        for _, table in stage.tables()
        if table.marks is not None and not table.forfeits and not table.is_bye
        for entrant in table.entrants
    }
    lines = ranking(rows, stage)
    assert sorted(line.entrant for line in lines) == sorted(stage.entrants)
    assert lines[0].decided_by == ""
    for line in lines:
        if line.withdrawn and line.entrant not in played_here:
            assert not line.on_podium
            assert not any(
                line.rank <= other.rank
                for other in lines
                if other.match_points == line.match_points and other.entrant in played_here
            )
