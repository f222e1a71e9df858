"""What Celery runs for webhooks, in a queue and a worker of their own. The rows say what is due."""

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.webhooks.services import deliveries


@shared_task(name=Job.SEND_WEBHOOKS)
def send(club_pk: int) -> None:
    """Send what is due to the webhooks of a club, for a while."""
    deliveries.send_due(club_pk)


@shared_task(name=Job.SWEEP_WEBHOOKS)
def sweep() -> None:
    """Wake the clubs whose webhooks have something due."""
    deliveries.wake_due()
