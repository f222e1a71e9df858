"""Stores the structure of a tournament before a step that may be undone."""

from typing import Final

from tournaments.core.permissions import Actor
from tournaments.director.queries.tournaments import snapshot
from tournaments.models import RestorePoint, Tournament

MAX_POINTS: Final = 50
"""Restore points kept for a tournament; the oldest are deleted first."""


def store_restore_point(
    actor: Actor, tournament: Tournament, verb: str, round_number: int | None = None
) -> RestorePoint:
    """Store the structure of a locked tournament as it is before ``verb``."""
    point = RestorePoint.objects.create(
        tournament=tournament,
        verb=verb,
        round_number=round_number,
        version=tournament.version,
        snapshot=snapshot(tournament),
        made_by=actor.label,
    )
    newest = tournament.restore_points.order_by("-pk").values("pk")[:MAX_POINTS]
    tournament.restore_points.exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()
    return point
