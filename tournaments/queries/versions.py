"""A version of a tournament as a process has it at hand: read once, for all pages that show it.

Whatever moves the standings moves `Tournament.version`. The rows of a version, and the sums of its
stages, are read and computed by the first who needs them; others in the same process wait for him
and take what he has. Nothing here depends on who asks. What a transaction reads that may yet be
undone is nobody else's: inside of one nothing is kept, and nothing that is kept is taken.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django.db import connection

from tournaments.domain.ranking import tally_of
from tournaments.domain.rows import Stage, TournamentRows
from tournaments.domain.stages import stage_of
from tournaments.domain.tiebreaks import Tally
from tournaments.models import Match, Tournament
from tournaments.queries.papers import entries_of, rows_of
from tournaments.queries.rows import who_of

CACHE_FORM: Final = 6
"""Part of the cache's keys: to be moved on when the shape of what is kept changes."""

MOST: Final = 4
"""Tournaments that a process has at hand."""

at_hand: dict[int, Paper] = {}
"""By tournament, the newest version that has been asked for; the one asked for last comes last."""

_looking = threading.Lock()


class Paper:
    """A version of a tournament, read when it is first needed: eight queries, once."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.key = key_of("paper", tournament, 0)
        self._reading = threading.RLock()
        self._rows: TournamentRows | None = None
        self._whose: dict[int, str] = {}
        self._tallies: dict[int, Tally] = {}
        self._matches: Mapping[tuple[int, int], int] | None = None

    @property
    def rows(self) -> TournamentRows:
        """The tournament as rows. Drafts of rounds may be of an earlier moment."""
        with self._reading:
            if self._rows is None:
                entries = entries_of(self.tournament)
                self._whose = {entry.number: who_of(entry) for entry in entries}
                self._rows = rows_of(self.tournament, entries=entries)
            return self._rows

    @property
    def whose(self) -> Mapping[int, str]:
        """Whose each entry is (`who_of`), by number."""
        with self._reading:
            _ = self.rows  # read with them
            return self._whose

    @property
    def names(self) -> Mapping[int, str]:
        """The names of the entries by their numbers."""
        return {entrant.number: entrant.name for entrant in self.rows.entrants}

    @property
    def matches(self) -> Mapping[tuple[int, int], int]:
        """The keys of the matches by round and table; one query, once."""
        with self._reading:
            if self._matches is None:
                matches = Match.objects.filter(round__stage__tournament=self.tournament).order_by()
                rows = matches.values_list("round__number", "table", "pk")
                self._matches = {(round_, table): pk for round_, table, pk in rows}
            return self._matches

    def stage(self, number: int) -> Stage:
        """Return a stage; who is entered stands in the first one before it begins."""
        stage = stage_of(self.rows, number)
        is_first = number == self.rows.stages[0].number
        if stage.entrants or not is_first:
            return stage
        return replace(stage, entrants=tuple(entrant.number for entrant in self.rows.entrants))

    def tally(self, number: int) -> Tally:
        """Return the sums of a stage that every criterion is computed from."""
        with self._reading:
            if number not in self._tallies:
                self._tallies[number] = tally_of(self.rows, self.stage(number))
            return self._tallies[number]


def paper_of(tournament: Tournament) -> Paper:
    """Return a version of a tournament, the one that is at hand if it is the same.

    A version that is older than what is at hand is read for whoever still asks for it.
    """
    if connection.in_atomic_block:
        return Paper(tournament)
    key = key_of("paper", tournament, 0)
    with _looking:
        paper = at_hand.pop(tournament.pk, None)
        if paper is None or (paper.key != key and not _is_later(paper.tournament, tournament)):
            paper = Paper(tournament)
        at_hand[tournament.pk] = paper
        while len(at_hand) > MOST:
            del at_hand[next(iter(at_hand))]
    return paper if paper.key == key else Paper(tournament)


def _is_later(one: Tournament, other: Tournament) -> bool:
    """Tell whether one is a later version of the other."""
    return one.created_at == other.created_at and one.version > other.version


def key_of(what: str, tournament: Tournament, stage: int) -> str:
    """Return the key under which something of a stage is kept, for this version alone."""
    born = int(tournament.created_at.timestamp() * 1_000_000)
    return f"{what}:{CACHE_FORM}:{tournament.pk}:{born}:{tournament.version}:{stage}"
