"""Posts background jobs by name, so that callers need not import a task.

A message carries only a primary key. What is to be done follows from the row, and a periodic sweep
finds every row that is due, so a message that is lost or repeated changes nothing.
"""

import logging
from enum import StrEnum
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from tournaments.core.logs import current_number

logger = logging.getLogger(__name__)


class Job(StrEnum):
    """The tasks, by the name under which workers register them."""

    PLAY_ROUND = "tournaments.arena.tasks.play_round"
    """Wake the bot matches of a round: its primary key."""
    PLAY_MATCH = "tournaments.arena.tasks.play_match"
    """Play bot matches, one after another: their primary keys."""
    PLAY_COMPARISON = "tournaments.arena.tasks.play_comparison"
    """Play deal sets of a comparison of two versions: its primary key."""
    SWEEP = "tournaments.arena.tasks.sweep"
    """Wake all bot matches and comparisons that are due: no argument."""
    CHECK_BOT = "tournaments.people.tasks.check"
    """Check a version of a bot, or continue its check: its primary key."""
    SWEEP_CHECKS = "tournaments.people.tasks.sweep"
    """Wake the versions of bots whose check is due: no argument."""
    RATE = "tournaments.ratings.tasks.rate"
    """Update the ratings of a ruleset: the key of a tournament under it."""
    SWEEP_RATINGS = "tournaments.ratings.tasks.sweep"
    """Wake the rulesets whose ratings are behind: no argument."""
    ANALYSE = "tournaments.analysis.tasks.analyse"
    """Analyse an accepted record, or continue its analysis: its primary key."""
    SWEEP_ANALYSES = "tournaments.analysis.tasks.sweep"
    """Wake the waiting analyses: no argument."""
    RUN_SCHEDULES = "tournaments.arena.tasks.tick"
    """Begin the rounds that are due, close those that are complete: no argument."""
    CLOSE_ROUND = "tournaments.arena.tasks.close_round"
    """Close a round of a tournament that has a schedule, if it is complete: its primary key."""
    HEARTBEAT = "tournaments.operations.tasks.answer"
    """Show that a worker serves a queue: its name. Sent through that queue."""
    SEND_WEBHOOKS = "tournaments.webhooks.tasks.send"
    """Send the due deliveries of a club's webhooks: its primary key."""
    SWEEP_WEBHOOKS = "tournaments.webhooks.tasks.sweep"
    """Wake the clubs whose webhooks have due deliveries: no argument."""
    CONFIRM_RESULTS = "tournaments.results.tasks.confirm"
    """Confirm the results without an objection in time: no argument."""
    SIGN_HISTORY = "tournaments.exchange.tasks.sign"
    """Sign the present end of a club's history: its primary key."""
    SIGN_HISTORIES = "tournaments.exchange.tasks.sign_all"
    """Sign the histories of the clubs that have new events: no argument."""
    BACK_UP = "tournaments.operations.tasks.back_up"
    """Write a backup if a folder for backups is set and one is due: no argument."""
    SEND_MAIL = "tournaments.accounts.tasks.send"
    """Send a mail: its primary key."""
    SWEEP_MAILS = "tournaments.accounts.tasks.sweep"
    """Wake the mails that were not sent: no argument."""
    SEND_NEWS = "tournaments.signup.tasks.send"
    """Send a letter about a sign-up: the primary key of its address."""
    SWEEP_NEWS = "tournaments.signup.tasks.sweep"
    """Find the letters about sign-ups that are due: no argument."""
    SEND_PUSH = "tournaments.push.tasks.send"
    """Send the messages to the browsers of a tournament: its primary key."""
    SWEEP_PUSH = "tournaments.push.tasks.sweep"
    """Wake the tournaments whose browsers may have messages: no argument."""
    FORGET_KEYS = "tournaments.results.tasks.forget"
    """Delete the idempotency keys older than a day: no argument."""
    FORGET_PEOPLE = "tournaments.profiles.tasks.forget"
    """Delete personal data whose retention time is over: no argument."""


def post(job: Job, *arguments: int) -> None:
    """Send the job when the current transaction has been committed; at once without one.

    The message carries the number of the current request, so that the worker's log names it. A
    broker that is down is only logged: the sweep will find the row.
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
