"""Celery tasks of webhooks, in their own queue and worker. The rows decide what is due."""

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.webhooks.services import deliveries


@shared_task(name=Job.SEND_WEBHOOKS)
def send(club_pk: int) -> None:
    """Send what is due to the webhooks of a club, within the time budget of one task."""
    deliveries.send_due(club_pk)


@shared_task(name=Job.SWEEP_WEBHOOKS)
def sweep() -> None:
    """Queue a send task for each club whose webhooks have something due."""
    deliveries.wake_due()
