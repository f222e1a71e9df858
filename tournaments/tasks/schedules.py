"""What Celery runs for schedules: found by the database's clock, however many ticks there are."""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import schedules


@shared_task(name=Job.RUN_SCHEDULES)
def tick() -> None:
    """Begin the rounds that are due, and close those that are complete."""
    schedules.run_due()


@shared_task(name=Job.CLOSE_ROUND)
def close_round(round_pk: int) -> None:
    """Close the round, if all its matches have been played."""
    schedules.close_played(round_pk)
