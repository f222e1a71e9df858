"""Celery tasks of bot rounds: play, sweep, run schedules."""

from typing import Final

from celery import shared_task
from celery.signals import worker_shutting_down

from tournaments.arena.services import arena, comparisons, dispatch, ladders, logs, playing
from tournaments.core.jobs import Job
from tournaments.results.services.leases import set_draining

# --- Bots -----------------------------------------------------------------------------------------
# A message only wakes a worker: the rows decide what is due.


MAX_RECORD_SECONDS: Final = 300
"""Limit of one record in seconds; after each record the task checks its own time.

It is longer than the broker's timeout, after which another worker gets the message too; that one
finds the match leased.
"""


@shared_task(name=Job.PLAY_ROUND)
def play_round(round_pk: int) -> None:
    """Send messages for the due matches of a round."""
    dispatch.wake_round(round_pk)


@shared_task(
    name=Job.PLAY_MATCH, soft_time_limit=MAX_RECORD_SECONDS - 30, time_limit=MAX_RECORD_SECONDS
)
def play_match(*match_pks: int) -> None:
    """Play matches, unless they are decided or leased by another worker."""
    playing.play_matches(*match_pks)


MAX_SET_SECONDS: Final = 2 * MAX_RECORD_SECONDS
"""Limit of one deal set of a comparison, which is two records."""


@shared_task(
    name=Job.PLAY_COMPARISON, soft_time_limit=MAX_SET_SECONDS - 30, time_limit=MAX_SET_SECONDS
)
def play_comparison(comparison_pk: int) -> None:
    """Play deal sets of a comparison, unless it has ended or is leased by another worker."""
    comparisons.play_comparison(comparison_pk)


@shared_task(name=Job.SWEEP)
def sweep() -> None:
    """Send messages again for what is due; end turns past their deadline; delete what is old."""
    arena.expire_due()
    dispatch.wake_due()
    comparisons.wake_due()
    arena.delete_old_turns()
    logs.delete_old_logs()
    comparisons.delete_old()


@worker_shutting_down.connect(weak=False)
def stop_playing(**_: object) -> None:
    """Stop playing when the worker shuts down; other workers continue."""
    set_draining()


# --- Schedules ------------------------------------------------------------------------------------


@shared_task(name=Job.RUN_SCHEDULES)
def tick() -> None:
    """Begin the rounds that are due, close complete ones, and keep the ladders of bots going."""
    arena.run_due()
    ladders.continue_full()
    ladders.begin_for_newcomers()


@shared_task(name=Job.CLOSE_ROUND)
def close_round(round_pk: int) -> None:
    """Close a round, if all its matches are played."""
    arena.close_played(round_pk)
