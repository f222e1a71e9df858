"""Sets the minutes of the rounds of single stages, and when the clock warns of their end."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import transaction

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.director.services.settings import STAGE_TIMES, checked_times
from tournaments.models import Tournament

NUMBER: Final = "number"


@transaction.atomic
def time_stages(
    actor: Actor, tournament: Tournament, times: Sequence[Mapping[str, Any]]
) -> Tournament:
    """Set the times (`STAGE_TIMES`) of stages, each with its ``number``; what is left out stays.

    A clock that was started keeps its minutes. Refuses FORBIDDEN, TOURNAMENT_OVER, BAD_OPTIONS.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    refuse_closed("rename", tournament_facts(tournament))
    stages = {stage.number: stage for stage in tournament.stages.all()}
    before, after = [], []
    for row in times:
        stage = stages.get(row[NUMBER])
        if stage is None:
            raise Refusal(Reason.BAD_OPTIONS, text="stages")
        now = {name: getattr(stage, name) for name in STAGE_TIMES}
        new = now | checked_times(row)
        if new != now:
            before.append({NUMBER: stage.number, **now})
            after.append({NUMBER: stage.number, **new})
            tournament.stages.filter(pk=stage.pk).update(**new)
    if after:
        write_tournament_event(
            actor,
            "tournament.changed",
            tournament,
            tournament,
            before={"stages": before},
            after={"stages": after},
        )
    return tournament
