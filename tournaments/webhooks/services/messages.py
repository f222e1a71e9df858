"""Creates webhook messages from events and derives the secrets that sign them."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments.core import keys
from tournaments.core.permissions import webhooks_hear_of
from tournaments.domain.feed import public_type
from tournaments.live.queries.feed import VERBS, public_event, token_of
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Delivery, Webhook
from tournaments.models.webhooks import WebhookQuerySet

# --- Messages -------------------------------------------------------------------------------------
# A message is thin: the public part of an event, and the names under which the API returns the
# rest. Its text is made when it is sent, so nothing is published that was hidden in the meantime.


PING: Final = "ping"

CHECKPOINT: Final = Webhook.Type.CHECKPOINT.value
"""Type of the messages that carry a signed checkpoint of a club's history."""

Message = dict[str, Any]


def message_of(delivery: Delivery) -> Message | None:
    """Return the message of a delivery, or None if its event is no longer public."""
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
    public = public_event(event)
    if public is None or not webhooks_hear_of(event.tournament):
        return None
    facts = {
        "club": club.slug,
        "tournament": event.tournament.slug,
        "token": token_of(event.tournament.pk, event.sequence),
        "subject": {"kind": public.kind, "id": public.id},
        "standings": public.standings,
    }
    return _message(public.type, public.at, facts)


def _message(kind: str, at: datetime, facts: Message) -> Message:
    return {"type": kind, "timestamp": at.astimezone(UTC).isoformat(), "data": facts}


# --- secrets -------------------------------------------------------------------------------------


def secret_of(salt: str, key: str | None = None) -> bytes:
    """Return the secret of a salt under a key of the service (default: the present key): 32 bytes.

    The secret is not stored: with the database alone nobody can sign.
    """
    return keys.digest("baza.webhook.secret", salt, key)


def mark_of(salt: str, key: str | None = None) -> str:
    """Return the fingerprint of a secret, stored to detect a change of the service's key."""
    return hashlib.sha256(b"baza.webhook.mark " + secret_of(salt, key)).hexdigest()[:16]


def key_of(webhook: Webhook) -> str | None:
    """Return the key of the service under which the secret was shown; None if that key is lost."""
    for key in keys.secret_keys():
        if constant_time_compare(mark_of(webhook.salt, key), webhook.mark):
            return key
    return None


def is_same_key(webhook: Webhook) -> bool:
    """Return whether the secret that was shown can still be derived."""
    return key_of(webhook) is not None


def signing_secrets(webhook: Webhook) -> tuple[bytes, ...]:
    """Return the secrets that sign now: the current one, and the previous one for a while.

    Under which key the previous one was shown is not stored: it signs under each key.
    """
    newest = secret_of(webhook.salt, key_of(webhook))
    if webhook.old_until is None or webhook.old_until <= timezone.now():
        return (newest,)
    return (newest, *(secret_of(webhook.old_salt, key) for key in keys.secret_keys()))


# --- Outbox ---------------------------------------------------------------------------------------
# The club's history is the outbox: events are numbered in the order of their commits and without a
# gap, so a webhook whose position is N has missed no event up to N.


BATCH: Final = 200
"""Events that a webhook processes at a time."""

MOST_WAITING: Final = 500
"""Limit of waiting deliveries of a webhook: from it on, no more events are processed."""

KEPT: Final = timedelta(days=30)
"""Time for which arrived deliveries are kept, and the age up to which events are sent."""

Kind = Delivery.Kind


def behind() -> WebhookQuerySet:
    """Return the active webhooks with events or checkpoints that they have not processed."""
    checkpoints = AuditCheckpoint.objects.filter(
        club=OuterRef("club"), number__gt=OuterRef("checkpoint")
    )
    has_events = Q(position__lt=F("club__auditcounter__last"))
    return Webhook.objects.active().filter(has_events | Q(Exists(checkpoints)))


@transaction.atomic
def take_up(club_pk: int) -> int:
    """Create deliveries of what the club's webhooks have not processed; return how many."""
    counter = AuditCounter.objects.filter(club=club_pk).first()
    last = counter.last if counter else 0
    rows = Webhook.objects.filter(pk__in=behind().filter(club=club_pk).values("pk"))
    mine = rows.select_for_update(of=("self",), no_key=True, skip_locked=True).order_by("pk")
    return sum(_take_up(webhook, last) for webhook in mine)


def new_id() -> str:
    """Return a new message id, which stays the same for every attempt."""
    return f"msg_{secrets.token_hex(16)}"


def wants_checkpoints(webhook: Webhook) -> bool:
    """Return whether checkpoints are sent: if asked for, or if all events of the club are."""
    if webhook.types:
        return CHECKPOINT in webhook.types
    return webhook.tournament_id is None


def _take_up(webhook: Webhook, last: int) -> int:
    """Process a webhook's next events, up to ``last``, the club's last event number.

    ``last`` is read before the events, so none committed meanwhile is skipped.
    """
    if webhook.deliveries.filter(state=Delivery.State.WAITING).count() >= MOST_WAITING:
        return 0
    made = Delivery.objects.bulk_create([*_of_events(webhook, last), *_of_checkpoints(webhook)])
    webhook.save(update_fields=["position", "checkpoint"])
    return len(made)


def _of_events(webhook: Webhook, last: int) -> list[Delivery]:
    """Return the deliveries of the next events, and advance the webhook's position."""
    rows = AuditEvent.objects.filter(
        club=webhook.club_id,
        sequence__gt=webhook.position,
        sequence__lte=last,
        verb__in=VERBS,
        at__gte=timezone.now() - KEPT,
    )
    if webhook.tournament_id is not None:
        rows = rows.filter(tournament=webhook.tournament_id)
    events = list(rows.select_related("tournament__club").order_by("sequence")[:BATCH])
    # A full batch ends at its last event; otherwise all events up to ``last`` are processed, also
    # those of other verbs.
    webhook.position = events[-1].sequence if len(events) == BATCH else max(last, webhook.position)
    return [
        Delivery(
            webhook=webhook, kind=Kind.EVENT, number=event.sequence, type=kind, message=new_id()
        )
        for event, kind in _public_events(events)
        if not webhook.types or kind in webhook.types
    ]


def _public_events(events: Iterable[AuditEvent]) -> Iterable[tuple[AuditEvent, str]]:
    """Yield the events that the club's webhooks may receive, with their types."""
    for event in events:
        kind = public_type(event.verb, event.facts)
        if kind and event.tournament is not None and webhooks_hear_of(event.tournament):
            yield event, kind


def _of_checkpoints(webhook: Webhook) -> list[Delivery]:
    """Return the deliveries of the next checkpoints, and advance the webhook's checkpoint."""
    rows = AuditCheckpoint.objects.filter(club=webhook.club_id, number__gt=webhook.checkpoint)
    numbers = list(rows.order_by("number").values_list("number", flat=True)[:BATCH])
    webhook.checkpoint = numbers[-1] if numbers else webhook.checkpoint
    if not wants_checkpoints(webhook):
        return []
    return [
        Delivery(webhook=webhook, kind=Kind.CHECKPOINT, number=n, type=CHECKPOINT, message=new_id())
        for n in numbers
    ]
