"""Places that are shared at the end of a stage, for which lots can be drawn."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.domain.ranking import tables
from tournaments.domain.stages import stage_of
from tournaments.models import Tournament
from tournaments.queries.heads import FINISHED_STAGE, WAITING_STAGE, TournamentHead
from tournaments.queries.papers import rows_of


@dataclass(frozen=True, slots=True)
class LotsDue:
    """The stage whose places are shared, and by whom."""

    stage: int
    names: tuple[str, ...]


def lots_due(head: TournamentHead) -> LotsDue | None:
    """Return whose places are to be drawn for, for those who may draw; ``head`` is the viewer's.

    That is so when the last stage that was played is over and either its rules ask for lots or
    another stage is to be filled from it. No query, ten when a stage is over.
    """
    if not head.may.manage or head.state != Tournament.State.RUNNING:
        return None
    if head.current_stage.state != FINISHED_STAGE:
        return None
    is_followed = any(stage.state == WAITING_STAGE for stage in head.stages)
    number = head.current_stage.number
    rows = rows_of(Tournament.objects.get(pk=head.pk))
    stage = stage_of(rows, number)
    if not (stage.rules.lots or is_followed):
        return None
    names = {entrant.number: entrant.name for entrant in rows.entrants}
    shared = tuple(
        names[line.entrant]
        for table in tables(rows, stage)
        for line in table.lines
        if line.shared and line.entrant not in stage.lots
    )
    return LotsDue(number, shared) if shared else None
