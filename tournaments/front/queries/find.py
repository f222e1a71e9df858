"""The search of a tournament's pages: where a person plays now, and against whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.core.permissions import Actor
from tournaments.director.queries.days import DayRow, days_by_round, days_of, when_text
from tournaments.director.queries.rounds import matches_of_rounds
from tournaments.director.queries.rows import MatchRow, TableSide
from tournaments.director.queries.snapshot import tournament_snapshot
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.names import is_found, players_below, search_words
from tournaments.domain.pseudonyms import without_pseudonyms
from tournaments.domain.rows import Entrant, State
from tournaments.models import Match

MAX_FOUND: Final = 20
"""Entries that a search shows, at most: who finds more has to write more of the name."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A table of a round in play; ``opponents`` is empty in a bye.

    ``when`` is its day (`when_text`), where it has one.
    """

    match: MatchRow
    opponents: tuple[TableSide, ...]
    when: str = ""


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry that was found, with its tables in the rounds in play, one round after the other.

    A match that is postponed is in play though its round is closed.
    """

    number: int
    name: str
    players: tuple[str, ...]
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class FindPage:
    """What a search found; ``more`` is how many entries are left out."""

    head: TournamentHead
    wanted: str
    entries: tuple[FoundEntry, ...]
    more: int


def find_page(slug: str, wanted: str, viewer: Actor) -> FindPage:
    """Return the entries with a name like the one that is wanted.

    Each word of ``wanted`` begins a word of the name of an entry or of who plays for it. Erased
    people are not found by their pseudonym. The head's queries, the tournament's rows and seven.
    Refuses NOT_FOUND.
    """
    access = open_tournament(slug, viewer)
    words = search_words(wanted)
    if not words:
        return FindPage(access.head, wanted, (), 0)
    published = [row.number for row in access.rounds if row.state == State.PUBLISHED]
    numbers = {*published, *(row.number for row in access.rounds if row.postponed)}
    matches = [
        match
        for match in matches_of_rounds(access, numbers)
        if match.round in published or match.state == Match.State.POSTPONED
    ]
    days = days_by_round(days_of(access.tournament))
    rows = tournament_snapshot(access.tournament).rows
    found = [
        entry
        for entrant in rows.entrants
        if is_found(words, _searched_text(entrant, entry := _found(entrant, matches, days)))
    ]
    return FindPage(access.head, wanted, tuple(found[:MAX_FOUND]), max(0, len(found) - MAX_FOUND))


def _found(entrant: Entrant, matches: Sequence[MatchRow], days: Mapping[int, DayRow]) -> FoundEntry:
    seats = []
    for match in matches:
        own = next((side for side in match.sides if entrant.number in side.entries), None)
        if own is not None:
            opponents = tuple(side for side in match.sides if side is not own)
            seats.append(Seat(match, opponents, when_text(match, days)))
    name = entrant.shown_name
    return FoundEntry(entrant.number, name, players_below(name, entrant.players), tuple(seats))


def _searched_text(entrant: Entrant, entry: FoundEntry) -> str:
    """Return the names of an entry: its own, its players' and those of its substitutes."""
    substitutes = [
        name
        for seat in entry.seats
        for side in seat.match.sides
        if side.entries == (entrant.number,)
        for name in side.players
    ]
    return without_pseudonyms(" ".join((entrant.name, *entrant.players, *substitutes)))
