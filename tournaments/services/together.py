"""Submissions about one tournament in the same moment: they wait for each other, and go together.

When a round ends all tables send their records at once, and every record wants the tournament
locked. While this process writes one, those that come wait here, not at the database. Then one of
them waits until nobody is on his way any more, takes all that are there and writes in one
transaction what most of them are, the first record of a match of people (:mod:`.firsts`). Whatever
is more than that, and all of them where the transaction is undone, goes its own way afterwards, one
by one; so this changes when something is written, and never what.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from django.db import IntegrityError, connection, transaction

from tournaments.crowd import crowd
from tournaments.models import Match, Record, Result, Tournament
from tournaments.models.matches import hang_entries
from tournaments.permissions import Actor, own_at
from tournaments.queries.state import match_facts, refusal_of
from tournaments.services import submissions
from tournaments.services.answers import Submitted, answer_of
from tournaments.services.firsts import First, first_of, is_of_one_record, is_plain, write_firsts
from tournaments.services.judging import home_side_at, mismatch
from tournaments.services.locks import lock_tournament
from tournaments.services.readings import Reading
from tournaments.services.sent import Sent

MOST: Final = 40
"""Submissions that are written together at most: the first of them waits for the last."""

GATHERING: Final = 0.2
"""Seconds for which those on their way are waited for at most."""

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Asked:
    """A submission that waits, and its answer once it was written with others.

    ``key`` is its idempotency key, if it has one, ``fingerprint`` the digest of what is asked.
    """

    actor: Actor
    match: Match
    reading: Reading
    source: Record.Source
    key: str | None = None
    fingerprint: str = ""
    answer: Submitted | None = None
    is_over: bool = False


class Line:
    """Those who wait for one tournament in this process."""

    def __init__(self) -> None:
        self.waiting: list[Asked] = []
        self.is_busy = False
        self.moved = threading.Condition()

    @contextmanager
    def turn(self, asked: Asked) -> Iterator[Sequence[Asked]]:
        """Wait, then give those who are to be written now: none when another has seen to it.

        Nobody waits with a connection in his hands.
        """
        group: Sequence[Asked] = ()
        with self.moved:
            self.waiting.append(asked)
            others_come = crowd.arrive()
            if self.is_busy or others_come:
                connection.close()
            self.moved.wait_for(lambda: asked.is_over or not self.is_busy)
            leads = not asked.is_over
            self.is_busy = self.is_busy or leads
        try:
            if leads:
                crowd.wait(GATHERING)
                group = self._take(asked)
            yield group
        finally:
            if leads:
                self._leave(group)

    def _take(self, asked: Asked) -> Sequence[Asked]:
        """Take those who wait, or so many of them as go together, this one among them."""
        with self.moved:
            start = max(0, self.waiting.index(asked) + 1 - MOST)
            group = self.waiting[start : start + MOST]
            del self.waiting[start : start + MOST]
        return group

    def _leave(self, group: Sequence[Asked]) -> None:
        with self.moved:
            for asked in group:
                asked.is_over = True
            self.is_busy = False
            self.moved.notify_all()


_lines: weakref.WeakValueDictionary[int, Line] = weakref.WeakValueDictionary()
_guard = threading.Lock()


def line_of(tournament: Tournament) -> Line:
    """Return where this process's submissions about a tournament wait, as long as one does."""
    with _guard:
        line = _lines.get(tournament.pk)
        if line is None:
            line = _lines[tournament.pk] = Line()
        return line


def may_wait(asked: Asked) -> bool:
    """Tell whether a submission may go with others, as far as it can be seen without a lock.

    Within somebody else's transaction it may not: who waits must hold nothing.
    """
    reading = asked.reading
    is_valid = reading.record is not None and reading.fault is None
    has_key = asked.key is None or submissions.is_key(asked.key)
    may_be_first = is_valid and has_key and is_of_one_record(asked.match)
    return may_be_first and not connection.in_atomic_block


def submit_with_others(asked: Asked) -> Submitted | None:
    """Wait in line, write with those who wait as well; no answer where it has to go alone."""
    with line_of(asked.match.tournament).turn(asked) as group:
        if group:
            write_together(group)
    return asked.answer


def write_together(group: Sequence[Asked]) -> None:
    """Write those of a group that are the first of their match, and give them their answers.

    Where a key turns out to be taken, all of it is undone, and nobody has an answer.
    """
    try:
        with transaction.atomic():
            written = _written(group)
    except IntegrityError as error:
        log.info("Written one by one, after %s", str(error).partition("\n")[0])
        return
    for asked, first in written:
        asked.answer = first.submitted


def _written(group: Sequence[Asked]) -> list[tuple[Asked, First]]:
    tournament = lock_tournament(group[0].match.tournament)
    open_ = _without_anything(tournament, {asked.match.pk for asked in group})
    firsts = []
    for asked in group:
        match = open_.pop(asked.match.pk, None)  # of two about the same match, the first
        if match is not None and (sent := _plain(asked, match)):
            firsts.append((asked, first_of(sent)))
    if firsts:
        write_firsts(tournament, [first for _, first in firsts])
        submissions.keep_new(
            (asked.actor, asked.key, asked.fingerprint, answer_of(first.submitted))
            for asked, first in firsts
            if asked.key is not None
        )
    return firsts


def _without_anything(tournament: Tournament, keys: set[int]) -> dict[int, Match]:
    """Lock matches in order; return those, with their names, of which nothing is known yet."""
    rows = Match.objects.select_related("round__stage")
    locked = rows.select_for_update(of=("self",), no_key=True).filter(pk__in=keys)
    pending = [row for row in locked.order_by("pk") if row.state == Match.State.PENDING]
    known = {
        *Record.objects.accepted().filter(match__in=pending).values_list("match", flat=True),
        *Result.objects.filter(match__in=pending).values_list("match", flat=True),
    }
    matches = {match.pk: match for match in pending if match.pk not in known}
    for match in matches.values():
        match.round.stage.tournament = tournament
    hang_entries(matches.values())
    return matches


def _plain(asked: Asked, match: Match) -> Sent | None:
    """Return what was sent about a locked match of which nothing is known, if it is to be taken."""
    reading = asked.reading
    if reading.record is None or not is_plain(match) or refusal_of("submit", match_facts(match)):
        return None
    home = home_side_at(match, reading)
    sent = Sent(asked.actor, match, reading, asked.source, home, own_at(asked.actor, match))
    return None if mismatch(sent, reading.record) else sent
