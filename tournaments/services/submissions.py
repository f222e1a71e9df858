"""Requests that may be repeated: the same key gets the same answer, and is carried out once.

A key belongs to whoever sends it. It is locked while its request is under way; a lock left by a
crash opens by itself. An answer that may be another one next time (409) is not kept.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.errors import Reason, Refusal
from tournaments.models import Submission
from tournaments.permissions import Actor

LOCK: Final = timedelta(seconds=60)
LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to carry out the request of a key, or the ``answer`` when that was done before."""

    pk: int
    lock: str
    answer: Mapping[str, Any] | None = None


def claim(actor: Actor, key: str, fingerprint: str) -> Claim:
    """Take a key for one request, or find the answer that this same request got before.

    Refuses BAD_KEY, KEY_REUSED for another request, KEY_IN_FLIGHT (with ``retry_after`` seconds)
    while it is under way.
    """
    if not 1 <= len(key) <= LONGEST_KEY or not all("!" <= character <= "~" for character in key):
        raise Refusal(Reason.BAD_KEY)
    lock = secrets.token_hex(16)
    try:
        with transaction.atomic():
            return _claimed(actor.scope_name, key, fingerprint, lock)
    except IntegrityError:  # another request with the key has just come first
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=1) from None


def keep(claimed: Claim, answer: Mapping[str, Any]) -> None:
    """Keep the answer, in the transaction that made it true.

    Refuses KEY_IN_FLIGHT when the lock ran out and another request took the key over.
    """
    mine = Submission.objects.filter(pk=claimed.pk, lock=claimed.lock, answer__isnull=True)
    if not mine.update(answer=dict(answer)):
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=1)


def release(claimed: Claim) -> None:
    """Forget a key whose request came to nothing that lasts."""
    Submission.objects.filter(pk=claimed.pk, lock=claimed.lock, answer__isnull=True).delete()


def _claimed(scope: str, key: str, fingerprint: str, lock: str) -> Claim:
    rows = Submission.objects.select_for_update().filter(scope=scope, key=key)
    row = rows.first()
    if row is None:
        row = Submission.objects.create(
            scope=scope, key=key, fingerprint=fingerprint, lock=lock, locked_until=Now() + LOCK
        )
        return Claim(row.pk, lock)
    if row.fingerprint != fingerprint:
        raise Refusal(Reason.KEY_REUSED)
    if row.answer is not None:
        return Claim(row.pk, row.lock, row.answer)
    if not rows.filter(locked_until__lt=Now()).update(lock=lock, locked_until=Now() + LOCK):
        left = (row.locked_until - timezone.now()).total_seconds()
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=max(1, ceil(left)))
    return Claim(row.pk, lock)
