"""The honours of a club: champions by year, records, and how many people came."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone

from tournaments.core.cache import get_or_compute
from tournaments.core.find import find_club, main_pairs, main_players
from tournaments.core.permissions import public_condition
from tournaments.director.queries.cards import latest_first
from tournaments.director.queries.finals import final_places_of
from tournaments.domain.season import FinalPlace
from tournaments.models import Entry, Pair, Player, Tournament

MAX_TOURNAMENTS: Final = 60
"""Finished tournaments that all honours are read from, the latest."""

MAX_LATEST: Final = 12
"""Finished tournaments whose champions a club's page shows, the latest."""


@dataclass(frozen=True, slots=True)
class Champion:
    """The winner of a tournament, with the address of their page."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class WonTournament:
    """A finished tournament: its year, its champions (several share it), how many entered.

    Bots are none of them: a place of a bot goes to the people below it.
    """

    slug: str
    name: str
    year: int
    champions: tuple[Champion, ...]
    entries: int


@dataclass(frozen=True, slots=True)
class LargestTournament:
    """The tournament with the most entries of people."""

    slug: str
    name: str
    entries: int


@dataclass(frozen=True, slots=True)
class Honours:
    """The honours of a club, the tournament that was played last first.

    ``record`` are the champions with the most titles, ``titles`` in number; none while nobody has
    two, and none where there are more tournaments than are read (``has_more``). ``largest`` is the
    tournament with the most entries.
    """

    won: tuple[WonTournament, ...] = ()
    record: tuple[Champion, ...] = ()
    titles: int = 0
    largest: LargestTournament | None = None
    has_more: bool = False

    @property
    def years(self) -> list[tuple[int, list[WonTournament]]]:
        """The tournaments by year."""
        return [(year, list(rows)) for year, rows in groupby(self.won, key=lambda row: row.year)]


def club_honours(slug: str, *, all_won: bool = False) -> Honours:
    """Return the honours of a club from its latest public tournaments, or from all of them.

    Two queries with a warm cache, fourteen otherwise.
    """
    club = find_club(slug)
    limit = MAX_TOURNAMENTS if all_won else MAX_LATEST
    key = f"honours:{club.pk}:{limit}:{_version(_finished(club.pk))}"
    return get_or_compute(key, lambda: _honours(club.pk, limit))


def _finished(club: int) -> QuerySet[Tournament]:
    """Return the public tournaments of a club that are over."""
    return Tournament.objects.filter(public_condition(), club=club, state=Tournament.State.FINISHED)


def _version(finished: QuerySet[Tournament]) -> str:
    """Return what changes with these tournaments: renaming, merging and erasing raise versions."""
    sums = finished.aggregate(all=Sum("version"), count=Count("pk"), last=Max("pk"))
    return "-".join(map(str, sums.values()))


def _honours(club: int, limit: int) -> Honours:
    entered = Count("entries", filter=Q(entries__bot=None))
    held = _finished(club).annotate(entered=entered).filter(entered__gt=0)
    rows = list(latest_first(held)[: limit + 1])
    has_more = len(rows) > limit
    won = _won(rows[:limit], main_players(club), main_pairs(club))
    champions = {champion.address: champion for row in won for champion in row.champions}
    titles = Counter(champion.address for row in won for champion in row.champions)
    most = 0 if has_more else max(titles.values(), default=0)
    largest = held.order_by("-entered", "-pk").first()
    return Honours(
        won=won,
        record=tuple(champions[one] for one, count in titles.items() if count == most > 1),
        titles=most,
        largest=None
        if largest is None
        else LargestTournament(largest.slug, largest.name, largest.entered),
        has_more=has_more,
    )


def _won(
    tournaments: Sequence[Any], players: Mapping[int, Player], pairs: Mapping[int, Pair]
) -> tuple[WonTournament, ...]:
    """Return tournaments with their champions, from rows of `latest_first` with ``entered``."""
    places = final_places_of(tournaments)
    people = Entry.objects.with_players().filter(tournament__in=tournaments, bot=None)
    entries = {(row.tournament_id, row.number): row for row in people}
    return tuple(
        WonTournament(
            slug=tournament.slug,
            name=tournament.name,
            year=timezone.localtime(tournament.held_at).year,
            champions=tuple(
                _champion(entries[tournament.pk, number], players, pairs)
                for number in _best_people(places[tournament.pk], tournament.pk, entries)
            ),
            entries=tournament.entered,
        )
        for tournament in tournaments
    )


def _best_people(
    places: Iterable[FinalPlace], tournament: int, people: Container[tuple[int, int]]
) -> list[int]:
    """Return the numbers of those of the best place that people have."""
    of_people = [place for place in places if (tournament, place.who) in people]
    return sorted(place.who for place in of_people if place.rank == of_people[0].rank)


def _champion(entry: Entry, players: Mapping[int, Player], pairs: Mapping[int, Pair]) -> Champion:
    """Return the winner; of those who are merged the main one, of ``players`` or ``pairs``."""
    if entry.pair_id is not None:
        pair = pairs.get(entry.pair_id)
        name = entry.shown_name if pair is None else pair.shown_name
        return Champion(name, reverse("pair", args=[entry.pair_id if pair is None else pair.pk]))
    player = players.get(entry.player_id or 0, entry.player)
    address = "" if player is None else reverse("player", args=[player.pk])
    return Champion(entry.shown_name if player is None else player.name, address)
