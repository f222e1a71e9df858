"""Writing down who did what. Services call it last, after the rows have changed."""

from collections.abc import Sequence
from typing import Any

from django.db import models, transaction

from tournaments.models import AuditCounter, AuditEvent, Club, Tournament
from tournaments.permissions import Actor


def write_event(
    actor: Actor,
    verb: str,
    subject: models.Model,
    *,
    club: Club,
    tournament: Tournament | None = None,
    **facts: Any,
) -> AuditEvent:
    """Add an event to the club's history, in the transaction of the change itself.

    The club's counter stays locked until that transaction ends, so numbers have no gap and stand in
    the order of the commits. It is the last lock that a service takes: nothing may be locked after.
    ``facts`` must be ready for JSON. Raises TransactionManagementError outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an event needs the change's transaction")
    return AuditEvent.objects.create(
        club=club,
        tournament=tournament,
        sequence=_next_number(club),
        verb=verb,
        actor=actor.label[:200],
        user=actor.user,
        token=actor.token,
        subject_type=subject._meta.model_name or "",
        subject_pk=subject.pk,
        subject=str(subject)[:200],
        facts=facts,
    )


def copy_events(club: Club, events: Sequence[AuditEvent]) -> None:
    """Add events of another place to the club's history, numbered on in the order given.

    As for :func:`write_event`, the counter is the last lock of the transaction.
    """
    first = _next_number(club, len(events)) - len(events) + 1
    for sequence, event in enumerate(events, start=first):
        event.club, event.sequence = club, sequence
    AuditEvent.objects.bulk_create(events)


def _next_number(club: Club, count: int = 1) -> int:
    """Lock the club's counter, move it on by so many, and return where it stands."""
    counters = AuditCounter.objects.select_for_update()
    counter = counters.filter(pk=club.pk).first()
    if counter is None:
        AuditCounter.objects.get_or_create(club=club)
        counter = counters.get(pk=club.pk)
    counter.last += count
    counter.save(update_fields=["last"])
    return counter.last
