"""Matches of quick bots, played several together: claimed at once, written at once.

A hand of theirs takes thousandths of a second, and so would each of the statements around it. A
batch is claimed in one short transaction, played into memory outside any, every record replayed as
everybody's is, and what about two seconds of play have brought is written in one transaction
(:mod:`.taking`). What is not plain, or becomes it, is left to be played alone, as it would have
been: a match that breaks breaks nobody else's.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from tournaments.again import again
from tournaments.models import Match
from tournaments.services.courses import course_of
from tournaments.services.leases import (
    Lease,
    Together,
    claim_together,
    give_back,
    kept_alive,
)
from tournaments.services.leaving import is_leaving
from tournaments.services.sitting import Finished, Part, is_quick, kinds_at, part_of, warm_up
from tournaments.services.taking import Run, draft_of, records_there, take

logger = logging.getLogger(__name__)

SLICE: Final = 2.0
"""Seconds of play that are written together: so much is played again where a worker is killed."""

MOST: Final = 400
"""Records that are written together at most: so long the tournament is locked by one worker."""

Play = Callable[[Match, Part, Callable[[], None]], Finished]


class Left(NamedTuple):
    """What is not done of a batch.

    ``later`` had no time; ``alone`` are to be played one by one; ``held`` too, by the lease that
    holds them, their records having been played so far.
    """

    later: Sequence[int] = ()
    alone: Sequence[int] = ()
    held: Sequence[tuple[Lease, Sequence[Finished]]] = ()


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


class _Batch:
    """Matches that are held by one token, and how far each has got."""

    def __init__(self, held: Together, until: float, play: Play) -> None:
        self.held, self.until = held, until
        self._play_part = play
        there = records_there([match.pk for match in held.matches])
        self.runs = [
            Run(match, lease, course_of(match, len(there[match.pk])), there[match.pk])
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
                if drafts % MOST == 0 or time.monotonic() - began >= SLICE:
                    self._write()
                    began = time.monotonic()
                    if run.match.pk in self.done:
                        break
        return self._write()

    def _has_time(self, drafts: int) -> bool:
        """Tell whether another record is to be begun; the first is, however late it is."""
        self.is_going = is_leaving()
        return not self.is_going and (not drafts or time.monotonic() < self.until)

    def _play(self, run: Run) -> bool:
        """Play the next record of a match; tells whether it can be taken with others."""
        try:
            number = run.number
            part = part_of(run.match, number)._replace(lost={})
            finished = self._play_part(run.match, part, _go_on)
            draft = draft_of(run.match, number, finished, run.course)
        except Exception:
            logger.exception("match %s is played alone", run.match.label)
            draft = None
        if draft is None:
            self.broken.add(run.match.pk)
            return False
        run.drafts.append(draft)
        return True

    def _write(self) -> None:
        """Write what was played; what cannot be taken like that is odd."""
        ready = [run for run in self.runs if run.drafts and run.match.pk not in self.odd]
        by_tournament: dict[int, list[Run]] = {}
        for run in ready:
            by_tournament.setdefault(run.match.tournament.pk, []).append(run)
        for runs in by_tournament.values():
            self._take(runs)

    def _take(self, runs: Sequence[Run]) -> None:
        try:
            odd = again(partial(take, runs[0].match.tournament, runs))
        except Exception:
            logger.exception("%s matches are written down one by one", len(runs))
            odd = {run.match.pk for run in runs}
        for run in runs:
            if run.match.pk in odd:
                self.odd[run.match.pk] = [draft.finished for draft in run.drafts]
                continue
            if run.is_over:
                self.done.add(run.match.pk)
            run.written()

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
