"""Carries out repeated requests once: idempotency keys of programs, keys of forms."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core.errors import Reason, Refusal
from tournaments.models import Submission
from tournaments.models.rows import one_or_none

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tournaments.core.permissions import Actor

# --- Idempotency ----------------------------------------------------------------------------------
# Requests that may be repeated: the same key gets the same answer, and is carried out once.
#
# A key belongs to whoever sends it. It is locked while its request is under way; a lock left by a
# crash opens by itself. An answer that may be another one next time (409) is not kept.


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


# --- Repeats --------------------------------------------------------------------------------------
# Requests of programs and forms of pages that are sent twice: carried out once.


CONFLICT: Final = 409
"""Answers of this status may be others next time: their key is free again."""

DONE: Final = frozenset({201, 302, 303})
"""Statuses by which a page says that a form was carried out; with 200 it shows the form again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status with what is told; ``replayed``: it was given before under the same key."""

    status: int
    told: Mapping[str, Any]
    replayed: bool = False


def once(actor: Actor, key: str, target: str, body: bytes, act: Callable[[], Answer]) -> Answer:
    """Carry a request out once for its idempotency key; a refusal of ``act`` frees the key.

    What is told has to fit into JSON. Refuses as :func:`.idempotency.claim`.
    """
    content = hashlib.sha256(body).hexdigest()
    fingerprint = hashlib.sha256(f"{target} {content}".encode()).hexdigest()
    claimed = claim(actor, key, fingerprint)
    if claimed.answer is not None:
        return Answer(claimed.answer["status"], claimed.answer["told"], replayed=True)
    try:
        with transaction.atomic():
            answer = act()
            if answer.status == CONFLICT:
                release(claimed)
            else:
                keep(claimed, {"status": answer.status, "told": dict(answer.told)})
    except Exception:
        release(claimed)
        raise
    return answer


@transaction.atomic
def once_per_form(scope: str, key: str, act: Callable[[], Answer]) -> Answer:
    """Carry a page's form out once for its key; an answer by which nothing is done frees the key.

    Of two requests at the same time the second waits in its INSERT until the first is committed,
    and then finds its answer.
    """
    row, is_first = Submission.objects.get_or_create(
        scope=scope, key=key, defaults={"answer": {}, "locked_until": timezone.now()}
    )
    if not is_first and row.answer:
        return Answer(row.answer["status"], row.answer["told"], replayed=True)
    answer = act()
    if answer.status in DONE:
        row.answer = {"status": answer.status, "told": dict(answer.told)}
        row.save(update_fields=["answer"])
    else:
        row.delete()
    return answer
