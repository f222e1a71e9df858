"""The version of a tournament: a number that every change raises which its public pages show."""

from __future__ import annotations

from typing import Final

from django.db.models import OuterRef, Subquery

from tournaments.models import AuditEvent, Tournament
from tournaments.permissions import Actor, may_see
from tournaments.queries.find import found, visible

SEEN: Final = ("version", "state", "visibility", "club__slug")
"""What is read of a tournament: its version, and who may see it."""


def live_version(slug: str, viewer: Actor) -> str:
    """Return the version of a tournament, a whole number, by one small query. Refuses NOT_FOUND.

    It is greater after every change of the tournament: whatever happens in one is
    written into its history, and what changes the standings raises its version. Numbers of the
    history are given out in the order of the commits, so the greater version is the later one.
    """
    told = AuditEvent.objects.filter(tournament=OuterRef("pk")).order_by("-sequence")
    known = Tournament.objects.select_related("club").only(*SEEN)
    known = known.annotate(told=Subquery(told.values("sequence")[:1]))
    tournament = found(known.filter(slug=slug).first())
    visible(may_see(viewer, tournament))
    return str(tournament.version + (tournament.told or 0))
