"""Background work, asked for by name, so that nothing has to import a task.

A message is only a wake-up that carries a primary key. The row says what is to be done, and the
sweep finds every row that is due; so a message lost, or sent three times, changes nothing.
"""

import logging
from enum import StrEnum
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


class Job(StrEnum):
    """The tasks, by the name under which a worker knows them."""

    PLAY_ROUND = "tournaments.tasks.bots.play_round"
    """Wake the bot matches of a round: its primary key."""
    PLAY_MATCH = "tournaments.tasks.bots.play_match"
    """Play one bot match: its primary key."""
    SWEEP = "tournaments.tasks.bots.sweep"
    """Wake whatever is due: no argument."""
    RATE = "tournaments.tasks.ratings.rate"
    """Bring the ratings of a ruleset up to date: the key of a tournament under it."""
    SWEEP_RATINGS = "tournaments.tasks.ratings.sweep"
    """Wake the rulesets whose ratings are behind: no argument."""
    CONFIRM_RESULTS = "tournaments.tasks.results.confirm"
    """Confirm the results to which nobody has objected in time: no argument."""


def post(job: Job, *arguments: int) -> None:
    """Send the job once the transaction in course has been committed; at once without one.

    A broker that is down is logged and nothing else: the sweep will find the row.
    """
    transaction.on_commit(partial(_send, job, arguments))


def _send(job: Job, arguments: tuple[int, ...]) -> None:
    try:
        current_app.send_task(job.value, args=arguments, retry=False)
    except OperationalError as error:
        logger.warning(
            "%s%s waits for the sweep: the broker does not answer (%s)", job, arguments, error
        )
