"""Lots: who goes first among those whom no criterion tells apart."""

import hashlib

from django.db import transaction

from tournaments.audit import write_event
from tournaments.domain.ranking import Line, tables
from tournaments.domain.stages import stage_of
from tournaments.errors import Reason, Refusal
from tournaments.models import Stage
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.papers import rows_of
from tournaments.services.locks import bump, lock_tournament, read_again
from tournaments.services.restoring import keep_restore_point


@transaction.atomic
def draw_lots(actor: Actor, stage: Stage) -> Stage:
    """Draw lots for every place of a stage that is shared, once and for all.

    The lots follow from the stage's seed, so that anybody can draw them again when it is shown.
    Refuses FORBIDDEN, NO_SHARED_PLACE.
    """
    refuse_unless(may_manage(actor, stage.tournament.club), actor)
    tournament = lock_tournament(stage.tournament)
    stage = read_again(tournament.stages.all(), stage)
    rows = rows_of(tournament)
    lines = [line for table in tables(rows, stage_of(rows, stage.number)) for line in table.lines]
    shared = [line for line in lines if line.shared and str(line.entrant) not in stage.lots]
    if not shared:
        raise Refusal(Reason.NO_SHARED_PLACE)
    keep_restore_point(actor, tournament, "lots.drawn")
    lots = dict(stage.lots)
    for number, line in enumerate(_drawn(stage, shared), start=len(lots) + 1):
        lots[str(line.entrant)] = number
    stage.lots = lots
    stage.settings = {**stage.settings, "lots": True}
    stage.save(update_fields=["lots", "settings"])
    bump(tournament)
    write_event(actor, "lots.drawn", stage, club=tournament.club, tournament=tournament, lots=lots)
    return stage


def _drawn(stage: Stage, lines: list[Line]) -> list[Line]:
    """Return the lines in the order of their lots."""

    def lot(line: Line) -> bytes:
        return hashlib.sha256(f"{stage.seed}|lot|{line.entrant}".encode()).digest()

    return sorted(lines, key=lot)
