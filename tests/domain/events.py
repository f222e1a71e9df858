"""Tournaments played to the end with made-up results, for the tests of the formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tournaments.domain.messages import LANGUAGES, explain
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Entrant, Mark, Round, Stage, StageRules, Table, TournamentRows
from tournaments.domain.stages import is_finished, next_draw, next_round, stage_of, with_stage

if TYPE_CHECKING:
    from random import Random

MAX_ROUNDS = 400

Result = Callable[[Table], Table]
"""Gives a table its result."""


def event(format_: str, entrants: int | list[Entrant], **rules: object) -> TournamentRows:
    """A tournament of one stage whose entrants are all in it, seeded by number."""
    people = (
        [Entrant(number) for number in range(1, entrants + 1)]
        if isinstance(entrants, int)
        else entrants
    )
    stage_rules: StageRules = replace(FORMATS[format_].rules, **rules)  # type: ignore[arg-type]
    numbers = tuple(person.number for person in sorted(people, key=lambda e: (e.joined, e.number)))
    stage = Stage(1, format_, stage_rules, entrants=numbers, seed="5eed")
    return TournamentRows("event", entrants=tuple(people), stages=(stage,))


def by_chance(chance: Random, forfeits: float = 0.0) -> Result:
    """Every table has a winner; now and then a side, or both, does not come."""

    def play(table: Table) -> Table:
        if table.is_bye:
            return table
        if chance.random() < forfeits:
            return replace(table, forfeits=chance.choice([(0,), (1,), (0, 1)]))
        hands = chance.choice([(4, 0), (4, 3), (1, 4)])
        return replace(table, marks=tuple(Mark(won, 10 * won) for won in hands))

    return play


def better_seed_wins(table: Table) -> Table:
    """The lower number wins."""
    if table.is_bye:
        return table
    best = min(table.entrants)
    return replace(table, marks=tuple(Mark(4 if best in side else 0) for side in table.sides))


def played(
    rows: TournamentRows, result: Result = better_seed_wins, rounds: int = MAX_ROUNDS
) -> TournamentRows:
    """Draw and play a stage to its end, or a number of rounds of it."""
    number = rows.stages[-1].number
    for _ in range(rounds):
        if is_finished(rows, stage_of(rows, number)):
            return rows
        rows = with_next(rows, result, number)
    assert rounds < MAX_ROUNDS, "the stage does not end"
    return rows


def with_next(rows: TournamentRows, result: Result, number: int = 1) -> TournamentRows:
    """Draw one round, see that every table has its reason in words, and play it."""
    draw = next_draw(rows, stage=number)
    assert draw == next_draw(rows, stage=number)
    assert {reason.table for reason in draw.reasons} >= {table.number for table in draw.tables}
    for reason in draw.reasons:
        for language in LANGUAGES:
            assert explain(reason, "pair {}".format, language)
    stage = stage_of(rows, number)
    more = Round(next_round(rows), tuple(result(table) for table in draw.tables))
    return with_stage(rows, replace(stage, rounds=(*stage.rounds, more)))


def matches(rows: TournamentRows, number: int = 1) -> Iterator[tuple[int, Table]]:
    """Yield the tables with two sides, with the numbers of their rounds."""
    for round_, table in stage_of(rows, number).tables():
        if not table.is_bye:
            yield round_, table


def meetings(rows: TournamentRows, number: int = 1) -> Counter[frozenset[int]]:
    """Count how often each two have met."""
    return Counter(frozenset(table.entrants) for _, table in matches(rows, number))


def byes(rows: TournamentRows, number: int = 1) -> Counter[int]:
    """Count the byes of each."""
    return Counter(
        table.entrants[0] for _, table in stage_of(rows, number).tables() if table.is_bye
    )
