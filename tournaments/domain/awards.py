"""What each side of a table takes from it in match points: one function a way of scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tournaments.domain.rows import Points, Scoring, Stage, StageRules, Table

Key = tuple[int, int]
"""A table of a stage: the round's number and the table's."""

Awards = Mapping[Key, tuple[Points, ...]]
"""The match points of each side, for every table that counts; a bye has one side."""


def awards(stage: Stage) -> Awards:
    """Return the match points of every side of every table that counts."""
    return SCORINGS[stage.rules.scoring](stage)


def by_match(stage: Stage) -> Awards:
    """Win, tie or loss, by hands won (:class:`Scale`)."""
    return {
        (round_, table.number): unplayed(stage.rules, table) or _by_hands(stage.rules, table)
        for round_, table in stage.tables()
        if table.counts
    }


def unplayed(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """Return what a bye or a forfeit is worth; nothing for a table that was played."""
    scale = rules.scale
    if table.bye is not None:
        return (scale.worth(table.bye),)
    if table.forfeits:
        return tuple(
            scale.forfeit_loss if index in table.forfeits else scale.forfeit_win
            for index in range(len(table.sides))
        )
    return ()


def _by_hands(rules: StageRules, table: Table) -> tuple[Points, ...]:
    scale, winner = rules.scale, table.winner
    if winner is None:
        return (scale.tie,) * len(table.sides)
    return tuple(scale.win if n == winner else scale.loss for n in range(len(table.sides)))


SCORINGS: Final[Mapping[Scoring, Callable[[Stage], Awards]]] = MappingProxyType(
    {Scoring.MATCH: by_match}
)
