"""The page of a player, a pair or a bot: results, company, what it sings, its rating."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db.models import Q

import engine
from tournaments.analysis.queries.play import RoleFigures, figures
from tournaments.core.cache import remembered
from tournaments.core.find import found
from tournaments.core.permissions import Actor, may_manage, visible_to
from tournaments.director.queries.snapshot import key_of, rows_of
from tournaments.domain.names import folded
from tournaments.domain.season import final_places
from tournaments.domain.seating import sides_of
from tournaments.models import Bot, Entry, Erasure, Pair, Player, Record, Tournament
from tournaments.profiles.queries.meetings import (
    Person,
    Played,
    Tally,
    Who,
    played_by,
    tally_of,
    versions_word,
    who_of_bot,
    who_of_pair,
    who_of_player,
)
from tournaments.ratings.pages import RatingPage, bot_rating, player_rating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

CACHE_FORM: Final = 1
"""Part of the cache's key: to be moved on when the shape of what is kept changes."""

MOST_EVENTS: Final = 12
"""Latest tournaments whose results are told."""

MOST_PEOPLE: Final = 20
"""Partners, and opponents, that are listed: the most frequent."""

MOST_RECORDS: Final = 300
"""Latest records in which it is counted who sings what."""

LEAST_HANDS: Final = 2
"""Hands from which an interval can be told."""

State = Tournament.State


@dataclass(frozen=True, slots=True)
class EventRow:
    """What came of one tournament. ``rank`` is its place once the tournament is finished.

    ``number`` is that of the entry, missing for somebody who only stood in for others.
    """

    slug: str
    name: str
    state: str
    entry: str
    number: int | None
    rank: int | None
    tally: Tally


@dataclass(frozen=True, slots=True)
class Company:
    """Somebody it played with or against, how often and with what result."""

    person: Person
    tally: Tally


@dataclass(frozen=True, slots=True)
class Sung:
    """What is declared in ``hands`` hands with their cards: how many of each, and how often a hand.

    ``forty`` and ``twenty`` are means a hand with 95 % intervals, the declarations of both seats
    taken together for a pair or a bot that holds both. Tutes are counted alone.
    """

    hands: int
    forties: int
    twenties: int
    tutes: int
    forty: engine.Interval
    twenty: engine.Interval


@dataclass(frozen=True, slots=True)
class Ahead:
    """A tournament that it is entered in and that is not over."""

    slug: str
    name: str
    state: str
    entry: str


class History(NamedTuple):
    """What is kept of somebody as long as no result changes."""

    tally: Tally
    events: tuple[EventRow, ...]
    all_events: int
    partners: tuple[Company, ...]
    opponents: tuple[Company, ...]
    latest: tuple[Played, ...]
    sung: Sung | None


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """The page of a player, a pair or a bot.

    ``pairs`` are those that a player belongs to, ``members`` the players of a pair. A pair has no
    ``rating`` and no figures of its ``play``: these are its players'.
    It ``may_rename`` whom nobody has erased.
    """

    who: Who
    members: tuple[tuple[int, str], ...]
    pairs: tuple[tuple[int, str], ...]
    history: History
    ahead: tuple[Ahead, ...]
    rating: RatingPage | None
    play: tuple[RoleFigures, ...]
    may_rename: bool = False


def player_page(pk: int, viewer: Actor, ruleset: str = "") -> PlayerPage:
    """Return a player's page: ten queries from a warm cache, for organisers two more.

    Refuses NOT_FOUND.
    """
    player = found(Player.objects.select_related("club").filter(pk=pk).first())
    who = who_of_player(player)
    may = may_manage(viewer, player.club)
    rating = player_rating(pk, viewer, ruleset)
    pairs = Pair.objects.filter(Q(first=player) | Q(second=player)).order_by("name", "pk")
    return PlayerPage(
        who=who,
        members=(),
        pairs=tuple(pairs.values_list("pk", "name")),
        history=history_of(who),
        ahead=_ahead(who, viewer),
        rating=rating,
        play=figures(rating.ruleset, player=pk),
        may_rename=may and not Erasure.objects.filter(player_key=pk).exists(),
    )


def pair_page(pk: int, viewer: Actor) -> PlayerPage:
    """Return a pair's page: three queries from a warm cache. Refuses NOT_FOUND."""
    pairs = Pair.objects.select_related("first", "second", "club")
    pair = found(pairs.filter(pk=pk).first())
    members = tuple((one.pk, one.name) for one in (pair.first, pair.second))
    who = who_of_pair(pair)
    may = may_manage(viewer, pair.club)
    return PlayerPage(who, members, (), history_of(who), _ahead(who, viewer), None, (), may)


def bot_page(slug: str, viewer: Actor, ruleset: str = "") -> PlayerPage:
    """Return the results of a bot in the same way: nine queries from a warm cache."""
    bot = found(Bot.objects.select_related("club").filter(slug=slug).first())
    who, rating = who_of_bot(bot), bot_rating(slug, viewer, ruleset)
    play = figures(rating.ruleset, bot__slug=slug)
    return PlayerPage(who, (), (), history_of(who), _ahead(who, viewer), rating, play)


def history_of(who: Who) -> History:
    """Return what somebody has played; kept until a result changes anywhere in the club.

    One query where it is kept. Else four more, and nine for every finished tournament that is
    listed (`MOST_EVENTS`).
    """
    key = f"person:{CACHE_FORM}:{who.word}:{versions_word(who.club_pk)}"
    return remembered(key, lambda: _computed(who))


def _computed(who: Who) -> History:
    played = played_by(who)
    shown, count = _events(played)
    return History(
        tally=tally_of(played),
        events=shown,
        all_events=count,
        partners=_company(played, lambda row: row.partners),
        opponents=_company(played, lambda row: row.opponents),
        latest=played[:MOST_EVENTS],
        sung=_sung(who, played),
    )


# --- Tournaments ---------------------------------------------------------------------------------


def _events(played: Iterable[Played]) -> tuple[tuple[EventRow, ...], int]:
    """Return the latest tournaments, and how many there are in all."""
    groups: dict[int, list[Played]] = {}
    for row in played:
        groups.setdefault(row.tournament_pk, []).append(row)
    latest = list(groups.items())[:MOST_EVENTS]
    tournaments = Tournament.objects.in_bulk([pk for pk, _ in latest])
    return tuple(_event(tournaments[pk], rows) for pk, rows in latest), len(groups)


def _event(tournament: Tournament, rows: Sequence[Played]) -> EventRow:
    numbers = {number for row in rows for number in row.entries}
    places = _places(tournament) if tournament.state == State.FINISHED else {}
    rank = min((places[number] for number in numbers if number in places), default=None)
    best = (number for number in sorted(numbers) if places.get(number) == rank)
    return EventRow(
        slug=tournament.slug,
        name=tournament.name,
        state=tournament.state,
        entry=rows[0].name,
        number=next(best, None),
        rank=rank,
        tally=tally_of(rows),
    )


def _places(tournament: Tournament) -> Mapping[int, int]:
    """Return the final place of every entry of a finished tournament."""

    def read() -> dict[int, int]:
        return {place.who: place.rank for place in final_places(rows_of(tournament))}

    return remembered(key_of("places", tournament, 0), read)


def _ahead(who: Who, viewer: Actor) -> tuple[Ahead, ...]:
    """Return the tournaments in which it plays or will play; as the viewer may see them."""
    if who.kind == "player":
        mine = Q(player=who.pk) | Q(pair__first=who.pk) | Q(pair__second=who.pk)
    else:
        mine = Q(**{who.kind: who.pk})
    entries = Entry.objects.filter(
        mine, visible_to(viewer, "tournament__"), tournament__state__in=(State.RUNNING, State.DRAFT)
    )
    rows = entries.select_related("tournament__club").order_by("-tournament__created_at", "number")
    found_: dict[str, Ahead] = {}
    for entry in rows[:100]:
        tournament = entry.tournament
        ahead = Ahead(tournament.slug, tournament.name, tournament.state, entry.name)
        found_.setdefault(tournament.slug, ahead)
    return tuple(found_.values())


# --- Company -------------------------------------------------------------------------------------


def _company(
    played: Iterable[Played], of: Callable[[Played], Iterable[Person]]
) -> tuple[Company, ...]:
    """Return those met most often, each with what the matches came to."""
    people: dict[str, Person] = {}
    matches: dict[str, list[Played]] = {}
    for row in played:
        for key, person in {one.key: one for one in of(row)}.items():
            people[key] = person
            matches.setdefault(key, []).append(row)
    company = [Company(people[key], tally_of(rows)) for key, rows in matches.items()]
    company.sort(key=lambda one: (-one.tally.matches, one.person.name, one.person.key))
    return tuple(company[:MOST_PEOPLE])


# --- What it sings -------------------------------------------------------------------------------


def _sung(who: Who, played: Sequence[Played]) -> Sung | None:
    """Count what was declared in the hands that have their cards; nothing without such hands."""
    hands = list(_calls(who, played))
    if len(hands) < LEAST_HANDS:
        return None
    forties = [sum(call == "40" for call in calls) for calls in hands]
    twenties = [sum(call.startswith("20") for call in calls) for calls in hands]
    return Sung(
        hands=len(hands),
        forties=sum(forties),
        twenties=sum(twenties),
        tutes=sum(call.startswith("tute") for calls in hands for call in calls),
        forty=engine.mean_interval([float(count) for count in forties]),
        twenty=engine.mean_interval([float(count) for count in twenties]),
    )


def _calls(who: Who, played: Sequence[Played]) -> Iterator[tuple[str, ...]]:
    """Yield what it declared in each hand with cards, of its latest records; one query."""
    sides = {row.match_pk: row.side for row in played[:MOST_RECORDS]}
    records = Record.objects.accepted().filter(match__in=sides).order_by("-pk")
    rows = records.values_list("match", "home_side", "text", "verdict")
    for match, home_side, text, verdict in rows[:MOST_RECORDS]:
        seats = _seats(who, sides_of(home_side)[sides[match]], text)
        for hand in verdict.get("hands", ()):
            if seats and hand["audited"]:
                said = (token.partition(":") for token in hand["declarations"])
                yield tuple(call for seat, _, call in said if seat in seats)


def _seats(who: Who, side: str, text: str) -> str:
    """Return the seats of its side that are its own: of a player the one with a name of his."""
    if who.kind != "player":
        return side
    names = json.loads(text).get("seats", ())
    at, own = dict(zip("ABCD", names, strict=False)), {who.folded, *who.earlier}
    return "".join(seat for seat in side if folded(at.get(seat, "")) in own)
