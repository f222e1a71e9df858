"""What Celery runs for personal data: deleting it when its time is over."""

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.profiles.services import erasing


@shared_task(name=Job.FORGET_PEOPLE)
def forget() -> None:
    """Delete what tells of people and has been kept for its time."""
    erasing.forget_what_is_over()
