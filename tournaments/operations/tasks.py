"""Tasks of operation: backups and heartbeats."""

import logging

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.operations.services import backups, readiness
from tournaments.operations.services.archives import BackupError

# --- Backups --------------------------------------------------------------------------------------
# What Celery runs for backups: one a night, where a folder for them is given.


logger = logging.getLogger("tournaments.tasks.backups")


@shared_task(name=Job.BACK_UP, acks_late=False, soft_time_limit=7200, time_limit=7260)
def back_up() -> None:
    """Write a backup if one is due.

    Its message is done with at once: the broker would send it again after two minutes.
    """
    try:
        made = backups.back_up_when_due()
    except BackupError as error:
        logger.error("no backup was made: %s", error)  # noqa: TRY400 - the message says it all
        return
    if made is not None:
        logger.info("backup: %s, %d bytes", made.path, made.size)
        for note in made.notes:
            logger.warning("backup: %s", note)


# --- Canary ---------------------------------------------------------------------------------------
# What Celery runs to show that a worker listens.
#
# `manage.py up` asks each worker through its own queue, the scheduler any worker of each queue.


@shared_task(name=Job.SING)
def sing(name: str) -> None:
    """Show that the worker of this name takes messages and works them off."""
    readiness.sing(name)


@shared_task(name=Job.CALL)
def call() -> None:
    """Ask a worker of every queue to answer."""
    readiness.call()


@shared_task(name=Job.ANSWER)
def answer(queue: str) -> None:
    """Show that somebody serves the queue through which this came."""
    readiness.answer(queue)
