"""What Celery runs for bot rounds. A message is only a wake-up: the rows decide what is due."""

from celery import shared_task

from tournaments.jobs import Job
from tournaments.services import bots


@shared_task(name=Job.PLAY_ROUND)
def play_round(round_pk: int) -> None:
    """Wake every match of the round that is due."""
    bots.wake_round(round_pk)


@shared_task(name=Job.PLAY_MATCH)
def play_match(match_pk: int) -> None:
    """Play one match, unless it is decided already or somebody else is at it."""
    bots.play_match(match_pk)


@shared_task(name=Job.SWEEP)
def sweep() -> None:
    """Wake whatever is due although its message was lost."""
    bots.wake_due()
