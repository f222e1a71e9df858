"""Whatever the format, an event played by its own draws holds when it is read back and checked."""

import json
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from tools.verify_export import Report, check_proof
from tournaments.domain.file import rows_from_bytes, rows_to_bytes
from tournaments.domain.file.proofs import bundle_from_bytes, bundle_to_bytes
from tournaments.domain.pairing import FORMATS, CannotDraw
from tournaments.domain.proof import Bundle, prove
from tournaments.domain.ranking import ranking
from tournaments.domain.rows import (
    Bye,
    ByeRule,
    Entrant,
    Mark,
    PairedBy,
    Points,
    SeatedBy,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.stages import next_draw, next_round, with_round, with_stage
from tournaments.domain.verification import all_hold, verify

MAX_ROUNDS = 6


def play(table: Table, chance: Random) -> Table:
    """Give a table a result: one side wins, its deals are scored, or a side does not come."""
    if table.is_bye:
        return table
    if chance.random() < 0.1:
        return replace(table, forfeits=(chance.randrange(len(table.sides)),))
    winner = chance.randrange(len(table.sides))
    marks = tuple(
        Mark(3 if side == winner else chance.randrange(3), chance.randrange(90, 300))
        for side in range(len(table.sides))
    )
    points = tuple(tuple(chance.randrange(0, 131, 10) for _ in table.sides) for _ in table.boards)
    return replace(table, marks=marks, board_points=points)


VALUES: Mapping[str, tuple[Any, ...]] = {
    "turns": (2,),
    "groups": (1,),
    "third_place": (True,),
    "reset_final": (False,),
    "lives": (1, 2),
    "late": tuple(Bye),
    "byes": tuple(ByeRule),
    "paired_by": (PairedBy.TABLE,),
    "carry": (True,),
    "rounds": (1, None),
    "table_size": (3, 5),
    "other_size": (5, 4),
    "seated_by": tuple(SeatedBy),
    "points_by_size": (((Points(3), Points(1), Points(-1), Points(-3)),),),
    "typed_only": (True,),
    "table_points": ((Points(3), Points(1, 2)),),
    "deals": (1, 2, 3, 4),
    "movement": ("mitchell", "howell"),
    "dealt_by": ("baza", "table"),
    "comparison": ("matchpoints", "average"),
}
"""Other values of the settings that a format reads."""

SHAPES: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in sorted(FORMATS)] + [
    (name, {setting: value})
    for name, format_ in sorted(FORMATS.items())
    for setting in format_.settings
    for value in VALUES[setting]
]
"""Every format as it is by default, and with each of its settings at another value."""


def begun(
    name: str, entrants: int, chance: Random, changed: Mapping[str, Any] = MappingProxyType({})
) -> TournamentRows:
    format_ = FORMATS[name]
    if name == "tables":
        entrants = max(entrants, 7)  # from six people on every number fills fours and threes
    people = [
        Entrant(n, f"Pareja {n}", rating=chance.randrange(1000, 2000)) for n in range(1, entrants)
    ]
    rules = replace(format_.rules, rounds=4) if "rounds" in format_.settings else format_.rules
    if "groups" in format_.settings:
        rules = replace(rules, groups=2)
    rules = replace(rules, **changed)
    return TournamentRows(
        "Torneo", entrants=tuple(people), stages=(Stage(1, name, rules, seed="5eed"),)
    )


def played(
    rows: TournamentRows, chance: Random
) -> tuple[TournamentRows, dict[int, TournamentRows]]:
    """Play an event; between two rounds an entrant leaves or asks for a bye.

    Returns the rows as they are at the end, and as they were before each round was drawn.
    """
    before: dict[int, TournamentRows] = {}
    for _ in range(MAX_ROUNDS):
        number = next_round(rows)
        try:
            tables = next_draw(rows).tables
        except CannotDraw:
            return rows, before
        before[number] = rows
        if not rows.stages[0].entrants:
            order = sorted(rows.entrants, key=lambda entrant: (-entrant.rating, entrant.number))
            stage = replace(rows.stages[0], entrants=tuple(entrant.number for entrant in order))
            rows = with_stage(rows, stage)
        rows = with_round(rows, 1, tuple(play(table, chance) for table in tables))
        rows = disturbed(rows, number, chance)
    return rows, before


def disturbed(rows: TournamentRows, number: int, chance: Random) -> TournamentRows:
    """One entrant asks for a bye after the first round, one leaves after the second."""
    entrants = list(rows.entrants)
    place = chance.randrange(len(entrants))
    if number == 2:
        entrants[place] = replace(entrants[place], absences=((number + 1, None),))
    elif number == 1 and rows.stages[0].format == "swiss":
        entrants[place] = replace(entrants[place], byes=((2, Bye.HALF),))
    return replace(rows, entrants=tuple(entrants))


@pytest.mark.parametrize(("name", "changed"), SHAPES)
def test_an_event_of_any_shape_is_read_as_it_was_written_and_holds(
    name: str, changed: Mapping[str, Any]
) -> None:
    # Twelve and 24 fill tables of every size.
    for more in (10, 22) if name == "tables" else (1, 4, 9):
        chance = Random(f"{name} {more}")
        entrants = FORMATS[name].min_entrants + more
        rows, before = played(begun(name, entrants, chance, changed), chance)
        assert before
        bundle = prove(rows, before=before)
        copy = bundle_from_bytes(bundle_to_bytes(bundle))
        assert copy == bundle
        assert [finding for finding in verify(copy) if not finding.holds] == []
        report = Report()
        check_proof(report, json.loads(bundle_to_bytes(bundle)), set())
        assert report.faults == []


@pytest.mark.parametrize("deals", [1, 2, 3, 4])
def test_the_points_of_each_deal_are_a_row_of_two_sides(deals: int) -> None:
    chance = Random(deals)
    rows, _ = played(begun("duplicate", 7, chance, {"deals": deals}), chance)
    tables = [table for _, table in rows.stages[0].tables() if table.board_points]
    assert {len(table.board_points) for table in tables} == {deals}
    assert {len(row) for table in tables for row in table.board_points} == {2}
    assert rows_from_bytes(rows_to_bytes(rows)) == rows


def test_a_result_corrected_later_holds_with_what_was_known_and_not_without() -> None:
    chance = Random("corrected")
    rows, before = played(begun("swiss", 13, chance), chance)
    stage = rows.stages[0]
    first = stage.rounds[0]
    turned = tuple(
        replace(table, marks=table.marks[::-1]) if table.marks else table for table in first.tables
    )
    corrected = replace(stage, rounds=(replace(first, tables=turned), *stage.rounds[1:]))
    rows = with_stage(rows, corrected)
    assert all_hold(verify(prove(rows, before=before)))
    assert not all_hold(verify(Bundle(rows)))


def test_a_pinned_table_stays_where_the_director_put_it() -> None:
    chance = Random("pinned")
    rows, _ = played(begun("swiss", 9, chance), chance)
    rows = replace(rows, stages=(replace(rows.stages[0], rounds=rows.stages[0].rounds[:1]),))
    pinned = Table(1, ((1,), (2,)), pinned=True)
    tables = next_draw(rows, (pinned,)).tables
    assert pinned in tables
    rows = with_round(rows, 1, tuple(play(table, chance) for table in tables))
    assert all_hold(verify(prove(rows)))


def test_the_final_of_the_best_of_a_swiss_holds() -> None:
    chance = Random("final")
    rows, before = played(begun("swiss", 9, chance), chance)
    rows = replace(rows, entrants=tuple(replace(entrant, absences=()) for entrant in rows.entrants))
    final = Stage(2, "knockout", StageRules(take=4), seed="f1")
    rows = replace(rows, stages=(replace(rows.stages[0], lots={}), final))
    assert len(rows.stages[0].rounds) == 4
    rules = replace(rows.stages[0].rules, lots=True)
    lots = {entrant: chance.randrange(1, 10**6) for entrant in rows.stages[0].entrants}
    rows = with_stage(rows, replace(rows.stages[0], rules=rules, lots=lots))
    draw = next_draw(rows, stage=2)
    entrants = tuple(line.entrant for line in ranking(rows, rows.stages[0])[:4])
    rows = with_round(with_stage(rows, replace(final, entrants=entrants)), 2, draw.tables)
    before = {
        number: replace(old_rows, stages=old_rows.stages[:1]) for number, old_rows in before.items()
    }
    findings = verify(prove(rows, before=before))
    assert all_hold(findings), [finding for finding in findings if not finding.holds]
    assert "qualified" in [finding.code for finding in findings]
