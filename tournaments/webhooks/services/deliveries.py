"""Sending the messages of webhooks: at least once each, and nothing else waits for them.

The history of a club is the outbox. A webhook takes up the events after its position, in their
order, as deliveries; a worker takes a lease on one, sends it outside any transaction, and writes
down what came of it with the lease's token. A worker that dies holds a lease that runs out, and
another sends the message again, under the same id. In order they are not promised to arrive: a
message that fails is overtaken by later ones.

A webhook gets one message at a time, a club `AT_ONCE`; and one that fails rests, so that an address
that does not answer costs a worker one attempt in half an hour.
"""

from __future__ import annotations

import json
import logging
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

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

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger("tournaments.services.deliveries")

BUDGET: Final = 20.0
"""Seconds that one task may go on beginning messages; then it sends itself a message."""

AT_ONCE: Final = 2
"""Messages of one club that are sent at the same time."""

LONGEST_ANSWER: Final = 1000
"""Characters that are kept of an answer."""

GONE: Final = 410

State = Delivery.State


def wake_due() -> int:
    """Send a message for every club whose webhooks have something due; answers for how many."""
    clubs = {
        *messages.behind().values_list("club", flat=True),
        *_due().values_list("webhook__club", flat=True),
    }
    for club_pk in sorted(clubs):
        post(Job.SEND_WEBHOOKS, club_pk)
    return len(clubs)


def send_due(club_pk: int, budget: float = BUDGET) -> int:
    """Take up what has happened in a club and send what is due; answers how many were sent."""
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
    """A message that a worker may send: nobody else does while the lease lives."""

    delivery: Delivery
    token: str


@transaction.atomic
def claim(club_pk: int) -> Claimed | None:
    """Take a message of the club that is due; nothing when there is none, or enough are under way.

    The webhook that was tried least lately comes first, and of its messages the oldest.
    """
    webhooks = Webhook.objects.filter(club=club_pk).order_by("pk")
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
    """Send a message; nothing when there is nothing to be said any more."""
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
"""What stands above every message besides its signature."""


@transaction.atomic
def finish(claimed: Claimed, reply: Reply | None) -> bool:
    """Write down what came of an attempt; tells whether the lease was still the worker's own."""
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
    mine.update(**_kept(reply), **_outcome(delivery, reply))
    if reply.arrived:
        webhook.failures, webhook.failing_since, webhook.held_until = 0, None, None
        webhook.save(update_fields=["failures", "failing_since", "held_until"])
    else:
        _hold(webhook, gone=reply.status == GONE)
    return True


def _kept(reply: Reply) -> dict[str, Any]:
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
    """Return what becomes of a delivery: arrived, sent again later, or given up."""
    if reply.arrived:
        return {"state": State.ARRIVED, "arrived_at": Now()}
    pause = retries.pause_after(delivery.tries, f"{delivery.message} {delivery.tries}")
    if pause is None or reply.status == GONE:
        return {"state": State.FAILED}
    return {"next_at": Now() + pause}


def _hold(webhook: Webhook, *, gone: bool) -> None:
    """Let a webhook rest after a failure; disable it when it is time."""
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
    """Let a message go that is not sent: nobody may hear of it, or it could not be signed."""
    rows = Delivery.objects.filter(pk=delivery.pk)
    if is_same_key(webhook):
        rows.update(state=State.WITHDRAWN, lease_until=None, lease_token="")
        return
    rows.update(tries=F("tries") - 1, attempts=F("attempts") - 1, lease_until=None, lease_token="")
    disable(webhook, Webhook.Why.KEY)


def disable(webhook: Webhook, why: Webhook.Why) -> None:
    """Send nothing more to a locked webhook until an organiser lets it go on."""
    if webhook.state != Webhook.State.ACTIVE:
        return
    Webhook.objects.filter(pk=webhook.pk).update(state=Webhook.State.DISABLED, why=why)
    facts: dict[str, Any] = {"host": webhook.host, "why": why.value}
    write_event(Actor.system(), "webhook.disabled", webhook, club=webhook.club, **facts)


def _due() -> Any:
    """Return the deliveries that are due, of webhooks that do not rest."""
    rests = Q(webhook__held_until__isnull=True) | Q(webhook__held_until__lte=Now())
    return Delivery.objects.due().filter(rests)
