"""What Celery runs for backups: one a night, where a folder for them is given."""

import logging

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import backups
from tournaments.services.archives import BackupError

logger = logging.getLogger(__name__)


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
