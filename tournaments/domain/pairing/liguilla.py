"""The liguilla: everybody meets everybody, once or several times (`berger`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.domain.pairing.base import CannotDraw, Draw, Field, Format
from tournaments.domain.pairing.berger import berger
from tournaments.domain.rows import Bye, Entrant, Points, Scale, Stage, StageRules, Table

MOST_ENTRANTS: Final = 64
"""More would have thousands of matches."""


def draw(field: Field) -> Draw:
    """Answer the next round of the schedule."""
    schedule = berger(len(field.stage.entrants), field.stage.rules.turns)
    if field.place > len(schedule):
        raise CannotDraw("stage_over")
    who = field.stage.entrants
    tables = []
    for meeting in schedule[field.place - 1]:
        home = who[meeting.home - 1]
        if meeting.away is None:
            tables.append(Table(meeting.table, ((home,),), bye=Bye.PAIRING))
        else:
            tables.append(Table(meeting.table, ((home,), (who[meeting.away - 1],))))
    return Draw(tuple(tables))


def rounds(entrants: int, rules: StageRules) -> int:
    """Return n - 1 rounds a turn for an even number of entrants, n for an odd one."""
    return (entrants - 1 + entrants % 2) * rules.turns


def is_over(stage: Stage, entrants: Mapping[int, Entrant]) -> bool:
    """Tell whether every round has been drawn."""
    del entrants
    return len(stage.rounds) >= rounds(len(stage.entrants), stage.rules)


FORMAT: Final = Format(
    name="liguilla",
    draw=draw,
    rounds=rounds,
    is_over=is_over,
    order=("direct_encounter", "hand_difference", "point_difference"),
    settings=("turns",),
    rules=StageRules(scale=Scale(bye=Points(0))),
    most=MOST_ENTRANTS,
    all_at_once=True,
    is_preset=True,
)
