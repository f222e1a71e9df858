"""What Celery runs for what was submitted: old keys and counts are forgotten."""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services.records import evidence, idempotency


@shared_task(name=Job.FORGET_KEYS)
def forget() -> None:
    """Forget idempotency keys after a day, and what was counted on days that are over."""
    idempotency.forget_old()
    evidence.forget_old()
