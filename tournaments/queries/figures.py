"""What Prometheus is told of the rows: numbers, from queries that stop counting at a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import redis
from django.conf import settings
from django.db.models import F, Min, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.models import Analysis, AuditCheckpoint, AuditCounter, Delivery, Match, Round
from tournaments.models.pulses import QUEUES
from tournaments.queries.rated import stale_rulesets

MOST: Final = 10_000
"""Rows that are counted at most: whoever sees this number knows that there are too many."""

TIMEOUT: Final = 2.0  # seconds that the broker may take


@dataclass(frozen=True, slots=True)
class Figure:
    """A gauge: its name without ``baza_``, what it means, and its values by the label's."""

    name: str
    meaning: str
    values: dict[str, float]
    label: str = ""


def figures() -> Iterator[Figure]:
    """Yield what the rows say: some ten queries, none of which reads more than `MOST` rows."""
    at_table = Match.objects.filter(state=Match.State.PENDING, round__state=Round.State.PUBLISHED)
    yield Figure(
        "matches",
        "Bot matches: waiting for a worker, at play, left to the arbiter.",
        {
            "waiting": counted(Match.objects.due()),
            "at_play": counted(Match.objects.leased()),
            "needs_arbiter": counted(at_table.filter(abandoned_at__isnull=False)),
        },
        "state",
    )
    oldest = (
        Match.objects.due()
        .order_by()[:MOST]
        .aggregate(at=Min(Coalesce(F("woken_at"), F("round__play_requested_at"))))["at"]
    )
    yield Figure(
        "oldest_wake_up_seconds", "Age of the oldest wake-up of a match due.", {"": age(oldest)}
    )
    lately = timezone.now() - timedelta(days=1)
    failed = Delivery.objects.filter(state=Delivery.State.FAILED, tried_at__gte=lately)
    yield Figure(
        "webhook_deliveries",
        "Messages to webhooks: waiting, and given up in the last 24 hours.",
        {"waiting": counted(Delivery.objects.unfinished()), "failed": counted(failed)},
        "state",
    )
    yield Figure(
        "ratings_behind", "Rulesets whose ratings are behind.", {"": float(len(stale_rulesets()))}
    )
    waiting = Analysis.objects.filter(state=Analysis.State.WAITING)
    yield Figure("analyses_behind", "Records that wait to be analysed.", {"": counted(waiting)})
    written = AuditCounter.objects.aggregate(all=Sum("last"))["all"] or 0
    yield Figure("audit_events", "Events in the histories of all clubs.", {"": float(written)})
    signed = AuditCheckpoint.objects.order_by("-pk").values_list("at", flat=True).first()
    yield Figure(
        "audit_checkpoint_age_seconds", "Age of the last signed checkpoint.", {"": age(signed)}
    )


def queue_lengths() -> Figure:
    """Return how many messages each queue of the broker holds; raises `redis.RedisError`."""
    with redis.Redis.from_url(
        settings.ENVIRONMENT.redis_url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
    ) as line:
        lengths: dict[str, Any] = {queue: line.llen(queue) for queue in QUEUES}
    return Figure("queue_messages", "Messages that wait in a queue.", lengths, "queue")


def counted(rows: QuerySet[Any]) -> float:
    """Count rows, up to the limit."""
    return float(rows.order_by()[:MOST].count())


def age(at: datetime | None) -> float:
    """Return how many seconds ago something was; 0 when it never was."""
    return max(0.0, (timezone.now() - at).total_seconds()) if at else 0.0
