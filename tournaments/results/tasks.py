"""Tasks of results: automatic confirmation, deletion of old idempotency keys."""

from celery import shared_task

from tournaments.core import idempotency
from tournaments.core.jobs import Job
from tournaments.results.services import reports, write


@shared_task(name=Job.CONFIRM_RESULTS)
def confirm() -> None:
    """Confirm the reported results whose waiting time is over, each in its own transaction."""
    reports.confirm_due()


@shared_task(name=Job.FORGET_KEYS)
def forget() -> None:
    """Delete idempotency keys after a day, and the evidence counts of past days."""
    idempotency.delete_old_keys()
    write.delete_old_counts()
