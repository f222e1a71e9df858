"""From a club's history to the messages of its webhooks.

The history is the outbox: events are numbered in the order of their commits and without a gap, so
whoever has considered all up to a number has missed none.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from tournaments.domain.feed import public_type
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Delivery, Webhook
from tournaments.models.webhooks import WebhookQuerySet
from tournaments.permissions import webhooks_hear_of
from tournaments.queries.feed import VERBS
from tournaments.services.messages import CHECKPOINT

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
