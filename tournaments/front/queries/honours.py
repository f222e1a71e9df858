"""The honours of a club: champions by year, records, and how many people came."""

from collections import Counter
from collections.abc import Mapping
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
from tournaments.models import Entry, Pair, Player, Tournament
from tournaments.profiles.queries.players import final_ranks

MAX_TOURNAMENTS: Final = 60
"""Finished tournaments that are read, the latest: each takes ten queries until it is cached."""


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
class Honours:
    """The honours of a club, the tournament that was played last first.

    ``record`` are the champions with the most titles, ``titles`` in number; none while nobody has
    two. ``largest`` is the tournament with the most entries.
    """

    won: tuple[WonTournament, ...] = ()
    record: tuple[Champion, ...] = ()
    titles: int = 0
    largest: WonTournament | None = None

    @property
    def years(self) -> list[tuple[int, list[WonTournament]]]:
        """The tournaments by year."""
        return [(year, list(rows)) for year, rows in groupby(self.won, key=lambda row: row.year)]


def club_honours(slug: str) -> Honours:
    """Return the honours of a club from its public tournaments: two queries with a warm cache."""
    club = find_club(slug)
    key = f"honours:{club.pk}:{_version(_finished(club.pk))}"
    return get_or_compute(key, lambda: _honours(club.pk))


def _finished(club: int) -> QuerySet[Tournament]:
    """Return the public tournaments of a club that are over."""
    return Tournament.objects.filter(public_condition(), club=club, state=Tournament.State.FINISHED)


def _version(finished: QuerySet[Tournament]) -> str:
    """Return what changes with these tournaments: renaming, merging and erasing raise versions."""
    sums = finished.aggregate(all=Sum("version"), count=Count("pk"), last=Max("pk"))
    return "-".join(map(str, sums.values()))


def _honours(club: int) -> Honours:
    entered = Count("entries", filter=Q(entries__bot=None))
    rows = latest_first(_finished(club).annotate(entered=entered).filter(entered__gt=0))
    mains = main_players(club), main_pairs(club)
    won = [_won(row, *mains) for row in rows[:MAX_TOURNAMENTS]]
    champions = {champion.address: champion for row in won for champion in row.champions}
    titles = Counter(champion.address for row in won for champion in row.champions)
    most = max(titles.values(), default=0)
    return Honours(
        won=tuple(won),
        record=tuple(champions[one] for one, count in titles.items() if count == most > 1),
        titles=most,
        largest=max(won, key=lambda row: row.entries, default=None),
    )


def _won(
    tournament: Any, players: Mapping[int, Player], pairs: Mapping[int, Pair]
) -> WonTournament:
    """Return a tournament with its champions, from a row of `latest_first` with ``entered``."""
    ranks = final_ranks(tournament)
    people = Entry.objects.with_players().filter(tournament=tournament, bot=None, number__in=ranks)
    rows = list(people.order_by("number"))
    best = min((ranks[row.number] for row in rows), default=None)
    return WonTournament(
        slug=tournament.slug,
        name=tournament.name,
        year=timezone.localtime(tournament.held_at).year,
        champions=tuple(
            _champion(row, players, pairs) for row in rows if ranks[row.number] == best
        ),
        entries=tournament.entered,
    )


def _champion(entry: Entry, players: Mapping[int, Player], pairs: Mapping[int, Pair]) -> Champion:
    """Return the winner; of those who are merged the main one, of ``players`` or ``pairs``."""
    if entry.pair_id is not None:
        pair = pairs.get(entry.pair_id)
        name = entry.shown_name if pair is None else pair.shown_name
        return Champion(name, reverse("pair", args=[entry.pair_id if pair is None else pair.pk]))
    player = players.get(entry.player_id or 0, entry.player)
    address = "" if player is None else reverse("player", args=[player.pk])
    return Champion(entry.shown_name if player is None else player.name, address)
