"""Services that add, test, pause and remove a club's webhooks, and send messages again."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.core.audit import write_event
from tournaments.core.errors import Reason, Refusal, refuse_unless_known
from tournaments.core.faults import ADDRESS_FAULTS
from tournaments.core.find import lock_club, refresh_row
from tournaments.core.jobs import Job, post
from tournaments.core.names import validate_name
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.domain import webhooks as webhook_rules
from tournaments.domain.addresses import BadAddress, read_address
from tournaments.models import AuditCounter, Club, Delivery, Tournament, Webhook
from tournaments.models.webhooks import (
    MAX_DESCRIPTION_LENGTH,
    derive_secret,
    secret_fingerprint,
    secret_key_of,
)
from tournaments.webhooks.services.deliveries import PING, is_same_key, new_id

MAX_PER_CLUB: Final = 10
"""Limit of webhooks of a club."""

OLD_SECRET_SIGNS: Final = timedelta(hours=24)
"""Time for which messages are signed with both secrets after a change."""

Kind = Delivery.Kind
State = Webhook.State


@transaction.atomic
def add_webhook(
    actor: Actor,
    club: Club,
    *,
    url: str,
    description: str = "",
    types: Iterable[str] = (),
    tournament: Tournament | None = None,
) -> Webhook:
    """Add a webhook: from now on a club's events of these types (none: all) go to an address.

    Refuses FORBIDDEN, BAD_WEBHOOK_ADDRESS, BAD_NAME, UNKNOWN_EVENT, OTHER_CLUB, TOO_MANY_WEBHOOKS.
    """
    refuse_unless(may_manage(actor, club), actor)
    url = _checked_address(url)
    description = validate_name(description) if description.strip() else ""
    event_types = _checked_types(types)
    if tournament is not None and tournament.club_id != club.pk:
        raise Refusal(Reason.OTHER_CLUB, text=tournament.name)
    lock_club(club)
    if Webhook.objects.filter(club=club).count() >= MAX_PER_CLUB:
        raise Refusal(Reason.TOO_MANY_WEBHOOKS, most=MAX_PER_CLUB)
    counter = AuditCounter.objects.filter(club=club).first()
    checkpoint = club.checkpoints.order_by("-number").first()
    salt = secrets.token_hex(16)
    webhook = Webhook.objects.create(
        club=club,
        tournament=tournament,
        url=url,
        description=description[:MAX_DESCRIPTION_LENGTH],
        types=event_types,
        salt=salt,
        mark=secret_fingerprint(salt),
        position=counter.last if counter else 0,
        checkpoint=checkpoint.number if checkpoint else 0,
        made_by=actor.label,
    )
    write_event(
        actor, "webhook.added", webhook, club=club, tournament=tournament, **_facts(webhook)
    )
    return webhook


def secret_text(webhook: Webhook) -> str:
    """Return the secret in the written form. Pages and API show it only once, when it is new."""
    return webhook_rules.encode_secret(derive_secret(webhook.salt, secret_key_of(webhook)))


@transaction.atomic
def pause_webhook(actor: Actor, webhook: Webhook) -> Webhook:
    """Pause a webhook; the events of the pause are sent after it is resumed.

    Refuses FORBIDDEN, WEBHOOK_NOT_ACTIVE.
    """
    webhook = _lock_active_webhook(actor, webhook)
    return _update_webhook(actor, webhook, "webhook.paused", state=State.PAUSED)


@transaction.atomic
def resume_webhook(actor: Actor, webhook: Webhook) -> Webhook:
    """Resume a webhook that was paused or disabled; an active one ends its rest at once.

    Refuses FORBIDDEN, WEBHOOK_KEY_LOST.
    """
    webhook = _lock_webhook(actor, webhook)
    if not is_same_key(webhook):
        raise Refusal(Reason.WEBHOOK_KEY_LOST)
    return _update_webhook(actor, webhook, "webhook.resumed", **ACTIVE_FIELDS)


@transaction.atomic
def change_secret(actor: Actor, webhook: Webhook) -> Webhook:
    """Replace the secret of a webhook; the old one, unless lost, also signs for `OLD_SECRET_SIGNS`.

    Refuses FORBIDDEN.
    """
    webhook = _lock_webhook(actor, webhook)
    salt = secrets.token_hex(16)
    changes: dict[str, Any] = {"salt": salt, "mark": secret_fingerprint(salt)}
    if is_same_key(webhook):
        changes |= {"old_salt": webhook.salt, "old_until": timezone.now() + OLD_SECRET_SIGNS}
    else:
        changes |= {"old_salt": "", "old_until": None}
    if webhook.why == Webhook.DisableReason.KEY:
        changes |= ACTIVE_FIELDS
    return _update_webhook(actor, webhook, "webhook.secret_changed", **changes)


@transaction.atomic
def remove_webhook(actor: Actor, webhook: Webhook) -> None:
    """Delete a webhook with its deliveries. Refuses FORBIDDEN."""
    webhook = _lock_webhook(actor, webhook)
    facts, pk = _facts(webhook), webhook.pk
    webhook.delete()
    # Django clears the key of a deleted row, and the event names the row by it.
    webhook.pk = pk
    write_event(
        actor, "webhook.removed", webhook, club=webhook.club, tournament=webhook.tournament, **facts
    )


@transaction.atomic
def ping(actor: Actor, webhook: Webhook) -> Delivery:
    """Send a test message at once, even if the webhook rests; at most one waits at a time.

    Refuses FORBIDDEN, WEBHOOK_NOT_ACTIVE.
    """
    webhook = _lock_active_webhook(actor, webhook)
    delivery = webhook.deliveries.filter(kind=Kind.PING, state=Delivery.State.WAITING).first()
    if delivery is None:
        delivery = Delivery(webhook=webhook, kind=Kind.PING, type=PING, message=new_id())
        delivery.save()
    _send_at_once(webhook, Q(pk=delivery.pk))
    return delivery


@transaction.atomic
def redeliver(actor: Actor, delivery: Delivery) -> Delivery:
    """Send a message again at once, under its old id, in whichever state it is.

    Refuses FORBIDDEN, WEBHOOK_NOT_ACTIVE.
    """
    webhook = _lock_active_webhook(actor, delivery.webhook)
    _send_at_once(webhook, Q(pk=delivery.pk))
    delivery.refresh_from_db()
    return delivery


@transaction.atomic
def redeliver_failed(actor: Actor, webhook: Webhook, since: datetime | None = None) -> int:
    """Send again at once what has not arrived, made ``since`` then or ever; return how many.

    Refuses FORBIDDEN, WEBHOOK_NOT_ACTIVE.
    """
    webhook = _lock_active_webhook(actor, webhook)
    which = Q(state__in=(Delivery.State.FAILED, Delivery.State.WAITING))
    if since is not None:
        which &= Q(made_at__gte=since)
    return _send_at_once(webhook, which)


ACTIVE_FIELDS: Final[dict[str, Any]] = {
    "state": State.ACTIVE,
    "why": "",
    "failures": 0,
    "failing_since": None,
    "held_until": None,
}
"""Columns of an active webhook without failures."""


def _lock_webhook(actor: Actor, webhook: Webhook) -> Webhook:
    """Return the webhook, locked. Its key stays free, so that messages to it are still written.

    Refuses FORBIDDEN, NOT_FOUND.
    """
    refuse_unless(may_manage(actor, webhook.club), actor)
    rows = Webhook.objects.select_for_update(of=("self",), no_key=True)
    return refresh_row(rows.select_related("club", "tournament"), webhook)


def _lock_active_webhook(actor: Actor, webhook: Webhook) -> Webhook:
    """Return an active webhook, locked. Refuses as :func:`_lock_webhook`, WEBHOOK_NOT_ACTIVE."""
    webhook = _lock_webhook(actor, webhook)
    if webhook.state != State.ACTIVE:
        raise Refusal(Reason.WEBHOOK_NOT_ACTIVE)
    return webhook


def _update_webhook(actor: Actor, webhook: Webhook, verb: str, **changes: Any) -> Webhook:
    """Update a locked webhook, write the audit event, and queue a send task."""
    for name, value in changes.items():
        setattr(webhook, name, value)
    webhook.save(update_fields=list(changes))
    write_event(
        actor, verb, webhook, club=webhook.club, tournament=webhook.tournament, **_facts(webhook)
    )
    post(Job.SEND_WEBHOOKS, webhook.club_id)
    return webhook


def _send_at_once(webhook: Webhook, which: Q) -> int:
    """Make messages due that no worker is sending, and end the webhook's rest; return how many."""
    unleased = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    count = webhook.deliveries.filter(which & unleased).update(
        state=Delivery.State.WAITING, tries=0, next_at=Now()
    )
    Webhook.objects.filter(pk=webhook.pk).update(held_until=None)
    post(Job.SEND_WEBHOOKS, webhook.club_id)
    return count


def _facts(webhook: Webhook) -> dict[str, Any]:
    return {"host": webhook.host, "types": webhook.types}


def _checked_address(text: str) -> str:
    text = text.strip()
    try:
        return read_address(text, private=settings.ENVIRONMENT.webhooks_to_private).url
    except BadAddress as error:
        raise Refusal(Reason.BAD_WEBHOOK_ADDRESS, why=ADDRESS_FAULTS[error.flaw.value]) from error


def _checked_types(types: Iterable[str]) -> list[str]:
    event_types = sorted(set(types))
    for kind in event_types:
        refuse_unless_known(Reason.UNKNOWN_EVENT, kind, Webhook.Type.values)
    return event_types
