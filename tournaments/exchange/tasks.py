"""What Celery runs for the history: signing where it stands."""

from celery import shared_task

from tournaments.core.jobs import Job
from tournaments.exchange.services import columns


@shared_task(name=Job.SIGN_HISTORY)
def sign(club_pk: int) -> None:
    """Sign where the history of the club stands."""
    columns.write_checkpoint(club_pk)


@shared_task(name=Job.SIGN_HISTORIES)
def sign_all() -> None:
    """Sign the histories of the clubs in which something was done."""
    columns.write_due_checkpoints()
