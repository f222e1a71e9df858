"""The hash chain of events: an event as bytes, and the digest that ties it to the one before.

An event's digest covers its number, place, verb, subject's key, time and a commitment to its texts
(who, about what, the facts). The commitment is salted: when the texts have to go, the salt goes
with them, and nothing that was said can be guessed from what stays. The form is in
docs/operators/audit.md.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

FIRST: Final = "0" * 64
"""What the first event of a chain has for the digest before it."""

EVENT: Final = b"baza-event/1\n"
TEXTS: Final = b"baza-texts/1\n"
LINK: Final = b"baza-link/1\n"

REDACTED: Final = "audit.redacted"
"""The verb of an event that names the events whose texts were replaced."""

FORM: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)
"""Writes exact values in the one form."""

MAX_EXACT_INTEGER: Final = 1 << 53
"""Numbers beyond it are not exact in every reader of JSON."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of an event: who did it, about what, and the facts (ready for JSON)."""

    actor: str
    subject: str
    facts: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        """Return the texts in types of JSON."""
        return {"actor": self.actor, "facts": self.facts, "subject": self.subject}


@dataclass(frozen=True, slots=True)
class Event:
    """An event with its place in a chain.

    ``club``, ``tournament`` and ``subject_pk`` are keys, ``at`` is a time as :func:`time_of` writes
    it. ``salt`` is empty once the texts were replaced, ``digest`` while it is not in the chain yet.
    """

    club: int
    tournament: int | None
    sequence: int
    verb: str
    subject_type: str
    subject_pk: int
    at: str
    texts: Texts
    salt: str
    texts_digest: str
    digest: str


@dataclass(frozen=True, slots=True)
class Link:
    """An event whose content is not shown, only its digest."""

    sequence: int
    says: str
    digest: str


def canonical(value: Any) -> bytes:
    r"""Return JSON in the one form that is hashed.

    ASCII alone (all else as ``\uXXXX``), keys sorted by code point, no spaces; whole numbers have
    no point. Raises ValueError for numbers that are not finite or not exact in every reader.
    """
    return FORM.encode(_exact(value)).encode("ascii")


def _exact(value: Any) -> Any:
    """Return a value as any database gives it back: keys are texts, whole numbers have no point."""
    if isinstance(value, dict):
        return {str(key): _exact(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and abs(value) > MAX_EXACT_INTEGER:
        raise ValueError(f"{value} is no number of the history: write it as text")
    return value


def time_of(moment: datetime) -> str:
    """Return a time in UTC with microseconds: ``2026-11-21T20:15:00.000000Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def commitment(texts: Texts, salt: str) -> str:
    """Return the hash of the salt (hex digits of 16 bytes, or none) and the texts."""
    return _hash(TEXTS + bytes.fromhex(salt) + canonical(texts.document()))


def says(event: Event) -> str:
    """Return the hash of what an event says; of its texts only the commitment enters."""
    document = {
        "at": event.at,
        "club": event.club,
        "sequence": event.sequence,
        "subject_pk": event.subject_pk,
        "subject_type": event.subject_type,
        "texts": event.texts_digest,
        "tournament": event.tournament,
        "verb": event.verb,
    }
    return _hash(EVENT + canonical(document))


def link(before: str, digest: str) -> str:
    """Return the digest of an event that says so, after an event with the digest ``before``."""
    return _hash(LINK + canonical({"before": before, "says": digest}))


def redactions(facts: Mapping[str, Any]) -> dict[int, str]:
    """Read which events an event replaced the texts of, and the hash of the new ones.

    Raises ValueError for anything else.
    """
    match facts.get("events"):
        case list() as pairs:
            return dict(_redaction(pair) for pair in pairs)
    raise ValueError("no list of events")


def _redaction(pair: object) -> tuple[int, str]:
    match pair:
        case [int(sequence), str(texts)]:
            return sequence, texts
    raise ValueError("no pair of a number and a hash")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
