"""Delivers webhook messages at least once, outside of every other transaction.

The history of a club is the outbox. A webhook turns the events after its position into deliveries,
in order. A worker leases one delivery, sends it outside any transaction and stores the outcome
under the lease's token. If the worker dies, its lease expires and another worker sends the message
again under the same id. The order of arrival is not guaranteed: later messages overtake one that
failed.

A webhook gets one message at a time, a club `AT_ONCE`. After a failure the webhook rests, so an
address that does not answer costs a worker at most one attempt in half an hour.
"""

import json
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core.audit import write_event
from tournaments.core.jobs import Job, post
from tournaments.core.permissions import Actor
from tournaments.domain import retries, signatures
from tournaments.domain.addresses import BadAddress, read_address
from tournaments.models import Delivery, Webhook
from tournaments.models.webhooks import LEASE
from tournaments.webhooks.services import messages
from tournaments.webhooks.services.messages import is_same_key, message_of, signing_secrets
from tournaments.webhooks.services.outgoing import Reply, send

# Not this module's path: installations filter their logs by this name.
logger = logging.getLogger("tournaments.services.deliveries")

BUDGET: Final = 20.0
"""Seconds in which one task starts deliveries; after that it queues itself again."""

AT_ONCE: Final = 2
"""Messages of one club that are sent at the same time."""

LONGEST_ANSWER: Final = 1000
"""Characters of an answer that are stored."""

# HTTP 410: the receiver wants no more messages, so the webhook is disabled at once.
GONE: Final = 410

State = Delivery.State


def wake_due() -> int:
    """Queue a send task for each club with something due; return how many clubs."""
    clubs = {
        *messages.behind().values_list("club", flat=True),
        *_due().values_list("webhook__club", flat=True),
    }
    for club_pk in sorted(clubs):
        post(Job.SEND_WEBHOOKS, club_pk)
    return len(clubs)


def send_due(club_pk: int, budget: float = BUDGET) -> int:
    """Create the deliveries of a club's new events and send what is due; return how many."""
    began, sent = time.monotonic(), 0
    messages.take_up(club_pk)
    while (claimed := claim(club_pk)) is not None:
        finish(claimed, attempt(claimed))
        sent += 1
        if time.monotonic() - began >= budget:
            post(Job.SEND_WEBHOOKS, club_pk)
            break
    old = Delivery.objects.filter(webhook__club=club_pk, state=State.ARRIVED)
    old.filter(arrived_at__lt=Now() - messages.KEPT).delete()
    return sent


# --- one attempt ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery leased by this worker; no other worker sends it while the lease lasts."""

    delivery: Delivery
    token: str


@transaction.atomic
def claim(club_pk: int) -> Claimed | None:
    """Lease a due delivery of the club; return None if none is due or `AT_ONCE` are being sent.

    Order: the webhook with the oldest attempt first, and its delivery that was due first.
    """
    webhooks = Webhook.objects.filter(club=club_pk).order_by("pk")
    # The rows of all the club's webhooks are locked, so two workers cannot both count below
    # AT_ONCE.
    if not list(webhooks.select_for_update(of=("self",), no_key=True)):
        return None
    being_sent = Delivery.objects.being_sent().filter(webhook__club=club_pk)
    busy = set(being_sent.values_list("webhook", flat=True))
    if len(busy) >= AT_ONCE:
        return None
    due = _due().filter(webhook__club=club_pk).exclude(webhook__in=busy)
    turn = (F("webhook__tried_at").asc(nulls_first=True), "next_at", "pk")
    delivery = due.select_related("webhook__club", "webhook__tournament").order_by(*turn).first()
    if delivery is None:
        return None
    token = secrets.token_hex(16)
    Delivery.objects.filter(pk=delivery.pk).update(
        lease_token=token,
        lease_until=Now() + LEASE,
        attempts=F("attempts") + 1,
        tries=F("tries") + 1,
        tried_at=Now(),
    )
    webhooks.filter(pk=delivery.webhook_id).update(tried_at=Now())
    delivery.tries += 1
    return Claimed(delivery, token)


def attempt(claimed: Claimed) -> Reply | None:
    """Send a leased message; return None if there is nothing to send or the secret is lost."""
    delivery, webhook = claimed.delivery, claimed.delivery.webhook
    message = message_of(delivery)
    if message is None or not is_same_key(webhook):
        return None
    private: bool = settings.ENVIRONMENT.webhooks_to_private
    try:
        address = read_address(webhook.url, private=private)
    except BadAddress:
        return Reply(None, b"", Delivery.Fault.ADDRESS, 0)
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    signed = signatures.headers(signing_secrets(webhook), delivery.message, int(time.time()), body)
    return send(address, body, {**USUAL, **signed}, private=private)


USUAL: Final[Mapping[str, str]] = {
    "Content-Type": "application/json",
    "User-Agent": "Baza-Webhooks/1",
    "Accept-Encoding": "identity",
}
"""HTTP headers of every message, besides those of its signature."""


@transaction.atomic
def finish(claimed: Claimed, reply: Reply | None) -> bool:
    """Store the outcome of an attempt; return False if the lease was taken over."""
    delivery = claimed.delivery
    locked = Webhook.objects.select_for_update(of=("self",), no_key=True)
    webhook = locked.filter(pk=delivery.webhook_id).select_related("club").first()
    mine = Delivery.objects.filter(pk=delivery.pk, lease_token=claimed.token)
    if webhook is None or not mine.exists():
        logger.info("delivery %s was taken over: what came of it is not kept", delivery.pk)
        return False
    if reply is None:
        _set_aside(webhook, delivery)
        return True
    mine.update(**_storable_reply(reply), **_outcome(delivery, reply))
    if reply.arrived:
        webhook.failures, webhook.failing_since, webhook.held_until = 0, None, None
        webhook.save(update_fields=["failures", "failing_since", "held_until"])
    else:
        _hold(webhook, gone=reply.status == GONE)
    return True


def _storable_reply(reply: Reply) -> dict[str, Any]:
    text = reply.body.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return {
        "status": reply.status,
        "fault": reply.fault or "",
        "answer": text[:LONGEST_ANSWER],
        "took": reply.took,
        "lease_until": None,
        "lease_token": "",
    }


def _outcome(delivery: Delivery, reply: Reply) -> dict[str, Any]:
    """Return the changes of a delivery: arrived, sent again later, or given up."""
    if reply.arrived:
        return {"state": State.ARRIVED, "arrived_at": Now()}
    pause = retries.pause_after(delivery.tries, f"{delivery.message} {delivery.tries}")
    if pause is None or reply.status == GONE:
        return {"state": State.FAILED}
    return {"next_at": Now() + pause}


def _hold(webhook: Webhook, *, gone: bool) -> None:
    """Let a webhook rest after a failure; disable it when the limit is reached."""
    now = timezone.now()
    webhook.failures += 1
    webhook.failing_since = webhook.failing_since or now
    hold = retries.hold_after(webhook.failures, f"{webhook.salt} {webhook.failures}")
    Webhook.objects.filter(pk=webhook.pk).update(
        failures=webhook.failures, failing_since=webhook.failing_since, held_until=Now() + hold
    )
    if gone:
        disable(webhook, Webhook.Why.GONE)
    elif retries.is_given_up(webhook.failures, now - webhook.failing_since):
        disable(webhook, Webhook.Why.FAILING)


def _set_aside(webhook: Webhook, delivery: Delivery) -> None:
    """Withdraw a delivery that is no longer public, or disable a webhook without its secret."""
    rows = Delivery.objects.filter(pk=delivery.pk)
    if is_same_key(webhook):
        rows.update(state=State.WITHDRAWN, lease_until=None, lease_token="")
        return
    # Nothing was sent: the attempt that `claim` counted is taken back.
    rows.update(tries=F("tries") - 1, attempts=F("attempts") - 1, lease_until=None, lease_token="")
    disable(webhook, Webhook.Why.KEY)


def disable(webhook: Webhook, why: Webhook.Why) -> None:
    """Disable a locked webhook until an organiser resumes it."""
    if webhook.state != Webhook.State.ACTIVE:
        return
    Webhook.objects.filter(pk=webhook.pk).update(state=Webhook.State.DISABLED, why=why)
    facts: dict[str, Any] = {"host": webhook.host, "why": why.value}
    write_event(Actor.system(), "webhook.disabled", webhook, club=webhook.club, **facts)


def _due() -> Any:
    """Return the due deliveries of webhooks that are not resting."""
    rests = Q(webhook__held_until__isnull=True) | Q(webhook__held_until__lte=Now())
    return Delivery.objects.due().filter(rests)
