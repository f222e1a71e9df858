"""Carries out repeated requests once: idempotency keys of programs, keys of forms."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any, Final, TypeVar

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.models import Submission

Outcome = TypeVar("Outcome")

# --- Idempotency ----------------------------------------------------------------------------------
# A repeated request with the same key gets the same answer and is carried out once.
#
# A key belongs to its sender. It is locked while its request is carried out; a lock left by a crash
# expires. An answer that may differ next time (409) is not stored.


LOCK_DURATION: Final = timedelta(seconds=60)  # after a crash the key is free again
RETENTION: Final = timedelta(hours=24)
"""How long a stored answer is given again."""

MAX_KEY_LENGTH: Final = 200


def is_valid_key(text: str) -> bool:
    """Return whether a text may be a key: visible ASCII, at most `MAX_KEY_LENGTH` characters."""
    return 1 <= len(text) <= MAX_KEY_LENGTH and all("!" <= character <= "~" for character in text)


def claim(actor: Actor, key: str, fingerprint: str) -> Submission:
    """Lock a key for one request; it has an ``answer`` if the same request was answered before.

    Refuses BAD_KEY, KEY_REUSED for another request, KEY_IN_FLIGHT (with ``retry_after`` seconds)
    while the first is carried out.
    """
    if not is_valid_key(key):
        raise Refusal(Reason.BAD_KEY)
    scope, lock = actor.scope_name, secrets.token_hex(16)
    try:
        with transaction.atomic():
            return Submission.objects.create(
                scope=scope,
                key=key,
                fingerprint=fingerprint,
                lock=lock,
                locked_until=Now() + LOCK_DURATION,
            )
    except IntegrityError:  # the key exists already
        with transaction.atomic():
            return _find_claimed(scope, key, fingerprint, lock)


def carry_out(
    claimed: Submission,
    action: Callable[[], Outcome],
    stored: Callable[[Outcome], Mapping[str, Any] | None],
) -> Outcome:
    """Carry out the request of a key, and store what ``stored`` makes of its outcome.

    The key is free again after an outcome of which nothing is stored, and after an exception.
    """
    try:
        with transaction.atomic():
            outcome = action()
            answer = stored(outcome)
            if answer is None:
                release(claimed)
            else:
                store_answer(claimed, answer)
    except Exception:
        release(claimed)
        raise
    return outcome


def store_answer(claimed: Submission, answer: Mapping[str, Any]) -> None:
    """Store the answer, in the transaction of the change that it describes.

    Refuses KEY_IN_FLIGHT when the lock expired and another request took the key over.
    """
    own_claim = Submission.objects.filter(pk=claimed.pk, lock=claimed.lock, answer__isnull=True)
    if not own_claim.update(answer=dict(answer)):
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=1)


def release(claimed: Submission) -> None:
    """Delete a key whose request changed nothing."""
    Submission.objects.filter(pk=claimed.pk, lock=claimed.lock, answer__isnull=True).delete()


def delete_old_keys() -> int:
    """Delete the keys older than `RETENTION`; return how many."""
    old = Submission.objects.filter(created_at__lt=Now() - RETENTION, locked_until__lt=Now())
    return old.delete()[0]


def _find_claimed(scope: str, key: str, fingerprint: str, lock: str) -> Submission:
    """Return the row of a key; of two requests that find it free again one takes it.

    Refuses KEY_IN_FLIGHT, KEY_REUSED.
    """
    rows = Submission.objects.select_for_update().filter(scope=scope, key=key)
    row: Submission | None = rows.first()
    if row is None:  # it was released a moment ago
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=1)
    if row.fingerprint != fingerprint:
        raise Refusal(Reason.KEY_REUSED)
    if row.answer is not None:
        return row
    if not rows.filter(locked_until__lt=Now()).update(
        lock=lock, locked_until=Now() + LOCK_DURATION
    ):
        seconds_left = (row.locked_until - timezone.now()).total_seconds()
        raise Refusal(Reason.KEY_IN_FLIGHT, retry_after=max(1, ceil(seconds_left)))
    row.lock = lock
    return row


# --- Repeats --------------------------------------------------------------------------------------
# Requests of programs and forms of pages that are sent twice are carried out once.


CONFLICT: Final = 409
"""Answers of this status may differ next time: their key is free again."""

SUCCESS_STATUSES: Final = frozenset({201, 302, 303})
"""Statuses that mean that a form was carried out; with 200 a page shows the form again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status with its content; ``replayed``: it was stored under the same key."""

    status: int
    content: Mapping[str, Any]
    replayed: bool = False


def run_once(
    actor: Actor, key: str, target: str, body: bytes, action: Callable[[], Answer]
) -> Answer:
    """Carry a request out once for its idempotency key; a refusal of ``action`` frees the key.

    The content must fit into JSON. Refuses as :func:`claim`.
    """
    content = hashlib.sha256(body).hexdigest()
    fingerprint = hashlib.sha256(f"{target} {content}".encode()).hexdigest()
    claimed = claim(actor, key, fingerprint)
    if claimed.answer is not None:
        return _replayed(claimed.answer)

    def stored(answer: Answer) -> Mapping[str, Any] | None:
        return None if answer.status == CONFLICT else _stored(answer)

    return carry_out(claimed, action, stored)


def _stored(answer: Answer) -> dict[str, Any]:
    # "told" is the name that earlier releases stored: their answers are given again, too.
    return {"status": answer.status, "told": dict(answer.content)}


def _replayed(stored: Mapping[str, Any]) -> Answer:
    return Answer(stored["status"], stored["told"], replayed=True)


@transaction.atomic
def run_form_once(scope: str, key: str, action: Callable[[], Answer]) -> Answer:
    """Carry a form out once for its key; an answer that changed nothing frees the key.

    Of two simultaneous requests the second waits in its INSERT until the first is committed, and
    then finds its answer.
    """
    row, is_first = Submission.objects.get_or_create(
        scope=scope, key=key, defaults={"answer": {}, "locked_until": timezone.now()}
    )
    if not is_first and row.answer:
        return _replayed(row.answer)
    answer = action()
    if answer.status in SUCCESS_STATUSES:
        row.answer = _stored(answer)
        row.save(update_fields=["answer"])
    else:
        row.delete()
    return answer
