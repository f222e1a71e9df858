"""What Celery runs for personal data: deleting it when its time is over."""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import retention


@shared_task(name=Job.FORGET_PEOPLE)
def forget() -> None:
    """Delete what tells of people and has been kept for its time."""
    retention.forget_what_is_over()
