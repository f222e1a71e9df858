"""What was done in a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournaments.models import AuditEvent
from tournaments.permissions import Actor
from tournaments.queries.find import visible
from tournaments.queries.heads import open_tournament

MOST_EVENTS = 500


@dataclass(frozen=True, slots=True)
class EventRow:
    """Something that was done."""

    sequence: int
    at: datetime
    verb: str
    actor: str
    subject: str
    facts: dict[str, Any]


def history(slug: str, viewer: Actor) -> tuple[EventRow, ...]:
    """Return what was done in the tournament, the latest first; for members."""
    return _event_rows(_events(slug, viewer).order_by("-sequence")[:MOST_EVENTS])


def history_after(slug: str, sequence: int, count: int, viewer: Actor) -> tuple[EventRow, ...]:
    """Return what was done next in the tournament, the earliest first; for members."""
    events = _events(slug, viewer).filter(sequence__gt=sequence)
    return _event_rows(events.order_by("sequence")[:count])


def _events(slug: str, viewer: Actor) -> QuerySet[AuditEvent]:
    this = open_tournament(slug, viewer)
    visible(this.powers.read_history)
    return AuditEvent.objects.filter(tournament=this.tournament)


def _event_rows(events: QuerySet[AuditEvent]) -> tuple[EventRow, ...]:
    return tuple(EventRow(e.sequence, e.at, e.verb, e.actor, e.subject, e.facts) for e in events)
