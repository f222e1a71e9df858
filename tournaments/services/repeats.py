"""Requests of programs and forms of pages that are sent twice: carried out once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from tournaments.models import Submission
from tournaments.permissions import Actor
from tournaments.services.records import idempotency

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
    claimed = idempotency.claim(actor, key, fingerprint)
    if claimed.answer is not None:
        return Answer(claimed.answer["status"], claimed.answer["told"], replayed=True)
    try:
        with transaction.atomic():
            answer = act()
            if answer.status == CONFLICT:
                idempotency.release(claimed)
            else:
                idempotency.keep(claimed, {"status": answer.status, "told": dict(answer.told)})
    except Exception:
        idempotency.release(claimed)
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
