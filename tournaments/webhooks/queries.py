"""Pages of a club's webhooks and of their deliveries, for the club's organisers."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from tournaments.core.db import row_of
from tournaments.core.find import find_club, not_found_unless, or_404
from tournaments.core.permissions import Actor, may_manage
from tournaments.models import Delivery, Tournament, Webhook

MAX_LISTED: Final = 50
"""Number of deliveries that a webhook's page shows, the latest first."""


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook with the number of its deliveries in each state.

    ``trouble``: the last attempt failed. ``held_until``: nothing is sent before then.
    """

    pk: int
    url: str
    host: str
    description: str
    types: tuple[str, ...]
    tournament: str
    tournament_slug: str
    state: str
    why: str
    trouble: bool
    failing_since: datetime | None
    held_until: datetime | None
    waiting: int
    failed: int
    arrived: int
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """A delivery with its number of attempts and the last answer.

    ``next_at`` is the next attempt while the delivery waits; ``took`` is in milliseconds.
    """

    pk: int
    type: str
    message: str
    state: str
    attempts: int
    status: int | None
    fault: str
    answer: str
    took: int | None
    made_at: datetime
    tried_at: datetime | None
    next_at: datetime | None
    arrived_at: datetime | None


@dataclass(frozen=True, slots=True)
class ClubWebhooks:
    """The webhooks of a club."""

    slug: str
    name: str
    results: tuple[WebhookRow, ...]


@dataclass(frozen=True, slots=True)
class WebhookPage:
    """A webhook with its latest deliveries; ``more``: older ones exist."""

    slug: str
    name: str
    webhook: WebhookRow
    deliveries: tuple[DeliveryRow, ...]
    more: bool


def club_webhooks(slug: str, viewer: Actor) -> ClubWebhooks:
    """Return a club's webhooks, oldest first. Refuses NOT_FOUND to those who may not manage it."""
    club = find_club(slug)
    not_found_unless(may_manage(viewer, club))
    rows = _with_counts().filter(club=club)
    return ClubWebhooks(club.slug, club.name, tuple(_row(row) for row in rows))


def tournaments_of(slug: str, viewer: Actor) -> tuple[tuple[str, str], ...]:
    """Return short name and name of the club's unfinished tournaments, newest first."""
    club = find_club(slug)
    not_found_unless(may_manage(viewer, club))
    rows = club.tournaments.exclude(state=Tournament.State.FINISHED).order_by("-pk")
    return tuple(rows.values_list("slug", "name"))


def find_webhook(slug: str, pk: int, viewer: Actor) -> Webhook:
    """Return a webhook of a club. Refuses NOT_FOUND, also to those who may not manage the club."""
    club = find_club(slug)
    not_found_unless(may_manage(viewer, club))
    rows = Webhook.objects.select_related("club", "tournament")
    return or_404(rows.filter(club=club, pk=pk).first())


def find_delivery(slug: str, pk: int, delivery: int, viewer: Actor) -> Delivery:
    """Return a delivery of a webhook. Refuses NOT_FOUND."""
    webhook = find_webhook(slug, pk, viewer)
    rows = webhook.deliveries.select_related("webhook__club", "webhook__tournament")
    return or_404(rows.filter(pk=delivery).first())


def webhook_row(slug: str, pk: int, viewer: Actor) -> WebhookRow:
    """Return a webhook with its counts. Refuses NOT_FOUND."""
    webhook = find_webhook(slug, pk, viewer)
    return _row(or_404(_with_counts().filter(pk=webhook.pk).first()))


def webhook_page(slug: str, pk: int, viewer: Actor) -> WebhookPage:
    """Return a webhook with its latest deliveries. Refuses NOT_FOUND."""
    webhook = find_webhook(slug, pk, viewer)
    row = _row(or_404(_with_counts().filter(pk=webhook.pk).first()))
    latest = [
        delivery_row(delivery) for delivery in webhook.deliveries.order_by("-pk")[: MAX_LISTED + 1]
    ]
    club, has_more = webhook.club, len(latest) > MAX_LISTED
    return WebhookPage(club.slug, club.name, row, tuple(latest[:MAX_LISTED]), has_more)


def deliveries_after(
    slug: str, pk: int, before: str, count: int, viewer: Actor
) -> tuple[DeliveryRow, ...]:
    """Return ``count`` deliveries, latest first, with keys below ``before`` unless it is empty."""
    rows = find_webhook(slug, pk, viewer).deliveries.order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=int(before))
    return tuple(map(delivery_row, rows[:count]))


def _with_counts() -> QuerySet[Webhook, Any]:
    """Return webhooks annotated with the number of deliveries in each state."""
    counts = {
        name: Count("deliveries", filter=Q(deliveries__state=name))
        for name in ("waiting", "failed", "arrived")
    }
    return Webhook.objects.select_related("tournament").annotate(**counts).order_by("pk")


def _row(webhook: Any) -> WebhookRow:
    tournament = webhook.tournament
    held_until = webhook.held_until
    return row_of(
        WebhookRow,
        webhook,
        types=tuple(webhook.types),
        tournament=tournament.name if tournament else "",
        tournament_slug=tournament.slug if tournament else "",
        trouble=webhook.failures > 0,
        held_until=held_until if held_until and held_until > timezone.now() else None,
    )


def delivery_row(delivery: Delivery) -> DeliveryRow:
    """Return the row of a delivery."""
    is_waiting = delivery.state == Delivery.State.WAITING
    return row_of(DeliveryRow, delivery, next_at=delivery.next_at if is_waiting else None)
