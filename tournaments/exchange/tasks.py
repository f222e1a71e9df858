"""Tasks that sign the history."""

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.exchange.services import checkpoints


@shared_task(name=Job.SIGN_HISTORY)
def sign(club_pk: int) -> None:
    """Sign a checkpoint of the club's history."""
    checkpoints.write_checkpoint(club_pk)


@shared_task(name=Job.SIGN_HISTORIES)
def sign_all() -> None:
    """Sign a checkpoint of every club with new events."""
    checkpoints.write_due_checkpoints()
