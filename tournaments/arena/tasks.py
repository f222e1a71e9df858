"""Tasks of bot rounds: play, sweep, run schedules."""

from typing import Final

from celery import shared_task
from celery.signals import worker_shutting_down

from tournaments.arena.services import arena, playing
from tournaments.core.jobs import Job
from tournaments.results.services.leases import leave

# --- Bots -----------------------------------------------------------------------------------------
# What Celery runs for bot rounds. A message is only a wake-up: the rows decide what is due.


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
    arena.expire_due()
    playing.wake_due()
    arena.forget_old()


@worker_shutting_down.connect(weak=False)
def stop_playing(**_: object) -> None:
    """Give up what is being played when the worker is told to go: others go on with it."""
    leave()


# --- Schedules ------------------------------------------------------------------------------------
# What Celery runs for schedules: found by the database's clock, however many ticks there are.


@shared_task(name=Job.RUN_SCHEDULES)
def tick() -> None:
    """Begin the rounds that are due, and close those that are complete."""
    arena.run_due()


@shared_task(name=Job.CLOSE_ROUND)
def close_round(round_pk: int) -> None:
    """Close the round, if all its matches have been played."""
    arena.close_played(round_pk)
