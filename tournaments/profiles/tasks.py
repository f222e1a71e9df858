"""Celery task that deletes personal data after its retention period."""

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.profiles.services import erasing


@shared_task(name=Job.FORGET_PEOPLE)
def forget() -> None:
    """Delete the personal data that is past its retention period."""
    erasing.delete_expired()
