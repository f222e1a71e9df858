"""Signs of life of the queues: the scheduler asks, whoever serves a queue leaves a row.

The row is the truth for every machine: it takes the scheduler, the broker, a worker of that queue
and the database to renew it.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

from celery import current_app
from django.conf import settings
from django.db.models import F, Model
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from tournaments.jobs import Job
from tournaments.models import (
    Analysis,
    BotTurn,
    BotVersion,
    Delivery,
    Mail,
    Match,
    Pulse,
    Webhook,
)
from tournaments.models.pulses import QUEUES

EVERY: Final = 30
"""Seconds between two questions; one that has waited for longer is answered by the next."""

SET_BACK: Final = timedelta(minutes=1)
"""A sign of life so far in the future shows that the clock was set back; less is waited out."""

WAITS: Final[tuple[tuple[type[Model], str], ...]] = (
    (Match, "woken_at"),
    (Match, "lease_until"),
    (BotTurn, "due_at"),
    (BotVersion, "check_until"),
    (Analysis, "woken_at"),
    (Analysis, "lease_until"),
    (Webhook, "held_until"),
    (Delivery, "lease_until"),
    (Delivery, "next_at"),
    (Mail, "next_at"),
)
"""The columns that hold until when something waits."""

log = logging.getLogger(__name__)


def expected_queues() -> tuple[str, ...]:
    """Return the queues that a worker has to serve here."""
    return tuple(queue for queue in QUEUES if settings.ENVIRONMENT.analysis or queue != "analysis")


def call() -> None:
    """Ask through every queue for a sign of life; without a broker nobody can be asked."""
    for queue in expected_queues():
        try:
            current_app.send_task(
                Job.ANSWER.value, args=(queue,), queue=queue, expires=EVERY * 4, retry=False
            )
        except OperationalError as error:
            log.warning("Nobody can be asked for a sign of life: %s", error)
            return


def answer(queue: str) -> None:
    """Leave the database's time under the name of the queue; another name leaves nothing."""
    if queue in QUEUES:
        if queue == "default":
            _undo_set_back()
        Pulse.objects.update_or_create(queue=queue, defaults={"at": Now()})


def _undo_set_back() -> None:
    """Shorten what rows wait for by as much as the clock was set back since the last sign of life.

    Leases of the dead and pauses between attempts would last longer by that much. What people have
    set for a time of the day is left alone.
    """
    rows = Pulse.objects.filter(queue="default", at__gt=Now() + SET_BACK)
    for at, now in rows.annotate(now=Now()).values_list("at", "now"):
        log.warning("The clock was set back by %s: what waits is brought forward.", at - now)
        for model, field in WAITS:
            waiting = model._meta.base_manager.filter(**{f"{field}__gt": Now()})
            waiting.update(**{field: F(field) - (at - now)})
