"""Messages of webhooks: made from events, worded, signed."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments.core import keys
from tournaments.core.permissions import webhooks_hear_of
from tournaments.domain.feed import public_type
from tournaments.live.queries.feed import VERBS, public_event, token_of
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Delivery, Webhook

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models.webhooks import WebhookQuerySet

# --- Messages -------------------------------------------------------------------------------------
# What the messages of webhooks say, and with which secret they are signed.
#
# A message is thin: what everybody may read of an event, and the names under which the API tells
# the
# rest. Its text is made when it is sent, so that nothing is told that has been hidden meanwhile.


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


# --- Outbox ---------------------------------------------------------------------------------------
# From a club's history to the messages of its webhooks.
#
# The history is the outbox: events are numbered in the order of their commits and without a gap,
# so
# whoever has considered all up to a number has missed none.


BATCH: Final = 200
"""Events that a webhook takes up at a time."""

MOST_WAITING: Final = 500
"""Messages that may wait for a webhook: it takes up no more events until some have arrived."""

KEPT: Final = timedelta(days=30)
"""How long it is known what arrived, and how old an event may be to be told at all."""

Kind = Delivery.Kind


def behind() -> WebhookQuerySet:
    """Return the webhooks for which something has happened that they have not considered."""
    checkpoints = AuditCheckpoint.objects.filter(
        club=OuterRef("club"), number__gt=OuterRef("checkpoint")
    )
    has_events = Q(position__lt=F("club__auditcounter__last"))
    return Webhook.objects.active().filter(has_events | Q(Exists(checkpoints)))


@transaction.atomic
def take_up(club_pk: int) -> int:
    """Make deliveries of what the club's webhooks have not considered; answers how many."""
    counter = AuditCounter.objects.filter(club=club_pk).first()
    last = counter.last if counter else 0
    rows = Webhook.objects.filter(pk__in=behind().filter(club=club_pk).values("pk"))
    mine = rows.select_for_update(of=("self",), no_key=True, skip_locked=True).order_by("pk")
    return sum(_take_up(webhook, last) for webhook in mine)


def new_id() -> str:
    """Return the id of a new message, which stays the same however often it is sent."""
    return f"msg_{secrets.token_hex(16)}"


def wants_checkpoints(webhook: Webhook) -> bool:
    """Tell whether checkpoints are sent: if asked for, and to who wants all there is of a club."""
    if webhook.types:
        return CHECKPOINT in webhook.types
    return webhook.tournament_id is None


def _take_up(webhook: Webhook, last: int) -> int:
    """Consider what is next, up to the club's last event, which was read before the others."""
    if webhook.deliveries.filter(state=Delivery.State.WAITING).count() >= MOST_WAITING:
        return 0
    made = Delivery.objects.bulk_create([*_of_events(webhook, last), *_of_checkpoints(webhook)])
    webhook.save(update_fields=["position", "checkpoint"])
    return len(made)


def _of_events(webhook: Webhook, last: int) -> list[Delivery]:
    """Return the messages of the next events, and move the webhook's position on."""
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
    webhook.position = events[-1].sequence if len(events) == BATCH else max(last, webhook.position)
    return [
        Delivery(
            webhook=webhook, kind=Kind.EVENT, number=event.sequence, type=kind, message=new_id()
        )
        for event, kind in _told(events)
        if not webhook.types or kind in webhook.types
    ]


def _told(events: Iterable[AuditEvent]) -> Iterable[tuple[AuditEvent, str]]:
    """Return the events that the club's webhooks may hear of, with their types."""
    for event in events:
        kind = public_type(event.verb, event.facts)
        if kind and event.tournament is not None and webhooks_hear_of(event.tournament):
            yield event, kind


def _of_checkpoints(webhook: Webhook) -> list[Delivery]:
    """Return the messages of the next checkpoints, and move the webhook on to the last of them."""
    rows = AuditCheckpoint.objects.filter(club=webhook.club_id, number__gt=webhook.checkpoint)
    numbers = list(rows.order_by("number").values_list("number", flat=True)[:BATCH])
    webhook.checkpoint = numbers[-1] if numbers else webhook.checkpoint
    if not wants_checkpoints(webhook):
        return []
    return [
        Delivery(webhook=webhook, kind=Kind.CHECKPOINT, number=n, type=CHECKPOINT, message=new_id())
        for n in numbers
    ]
