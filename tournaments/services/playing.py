"""Bots at play: a match claimed, played outside any transaction, submitted like a human's.

The deals follow from the round's seed and the match's label, and the house bots from seeds derived
from it; so an attempt that is repeated plays the same match, and what is accepted is accepted once.
A match of several records is played record by record, and what was taken before stays; a long one
makes room for others from time to time.
"""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from enum import StrEnum
from functools import partial
from typing import Final

from django.db import transaction

import engine
from tournaments.again import again
from tournaments.errors import Reason
from tournaments.jobs import Job, post
from tournaments.models import Attempt, Match, Record
from tournaments.permissions import Actor
from tournaments.services import attempts
from tournaments.services.benching import keep_forfeits
from tournaments.services.leases import (
    Heart,
    Interrupted,
    Lease,
    TakenOver,
    claim_match,
    kept_alive,
    release,
)
from tournaments.services.leaving import is_leaving
from tournaments.services.quick import play_together
from tournaments.services.records import submit_record
from tournaments.services.records.outcome import Outcome, SubmissionOutcome
from tournaments.services.sets import count_taken
from tournaments.services.sitting import Finished, part_of, play_part, warm_up
from tournaments.services.turns import Waiting
from tournaments.services.waking import due_matches, play_round, wake_due, wake_round

__all__ = [
    "Lease",
    "Played",
    "claim_match",
    "due_matches",
    "play_claimed",
    "play_match",
    "play_matches",
    "play_round",
    "wake_due",
    "wake_round",
]

logger = logging.getLogger(__name__)

BUDGET: Final = 60.0
"""Seconds after which whoever plays several records goes to the end of the queue."""

RECOVERY: Final = timedelta(seconds=10)
"""How long a match rests after the machine has failed it."""

TAKEN: Final = (Outcome.ACCEPTED, Outcome.DUPLICATE)

Ending = Attempt.Outcome


class Played(StrEnum):
    """What became of an attempt at a bot match."""

    SKIPPED = "skipped"
    """Not due: played already, or in another worker's hands."""
    ACCEPTED = "accepted"
    PARTLY = "partly"
    """Some of its records; another message goes on with it."""
    WAITING = "waiting"
    """A bot that runs elsewhere has to answer first."""
    LATE = "late"
    """Another attempt had taken over."""
    REFUSED = "refused"
    INFRASTRUCTURE = "infrastructure"
    """The machine failed; another attempt is made in a while."""


def play_matches(*match_pks: int) -> None:
    """Play matches, each if it is due; those left after a minute later on.

    Those of quick bots are played together (:mod:`.quick`), all others one after another.
    """
    if is_leaving():
        post(Job.PLAY_MATCH, *match_pks)
        return
    until = time.monotonic() + BUDGET
    left = play_together(match_pks, until, play_part)
    if left.later:
        post(Job.PLAY_MATCH, *left.later)
    for lease, finished in left.held:
        play_claimed(lease, until, finished)
    _play_alone(left.alone, until)


def _play_alone(match_pks: Sequence[int], until: float) -> None:
    for place, match_pk in enumerate(match_pks):
        others = match_pks[place:]
        if is_leaving() or (place and time.monotonic() >= until):
            post(Job.PLAY_MATCH, *others)
            return
        try:
            play_match(match_pk, until)
        except Exception:
            if others[1:]:
                post(Job.PLAY_MATCH, *others[1:])
            raise


def play_match(match_pk: int, until: float | None = None) -> Played:
    """Play one bot match if it is due, to its end or until that moment of the monotonic clock."""
    warm_up(match_pk)
    lease = claim_match(match_pk)
    return Played.SKIPPED if lease is None else play_claimed(lease, until)


def play_claimed(
    lease: Lease, until: float | None = None, finished: Iterable[Finished] = ()
) -> Played:
    """Play the match of a lease and submit its records under the lease.

    ``finished`` are the next ones, where they were played before; then nobody plays them again.
    What is nobody's fault gives the lease up, and the attempt does not count; what is the machine's
    fault counts, and so does a bug, which is raised besides.
    """
    (match,) = Match.objects.filter(pk=lease.match_pk).named()
    until = time.monotonic() + BUDGET if until is None else until
    try:
        with kept_alive(lease) as heart:
            return _play_on(match, lease, heart, until, iter(finished))
    except Waiting:
        release(lease, Ending.WAITING, counts=False)
        if Match.objects.due().filter(pk=match.pk).exists():
            post(Job.PLAY_MATCH, match.pk)
        return Played.WAITING
    except Interrupted as why:
        release(lease, Ending.PARTLY, str(why), counts=False)
        return Played.PARTLY
    except TakenOver:
        attempts.end(lease.match_pk, lease.token, Ending.LATE)
        return Played.LATE
    except engine.BotFailure as fault:
        logger.warning("match %s is played again: %s", match.label, fault)
        detail = f"{fault}\n{fault.stderr}".strip()
        release(lease, Ending.INFRASTRUCTURE, detail, pause=RECOVERY)
        return Played.INFRASTRUCTURE
    except Exception:
        release(lease, Ending.BROKEN, traceback.format_exc())
        raise


def _play_on(
    match: Match, lease: Lease, heart: Heart, until: float, ready: Iterator[Finished]
) -> Played:
    """Play and submit the records that the match still lacks, one after another."""
    tournament = match.tournament
    of_several = tournament.deal_sets > 0 or tournament.cotos > 1
    number = count_taken(match) + 1 if of_several else 1
    while True:
        heart.check()
        finished = next(ready, None) or play_part(match, part_of(match, number), heart.check)
        submitted = again(partial(_submitted, match, lease, finished))
        if submitted.outcome not in TAKEN:
            return _untaken(match, lease, submitted)
        if not of_several or _is_decided(submitted):
            return Played.ACCEPTED
        if time.monotonic() >= until:
            release(lease, Ending.PARTLY, counts=False)
            post(Job.PLAY_MATCH, match.pk)
            return Played.PARTLY
        number += 1


def _submitted(match: Match, lease: Lease, finished: Finished) -> SubmissionOutcome:
    """Submit a record; with it, in one transaction, what its bots did wrong and how it ended."""
    body = json.dumps(finished.record, ensure_ascii=False)
    with transaction.atomic():
        source = Record.Source.BOT
        submitted = submit_record(Actor.system(), match, body, source=source, lease=lease)
        if submitted.outcome in TAKEN:
            keep_forfeits(match, finished.lost)
            for bot in finished.leaving:
                bot.bye()
            if _is_decided(submitted):
                attempts.end(match.pk, lease.token, Ending.PLAYED)
    return submitted


def _is_decided(submitted: SubmissionOutcome) -> bool:
    return submitted.match is not None and submitted.match.state != Match.State.PENDING


def _untaken(match: Match, lease: Lease, submitted: SubmissionOutcome) -> Played:
    """Say why a record was not taken, and leave it at that."""
    if submitted.code == Reason.LATE_RESULT.code:
        attempts.end(match.pk, lease.token, Ending.LATE)
        return Played.LATE
    logger.error("the record of bot match %s was refused: %s", match.pk, submitted.code)
    release(lease, Ending.REFUSED, submitted.code)
    return Played.REFUSED
