"""Plays bot matches: one under its lease, or several quick ones in a batch."""

import json
import logging
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from django.db import transaction

import engine
from tournaments.arena.services.dispatch import due_matches, play_round, wake_due, wake_round
from tournaments.arena.services.table import (
    Finished,
    Part,
    is_quick,
    kinds_at,
    part_of,
    play_part,
    store_forfeits,
    warm_up,
)
from tournaments.core.db_retry import retry_transaction
from tournaments.core.errors import Reason
from tournaments.core.jobs import Job, post
from tournaments.core.locks import lock_matches
from tournaments.core.metrics import SUBMISSIONS
from tournaments.core.permissions import Actor
from tournaments.models import Attempt, Match, Record, Tournament
from tournaments.results.services import turns
from tournaments.results.services.decide import Decision, decide
from tournaments.results.services.leases import (
    Interrupted,
    Lease,
    LeasedBatch,
    LeaseRenewer,
    TakenOver,
    claim_batch,
    claim_match,
    is_draining,
    release,
    release_batch,
    renew_leases,
)
from tournaments.results.services.outcome import Outcome, SubmissionOutcome
from tournaments.results.services.parse import ParsedRecord, parse_document
from tournaments.results.services.sets import count_taken
from tournaments.results.services.snapshot import (
    Endings,
    MatchSnapshot,
    read_snapshots,
    submitted_record,
)
from tournaments.results.services.submit import submit_record
from tournaments.results.services.turns import Waiting
from tournaments.results.services.write import write_decisions

# --- Batches --------------------------------------------------------------------------------------
# Plays several matches of quick bots in a batch: one claim, and one transaction for many records.
# Their hands take milliseconds, no more than each SQL statement around them. A batch is claimed in
# one short transaction and played in memory outside any; every record is audited and judged like
# any other, and the records of some two seconds are written in one transaction. A match with
# anything unexpected is played alone, so that it does not affect the others.


# Not this module's path: installations filter their logs by this name.
quick_logger = logging.getLogger("tournaments.services.quick")

SECONDS_PER_WRITE: Final = 2.0  # at most this much play is repeated when a worker is killed

MAX_RECORDS_PER_WRITE: Final = 400  # bounds how long one worker locks the tournament

NO_PLAYERS: Final[frozenset[int]] = frozenset()
"""The players for whom the service itself submits: none."""

Play = Callable[[Match, Part, Callable[[], None]], Finished]


class Remaining(NamedTuple):
    """The matches of a batch that are not finished.

    ``later``: out of time. ``alone``: to be played one by one. ``held``: also alone, under the
    given lease, with the records already played.
    """

    later: Sequence[int] = ()
    alone: Sequence[int] = ()
    held: Sequence[tuple[Lease, Sequence[Finished]]] = ()


class Draft(NamedTuple):
    """A record that was played and is not written yet, and the decision about it."""

    finished: Finished
    parsed: ParsedRecord
    decision: Decision


@dataclass
class MatchProgress:
    """A match being played: ``snapshot`` is its state once the drafts are written."""

    lease: Lease
    snapshot: MatchSnapshot
    drafts: list[Draft] = field(default_factory=list)
    is_begun: bool = False

    @property
    def match(self) -> Match:
        """The match."""
        return self.snapshot.match

    @property
    def is_over(self) -> bool:
        """Whether the last record of the match is played."""
        return bool(self.drafts) and self.drafts[-1].decision.result is not None

    @property
    def next_number(self) -> int:
        """The number of its next record."""
        return len(self.snapshot.accepted) + 1

    def add(self, finished: Finished) -> bool:
        """Add a played record as a draft; return False if it has to be submitted alone."""
        lost = finished.lost
        if lost.forfeits or lost.absent or finished.leaving:
            return False
        parsed = parse_document(finished.record)
        decision = _decide(self.snapshot, parsed)
        if not decision.is_accepted:
            return False
        self.drafts.append(Draft(finished, parsed, decision))
        self.snapshot = self.snapshot.after(decision.accepted)
        return True

    def decide_again(self, locked: MatchSnapshot) -> bool:
        """Decide again with the match locked; return whether all drafts are accepted."""
        drafts: list[Draft] = []
        for draft in self.drafts:
            if drafts and drafts[-1].decision.result is not None:
                return False
            decision = _decide(locked, draft.parsed)
            if not decision.is_accepted or not decision.is_addition:
                return False
            drafts.append(draft._replace(decision=decision))
            locked = locked.after(decision.accepted)
        self.drafts, self.snapshot = drafts, locked
        return True


def _decide(snapshot: MatchSnapshot, parsed: ParsedRecord) -> Decision:
    source = Record.Source.BOT
    return decide(
        submitted_record(Actor.system(), snapshot.match, parsed, source, NO_PLAYERS), snapshot
    )


def play_batch(match_pks: Iterable[int], until: float, play: Play) -> Remaining:
    """Play the plain matches among these in a batch, until ``until`` on the monotonic clock.

    ``play`` plays one record (:func:`.table.play_part`). Returns what is left to do.
    """
    keys = list(dict.fromkeys(match_pks))
    kinds = kinds_at(keys)
    quick = [key for key in keys if is_quick(kinds.get(key, ()))]
    slow = [key for key in keys if key not in quick]
    if not quick:
        return Remaining(alone=slow)
    warm_up(*quick, kinds=kinds)
    held = claim_batch(quick, is_plain)
    if not held.matches:
        return Remaining(alone=[*held.others, *slow])
    batch = _Batch(held, until, play)
    with renew_leases(*held.leases):
        batch.play()
    left = batch.left()
    return left._replace(alone=[*left.alone, *held.others, *slow])


def is_plain(match: Match) -> bool:
    """Return whether a match of quick bots can be played in a batch.

    Matches with the same deals at all tables cannot: some wait for others to deal.
    """
    return not match.boards


def write_batch(
    tournament: Tournament, runs: Sequence[MatchProgress], endings: Endings
) -> set[int]:
    """Write the drafts of a tournament's matches; return the matches that must be played alone."""
    with transaction.atomic():
        matches = lock_matches(tournament, [run.match.pk for run in runs])
        snapshots = read_snapshots(matches.values(), [run.lease for run in runs], endings)
        # The match is judged again under its lock: an arbiter may have decided it meanwhile.
        ready = [
            run
            for run in runs
            if run.match.pk in snapshots and run.decide_again(snapshots[run.match.pk])
        ]
        decisions = [draft.decision for run in ready for draft in run.drafts]
        write_decisions(decisions)
        if decided := [run.match.pk for run in ready if run.is_over]:
            turns.end_batch(decided, runs[0].lease.token, Attempt.Outcome.PLAYED)
    SUBMISSIONS.labels(Outcome.ACCEPTED).inc(len(decisions))
    return {run.match.pk for run in runs} - {run.match.pk for run in ready}


class _Batch:
    """Matches leased under one token, with their progress."""

    def __init__(self, held: LeasedBatch, until: float, play: Play) -> None:
        self.held, self.until = held, until
        self._play_part = play
        self.endings: Endings = {}
        snapshots = read_snapshots(held.matches, known=self.endings)
        self.runs = [
            MatchProgress(lease, snapshots[match.pk])
            for match, lease in zip(held.matches, held.leases, strict=True)
        ]
        self.done: set[int] = set()
        self.odd: dict[int, Sequence[Finished]] = {}
        self.broken: set[int] = set()
        self.is_going = False

    def play(self) -> None:
        """Play the matches, and write after each slice."""
        began, drafts = time.monotonic(), 0
        for run in self.runs:
            while run.match.pk not in self.odd and not run.is_over:
                if not self._has_time(drafts):
                    return self._write()
                if not self._play(run):
                    break
                drafts += 1
                is_long = time.monotonic() - began >= SECONDS_PER_WRITE
                if drafts % MAX_RECORDS_PER_WRITE == 0 or is_long:
                    self._write()
                    began = time.monotonic()
                    if run.match.pk in self.done:
                        break
        return self._write()

    def _has_time(self, drafts: int) -> bool:
        """Return whether another record may begin; the first always may."""
        self.is_going = is_draining()
        return not self.is_going and (not drafts or time.monotonic() < self.until)

    def _play(self, run: MatchProgress) -> bool:
        """Play the next record of a match; return whether it can be written with others."""
        try:
            part = part_of(run.match, run.next_number)._replace(lost={})
            is_plain_record = run.add(self._play_part(run.match, part, _never_stop))
        except Exception:
            quick_logger.exception("match %s is played alone", run.match.label)
            is_plain_record = False
        if not is_plain_record:
            self.broken.add(run.match.pk)
        return is_plain_record

    def _write(self) -> None:
        """Write the drafts by tournament; matches that cannot be written become odd."""
        ready = [run for run in self.runs if run.drafts and run.match.pk not in self.odd]
        by_tournament: dict[int, list[MatchProgress]] = {}
        for run in ready:
            by_tournament.setdefault(run.match.tournament.pk, []).append(run)
        for runs in by_tournament.values():
            self._write_runs(runs)

    def _write_runs(self, runs: Sequence[MatchProgress]) -> None:
        try:
            odd = retry_transaction(
                partial(write_batch, runs[0].match.tournament, runs, self.endings)
            )
        except Exception:
            quick_logger.exception("%s matches are written down one by one", len(runs))
            odd = {run.match.pk for run in runs}
        for run in runs:
            if run.match.pk in odd:
                self.odd[run.match.pk] = [draft.finished for draft in run.drafts]
                continue
            if run.is_over:
                self.done.add(run.match.pk)
            self._remember(run)

    def _remember(self, run: MatchProgress) -> None:
        """Clear the drafts of a match after they are written."""
        for draft in run.drafts:
            accepted = draft.decision.accepted
            if accepted.ended is not None:
                self.endings[accepted.digest, accepted.home] = accepted.ended
        run.drafts, run.is_begun = [], True

    def left(self) -> Remaining:
        """Release the unfinished matches, and return them."""
        runs = {run.match.pk: run for run in self.runs}
        open_ = [pk for pk in runs if pk not in self.done and pk not in self.odd]
        begun = [pk for pk in open_ if runs[pk].is_begun]
        unbegun = [pk for pk in open_ if not runs[pk].is_begun]
        if open_:
            detail = "the worker was told to go" if self.is_going else ""
            retry_transaction(partial(release_batch, self.held, begun, unbegun, detail))
        return Remaining(
            [pk for pk in open_ if pk not in self.broken],
            [pk for pk in open_ if pk in self.broken],
            [(runs[pk].lease, finished) for pk, finished in self.odd.items()],
        )


def _never_stop() -> None:
    """Do nothing: quick bots are not interrupted."""


# --- Single matches -------------------------------------------------------------------------------
# Plays one match: claimed, played outside any transaction, submitted like a person's record. The
# deals and the seeds of house bots follow from the round's seed and the match's label, so a
# repeated attempt plays the same match, and each record is accepted once. A match of several
# records keeps those accepted so far; a long one goes back to the queue from time to time.


__all__ = [
    "Lease",
    "PlayOutcome",
    "claim_match",
    "due_matches",
    "play_claimed",
    "play_match",
    "play_matches",
    "play_round",
    "wake_due",
    "wake_round",
]

# Not this module's path: installations filter their logs by this name.
logger = logging.getLogger("tournaments.services.playing")

BUDGET: Final = 60.0
"""Seconds after which a match of several records, or a list of matches, goes back to the queue."""

RECOVERY: Final = timedelta(seconds=10)
"""Pause of a match after a fault of the machine."""

TAKEN: Final = (Outcome.ACCEPTED, Outcome.DUPLICATE)

Ending = Attempt.Outcome


class PlayOutcome(StrEnum):
    """The outcome of an attempt at a bot match."""

    SKIPPED = "skipped"
    """Not due: already played, or leased by another worker."""
    ACCEPTED = "accepted"
    PARTLY = "partly"
    """Some of its records; another message continues."""
    WAITING = "waiting"
    """A remote bot has to answer first."""
    LATE = "late"
    """Another attempt had taken over."""
    REFUSED = "refused"
    INFRASTRUCTURE = "infrastructure"
    """A fault of the machine; another attempt follows."""


def play_matches(*match_pks: int) -> None:
    """Play matches that are due; what is left after a minute is queued again.

    Those of quick bots are played in a batch, all others one after another.
    """
    if is_draining():
        post(Job.PLAY_MATCH, *match_pks)
        return
    until = time.monotonic() + BUDGET
    left = play_batch(match_pks, until, play_part)
    if left.later:
        post(Job.PLAY_MATCH, *left.later)
    for lease, finished in left.held:
        play_claimed(lease, until, finished)
    _play_alone(left.alone, until)


def _play_alone(match_pks: Sequence[int], until: float) -> None:
    for place, match_pk in enumerate(match_pks):
        others = match_pks[place:]
        if is_draining() or (place and time.monotonic() >= until):
            post(Job.PLAY_MATCH, *others)
            return
        try:
            play_match(match_pk, until)
        except Exception:
            if others[1:]:
                post(Job.PLAY_MATCH, *others[1:])
            raise


def play_match(match_pk: int, until: float | None = None) -> PlayOutcome:
    """Play one bot match if it is due, until ``until`` on the monotonic clock."""
    warm_up(match_pk)
    lease = claim_match(match_pk)
    return PlayOutcome.SKIPPED if lease is None else play_claimed(lease, until)


def play_claimed(
    lease: Lease, until: float | None = None, finished: Iterable[Finished] = ()
) -> PlayOutcome:
    """Play the match of a lease and submit its records under the lease.

    ``finished`` are its next records if they are already played. An interruption that is not a
    fault releases the lease, and the attempt does not count; a fault of the machine counts, and so
    does a bug, which is also raised.
    """
    (match,) = Match.objects.filter(pk=lease.match_pk).named()
    until = time.monotonic() + BUDGET if until is None else until
    try:
        with renew_leases(lease) as renewer:
            return _play_on(match, lease, renewer, until, iter(finished))
    except Waiting:
        release(lease, Ending.WAITING, counts=False)
        if Match.objects.due().filter(pk=match.pk).exists():
            post(Job.PLAY_MATCH, match.pk)
        return PlayOutcome.WAITING
    except Interrupted as why:
        release(lease, Ending.PARTLY, str(why), counts=False)
        return PlayOutcome.PARTLY
    except TakenOver:
        turns.end(lease.match_pk, lease.token, Ending.LATE)
        return PlayOutcome.LATE
    except engine.BotFailure as fault:
        logger.warning("match %s is played again: %s", match.label, fault)
        detail = f"{fault}\n{fault.stderr}".strip()
        release(lease, Ending.INFRASTRUCTURE, detail, pause=RECOVERY)
        return PlayOutcome.INFRASTRUCTURE
    except Exception:
        release(lease, Ending.BROKEN, traceback.format_exc())
        raise


def _play_on(
    match: Match, lease: Lease, renewer: LeaseRenewer, until: float, ready: Iterator[Finished]
) -> PlayOutcome:
    """Play and submit the missing records of a match, one after another."""
    tournament = match.tournament
    of_several = tournament.deal_sets > 0 or tournament.cotos > 1
    number = count_taken(match) + 1 if of_several else 1
    while True:
        renewer.check()
        finished = next(ready, None) or play_part(match, part_of(match, number), renewer.check)
        submitted = retry_transaction(partial(_submitted, match, lease, finished))
        if submitted.outcome not in TAKEN:
            return _end_without_result(match, lease, submitted)
        if not of_several or _decides_match(submitted):
            return PlayOutcome.ACCEPTED
        if time.monotonic() >= until:
            release(lease, Ending.PARTLY, counts=False)
            post(Job.PLAY_MATCH, match.pk)
            return PlayOutcome.PARTLY
        number += 1


def _submitted(match: Match, lease: Lease, finished: Finished) -> SubmissionOutcome:
    """Submit a record; store its forfeits and the end of the match in the same transaction."""
    body = json.dumps(finished.record, ensure_ascii=False)
    with transaction.atomic():
        source = Record.Source.BOT
        submitted = submit_record(Actor.system(), match, body, source=source, lease=lease)
        if submitted.outcome in TAKEN:
            store_forfeits(match, finished.lost)
            for bot in finished.leaving:
                bot.bye()
            if _decides_match(submitted):
                turns.end(match.pk, lease.token, Ending.PLAYED)
    return submitted


def _decides_match(submitted: SubmissionOutcome) -> bool:
    return submitted.match is not None and submitted.match.state != Match.State.PENDING


def _end_without_result(match: Match, lease: Lease, submitted: SubmissionOutcome) -> PlayOutcome:
    """Store why a record was not accepted."""
    if submitted.code == Reason.LATE_RESULT.code:
        turns.end(match.pk, lease.token, Ending.LATE)
        return PlayOutcome.LATE
    logger.error("the record of bot match %s was refused: %s", match.pk, submitted.code)
    release(lease, Ending.REFUSED, submitted.code)
    return PlayOutcome.REFUSED
