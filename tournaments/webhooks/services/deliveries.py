"""Sends the events of clubs to webhooks: messages, attempts, retries."""

import json
import logging
import secrets
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core import keys
from tournaments.core.audit import write_event
from tournaments.core.jobs import Job, post
from tournaments.core.outgoing import Fault, Reply, send
from tournaments.core.permissions import Actor, sends_webhooks
from tournaments.domain import webhooks as webhook_rules
from tournaments.domain.addresses import BadAddress, read_address
from tournaments.domain.feed import public_type
from tournaments.live.queries.feed import PUBLIC_VERBS, public_event, token_of
from tournaments.models import AuditCheckpoint, AuditCounter, AuditEvent, Delivery, Webhook
from tournaments.models.webhooks import (
    LEASE,
    WebhookQuerySet,
    derive_secret,
    secret_key_of,
)

# --- Messages -------------------------------------------------------------------------------------
# A message holds the public part of an event and the ids under which the API returns the rest. It
# is built when it is sent, so nothing is published that was made private in the meantime.


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
        statement: Message = {
            "club": club.slug,
            "checkpoint": checkpoint.to_checkpoint().document(),
        }
        return _message(CHECKPOINT, checkpoint.at, statement)
    events = AuditEvent.objects.select_related("tournament__club")
    event = events.filter(club=club, sequence=delivery.number or 0).first()
    if event is None or event.tournament is None:
        return None
    public = public_event(event)
    if public is None or not sends_webhooks(event.tournament):
        return None
    facts = {
        "club": club.slug,
        "tournament": event.tournament.slug,
        "token": token_of(event.tournament.pk, event.sequence),
        "subject": {"kind": public.kind, "id": public.id},
        "standings": public.standings,
    }
    return _message(public.type, public.at, facts)


def _message(kind: str, timestamp: datetime, facts: Message) -> Message:
    return {"type": kind, "timestamp": timestamp.astimezone(UTC).isoformat(), "data": facts}


# --- secrets -------------------------------------------------------------------------------------


def is_same_key(webhook: Webhook) -> bool:
    """Return whether the secret that was shown can still be derived."""
    return secret_key_of(webhook) is not None


def signing_secrets(webhook: Webhook) -> tuple[bytes, ...]:
    """Return the secrets that sign now: the current one, and the previous one for a while.

    Under which key the previous one was shown is not stored: it signs under each key.
    """
    newest = derive_secret(webhook.salt, secret_key_of(webhook))
    if webhook.old_until is None or webhook.old_until <= timezone.now():
        return (newest,)
    return (newest, *(derive_secret(webhook.old_salt, key) for key in keys.secret_keys()))


# --- Outbox ---------------------------------------------------------------------------------------
# The club's history is the outbox: events are numbered in the order of their commits and without a
# gap, so a webhook whose position is N has missed no event up to N.


BATCH_SIZE: Final = 200
"""Events that a webhook processes at a time."""

MAX_WAITING: Final = 500
"""Limit of waiting deliveries of a webhook: from it on, no more events are processed."""

RETENTION: Final = timedelta(days=30)
"""Time for which arrived deliveries are kept, and the age up to which events are sent."""

Kind = Delivery.Kind


def lagging_webhooks() -> WebhookQuerySet:
    """Return the active webhooks with events or checkpoints that they have not processed."""
    checkpoints = AuditCheckpoint.objects.filter(
        club=OuterRef("club"), number__gt=OuterRef("checkpoint")
    )
    has_events = Q(position__lt=F("club__auditcounter__last"))
    return Webhook.objects.active().filter(has_events | Q(Exists(checkpoints)))


@transaction.atomic
def create_deliveries(club_pk: int) -> int:
    """Create deliveries of what the club's webhooks have not processed; return how many."""
    counter = AuditCounter.objects.filter(club=club_pk).first()
    last = counter.last if counter else 0
    rows = Webhook.objects.filter(pk__in=lagging_webhooks().filter(club=club_pk).values("pk"))
    locked_webhooks = rows.select_for_update(of=("self",), no_key=True, skip_locked=True).order_by(
        "pk"
    )
    return sum(_create_deliveries_of(webhook, last) for webhook in locked_webhooks)


def new_id() -> str:
    """Return a new message id, which stays the same for every attempt."""
    return f"msg_{secrets.token_hex(16)}"


def wants_checkpoints(webhook: Webhook) -> bool:
    """Return whether checkpoints are sent: if asked for, or if all events of the club are."""
    if webhook.types:
        return CHECKPOINT in webhook.types
    return webhook.tournament_id is None


def _create_deliveries_of(webhook: Webhook, last: int) -> int:
    """Process a webhook's next events, up to ``last``, the club's last event number.

    ``last`` is read before the events, so none committed meanwhile is skipped.
    """
    if webhook.deliveries.filter(state=Delivery.State.WAITING).count() >= MAX_WAITING:
        return 0
    deliveries = Delivery.objects.bulk_create(
        [*_event_deliveries(webhook, last), *_checkpoint_deliveries(webhook)]
    )
    webhook.save(update_fields=["position", "checkpoint"])
    return len(deliveries)


def _event_deliveries(webhook: Webhook, last: int) -> list[Delivery]:
    """Return the deliveries of the next events, and advance the webhook's position."""
    rows = AuditEvent.objects.filter(
        club=webhook.club_id,
        sequence__gt=webhook.position,
        sequence__lte=last,
        verb__in=PUBLIC_VERBS,
        at__gte=timezone.now() - RETENTION,
    )
    if webhook.tournament_id is not None:
        rows = rows.filter(tournament=webhook.tournament_id)
    events = list(rows.select_related("tournament__club").order_by("sequence")[:BATCH_SIZE])
    # A full batch ends at its last event; otherwise all events up to ``last`` are processed, also
    # those of other verbs.
    webhook.position = (
        events[-1].sequence if len(events) == BATCH_SIZE else max(last, webhook.position)
    )
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
        if kind and event.tournament is not None and sends_webhooks(event.tournament):
            yield event, kind


def _checkpoint_deliveries(webhook: Webhook) -> list[Delivery]:
    """Return the deliveries of the next checkpoints, and advance the webhook's checkpoint."""
    rows = AuditCheckpoint.objects.filter(club=webhook.club_id, number__gt=webhook.checkpoint)
    numbers = list(rows.order_by("number").values_list("number", flat=True)[:BATCH_SIZE])
    webhook.checkpoint = numbers[-1] if numbers else webhook.checkpoint
    if not wants_checkpoints(webhook):
        return []
    return [
        Delivery(webhook=webhook, kind=Kind.CHECKPOINT, number=n, type=CHECKPOINT, message=new_id())
        for n in numbers
    ]


# --- Deliveries -----------------------------------------------------------------------------------
# The history of a club is the outbox. A webhook turns the events after its position into
# deliveries, in order. A worker leases one delivery, sends it outside any transaction and stores
# the outcome under the lease's token. If the worker dies, its lease expires and another worker
# sends the message again under the same id. The order of arrival is not guaranteed: later messages
# overtake one that failed.
#
# A webhook gets one message at a time, a club `MAX_SENDING_PER_CLUB`. After a failure the webhook
# rests, so an address that does not answer costs a worker at most one attempt in half an hour.


logger = logging.getLogger(__name__)

TASK_SECONDS: Final = 20.0
"""Seconds in which one task starts deliveries; after that it queues itself again."""

MAX_SENDING_PER_CLUB: Final = 2
"""Messages of one club that are sent at the same time."""

MAX_ANSWER_LENGTH: Final = 1000
"""Characters of an answer that are stored."""

# HTTP 410: the receiver wants no more messages, so the webhook is disabled at once.
HTTP_GONE: Final = 410

State = Delivery.State


def wake_due() -> int:
    """Queue a send task for each club with something due; return how many clubs."""
    clubs = {
        *lagging_webhooks().values_list("club", flat=True),
        *_due().values_list("webhook__club", flat=True),
    }
    for club_pk in sorted(clubs):
        post(Job.SEND_WEBHOOKS, club_pk)
    return len(clubs)


def send_due(club_pk: int, budget: float = TASK_SECONDS) -> int:
    """Create the deliveries of a club's new events and send what is due; return how many."""
    start, count = time.monotonic(), 0
    create_deliveries(club_pk)
    while (delivery := claim(club_pk)) is not None:
        store_outcome(delivery, send_leased(delivery))
        count += 1
        if time.monotonic() - start >= budget:
            post(Job.SEND_WEBHOOKS, club_pk)
            break
    old = Delivery.objects.filter(webhook__club=club_pk, state=State.ARRIVED)
    old.filter(arrived_at__lt=Now() - RETENTION).delete()
    return count


# --- one attempt ---------------------------------------------------------------------------------


@transaction.atomic
def claim(club_pk: int) -> Delivery | None:
    """Lease a due delivery of the club; None if none is due or the club sends too many already.

    No other worker sends it while the lease lasts. Order: the webhook with the oldest attempt
    first, and its delivery that was due first.
    """
    webhooks = Webhook.objects.filter(club=club_pk).order_by("pk")
    # The rows of all the club's webhooks are locked, so two workers cannot both count fewer than
    # MAX_SENDING_PER_CLUB.
    if not list(webhooks.select_for_update(of=("self",), no_key=True)):
        return None
    being_sent = Delivery.objects.being_sent().filter(webhook__club=club_pk)
    busy = set(being_sent.values_list("webhook", flat=True))
    if len(busy) >= MAX_SENDING_PER_CLUB:
        return None
    due = _due().filter(webhook__club=club_pk).exclude(webhook__in=busy)
    turn = (F("webhook__tried_at").asc(nulls_first=True), "next_at", "pk")
    delivery = due.select_related("webhook__club", "webhook__tournament").order_by(*turn).first()
    if delivery is None:
        return None
    delivery.lease_token = secrets.token_hex(16)
    Delivery.objects.filter(pk=delivery.pk).update(
        lease_token=delivery.lease_token,
        lease_until=Now() + LEASE,
        attempts=F("attempts") + 1,
        tries=F("tries") + 1,
        tried_at=Now(),
    )
    webhooks.filter(pk=delivery.webhook_id).update(tried_at=Now())
    delivery.tries += 1
    return delivery


def send_leased(delivery: Delivery) -> Reply | None:
    """Send a leased message; return None if there is nothing to send or the secret is lost."""
    webhook = delivery.webhook
    message = message_of(delivery)
    if message is None or not is_same_key(webhook):
        return None
    private: bool = settings.ENVIRONMENT.webhooks_to_private
    try:
        address = read_address(webhook.url, private=private)
    except BadAddress:
        return Reply(None, b"", Fault.ADDRESS, 0)
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    signed = webhook_rules.headers(
        signing_secrets(webhook), delivery.message, int(time.time()), body
    )
    return send(address, body, {**COMMON_HEADERS, **signed}, private=private)


COMMON_HEADERS: Final[Mapping[str, str]] = {
    "Content-Type": "application/json",
    "User-Agent": "Baza-Webhooks/1",
    "Accept-Encoding": "identity",
}
"""HTTP headers of every message, besides those of its signature."""


@transaction.atomic
def store_outcome(delivery: Delivery, reply: Reply | None) -> bool:
    """Store the outcome of an attempt; return False if the lease was taken over."""
    locked = Webhook.objects.select_for_update(of=("self",), no_key=True)
    webhook = locked.filter(pk=delivery.webhook_id).select_related("club").first()
    mine = Delivery.objects.filter(pk=delivery.pk, lease_token=delivery.lease_token)
    if webhook is None or not mine.exists():
        logger.info("delivery %s was taken over: what came of it is not kept", delivery.pk)
        return False
    if reply is None:
        _withdraw_or_disable(webhook, delivery)
        return True
    mine.update(**_storable_reply(reply), **_outcome(delivery, reply))
    if reply.is_accepted:
        webhook.failures, webhook.failing_since, webhook.held_until = 0, None, None
        webhook.save(update_fields=["failures", "failing_since", "held_until"])
    else:
        _rest_after_failure(webhook, is_gone=reply.status == HTTP_GONE)
    return True


def _storable_reply(reply: Reply) -> dict[str, Any]:
    text = reply.body.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return {
        "status": reply.status,
        "fault": reply.fault or "",
        "answer": text[:MAX_ANSWER_LENGTH],
        "took": reply.took,
        "lease_until": None,
        "lease_token": "",
    }


def _outcome(delivery: Delivery, reply: Reply) -> dict[str, Any]:
    """Return the changes of a delivery: arrived, sent again later, or given up."""
    if reply.is_accepted:
        return {"state": State.ARRIVED, "arrived_at": Now()}
    pause = webhook_rules.pause_after(delivery.tries, f"{delivery.message} {delivery.tries}")
    if pause is None or reply.status == HTTP_GONE:
        return {"state": State.FAILED}
    return {"next_at": Now() + pause}


def _rest_after_failure(webhook: Webhook, *, is_gone: bool) -> None:
    """Let a webhook rest after a failure; disable it when the limit is reached."""
    now = timezone.now()
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    hold = webhook_rules.rest_after(webhook.failures, f"{webhook.salt} {webhook.failures}")
    Webhook.objects.filter(pk=webhook.pk).update(
        failures=webhook.failures, failing_since=webhook.failing_since, held_until=Now() + hold
    )
    if is_gone:
        disable(webhook, Webhook.DisableReason.GONE)
    elif webhook_rules.is_given_up(webhook.failures, now - webhook.failing_since):
        disable(webhook, Webhook.DisableReason.FAILING)


def _withdraw_or_disable(webhook: Webhook, delivery: Delivery) -> None:
    """Withdraw a delivery that is no longer public, or disable a webhook without its secret."""
    rows = Delivery.objects.filter(pk=delivery.pk)
    if is_same_key(webhook):
        rows.update(state=State.WITHDRAWN, lease_until=None, lease_token="")
        return
    # Nothing was sent: the attempt that `claim` counted is taken back.
    rows.update(tries=F("tries") - 1, attempts=F("attempts") - 1, lease_until=None, lease_token="")
    disable(webhook, Webhook.DisableReason.KEY)


def disable(webhook: Webhook, reason: Webhook.DisableReason) -> None:
    """Disable a locked webhook until an organiser resumes it."""
    if webhook.state != Webhook.State.ACTIVE:
        return
    Webhook.objects.filter(pk=webhook.pk).update(state=Webhook.State.DISABLED, why=reason)
    facts: dict[str, Any] = {"host": webhook.host, "why": reason.value}
    write_event(Actor.system(), "webhook.disabled", webhook, club=webhook.club, **facts)


def _due() -> QuerySet[Delivery]:
    """Return the due deliveries of webhooks that are not resting."""
    is_released = Q(webhook__held_until__isnull=True) | Q(webhook__held_until__lte=Now())
    return Delivery.objects.due().filter(is_released)
