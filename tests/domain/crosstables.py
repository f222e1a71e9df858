"""Tournaments as crosstables, the way tests of standings write them.

A line an entrant, numbered from 1, a word a round: the opponent's number and the result (``+`` won,
``=`` drawn, ``-`` lost, ``f`` won and ``x`` lost by forfeit, ``?`` still open), or ``B`` pairing
bye, ``F`` full bye, ``H`` half bye, ``Z`` zero bye, ``.`` nothing written down.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format
from tournaments.domain.ranking import StandingsLine, ranking, tally_of, terms
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Penalty,
    Points,
    Round,
    Scale,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)
from tournaments.domain.tiebreaks import CRITERIA, Term

CHESS = Scale(
    win=Points(1),
    tie=Points(1, 2),
    bye=Points(1),
    full=Points(1),
    half=Points(1, 2),
    forfeit_win=Points(1),
)

BYES = {"B": Bye.PAIRING, "F": Bye.FULL, "H": Bye.HALF, "Z": Bye.ZERO}
MARKS = {
    "+": (Mark(1), Mark(0)),
    "=": (Mark(0), Mark(0)),
    "-": (Mark(0), Mark(1)),
}


def refuse(field: Field) -> Draw:
    """These formats only stand in: nothing is drawn in them."""
    raise CannotDraw("stage_over", stage=field.stage.number)


def stand_in(name: str, **facts: Any) -> Format:
    return Format(
        name=name,
        draw=refuse,
        rounds=lambda _, rules: rules.rounds,
        is_over=lambda *_: True,
        order=("buchholz_cut1", "direct_encounter"),
        **facts,
    )


FORMATS: Mapping[str, Format] = {
    "swiss": stand_in("swiss"),
    "preset": replace(stand_in("preset", is_preset=True), order=("direct_encounter",)),
}


def crosstable(
    lines: Iterable[str],
    format_: str = "swiss",
    *,
    scale: Scale = CHESS,
    entrants: Sequence[Entrant] | None = None,
    penalties: tuple[Penalty, ...] = (),
    **rules: Any,
) -> TournamentRows:
    """Return a tournament of one stage."""
    words = [line.split() for line in lines]
    rounds = tuple(
        Round(number + 1, tuple(tables_of([line[number] for line in words])))
        for number in range(len(words[0]))
    )
    numbers = tuple(range(1, len(words) + 1))
    stage = Stage(1, format_, StageRules(scale=scale, **rules), numbers, rounds)
    people = tuple(entrants or (Entrant(number) for number in numbers))
    return TournamentRows("", entrants=people, stages=(stage,), penalties=penalties)


def tables_of(column: list[str]) -> Iterable[Table]:
    number = 0
    for entrant, word in enumerate(column, 1):
        if word == ".":
            continue
        if word in BYES:
            number += 1
            yield Table(number, ((entrant,),), bye=BYES[word])
            continue
        opponent, result = int(word[:-1]), word[-1]
        if opponent < entrant:
            continue
        number += 1
        sides = ((entrant,), (opponent,))
        if result == "?":
            yield Table(number, sides)
        elif result in MARKS:
            yield Table(number, sides, marks=MARKS[result])
        else:
            results = (result, column[opponent - 1][-1])
            yield Table(
                number, sides, forfeits=tuple(side for side in (0, 1) if results[side] == "x")
            )


def numbers(rows: TournamentRows, code: str, **facts: Any) -> dict[int, Fraction]:
    """Return everybody's number in a criterion of one's own or of the opponents."""
    tally = tally_of(rows, rows.stages[0], formats=FORMATS, **facts)
    return {n: Fraction(CRITERIA[code].number(tally, n)) for n in rows.stages[0].entrants}


def ranked(rows: TournamentRows, *order: str, **facts: Any) -> tuple[StandingsLine, ...]:
    """Return the table by an order of criteria."""
    stage = rows.stages[0]
    stage = replace(stage, rules=replace(stage.rules, order=order))
    return ranking(rows, stage, formats=FORMATS, **facts)


def places(lines: Iterable[StandingsLine]) -> list[tuple[int, int]]:
    """Return (rank, entrant) of each line."""
    return [(line.rank, line.entrant) for line in lines]


def sums(rows: TournamentRows, lines: Iterable[StandingsLine]) -> list[tuple[Any, Any]]:
    """Pair each number of the lines with the sum of the terms that are shown for it."""
    stage = rows.stages[0]
    return [
        (value.number, sum_of_terms(terms(rows, stage, line.entrant, value, formats=FORMATS)))
        for line in lines
        for value in line.values
        if value.number is not None
    ]


def sum_of_terms(shown_terms: Iterable[Term]) -> Fraction:
    """Add up the terms that are not cut."""
    return sum((Fraction(term.amount) for term in shown_terms if not term.cut), Fraction())


def untyped(value: object) -> Any:
    """Forget the type of a value, so that a fraction may be compared with a whole number."""
    return value
