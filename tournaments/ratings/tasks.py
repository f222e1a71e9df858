"""Celery tasks for ratings. A message is only a wake-up: the history decides the ratings."""

from typing import Final

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.ratings import services

MAX_TASK_SECONDS: Final = 110
"""Seconds; below the 120 s after which Redis redelivers a message (`visibility_timeout`)."""


@shared_task(name=Job.RATE, soft_time_limit=MAX_TASK_SECONDS - 10, time_limit=MAX_TASK_SECONDS)
def rate(tournament_pk: int) -> None:
    """Update the ratings of the tournament's ruleset."""
    services.refresh_ratings(tournament_pk)


@shared_task(name=Job.SWEEP_RATINGS)
def sweep() -> None:
    """Post the updates that are due although their message was lost."""
    services.wake_ratings()
