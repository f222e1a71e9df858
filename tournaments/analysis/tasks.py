"""Celery tasks of analysis, in a queue of their own. The database rows say what is due."""

from typing import Final

from celery import shared_task

from tournaments.analysis import services
from tournaments.core.jobs import Job

MAX_TASK_SECONDS: Final = 110
"""Seconds; below the 120 s after which Redis redelivers a message (`visibility_timeout`)."""


@shared_task(name=Job.ANALYSE, soft_time_limit=MAX_TASK_SECONDS - 10, time_limit=MAX_TASK_SECONDS)
def analyse(record_pk: int) -> None:
    """Analyse missing hands of the record that is next, within the time budget."""
    outcome = services.analyse_record(services.next_record(record_pk))
    if outcome is services.AnalysisOutcome.SKIPPED:  # another worker took it up just before
        services.analyse_record(services.next_record(record_pk))


@shared_task(name=Job.SWEEP_ANALYSES)
def sweep() -> None:
    """Post the analyses that are due although their message was lost."""
    services.wake_due()
