"""What Celery runs for analyses, in a queue of their own. The rows say what is to be done."""

from typing import Final

from celery import shared_task

from tournaments.analysis import services
from tournaments.core.jobs import Job

LONGEST: Final = 110
"""Seconds; less than the broker waits before it gives the message to another worker."""


@shared_task(name=Job.ANALYSE, soft_time_limit=LONGEST - 10, time_limit=LONGEST)
def analyse(record_pk: int) -> None:
    """Analyse the hands of a record that are missing, or some of them."""
    services.analyse_record(record_pk)


@shared_task(name=Job.SWEEP_ANALYSES)
def sweep() -> None:
    """Wake whatever waits although its message was lost."""
    services.wake_due()
