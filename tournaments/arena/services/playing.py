"""Plays bot matches: one under its lease, or several of quick bots under a common one.

A match is played outside any transaction. Its records are audited, judged and written like a
person's (:mod:`tournaments.results.services.write`), with the tournament locked: those of slow bots
one by one, those of quick bots, whose hands take milliseconds, many at a time. What goes wrong with
one match ends its attempt and leaves the others as they are. The deals and the seeds of house bots
follow from the round's seed and the match's label, so a repeated attempt plays the same match.
"""

import logging
import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from django.db import transaction

import engine
from tournaments.arena.services.logs import store_logs
from tournaments.arena.services.table import (
    FinishedRecord,
    is_quick,
    kinds_at,
    part_of,
    play_part,
    store_forfeits,
    warm_up,
)
from tournaments.core.db import retry_transaction
from tournaments.core.errors import Reason
from tournaments.core.find import lock_matches
from tournaments.core.jobs import Job, post
from tournaments.core.metrics import SUBMISSIONS
from tournaments.core.permissions import Actor
from tournaments.models import Attempt, Match, Record
from tournaments.results.services import turns
from tournaments.results.services.decide import Decision, decide
from tournaments.results.services.leases import (
    Lease,
    LeaseExpired,
    LeaseRenewer,
    PlayInterrupted,
    claim_batch,
    claim_match,
    is_draining,
    read_matches,
    release_batch,
    release_lease,
    renew_leases,
)
from tournaments.results.services.submission import (
    Endings,
    MatchSnapshot,
    OutcomeKind,
    ParsedRecord,
    SubmissionOutcome,
    parse_document,
    read_snapshots,
    submitted_record,
)
from tournaments.results.services.turns import WaitingForReply
from tournaments.results.services.write import write_decisions

logger = logging.getLogger(__name__)

BUDGET: Final = 60.0
"""Seconds after which a match of several records, or a list of matches, goes back to the queue."""

SECONDS_PER_WRITE: Final = 2.0  # at most this much play is repeated when a worker is killed

MAX_RECORDS_PER_WRITE: Final = 400  # bounds how long one worker locks the tournament

PAUSE_AFTER_FAULT: Final = timedelta(seconds=10)
"""Pause of a match after a fault of the machine."""

NO_PLAYERS: Final[frozenset[int]] = frozenset()
"""The players for whom the service itself submits: none."""

ACCEPTED_OUTCOMES: Final = (OutcomeKind.ACCEPTED, OutcomeKind.DUPLICATE)

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
    BROKEN = "broken"
    """A bug, which is also raised."""


def play_matches(*match_pks: int) -> None:
    """Play matches that are due; what is left after a minute is queued again.

    Those of quick bots are claimed together, all others one by one.
    """
    keys = list(dict.fromkeys(match_pks))
    if is_draining():
        post(Job.PLAY_MATCH, *keys)
        return
    until = time.monotonic() + BUDGET
    kinds = kinds_at(keys)
    quick = [key for key in keys if is_quick(kinds.get(key, ()))]
    alone = [key for key in keys if key not in quick]
    try:
        if quick:
            warm_up(*quick, kinds=kinds)
            batch = claim_batch(quick)
            alone = [*batch.others, *alone]
            play_leased(batch.leases, until)
        is_late = False
        while alone and not is_late and not is_draining():
            play_match(alone.pop(0), until)
            is_late = time.monotonic() >= until
    finally:
        if alone:
            post(Job.PLAY_MATCH, *alone)


def play_match(match_pk: int, until: float | None = None) -> PlayOutcome:
    """Play one bot match if it is due, until ``until`` on the monotonic clock."""
    warm_up(match_pk)
    lease = claim_match(match_pk)
    return PlayOutcome.SKIPPED if lease is None else play_claimed(lease, until)


def play_claimed(lease: Lease, until: float | None = None) -> PlayOutcome:
    """Play the match of a lease."""
    return next(iter(play_leased([lease], until)), PlayOutcome.LATE)


def play_leased(leases: Sequence[Lease], until: float | None = None) -> list[PlayOutcome]:
    """Play the matches of leases of one claim and write their records, one match after another.

    A match whose draw was undone since the claim has no outcome. An interruption that is not a
    fault releases a lease, and the attempt does not count; a fault of the machine counts, and so
    does a bug, which is raised once the other matches are played.
    """
    if not leases:
        return []
    until = time.monotonic() + BUDGET if until is None else until
    with renew_leases(*leases) as renewer:
        play = _PlaySession(leases, renewer, until)
        play.play()
    play.release_unfinished()
    if play.bug is not None:
        raise play.bug
    return [run.outcome or PlayOutcome.PARTLY for run in play.runs]


class Draft(NamedTuple):
    """A record that was played and is not written yet."""

    finished: FinishedRecord
    parsed: ParsedRecord


@dataclass
class MatchProgress:
    """A match being played: ``snapshot`` is its state once the drafts are written.

    ``ends``: no other record follows the drafts, unless they are judged otherwise when written.
    ``has_lost``: a bot may have lost a hand in it. ``is_begun``: its attempt is kept if it stops.
    """

    lease: Lease
    snapshot: MatchSnapshot
    has_lost: bool
    drafts: list[Draft] = field(default_factory=list)
    ends: bool = False
    is_begun: bool = False
    outcome: PlayOutcome | None = None

    @property
    def match(self) -> Match:
        """The match."""
        return self.snapshot.match

    @property
    def is_of_several(self) -> bool:
        """Whether it has several records."""
        tournament = self.match.tournament
        return tournament.deal_sets > 0 or tournament.cotos > 1

    @property
    def next_number(self) -> int:
        """The number of its next record."""
        return len(self.snapshot.accepted) + 1 if self.is_of_several else 1

    def play_record(self, renewer: LeaseRenewer) -> None:
        """Play the next record as a draft."""
        part = part_of(self.match, self.next_number)
        if not self.has_lost:
            part = part._replace(lost={})
        self.is_begun = True
        finished = play_part(self.match, part, renewer.check)
        draft = Draft(finished, parse_document(finished.record))
        self.drafts.append(draft)
        self.has_lost |= bool(finished.lost.forfeits or finished.lost.absent)
        if not self.is_of_several:
            self.ends = True  # decided once, when it is written
            return
        decision = _decide(self.snapshot, draft)
        self.ends = not decision.is_accepted or decision.result is not None
        if decision.is_accepted:
            self.snapshot = self.snapshot.after(decision.accepted)

    @property
    def has_to_be_written(self) -> bool:
        """Whether the last draft may not wait for others."""
        finished = self.drafts[-1].finished
        loss = finished.lost
        return self.lease.counted or bool(loss.forfeits or loss.absent or finished.remote_bots)

    def decide(self, locked: MatchSnapshot) -> list[Decision]:
        """Decide about drafts with the match locked: those that only add rows, else the first."""
        decisions: list[Decision] = []
        self.snapshot = locked
        for draft in self.drafts:
            decision = _decide(self.snapshot, draft)
            is_plain = decision.is_accepted and decision.is_addition
            if not is_plain and decisions:
                break
            decisions.append(decision)
            if decision.is_accepted:
                self.snapshot = self.snapshot.after(decision.accepted)
            if not is_plain or decision.result is not None:
                break
        return decisions


def _decide(snapshot: MatchSnapshot, draft: Draft) -> Decision:
    actor, source = Actor.system(), Record.Source.BOT
    submission = submitted_record(actor, snapshot.match, draft.parsed, source, NO_PLAYERS)
    return decide(submission, snapshot)


class _PlaySession:
    """The matches of one claim, with their progress."""

    def __init__(self, leases: Sequence[Lease], renewer: LeaseRenewer, until: float) -> None:
        self.renewer, self.until = renewer, until
        self.endings: Endings = {}
        matches = read_matches(leases)
        snapshots = read_snapshots(matches, known_endings=self.endings)
        # A match with a lost hand is claimed alone, so that the others cost no query for it.
        self.runs = [
            MatchProgress(
                lease, snapshots[lease.match_pk], has_lost=lease.counted, is_begun=lease.counted
            )
            for lease in leases
            if lease.match_pk in snapshots
        ]
        self.bug: Exception | None = None
        self.is_stopped = False
        self.played = 0
        self.written_at = time.monotonic()

    def play(self) -> None:
        """Play the matches, and write their records from time to time."""
        for run in self.runs:
            try:
                while run.outcome is None and not run.ends and self._has_time():
                    self._play_record(run)
            except Exception as error:  # noqa: BLE001 - a bug is raised after the other matches
                self._write(self.runs)
                if run.outcome is None:
                    self._end(run, error)
            if self.is_stopped:
                break
        self._write(self.runs)

    def _has_time(self) -> bool:
        """Return whether another record may begin; the first always may."""
        is_late = self.played > 0 and time.monotonic() >= self.until
        self.is_stopped = self.is_stopped or is_draining() or is_late
        return not self.is_stopped

    def _play_record(self, run: MatchProgress) -> None:
        self.renewer.check()
        run.play_record(self.renewer)
        self.played += 1
        is_long = time.monotonic() - self.written_at >= SECONDS_PER_WRITE
        if run.has_to_be_written or is_long or self.played % MAX_RECORDS_PER_WRITE == 0:
            self._write(self.runs)

    def _write(self, runs: Iterable[MatchProgress]) -> None:
        """Write the drafts by tournament; if that fails for several matches, one by one."""
        by_tournament: dict[int, list[MatchProgress]] = {}
        for run in runs:
            if run.drafts:
                by_tournament.setdefault(run.match.tournament.pk, []).append(run)
        for of_tournament in by_tournament.values():
            while ready := [run for run in of_tournament if run.drafts]:
                self._write_runs(ready)
        self.written_at = time.monotonic()

    def _write_runs(self, runs: Sequence[MatchProgress]) -> None:
        try:
            # Many workers write into one tournament: a deadlock or a late lock is no fault.
            run_outcomes = retry_transaction(partial(write_drafts, runs, self.endings))
        except Exception as error:
            if len(runs) == 1:
                self._end(runs[0], error)
                return
            logger.exception("%s matches are written down one by one", len(runs))
            for run in runs:
                self._write([run])
            return
        for run, outcomes in zip(runs, run_outcomes, strict=True):
            self._note(run, outcomes)

    def _note(self, run: MatchProgress, outcomes: Sequence[SubmissionOutcome]) -> None:
        """Note what was written of a match."""
        SUBMISSIONS.labels(outcomes[-1].outcome).inc(len(outcomes))
        last = outcomes[-1]
        del run.drafts[: len(outcomes)]
        for accepted in run.snapshot.accepted:
            if accepted.ended is not None:
                self.endings[accepted.digest, accepted.home] = accepted.ended
        run.ends = False
        if last.outcome in ACCEPTED_OUTCOMES and run.match.state != Match.State.PENDING:
            run.outcome = PlayOutcome.ACCEPTED
        elif last.code == Reason.LATE_RESULT.code:
            self._end(run, LeaseExpired())
        elif last.outcome is not OutcomeKind.ACCEPTED:
            logger.error("the record of bot match %s was refused: %s", run.match.pk, last.code)
            release_lease(run.lease, Ending.REFUSED, last.code)
            run.outcome = PlayOutcome.REFUSED
        if run.outcome is not None:
            run.drafts = []

    def _end(self, run: MatchProgress, error: Exception) -> None:
        """End the attempt at a match for an exception; without its drafts."""
        run.drafts = []
        lease, match = run.lease, run.match
        if isinstance(error, PlayInterrupted):
            self.is_stopped = True
        elif isinstance(error, WaitingForReply):
            run.outcome = PlayOutcome.WAITING
            release_lease(lease, Ending.WAITING, counts=False)
            if Match.objects.due().filter(pk=match.pk).exists():
                post(Job.PLAY_MATCH, match.pk)
        elif isinstance(error, LeaseExpired) or not Match.objects.filter(pk=match.pk).exists():
            # The draw may have been undone during play: then there is no match to write.
            run.outcome = PlayOutcome.LATE
            turns.store_outcome([match.pk], lease.token, Ending.LATE)
        elif isinstance(error, engine.BotFailure):
            run.outcome = PlayOutcome.INFRASTRUCTURE
            logger.warning("match %s is played again: %s", match.label, error)
            detail = f"{error}\n{error.stderr}".strip()
            release_lease(lease, Ending.INFRASTRUCTURE, detail, pause=PAUSE_AFTER_FAULT)
        else:
            self.bug, run.outcome = error, PlayOutcome.BROKEN
            logger.error("match %s breaks", match.label, exc_info=error)
            release_lease(lease, Ending.BROKEN, "".join(traceback.format_exception(error)))

    def release_unfinished(self) -> None:
        """Release the leases of matches that are left, and queue these again."""
        unfinished_runs = [run for run in self.runs if run.outcome is None]
        begun_leases = [run.lease for run in unfinished_runs if run.is_begun]
        unbegun = [run.lease for run in unfinished_runs if not run.is_begun]
        if unfinished_runs:
            detail = Attempt.STOPPED if is_draining() else ""
            # Else nobody plays them before the leases end.
            retry_transaction(partial(release_batch, begun_leases, unbegun, detail))
            post(Job.PLAY_MATCH, *(run.match.pk for run in unfinished_runs))


def write_drafts(runs: Sequence[MatchProgress], endings: Endings) -> list[list[SubmissionOutcome]]:
    """Write drafts of matches of a tournament; return the outcomes of those written, by match.

    Forfeits and the end of a match are stored in the same transaction.
    """
    with transaction.atomic():
        matches = lock_matches(runs[0].match.tournament, [run.match.pk for run in runs])
        leases = [run.lease for run in runs]
        snapshots = read_snapshots(matches.values(), leases, endings)
        # They are judged again under the lock: an arbiter may have decided a match meanwhile.
        decided = [run.decide(snapshots[run.lease.match_pk]) for run in runs]
        outcomes = write_decisions([decision for decisions in decided for decision in decisions])
        run_outcomes, over = [], []
        for run, decisions in zip(runs, decided, strict=True):
            run_outcomes.append([outcomes.pop(0) for _ in decisions])
            if run_outcomes[-1][-1].outcome not in ACCEPTED_OUTCOMES:
                continue
            for draft in run.drafts[: len(decisions)]:
                store_forfeits(run.match, draft.finished.lost)
                store_logs(run.match, draft.finished.logs)
                for bot in draft.finished.remote_bots:
                    bot.bye()
            if run.match.state != Match.State.PENDING:
                over.append(run.match.pk)
        if over:
            turns.store_outcome(over, runs[0].lease.token, Ending.PLAYED)
    return run_outcomes
