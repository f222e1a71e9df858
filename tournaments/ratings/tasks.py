"""What Celery runs for ratings. A message is only a wake-up: the history decides what they are."""

from typing import Final

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.ratings import services

LONGEST: Final = 110
"""Seconds; less than the broker waits before it gives the message to another worker."""


@shared_task(name=Job.RATE, soft_time_limit=LONGEST - 10, time_limit=LONGEST)
def rate(tournament_pk: int) -> None:
    """Bring the ratings of the tournament's ruleset up to date."""
    services.refresh_ratings(tournament_pk)


@shared_task(name=Job.SWEEP_RATINGS)
def sweep() -> None:
    """Wake whatever is behind although its message was lost."""
    services.wake_ratings()
