"""Plays several matches of quick bots together: one claim, and one transaction for many records.

A hand of theirs takes thousandths of a second, and so would each of the statements around it. A
batch is claimed in one short transaction and played into memory outside any; every record is
audited and judged like any other, and what some two seconds of play have brought is written in one
transaction. A match about which anything is unexpected is played alone, so that it breaks nobody
else's.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from django.db import transaction

from tournaments.again import again
from tournaments.metrics import SUBMISSIONS
from tournaments.models import Attempt, Match, Record, Tournament
from tournaments.permissions import Actor
from tournaments.services import attempts
from tournaments.services.leases import Lease, Together, claim_together, give_back, kept_alive
from tournaments.services.leaving import is_leaving
from tournaments.services.locks import lock_matches
from tournaments.services.records.decide import Decision, decide
from tournaments.services.records.outcome import Outcome
from tournaments.services.records.parse import ParsedRecord, parse_document
from tournaments.services.records.snapshot import (
    Endings,
    MatchSnapshot,
    read_snapshots,
    submitted_record,
)
from tournaments.services.records.write import write_decisions
from tournaments.services.sitting import Finished, Part, is_quick, kinds_at, part_of, warm_up

logger = logging.getLogger(__name__)

SECONDS_PER_WRITE: Final = 2.0  # at most this much play is repeated when a worker is killed

MAX_RECORDS_PER_WRITE: Final = 400  # so long one worker keeps the tournament locked

NO_PLAYERS: Final[frozenset[int]] = frozenset()
"""The players that the service itself is."""

Play = Callable[[Match, Part, Callable[[], None]], Finished]


class Left(NamedTuple):
    """What is not done of a batch.

    ``later`` had no time; ``alone`` are to be played one by one; ``held`` too, by the lease that
    holds them, their records having been played so far.
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
    """A match at play: ``snapshot`` is as it will be once the drafts are written."""

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
        """The last record of the match is played."""
        return bool(self.drafts) and self.drafts[-1].decision.result is not None

    @property
    def next_number(self) -> int:
        """The number of its next record."""
        return len(self.snapshot.accepted) + 1

    def add(self, finished: Finished) -> bool:
        """Add a record that was played, as a draft; false where it has to be submitted alone."""
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
        """Decide about the drafts with the match locked; tells whether all of them are accepted."""
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


def play_together(match_pks: Iterable[int], until: float, play: Play) -> Left:
    """Play what is plain among matches, to its end or until a moment of the monotonic clock.

    ``play`` plays a record (:func:`.sitting.play_part`).
    """
    keys = list(dict.fromkeys(match_pks))
    kinds = kinds_at(keys)
    quick = [key for key in keys if is_quick(kinds.get(key, ()))]
    slow = [key for key in keys if key not in quick]
    if not quick:
        return Left(alone=slow)
    warm_up(*quick, kinds=kinds)
    held = claim_together(quick, is_plain)
    if not held.matches:
        return Left(alone=[*held.others, *slow])
    batch = _Batch(held, until, play)
    with kept_alive(*held.leases):
        batch.play()
    left = batch.left()
    return left._replace(alone=[*left.alone, *held.others, *slow])


def is_plain(match: Match) -> bool:
    """Tell whether a match of quick bots can be played with others.

    Not where all tables play the same deals: some wait for others to deal them.
    """
    return not match.boards


def write_together(
    tournament: Tournament, runs: Sequence[MatchProgress], endings: Endings
) -> set[int]:
    """Write the drafts of matches of a tournament; answers which matches have to go alone."""
    with transaction.atomic():
        matches = lock_matches(tournament, [run.match.pk for run in runs])
        snapshots = read_snapshots(matches.values(), [run.lease for run in runs], endings)
        ready = [
            run
            for run in runs
            if run.match.pk in snapshots and run.decide_again(snapshots[run.match.pk])
        ]
        decisions = [draft.decision for run in ready for draft in run.drafts]
        write_decisions(decisions)
        if decided := [run.match.pk for run in ready if run.is_over]:
            attempts.end_together(decided, runs[0].lease.token, Attempt.Outcome.PLAYED)
    SUBMISSIONS.labels(Outcome.ACCEPTED).inc(len(decisions))
    return {run.match.pk for run in runs} - {run.match.pk for run in ready}


class _Batch:
    """Matches that are held by one token, and how far each has got."""

    def __init__(self, held: Together, until: float, play: Play) -> None:
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
        """Play, and write every slice of it."""
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
        """Tell whether another record is to be begun; the first is, however late it is."""
        self.is_going = is_leaving()
        return not self.is_going and (not drafts or time.monotonic() < self.until)

    def _play(self, run: MatchProgress) -> bool:
        """Play the next record of a match; tells whether it can be written with others."""
        try:
            part = part_of(run.match, run.next_number)._replace(lost={})
            is_plain_record = run.add(self._play_part(run.match, part, _go_on))
        except Exception:
            logger.exception("match %s is played alone", run.match.label)
            is_plain_record = False
        if not is_plain_record:
            self.broken.add(run.match.pk)
        return is_plain_record

    def _write(self) -> None:
        """Write what was played; what cannot be written like that is odd."""
        ready = [run for run in self.runs if run.drafts and run.match.pk not in self.odd]
        by_tournament: dict[int, list[MatchProgress]] = {}
        for run in ready:
            by_tournament.setdefault(run.match.tournament.pk, []).append(run)
        for runs in by_tournament.values():
            self._write_runs(runs)

    def _write_runs(self, runs: Sequence[MatchProgress]) -> None:
        try:
            odd = again(partial(write_together, runs[0].match.tournament, runs, self.endings))
        except Exception:
            logger.exception("%s matches are written down one by one", len(runs))
            odd = {run.match.pk for run in runs}
        for run in runs:
            if run.match.pk in odd:
                self.odd[run.match.pk] = [draft.finished for draft in run.drafts]
                continue
            if run.is_over:
                self.done.add(run.match.pk)
            self._remember(run)

    def _remember(self, run: MatchProgress) -> None:
        """Note that the drafts of a match are rows now."""
        for draft in run.drafts:
            accepted = draft.decision.accepted
            if accepted.ended is not None:
                self.endings[accepted.digest, accepted.home] = accepted.ended
        run.drafts, run.is_begun = [], True

    def left(self) -> Left:
        """Give back what is not done, and say what it is."""
        runs = {run.match.pk: run for run in self.runs}
        open_ = [pk for pk in runs if pk not in self.done and pk not in self.odd]
        begun = [pk for pk in open_ if runs[pk].is_begun]
        unbegun = [pk for pk in open_ if not runs[pk].is_begun]
        if open_:
            detail = "the worker was told to go" if self.is_going else ""
            again(partial(give_back, self.held, begun, unbegun, detail))
        return Left(
            [pk for pk in open_ if pk not in self.broken],
            [pk for pk in open_ if pk in self.broken],
            [(runs[pk].lease, finished) for pk, finished in self.odd.items()],
        )


def _go_on() -> None:
    """Nobody interrupts a quick bot."""
