"""What Celery runs for results that wait: found by the database's clock, confirmed one by one."""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import reports


@shared_task(name=Job.CONFIRM_RESULTS)
def confirm() -> None:
    """Confirm the results to which nobody has objected in time."""
    reports.confirm_due()
