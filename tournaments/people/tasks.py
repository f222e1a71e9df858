"""What Celery runs for the programs that people bring: checked in slices, going on where it was."""

from typing import Final

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.people.services import programs

LONGEST: Final = 110
"""Seconds; less than the broker waits before it gives the message to another worker."""


@shared_task(name=Job.CHECK_BOT, soft_time_limit=LONGEST - 10, time_limit=LONGEST)
def check(version_pk: int) -> None:
    """Check a version of a bot for a while, unless somebody else is at it."""
    programs.check_version(version_pk)


@shared_task(name=Job.SWEEP_CHECKS)
def sweep() -> None:
    """Wake the versions whose check is due although its message was lost."""
    programs.wake_checks()
