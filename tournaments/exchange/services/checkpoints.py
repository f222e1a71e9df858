"""Signs checkpoints of a club's history, from time to time and when a tournament ends."""

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from tournaments.core.audit import lock_history, write_tournament_event
from tournaments.core.permissions import Actor
from tournaments.domain.signed_proof import DIFFERING, SIGNED, STATED
from tournaments.domain.trail.chain import FIRST, time_of
from tournaments.domain.trail.checkpoints import Checkpoint, sign
from tournaments.exchange.queries.contradictions import check_unsigned
from tournaments.exchange.queries.statements import compare_statement
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Club, Tournament

log = logging.getLogger(__name__)


@transaction.atomic
def write_checkpoint(club_pk: int) -> AuditCheckpoint | None:
    """Sign the digest of the club's last event; ``None`` when the last checkpoint has it already.

    Before it, an event states each tournament that has changed, so that the signature covers its
    proof. It takes the lock that writing an event takes, and no other.
    """
    club = Club.objects.get(pk=club_pk)
    counter = lock_history(club)
    before = AuditCheckpoint.objects.filter(club=club_pk).order_by("-number").first()
    if counter.last == 0 or (before is not None and before.sequence == counter.last):
        return None
    _state_tournaments(club, 0 if before is None else before.sequence)
    counter.refresh_from_db()
    now = timezone.now()
    checkpoint = Checkpoint(
        club=club_pk,
        number=1 if before is None else before.number + 1,
        sequence=counter.last,
        digest=counter.head,
        at=time_of(now),
        before=FIRST if before is None else before.to_checkpoint().own_digest(),
        key="",
    )
    signed = sign(checkpoint, settings.AUDIT_KEY)
    return AuditCheckpoint.objects.create(**{**signed.document(), "club": club, "at": now})


def _state_tournaments(club: Club, signed: int) -> None:
    """Write an event with the statement of each tournament that has events after ``signed``.

    Nobody commits a change meanwhile: an event of it would need the counter, which is locked.
    """
    changed = AuditEvent.objects.filter(club=club, sequence__gt=signed).exclude(verb=SIGNED)
    tournaments = Tournament.objects.filter(pk__in=changed.values("tournament"))
    for tournament in tournaments.select_related("club").order_by("pk"):
        statement = _statement_to_sign(tournament)
        events = AuditEvent.objects.filter(tournament=tournament, verb=SIGNED)
        last = events.order_by("-sequence").first()
        if statement is None or (last is not None and last.facts == statement):
            continue
        write_tournament_event(Actor.system(), SIGNED, tournament, tournament, **statement)


def _statement_to_sign(tournament: Tournament) -> Mapping[str, Any] | None:
    """Return the statement of a tournament; the one before where its rows were forged.

    That one is repeated with what differs. A later correction does not explain a difference while
    another check finds a fault in the rows.
    """
    compared = compare_statement(tournament)
    if compared.event is None or not compared.differing:
        return compared.present
    if compared.is_contradicted or check_unsigned(tournament):
        fields = ", ".join(compared.differing)
        log.warning("tournament %s is not signed as it is now: %s", tournament.pk, fields)
        stated = {name: compared.event.facts.get(name) for name in STATED}
        return {**stated, DIFFERING: list(compared.differing)}
    return compared.present


def write_due_checkpoints() -> int:
    """Sign the history of every club with new events; returns how many."""
    signed = Max("club__checkpoints__sequence")
    due = AuditCounter.objects.filter(last__gt=0).annotate(signed=signed)
    due = due.filter(Q(signed=None) | Q(signed__lt=F("last")))
    return sum(write_checkpoint(pk) is not None for pk in due.values_list("pk", flat=True))
