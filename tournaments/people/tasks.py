"""Celery tasks that check the programs of bot authors in slices."""

from typing import Final

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.people.services import programs

MAX_TASK_SECONDS: Final = 110
"""Seconds; below the 120 s after which Redis redelivers a message (`visibility_timeout`)."""


@shared_task(name=Job.CHECK_BOT, soft_time_limit=MAX_TASK_SECONDS - 10, time_limit=MAX_TASK_SECONDS)
def check(version_pk: int) -> None:
    """Check a version of a bot for one slice, unless another worker is checking it."""
    programs.check_version(version_pk)


@shared_task(name=Job.SWEEP_CHECKS)
def sweep() -> None:
    """Post the checks that are due although their message was lost."""
    programs.wake_checks()
