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

from tournaments.logs import current_number

logger = logging.getLogger(__name__)


class Job(StrEnum):
    """The tasks, by the name under which a worker knows them."""

    PLAY_ROUND = "tournaments.tasks.bots.play_round"
    """Wake the bot matches of a round: its primary key."""
    PLAY_MATCH = "tournaments.tasks.bots.play_match"
    """Play bot matches, one after another: their primary keys."""
    SWEEP = "tournaments.tasks.bots.sweep"
    """Wake whatever is due: no argument."""
    CHECK_BOT = "tournaments.tasks.programs.check"
    """Check a version of a bot, or go on with it: its primary key."""
    SWEEP_CHECKS = "tournaments.tasks.programs.sweep"
    """Wake the versions of bots whose check is due: no argument."""
    RATE = "tournaments.tasks.ratings.rate"
    """Bring the ratings of a ruleset up to date: the key of a tournament under it."""
    SWEEP_RATINGS = "tournaments.tasks.ratings.sweep"
    """Wake the rulesets whose ratings are behind: no argument."""
    ANALYSE = "tournaments.tasks.analyses.analyse"
    """Analyse an accepted record, or go on with it: its primary key."""
    SWEEP_ANALYSES = "tournaments.tasks.analyses.sweep"
    """Wake the analyses that wait: no argument."""
    RUN_SCHEDULES = "tournaments.tasks.schedules.tick"
    """Begin the rounds that are due, close those that are complete: no argument."""
    CLOSE_ROUND = "tournaments.tasks.schedules.close_round"
    """Close a round of a tournament that has a schedule, if it is complete: its primary key."""
    SING = "tournaments.tasks.canary.sing"
    """Show that a worker listens: its name. Sent by `manage.py up`, through a queue of its own."""
    CALL = "tournaments.tasks.canary.call"
    """Ask a worker of every queue to answer: no argument."""
    ANSWER = "tournaments.tasks.canary.answer"
    """Show that somebody serves a queue: its name. Sent through that queue."""
    SEND_WEBHOOKS = "tournaments.tasks.webhooks.send"
    """Send what is due to a club's webhooks: its primary key."""
    SWEEP_WEBHOOKS = "tournaments.tasks.webhooks.sweep"
    """Wake the clubs whose webhooks have something due: no argument."""
    CONFIRM_RESULTS = "tournaments.tasks.results.confirm"
    """Confirm the results to which nobody has objected in time: no argument."""
    SIGN_HISTORY = "tournaments.tasks.history.sign"
    """Sign where the history of a club stands: its primary key."""
    SIGN_HISTORIES = "tournaments.tasks.history.sign_all"
    """Sign the histories of the clubs in which something was done: no argument."""
    BACK_UP = "tournaments.tasks.backups.back_up"
    """Write a backup if a folder for them is given and one is due: no argument."""
    SEND_MAIL = "tournaments.tasks.mails.send"
    """Send a mail: its primary key."""
    SWEEP_MAILS = "tournaments.tasks.mails.sweep"
    """Wake the mails that were not sent: no argument."""
    FORGET_KEYS = "tournaments.tasks.submissions.forget"
    """Forget the idempotency keys whose day is over: no argument."""
    FORGET_PEOPLE = "tournaments.tasks.privacy.forget"
    """Delete what tells of people and has been kept for its time: no argument."""


def post(job: Job, *arguments: int) -> None:
    """Send the job once the transaction in course has been committed; at once without one.

    The message carries the number of the request in course, so that the worker's log names it. A
    broker that is down is logged and nothing else: the sweep will find the row.
    """
    transaction.on_commit(partial(_send, job, arguments, current_number()))


def _send(job: Job, arguments: tuple[int, ...], number: str) -> None:
    headers = {"request_id": number} if number else {}
    try:
        current_app.send_task(job.value, args=arguments, headers=headers, retry=False)
    except OperationalError as error:
        logger.warning(
            "%s%s waits for the sweep: the broker does not answer (%s)", job, arguments, error
        )
