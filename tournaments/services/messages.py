"""What the messages of webhooks say, and with which secret they are signed.

A message is thin: what everybody may read of an event, and the names under which the API tells the
rest. Its text is made when it is sent, so that nothing is told that has been hidden meanwhile.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any, Final

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments import keys
from tournaments.models import AuditEvent, Delivery, Webhook
from tournaments.permissions import webhooks_hear_of
from tournaments.queries.feed import public_event, token_of

PING: Final = "ping"

CHECKPOINT: Final = Webhook.Type.CHECKPOINT.value
"""The type of a signed statement of where a club's history stands."""

Message = dict[str, Any]


def message_of(delivery: Delivery) -> Message | None:
    """Return what a delivery says; nothing when nobody may hear of its event any more."""
    club = delivery.webhook.club
    if delivery.kind == Delivery.Kind.PING:
        return _message(PING, delivery.made_at, {"club": club.slug})
    if delivery.kind == Delivery.Kind.CHECKPOINT:
        checkpoint = club.checkpoints.get(number=delivery.number or 0)
        statement: Message = {"club": club.slug, "checkpoint": checkpoint.stated().document()}
        return _message(CHECKPOINT, checkpoint.at, statement)
    events = AuditEvent.objects.select_related("tournament__club")
    event = events.filter(club=club, sequence=delivery.number or 0).first()
    if event is None or event.tournament is None:
        return None
    told = public_event(event)
    if told is None or not webhooks_hear_of(event.tournament):
        return None
    facts = {
        "club": club.slug,
        "tournament": event.tournament.slug,
        "token": token_of(event.tournament.pk, event.sequence),
        "subject": {"kind": told.kind, "id": told.id},
        "standings": told.standings,
    }
    return _message(told.type, told.at, facts)


def _message(kind: str, at: datetime, facts: Message) -> Message:
    return {"type": kind, "timestamp": at.astimezone(UTC).isoformat(), "data": facts}


# --- secrets -------------------------------------------------------------------------------------


def secret_of(salt: str, key: str | None = None) -> bytes:
    """Return the secret that belongs to a salt under a key of the service: 32 bytes.

    So none is stored: whoever has the rows alone cannot sign. The present key, if none is named.
    """
    return keys.digest("baza.webhook.secret", salt, key)


def mark_of(salt: str, key: str | None = None) -> str:
    """Return by what it is known that the service's key is still that of the salt's time."""
    return hashlib.sha256(b"baza.webhook.mark " + secret_of(salt, key)).hexdigest()[:16]


def key_of(webhook: Webhook) -> str | None:
    """Return the key of the service under which the secret was shown; none, if it is lost."""
    for key in keys.given():
        if constant_time_compare(mark_of(webhook.salt, key), webhook.mark):
            return key
    return None


def is_same_key(webhook: Webhook) -> bool:
    """Tell whether the secret is still the one that was shown."""
    return key_of(webhook) is not None


def signing_secrets(webhook: Webhook) -> tuple[bytes, ...]:
    """Return the secrets that sign now: the newest, and the one before it for a while.

    Of the one before it is not known under which key it was shown: it signs under each.
    """
    newest = secret_of(webhook.salt, key_of(webhook))
    if webhook.old_until is None or webhook.old_until <= timezone.now():
        return (newest,)
    return (newest, *(secret_of(webhook.old_salt, key) for key in keys.given()))
