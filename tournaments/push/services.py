"""Subscriptions of browsers to the messages of a tournament, and the sending of these.

The history of the club is the outbox, as for webhooks: a subscription knows the last event that
was looked at. Its position moves before anything is sent, so that no message goes twice.
"""

import json
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import get_language, override

from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, not_found_unless
from tournaments.core.jobs import Job, post
from tournaments.core.outgoing import Reply, send
from tournaments.director.queries.days import days_of
from tournaments.domain.addresses import read_address
from tournaments.domain.web_push import (
    CURVE,
    SALT_BYTES,
    Receiver,
    authorization,
    encrypt,
    read_receiver,
)
from tournaments.models import AuditCounter, PushSubscription, Tournament
from tournaments.models.push import MAX_ENDPOINT_LENGTH
from tournaments.push.queries import (
    TournamentFacts,
    facts_of,
    holders_of,
    is_open_to_all,
    messages_of,
)
from tournaments.signup.queries.news import to_store

MOST_OF_ONE: Final = 5
"""Browsers of one code or account: the phones of a pair, and one more."""

MOST_OF_TOURNAMENT: Final = 2000

BATCH_SIZE: Final = 100
"""Subscriptions of one task; the next task begins before these are sent."""

PATIENCE: Final = 5.0  # seconds for one message: the others wait behind it
VAPID_SECONDS: Final = 12 * 60 * 60  # push services refuse a statement for more than a day
DECLARATIVE: Final = 8030  # says that a browser shows the message without a script (RFC 8030)
GONE: Final = frozenset({404, 410})

Links = Callable[..., str]
"""Makes the path of a link from the name of its page and the arguments."""

log = logging.getLogger(__name__)


# --- Subscriptions --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Device:
    """The address and the keys of a browser, as it states them."""

    endpoint: str
    p256dh: str
    auth: str


@transaction.atomic
def subscribe(
    tournament: Tournament, device: Device, *, code: str = "", user: User | None = None
) -> PushSubscription:
    """Let a browser get the messages of a code or an account; with neither, those for everybody.

    A browser has one subscription to a tournament: that of a code or account stays where the
    browser follows the tournament, too. Refuses NOT_FOUND where nothing is sent: without keys or
    https, of what is over, or to all of what is private; BAD_PUSH_ADDRESS, TOO_MANY_BROWSERS.
    """
    _refuse_unusable(device)
    tournament = lock_tournament(tournament)
    is_own = bool(code) or user is not None
    is_over = tournament.state == Tournament.State.FINISHED or tournament.cancelled_at is not None
    not_found_unless(sends_messages() and not is_over)
    not_found_unless(is_own or is_open_to_all(tournament))
    rows = tournament.push_subscriptions.select_related("user")
    row: PushSubscription | None = rows.filter(endpoint=device.endpoint).first()
    if row is not None and not is_own:
        return row
    others = rows.exclude(endpoint=device.endpoint)
    is_full = is_own and others.filter(code=code, user=user).count() >= MOST_OF_ONE
    if is_full or others.count() >= MOST_OF_TOURNAMENT:
        raise Refusal(Reason.TOO_MANY_BROWSERS)
    if row is None:
        position = _last_event(tournament)
        row = PushSubscription(
            tournament=tournament, endpoint=device.endpoint, position=position, told={}
        )
    row.code, row.user = ("", user) if user is not None else (code, None)
    row.p256dh, row.auth = device.p256dh.rstrip("="), device.auth.rstrip("=")
    row.language = get_language() or ""
    row.save()
    holder = holders_of(tournament, days_of(tournament), [row]).get(row.pk)
    not_found_unless(holder is not None)
    if holder is not None:
        row.told = to_store(holder.news)
        row.save(update_fields=["told"])
    return row


def sends_messages() -> bool:
    """Return whether browsers get messages: over https, and with a key."""
    return bool(settings.PUSH_KEY) and settings.ENVIRONMENT.is_https


def _refuse_unusable(device: Device) -> None:
    """Refuse BAD_PUSH_ADDRESS for an address or keys that nothing can be sent with."""
    try:
        read_receiver(device.p256dh, device.auth)
        _read_endpoint(device.endpoint)
    except ValueError as error:
        raise Refusal(Reason.BAD_PUSH_ADDRESS) from error


def _read_endpoint(endpoint: str) -> Any:
    private: bool = settings.ENVIRONMENT.webhooks_to_private
    return read_address(endpoint, private=private, most=MAX_ENDPOINT_LENGTH)


def _last_event(tournament: Tournament) -> int:
    counter = AuditCounter.objects.filter(club=tournament.club_id).first()
    return counter.last if counter else 0


# --- Messages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Push:
    """A message on its way: to which browser, and its content in JSON."""

    row: PushSubscription
    content: bytes
    until: float
    """Seconds since 1970."""


def wake_due() -> None:
    """Queue a task for each tournament whose club has events after its subscriptions' positions."""
    if not sends_messages():
        return
    due = PushSubscription.objects.filter(position__lt=F("tournament__club__auditcounter__last"))
    for pk in due.order_by("tournament").values_list("tournament", flat=True).distinct():
        post(Job.SEND_PUSH, pk)


def send_due(tournament_pk: int, path_of: Links) -> int:
    """Send the messages to the browsers of a tournament; return how many got one.

    ``path_of`` makes the paths of links.
    """
    return sum(_send(push) for push in claim(tournament_pk, path_of)) if sends_messages() else 0


@transaction.atomic
def claim(tournament_pk: int, path_of: Links) -> list[Push]:
    """Take the messages to some subscriptions, which will not get them again; nothing is sent yet.

    Subscriptions whose code or ticket is gone are deleted.
    """
    tournament = Tournament.objects.select_related("club").get(pk=tournament_pk)
    last = _last_event(tournament)  # before the events, so that none is passed over
    behind = tournament.push_subscriptions.filter(position__lt=last)
    # Another task works on the rows that it has locked: these are not waited for
    locked = behind.select_for_update(of=("self",), no_key=True, skip_locked=True)
    rows = list(locked.select_related("user").order_by("pk")[:BATCH_SIZE])
    if not rows:
        return []
    if len(rows) == BATCH_SIZE:
        post(Job.SEND_PUSH, tournament_pk)
    if tournament.state == Tournament.State.DRAFT and tournament.posted_at is None:
        behind.filter(pk__in=[row.pk for row in rows]).update(position=last)
        return []  # what is taken down says nothing, as in letters
    facts = facts_of(tournament, rows)
    kept = [row for row in rows if row.pk in facts.holders]
    found = [push for row in kept for push in _pushes_of(facts, row, path_of)]
    for row in kept:
        row.position, row.told = last, to_store(facts.holders[row.pk].news)
    PushSubscription.objects.bulk_update(kept, ["position", "told"])
    gone = [row.pk for row in rows if row.pk not in facts.holders]
    PushSubscription.objects.filter(pk__in=gone).delete()
    return found


def _pushes_of(facts: TournamentFacts, row: PushSubscription, path_of: Links) -> list[Push]:
    """Return the messages to a subscription, in its language."""
    tournament, origin = facts.tournament, settings.ENVIRONMENT.public_url
    if facts.holders[row.pk].is_everybody and not is_open_to_all(tournament):
        return []
    with override(row.language or None):
        messages = messages_of(facts, row)
    found = []
    for message in messages:
        notification = {
            "title": tournament.name,
            "body": message.text,
            "navigate": origin + path_of(message.page, tournament.slug),
            "icon": origin + static("icons/app-192.png"),
            "lang": row.language,
        }
        content = {"web_push": DECLARATIVE, "notification": notification}
        body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
        found.append(Push(row, body, message.until.timestamp()))
    return found


def _send(push: Push) -> bool:
    """Send a message, once; a subscription that the push service does not know is deleted."""
    seconds = int(push.until - time.time())
    if seconds <= 0:
        return False
    reply = _post(push, seconds)
    if reply.status in GONE:
        PushSubscription.objects.filter(pk=push.row.pk).delete()
    elif not reply.is_accepted:
        log.info("push %s did not arrive: %s", push.row.pk, reply.status or reply.fault)
    return reply.is_accepted


def _post(push: Push, seconds: int) -> Reply:
    row, expires = push.row, int(timezone.now().timestamp()) + VAPID_SECONDS
    receiver: Receiver = read_receiver(row.p256dh, row.auth)
    salt, sender = secrets.token_bytes(SALT_BYTES), ec.generate_private_key(CURVE)
    contact = settings.ENVIRONMENT.public_url
    headers = {
        "Authorization": authorization(row.endpoint, settings.PUSH_KEY, contact, expires),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(seconds),
        "Urgency": "high",
        "User-Agent": "Baza-Push/1",
    }
    return send(
        _read_endpoint(row.endpoint),
        encrypt(push.content, receiver, sender, salt),
        headers,
        private=settings.ENVIRONMENT.webhooks_to_private,
        patience=PATIENCE,
    )
