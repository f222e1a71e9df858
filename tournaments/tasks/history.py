"""What Celery runs for the history: signing where it stands."""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import checkpoints


@shared_task(name=Job.SIGN_HISTORY)
def sign(club_pk: int) -> None:
    """Sign where the history of the club stands."""
    checkpoints.write_checkpoint(club_pk)


@shared_task(name=Job.SIGN_HISTORIES)
def sign_all() -> None:
    """Sign the histories of the clubs in which something was done."""
    checkpoints.write_due_checkpoints()
