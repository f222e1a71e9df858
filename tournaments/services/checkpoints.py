"""Signing where the history of a club stands, from time to time and when a tournament ends."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from tournaments.audit import lock_history
from tournaments.domain.trail.chain import FIRST, time_of
from tournaments.domain.trail.checkpoints import Checkpoint, sign
from tournaments.models import AuditCheckpoint, AuditCounter, Club


@transaction.atomic
def write_checkpoint(club_pk: int) -> AuditCheckpoint | None:
    """Sign the digest of the club's last event; nothing when the last checkpoint has it already.

    It takes the lock that writing an event takes, and no other.
    """
    counter = lock_history(Club.objects.get(pk=club_pk))
    before = AuditCheckpoint.objects.filter(club=club_pk).order_by("-number").first()
    if counter.last == 0 or (before is not None and before.sequence == counter.last):
        return None
    at = timezone.now()
    stated = Checkpoint(
        club=club_pk,
        number=1 if before is None else before.number + 1,
        sequence=counter.last,
        digest=counter.head,
        at=time_of(at),
        before=FIRST if before is None else before.stated().own_digest(),
        key="",
    )
    signed = sign(stated, settings.AUDIT_KEY)
    return AuditCheckpoint.objects.create(
        club_id=club_pk,
        number=signed.number,
        sequence=signed.sequence,
        digest=signed.digest,
        at=at,
        before=signed.before,
        key=signed.key,
        signature=signed.signature,
    )


def write_due_checkpoints() -> int:
    """Sign the history of every club in which something was done since; returns how many."""
    signed = Max("club__checkpoints__sequence")
    due = AuditCounter.objects.filter(last__gt=0).annotate(signed=signed)
    due = due.filter(Q(signed=None) | Q(signed__lt=F("last")))
    return sum(write_checkpoint(pk) is not None for pk in due.values_list("pk", flat=True))
