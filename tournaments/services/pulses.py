"""Signs of life of the queues: the scheduler asks, whoever serves a queue leaves a row.

The row is the truth for every machine: it takes the scheduler, the broker, a worker of that queue
and the database to renew it.
"""

from __future__ import annotations

import logging
from typing import Final

from celery import current_app
from django.conf import settings
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from tournaments.jobs import Job
from tournaments.models import Pulse
from tournaments.models.pulses import QUEUES

EVERY: Final = 30
"""Seconds between two questions; one that has waited for longer is answered by the next."""

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
        Pulse.objects.update_or_create(queue=queue, defaults={"at": Now()})
