"""Webhooks: addresses that receive a club's events, and the delivery of each message.

The due work follows from the rows alone: the events of the club's history after a webhook's
``position``, and the deliveries that are due. A lost message of the broker changes nothing.
"""

import hashlib
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from tournaments.core import keys
from tournaments.core.outgoing import Fault
from tournaments.models.people import Club
from tournaments.models.tournaments import Tournament

MAX_ADDRESS_LENGTH: Final = 500  # as `domain.addresses.MAX_LENGTH`
MAX_DESCRIPTION_LENGTH: Final = 200  # chosen: a line

LEASE: Final = timedelta(seconds=60)
"""How long a sender may be silent before another may send the message: four times the limit of one
delivery."""


class WebhookQuerySet(models.QuerySet["Webhook"]):
    """Webhooks selected by state."""

    def active(self) -> "WebhookQuerySet":
        """Keep those that are neither paused nor disabled."""
        return self.filter(state=Webhook.State.ACTIVE)


class Webhook(models.Model):
    """An address that receives a club's events, all or those of one tournament.

    ``types`` are the wanted kinds of events; empty: all. Only the ``salt`` of the secret is stored:
    the secret follows from it and the service's own key (`derive_secret`), and ``mark``
    shows whether that key is still the same. ``position`` is the number of the last event of the
    club that was processed, ``checkpoint`` that of the last checkpoint. ``failures`` counts the
    failed attempts since the last success, ``failing_since`` is when they began, and until
    ``held_until`` nothing is sent.
    """

    class State(models.TextChoices):
        """Whether messages are sent."""

        ACTIVE = "active", _("active")
        PAUSED = "paused", _("paused")
        DISABLED = "disabled", _("disabled")

    class DisableReason(models.TextChoices):
        """Why the service disabled a webhook."""

        GONE = "gone", _("the address answered 410: nobody wants messages there any more")
        FAILING = "failing", _("for five days no message has arrived")
        KEY = "key", _("the service has another key: the secret is no longer the one that you have")

    class Type(models.TextChoices):
        """The kinds of events, the most wanted first; described in `domain.feed`."""

        ROUND_PUBLISHED = "round.published", _("A round is published")
        ROUND_CLOSED = "round.closed", _("A round is closed")
        ROUND_CHANGED = "round.changed", _("The bots of a round play or pause")
        RESULT_ACCEPTED = "result.accepted", _("A result counts")
        RESULT_REPORTED = "result.reported", _("A result is reported")
        RESULT_CORRECTED = "result.corrected", _("A result is corrected")
        MATCH_CHANGED = "match.changed", _("A match is postponed or disputed")
        MATCH_RULED = "match.ruled", _("The arbiter has ruled")
        STANDINGS_CHANGED = (
            "standings.changed",
            _("The table changes by something else: penalties, lots"),
        )
        ENTRY_CHANGED = "entry.changed", _("Entries change")
        CLOCK_CHANGED = "clock.changed", _("The clock of a round starts or stops")
        TOURNAMENT_CHANGED = "tournament.changed", _("The tournament changes")
        TOURNAMENT_FINISHED = "tournament.finished", _("The tournament is over")
        CHECKPOINT = "audit.checkpoint", _("The history is signed")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="webhooks", null=True, blank=True
    )
    url = models.CharField(_("address"), max_length=MAX_ADDRESS_LENGTH)
    description = models.CharField(_("description"), max_length=MAX_DESCRIPTION_LENGTH, blank=True)
    types = models.JSONField(_("events"), default=list)
    salt = models.CharField(max_length=32)
    mark = models.CharField(max_length=16)
    old_salt = models.CharField(max_length=32, blank=True)
    old_until = models.DateTimeField(null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.ACTIVE)
    why = models.CharField(_("reason"), max_length=10, choices=DisableReason.choices, blank=True)
    position = models.PositiveBigIntegerField(default=0)
    checkpoint = models.PositiveBigIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    made_by = models.CharField(_("by"), max_length=200)
    made_at = models.DateTimeField(default=timezone.now)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ("club_id", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(state="disabled") & ~Q(why="") | ~Q(state="disabled") & Q(why=""),
                name="a_disabled_webhook_says_why",
            ),
        )

    def __str__(self) -> str:
        return self.description or self.host

    @property
    def host(self) -> str:
        """The host of the address: the rest of it may hold a password."""
        return urlsplit(self.url).hostname or ""


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    """Deliveries selected by the work they need."""

    def unfinished(self) -> "DeliveryQuerySet":
        """Keep those that have neither arrived nor been given up, of active webhooks."""
        return self.filter(state=Delivery.State.WAITING, webhook__state=Webhook.State.ACTIVE)

    def due(self) -> "DeliveryQuerySet":
        """Keep the unfinished ones that are due and have no sender."""
        return self.unfinished().filter(
            Q(lease_until__isnull=True) | Q(lease_until__lt=Now()), next_at__lte=Now()
        )

    def being_sent(self) -> "DeliveryQuerySet":
        """Keep those with a sender, by the database's clock."""
        return self.filter(lease_until__gte=Now())


class Delivery(models.Model):
    """One message to one webhook: of an event of the history, a checkpoint of it, or a ping.

    ``number`` is the event's or the checkpoint's within the club. The message's text is made from
    the event when it is sent. ``status`` and ``answer`` are those of the last attempt, or ``fault``
    says why there was no answer; ``took`` is its duration in milliseconds.
    """

    class Kind(models.TextChoices):
        """The subject of the message."""

        EVENT = "event", _("event")
        CHECKPOINT = "checkpoint", _("checkpoint")
        PING = "ping", _("test")

    class State(models.TextChoices):
        """The outcome."""

        WAITING = "waiting", _("waiting")
        ARRIVED = "arrived", _("arrived")
        FAILED = "failed", _("given up")
        WITHDRAWN = "withdrawn", _("withdrawn")

    Fault = Fault

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    number = models.PositiveBigIntegerField(null=True, blank=True)
    type = models.CharField(_("type"), max_length=60)
    message = models.CharField(_("message"), max_length=40, unique=True)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(default=timezone.now)
    lease_token = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(_("status"), null=True, blank=True)
    fault = models.CharField(_("fault"), max_length=10, choices=Fault.choices, blank=True)
    answer = models.TextField(_("answer"), blank=True)
    took = models.PositiveIntegerField(null=True, blank=True)
    tried_at = models.DateTimeField(null=True, blank=True)
    arrived_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ("webhook_id", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("webhook", "kind", "number"), name="one_delivery_per_event"
            ),
            models.CheckConstraint(
                condition=Q(kind="ping", number__isnull=True)
                | ~Q(kind="ping") & Q(number__isnull=False),
                name="a_delivery_is_of_something",
            ),
        )
        indexes = (
            models.Index(
                fields=("next_at",), condition=Q(state="waiting"), name="deliveries_that_wait"
            ),
        )

    def __str__(self) -> str:
        return f"{self.type} {self.message}"


# --- secrets ---
# Also for who moves a database or changes the key of the service (`operations`).


def derive_secret(salt: str, key: str | None = None) -> bytes:
    """Return the secret of a salt under a key of the service (default: the present key): 32 bytes.

    The secret is not stored: with the database alone nobody can sign.
    """
    return keys.digest("baza.webhook.secret", salt, key)


def secret_fingerprint(salt: str, key: str | None = None) -> str:
    """Return the fingerprint of a secret, stored to detect a change of the service's key."""
    return hashlib.sha256(b"baza.webhook.mark " + derive_secret(salt, key)).hexdigest()[:16]


def secret_key_of(webhook: Webhook) -> str | None:
    """Return the key of the service under which the secret was shown; None if that key is lost."""
    for key in keys.secret_keys():
        if constant_time_compare(secret_fingerprint(webhook.salt, key), webhook.mark):
            return key
    return None
