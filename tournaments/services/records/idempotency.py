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
from tournaments.models.rows import one_or_none
from tournaments.permissions import Actor

LOCK: Final = timedelta(seconds=60)
KEPT: Final = timedelta(hours=24)
"""For how long an answer is given again."""

LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to carry out the request of a key, or the ``answer`` when that was done before."""

    pk: int
    lock: str
    answer: Mapping[str, Any] | None = None


def is_key(text: str) -> bool:
    """Tell whether a text may be a key: visible ASCII, at most `LONGEST_KEY` of it."""
    return 1 <= len(text) <= LONGEST_KEY and all("!" <= character <= "~" for character in text)


def claim(actor: Actor, key: str, fingerprint: str) -> Claim:
    """Take a key for one request, or find the answer that this same request got before.

    Refuses BAD_KEY, KEY_REUSED for another request, KEY_IN_FLIGHT (with ``retry_after`` seconds)
    while it is under way.
    """
    if not is_key(key):
        raise Refusal(Reason.BAD_KEY)
    scope, lock = actor.scope_name, secrets.token_hex(16)
    try:
        with transaction.atomic():
            row = Submission.objects.create(
                scope=scope, key=key, fingerprint=fingerprint, lock=lock, locked_until=Now() + LOCK
            )
    except IntegrityError:  # it is not the first with this key
        with transaction.atomic():
            return _claimed_again(scope, key, fingerprint, lock)
    return Claim(row.pk, lock)


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


def forget_old() -> int:
    """Delete the keys whose time is over; answers how many."""
    return Submission.objects.filter(created_at__lt=Now() - KEPT, locked_until__lt=Now()).delete()[
        0
    ]


def _claimed_again(scope: str, key: str, fingerprint: str, lock: str) -> Claim:
    rows = Submission.objects.select_for_update().filter(scope=scope, key=key)
    row = one_or_none(rows)
    if row is None:  # it was released a moment ago
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=1)
    if row.fingerprint != fingerprint:
        raise Refusal(Reason.KEY_REUSED)
    if row.answer is not None:
        return Claim(row.pk, row.lock, row.answer)
    if not rows.filter(locked_until__lt=Now()).update(lock=lock, locked_until=Now() + LOCK):
        left = (row.locked_until - timezone.now()).total_seconds()
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=max(1, ceil(left)))
    return Claim(row.pk, lock)
