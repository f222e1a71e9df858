"""What Celery runs for bot rounds. A message is only a wake-up: the rows decide what is due."""

from typing import Final

from celery import shared_task
from celery.signals import worker_shutting_down

from tournaments.jobs import Job
from tournaments.services import playing, replies
from tournaments.services.leaving import leave

LONGEST: Final = 300
"""Seconds that one record may take at most: after each a task looks whether it has had its time.

Longer than the broker waits before it gives the message to another worker too, which finds the
match in this one's hands.
"""


@shared_task(name=Job.PLAY_ROUND)
def play_round(round_pk: int) -> None:
    """Wake every match of the round that is due."""
    playing.wake_round(round_pk)


@shared_task(name=Job.PLAY_MATCH, soft_time_limit=LONGEST - 30, time_limit=LONGEST)
def play_match(*match_pks: int) -> None:
    """Play matches, unless they are decided already or somebody else is at them."""
    playing.play_matches(*match_pks)


@shared_task(name=Job.SWEEP)
def sweep() -> None:
    """Wake whatever is due although its message was lost; end turns whose time is over."""
    replies.expire_due()
    playing.wake_due()
    replies.forget_old()


@worker_shutting_down.connect(weak=False)
def stop_playing(**_: object) -> None:
    """Give up what is being played when the worker is told to go: others go on with it."""
    leave()
