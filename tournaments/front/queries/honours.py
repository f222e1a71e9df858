"""The honours of a club: champions by year, records, and how many people came."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, Final

from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Abs
from django.urls import reverse
from django.utils import timezone

from tournaments.core.cache import get_or_compute
from tournaments.core.find import find_club, main_pairs, main_players, or_404
from tournaments.core.permissions import public_condition
from tournaments.director.queries.cards import latest_first
from tournaments.director.queries.finals import final_places_of
from tournaments.director.queries.tournaments import finished_of
from tournaments.domain.names import PARTNERS, series_name
from tournaments.domain.scores import sides_of
from tournaments.domain.season import FinalPlace
from tournaments.domain.sides import PLACES, PLACES_BY_SIDE
from tournaments.models import Entry, Hand, Match, Pair, Player, Record, Result, Tournament
from tournaments.models.matches import day_played

MAX_TOURNAMENTS: Final = 60
"""Finished tournaments that all honours are read from, the latest."""

FORTY: Final = ":40"
SEAT_OF_FORTY: Final = re.compile(rf"([A-D]){FORTY}\b")
"""Who declares a forty, in the tokens of a hand."""

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

    Bots are none of them: a place of a bot goes to the people below it. ``has_editions``: there are
    others with its name but for a number or year.
    """

    slug: str
    name: str
    year: int
    champions: tuple[Champion, ...]
    entries: int
    has_editions: bool = False


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that holds a record: its sides and their hands, the winner first."""

    pk: int
    sides: tuple[Champion, Champion]
    hands: tuple[int, int]
    tournament: str


@dataclass(frozen=True, slots=True)
class NightRecord:
    """The most of something on one day of play: who, how often, when."""

    who: Champion
    count: int
    day: date


@dataclass(frozen=True, slots=True)
class Honours:
    """The honours of a club, the tournament that was played last first.

    ``record`` are the champions with the most titles, ``titles`` in number, and ``streak`` those
    with the most in a row, ``in_a_row`` in number; none while nobody has two. ``largest`` has the
    most entries, ``biggest_win`` and ``longest_match`` are of two sides of people, ``forties`` the
    most declared in a night. All are of ``won``, the latest where there are more (``has_more``).
    """

    won: tuple[WonTournament, ...] = ()
    record: tuple[Champion, ...] = ()
    titles: int = 0
    streak: tuple[Champion, ...] = ()
    in_a_row: int = 0
    largest: WonTournament | None = None
    biggest_win: MatchRecord | None = None
    longest_match: MatchRecord | None = None
    forties: NightRecord | None = None
    has_more: bool = False

    @property
    def years(self) -> list[tuple[int, list[WonTournament]]]:
        """The tournaments by year."""
        return [(year, list(rows)) for year, rows in groupby(self.won, key=lambda row: row.year)]


def club_honours(slug: str, *, all_won: bool = False) -> Honours:
    """Return the honours of a club from its latest public tournaments, or from all of them.

    Two queries with a warm cache, nineteen otherwise.
    """
    club = find_club(slug)
    limit = MAX_TOURNAMENTS if all_won else MAX_LATEST
    key = f"honours:{club.pk}:{limit}:{_version(finished_of(club.pk))}"
    return get_or_compute(key, lambda: _honours(club.pk, limit))


def editions_of(slug: str, tournament: str) -> Honours:
    """Return the honours of all editions of a club's public tournament. Refuses NOT_FOUND."""
    club = find_club(slug)
    shown = Tournament.objects.filter(public_condition(), club=club)
    name = series_name(or_404(shown.filter(slug=tournament).values_list("name", flat=True).first()))
    names = finished_of(club.pk).values_list("pk", "name")
    rows = finished_of(club.pk).filter(pk__in=[pk for pk, one in names if series_name(one) == name])
    return get_or_compute(
        f"editions:{club.pk}:{tournament}:{_version(rows)}",
        lambda: _honours(club.pk, MAX_TOURNAMENTS, rows),
    )


def _version(finished: QuerySet[Tournament]) -> str:
    """Return what changes with these tournaments: renaming, merging and erasing raise versions."""
    sums = finished.aggregate(all=Sum("version"), count=Count("pk"), last=Max("pk"))
    return "-".join(map(str, sums.values()))


def _honours(club: int, limit: int, finished: QuerySet[Tournament] | None = None) -> Honours:
    """Return the honours of the public tournaments of a club that are over, or of some of them."""
    finished = finished_of(club) if finished is None else finished
    held = finished.annotate(entered=Count("entries", filter=Q(entries__bot=None)))
    rows = list(latest_first(held)[: limit + 1])
    people = main_players(club), main_pairs(club)
    won = _won(rows[:limit], *people)
    champions = {champion.address: champion for row in won for champion in row.champions}
    titles = Counter(champion.address for row in won for champion in row.champions)
    streaks = _streaks(won)
    most, in_a_row = (max(counts.values(), default=0) for counts in (titles, streaks))
    latest = [row.pk for row in rows[:limit]]
    played = _played(latest)
    margin, length = Abs(F("home_hands") - F("away_hands")), F("home_hands") + F("away_hands")
    points = Abs(F("home_points") - F("away_points"))
    return Honours(
        won=won,
        record=tuple(champions[one] for one, count in titles.items() if count == most > 1),
        titles=most,
        streak=tuple(champions[one] for one, count in streaks.items() if count == in_a_row > 1),
        in_a_row=in_a_row,
        largest=max(won, key=lambda row: row.entries, default=None),
        biggest_win=_match_record(
            played.exclude(winner="tie").order_by(margin.desc(), points.desc(), "pk"), *people
        ),
        longest_match=_match_record(
            played.filter(match__boards=[]).order_by(length.desc(), "pk"), *people
        ),
        forties=_most_forties(latest, *people),
        has_more=len(rows) > limit,
    )


def _streaks(won: Sequence[WonTournament]) -> dict[str, int]:
    """Return the most tournaments in a row that each champion won, by address."""
    running: dict[str, int] = {}
    longest: dict[str, int] = {}
    for row in won:
        running = {one.address: running.get(one.address, 0) + 1 for one in row.champions}
        longest |= {who: max(count, longest.get(who, 0)) for who, count in running.items()}
    return longest


def _played(tournaments: Sequence[int]) -> QuerySet[Result]:
    """Return the results of tournaments that count of matches that two sides of people played."""
    results = Result.objects.counting().filter(
        match__round__stage__tournament__in=tournaments,
        match__away__isnull=False,
        match__home__bot=None,
        match__away__bot=None,
        third_hands=None,
        places__isnull=True,
    )
    return results.exclude(depth=Result.Depth.FORFEIT)


def _match_record(
    results: QuerySet[Result], players: Mapping[int, Player], pairs: Mapping[int, Pair]
) -> MatchRecord | None:
    """Return the match of the first result; two queries."""
    result = results.first()
    if result is None:
        return None
    match = Match.objects.with_names().get(pk=result.match_id)
    sides = [_side(entries, players, pairs) for entries in match.sides]
    hands = [result.home_hands, result.away_hands]
    order = (0, 1) if hands[0] >= hands[1] else (1, 0)
    first, second = order
    return MatchRecord(
        pk=match.pk,
        sides=(sides[first], sides[second]),
        hands=(hands[first], hands[second]),
        tournament=match.tournament.name,
    )


def _side(
    entries: Sequence[Entry], players: Mapping[int, Player], pairs: Mapping[int, Pair]
) -> Champion:
    """Return the entry on a side, or two partners by their names."""
    people = [_champion(entry, players, pairs) for entry in entries]
    if len(people) == 1:
        return people[0]
    return Champion(PARTNERS.join(one.name for one in people), "")


def _most_forties(
    tournaments: Sequence[int], players: Mapping[int, Player], pairs: Mapping[int, Pair]
) -> NightRecord | None:
    """Return who declared the most forties on one day; none for one alone. Two queries."""
    hands = Hand.objects.filter(
        play__contains=FORTY,
        record__state=Record.State.ACCEPTED,
        record__match__round__stage__tournament__in=tournaments,
        record__match__results__counts_from__isnull=False,
        record__match__results__counts_until__isnull=True,
    )
    places = [f"record__match__{place}" for place in PLACES]
    rows = hands.annotate(day=day_played("record__match__")).order_by("-record", "number")
    columns = ("day", "record__home_side", "play", *places)
    counts: Counter[tuple[int, date]] = Counter()
    for day, home_side, play, *keys in rows.values_list(*columns):
        entry_at = _entries_at(home_side, dict(zip(PLACES, keys, strict=True)))
        for seat in SEAT_OF_FORTY.findall(play):
            counts[entry_at[seat], day] += 1
    entered = Entry.objects.with_players().in_bulk({entry for entry, _day in counts})
    people: Counter[tuple[Champion, date]] = Counter()
    for (entry, day), count in counts.items():
        if entered[entry].bot_id is None:
            people[_champion(entered[entry], players, pairs), day] += count
    if not people:
        return None
    (who, day), count = max(people.items(), key=lambda row: row[1])
    return NightRecord(who, count, day) if count > 1 else None


def _entries_at(home_side: str, entries: Mapping[str, int | None]) -> dict[str, int]:
    """Return the keys of the entries at the seats of a record; a pair has both of its side."""
    found: dict[str, int] = {}
    for places, seats in zip(PLACES_BY_SIDE, sides_of(home_side), strict=False):
        keys = [key for place in places if (key := entries[place]) is not None]
        found |= {seat: keys[min(n, len(keys) - 1)] for n, seat in enumerate(seats) if keys}
    return found


def _won(
    tournaments: Sequence[Any], players: Mapping[int, Player], pairs: Mapping[int, Pair]
) -> tuple[WonTournament, ...]:
    """Return tournaments with their champions, from rows of `latest_first` with ``entered``."""
    places = final_places_of(tournaments)
    people = Entry.objects.with_players().filter(tournament__in=tournaments, bot=None)
    entries = {(row.tournament_id, row.number): row for row in people}
    series = Counter(series_name(tournament.name) for tournament in tournaments)
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
            has_editions=series[series_name(tournament.name)] > 1,
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
