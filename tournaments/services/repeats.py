"""Requests of programs that may be sent twice: carried out once, answered alike."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from tournaments.permissions import Actor
from tournaments.services import submissions

CONFLICT: Final = 409
"""Answers of this status may be others next time: their key is free again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status with what is told; ``replayed``: it was given before under the same key."""

    status: int
    told: Mapping[str, Any]
    replayed: bool = False


def once(actor: Actor, key: str, target: str, body: bytes, act: Callable[[], Answer]) -> Answer:
    """Carry a request out once for its idempotency key; a refusal of ``act`` frees the key.

    What is told has to fit into JSON. Refuses as :func:`.submissions.claim`.
    """
    content = hashlib.sha256(body).hexdigest()
    fingerprint = hashlib.sha256(f"{target} {content}".encode()).hexdigest()
    claimed = submissions.claim(actor, key, fingerprint)
    if claimed.answer is not None:
        return Answer(claimed.answer["status"], claimed.answer["told"], replayed=True)
    try:
        with transaction.atomic():
            answer = act()
            if answer.status == CONFLICT:
                submissions.release(claimed)
            else:
                submissions.keep(claimed, {"status": answer.status, "told": dict(answer.told)})
    except Exception:
        submissions.release(claimed)
        raise
    return answer
