"""Celery tasks of operation: backups and heartbeats."""

import logging

from celery import Task, shared_task

from tournaments.core.jobs import Job
from tournaments.operations.services import backups, readiness
from tournaments.operations.services.archives import BackupError

# --- Backups --------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)


# Acknowledged early: the broker sends an unacknowledged message again after two minutes.
@shared_task(name=Job.BACK_UP, acks_late=False, soft_time_limit=7200, time_limit=7260)
def back_up() -> None:
    """Write the nightly backup if one is due and a folder is configured."""
    try:
        backup = backups.back_up_when_due()
    except BackupError as error:
        logger.error("no backup was made: %s", error)  # noqa: TRY400 - the message says it all
        return
    if backup is not None:
        logger.info("backup: %s, %d bytes", backup.path, backup.size)
        for note in backup.notes:
            logger.warning("backup: %s", note)


@shared_task(name=Job.HEARTBEAT, bind=True)
def store_heartbeat(self: Task[..., None], name: str) -> None:
    """Store the heartbeat of the queue through which this task came, and of this worker's host."""
    readiness.store_heartbeat(name, (self.request.hostname or "").partition("@")[2])
