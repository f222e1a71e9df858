"""Pages of a player, pair or bot: results, partners, opponents, declarations, rating."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import Q, QuerySet

import engine
from tournaments.analysis.queries.play import RoleFigures, figures
from tournaments.core.cache import get_or_compute
from tournaments.core.db import row_of
from tournaments.core.find import find_main_pair, find_main_player, or_404
from tournaments.core.permissions import Actor, may_manage, visible_condition
from tournaments.director.queries.finals import final_places_of
from tournaments.domain.names import fold_name, sort_key
from tournaments.domain.scores import sides_of
from tournaments.domain.season import FinalPlace
from tournaments.models import Bot, Entry, Erasure, Match, Pair, Player, Record, Round, Tournament
from tournaments.models.matches import at_any_place
from tournaments.models.people import is_one_with
from tournaments.people.queries import pairs_in_search, players_in_search
from tournaments.profiles.queries.meetings import (
    Competitor,
    Person,
    PlayedMatch,
    Tally,
    competitor_of_bot,
    competitor_of_pair,
    competitor_of_player,
    matches_of,
    results_version,
    tally_of,
)
from tournaments.ratings.queries.pages import RatingPage, bot_rating, player_rating

MAX_EVENTS: Final = 12
"""Limit of tournaments with results, and of matches, on the page: the latest."""

MAX_PEOPLE: Final = 20
"""Limit of partners, and of opponents, on the page: the most frequent."""

MAX_RECORDS: Final = 300
"""Records in which declarations are counted: the latest."""

MIN_HANDS: Final = 2
"""Hands that a confidence interval needs at least."""

State = Tournament.State


@dataclass(frozen=True, slots=True)
class EventRow:
    """The results in one tournament. ``rank`` is the final place, once it is finished.

    ``number`` is that of the entry; None for a player who was only a substitute.
    """

    slug: str
    name: str
    state: str
    entry: str
    number: int | None
    rank: int | None
    tally: Tally


@dataclass(frozen=True, slots=True)
class MetPerson:
    """A partner or opponent, with the sums of the matches."""

    person: Person
    tally: Tally


@dataclass(frozen=True, slots=True)
class DeclarationTotals:
    """Declarations in ``hands`` hands with known cards: totals, and means a hand.

    ``forty`` and ``twenty`` are means with 95 % intervals. For a pair, or a bot that holds both
    seats, the declarations of both seats are added. Of tutes there is only the total.
    """

    hands: int
    forties: int
    twenties: int
    tutes: int
    forty: engine.Interval
    twenty: engine.Interval


@dataclass(frozen=True, slots=True)
class UpcomingTournament:
    """An unfinished tournament with an entry of the player, pair or bot."""

    slug: str
    name: str
    state: str
    entry: str


@dataclass(frozen=True, slots=True)
class NextTable:
    """A match of a published round that is still to be played or decided."""

    match_pk: int
    slug: str
    tournament: str
    round: int
    table: int
    against: str


@dataclass(frozen=True, slots=True)
class MergedRow:
    """A player or pair that is merged into another one."""

    pk: int
    code: str
    name: str


class History(NamedTuple):
    """The part of the page that is cached until a result changes."""

    tally: Tally
    events: tuple[EventRow, ...]
    all_events: int
    partners: tuple[MetPerson, ...]
    opponents: tuple[MetPerson, ...]
    latest: tuple[PlayedMatch, ...]
    sung: DeclarationTotals | None

    @property
    def titles(self) -> tuple[EventRow, ...]:
        """The tournaments won, of those listed."""
        return tuple(event for event in self.events if event.rank == 1)

    @property
    def best(self) -> EventRow | None:
        """The tournament with the best place, of those listed."""
        ranked = (event for event in self.events if event.rank is not None)
        return min(ranked, key=lambda event: event.rank or 0, default=None)


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """The page of a player, a pair or a bot; ``next_table`` is their next match, if it is known.

    ``pairs`` are those of a player, ``members`` the players of a pair. A pair has no ``rating`` and
    no ``play``: these belong to its players. Those who have been erased cannot be renamed
    (``may_rename``). ``merged`` are those who are the same under another name. Search engines may
    list the page if ``in_search``.
    """

    who: Competitor
    members: tuple[tuple[int, str], ...]
    pairs: tuple[tuple[int, str], ...]
    history: History
    ahead: tuple[UpcomingTournament, ...]
    rating: RatingPage | None
    play: tuple[RoleFigures, ...]
    may_rename: bool = False
    merged: tuple[MergedRow, ...] = ()
    next_table: NextTable | None = None
    in_search: bool = False


def player_page(pk: int, viewer: Actor, ruleset: str = "") -> PlayerPage:
    """Return the page of a player, or of the main one: eleven queries with a warm cache.

    Two more for organisers. Refuses NOT_FOUND.
    """
    player = find_main_player(pk)
    pk = player.pk
    competitor = competitor_of_player(player)
    is_manager = may_manage(viewer, player.club)
    rating = player_rating(pk, ruleset)
    ahead, next_table = _upcoming(competitor, viewer)
    own_pairs = Pair.objects.filter(is_one_with("first", pk) | is_one_with("second", pk))
    own_pairs = own_pairs.filter(same_as=None)
    pairs = [(pair.pk, pair.shown_name) for pair in own_pairs.select_related("first", "second")]
    return PlayerPage(
        who=competitor,
        members=(),
        pairs=tuple(sorted(pairs, key=lambda pair: (sort_key(pair[1]), pair[0]))),
        history=history_of(competitor),
        ahead=ahead,
        rating=rating,
        play=figures(rating.ruleset, is_one_with("player", pk)),
        may_rename=is_manager and not Erasure.objects.filter(player_key=pk).exists(),
        merged=(merged := _merged(player)),
        next_table=next_table,
        in_search=_is_in_search(player, merged, players_in_search),
    )


def pair_page(pk: int, viewer: Actor) -> PlayerPage:
    """Return the page of a pair, or of the main one: five queries with a warm cache.

    Refuses NOT_FOUND.
    """
    pair = find_main_pair(pk)
    members = tuple((player.pk, player.name) for player in (pair.first, pair.second))
    competitor = competitor_of_pair(pair)
    is_manager = may_manage(viewer, pair.club)
    ahead, next_table = _upcoming(competitor, viewer)
    return PlayerPage(
        competitor,
        members,
        (),
        history_of(competitor),
        ahead,
        None,
        (),
        is_manager,
        (merged := _merged(pair)),
        next_table,
        _is_in_search(pair, merged, pairs_in_search),
    )


def _is_in_search(
    main: Player | Pair,
    merged: Iterable[MergedRow],
    listed: Callable[[Collection[int]], QuerySet[Any]],
) -> bool:
    """Return whether a row is listed; one query where the club agrees, otherwise none."""
    keys = {main.pk, *(row.pk for row in merged)}
    return main.club.people_in_search and listed(keys).filter(pk=main.pk).exists()


def _merged(main: Player | Pair) -> tuple[MergedRow, ...]:
    """Return those who are merged into a player or pair; one query."""
    return tuple(row_of(MergedRow, row) for row in main.merged.order_by("code"))


def bot_page(slug: str, viewer: Actor, ruleset: str = "") -> PlayerPage:
    """Return a bot's page: ten queries with a warm cache. Refuses NOT_FOUND."""
    bot = or_404(Bot.objects.select_related("club").filter(slug=slug).first())
    competitor, rating = competitor_of_bot(bot), bot_rating(slug, ruleset)
    play = figures(rating.ruleset, Q(bot__slug=slug))
    ahead, next_table = _upcoming(competitor, viewer)
    history = history_of(competitor)
    return PlayerPage(competitor, (), (), history, ahead, rating, play, next_table=next_table)


def history_of(competitor: Competitor) -> History:
    """Return the history of a player, pair or bot, cached until a result in the club changes.

    One query with a warm cache. Otherwise six more, and eight for the finished tournaments that are
    listed (`MAX_EVENTS`).
    """
    key = f"person:{competitor.ref}:{results_version(competitor.club_pk)}"
    return get_or_compute(key, lambda: _computed(competitor))


def _computed(competitor: Competitor) -> History:
    matches = matches_of(competitor)
    events, count = _events(matches)
    return History(
        tally=tally_of(matches),
        events=events,
        all_events=count,
        partners=_most_frequent(matches, lambda row: row.partners),
        opponents=_most_frequent(matches, lambda row: row.opponents),
        latest=matches[:MAX_EVENTS],
        sung=_declaration_totals(competitor, matches),
    )


# --- tournaments ---------------------------------------------------------------------------------


def _events(matches: Iterable[PlayedMatch]) -> tuple[tuple[EventRow, ...], int]:
    """Return the latest tournaments, and the number of all."""
    groups: dict[int, list[PlayedMatch]] = {}
    for row in matches:
        groups.setdefault(row.tournament_pk, []).append(row)
    latest = list(groups.items())[:MAX_EVENTS]
    tournaments = Tournament.objects.in_bulk([pk for pk, _ in latest])
    finished = [row for row in tournaments.values() if row.state == State.FINISHED]
    places = final_places_of(finished)
    return tuple(_event(tournaments[pk], rows, places.get(pk, ())) for pk, rows in latest), len(
        groups
    )


def _event(
    tournament: Tournament, rows: Sequence[PlayedMatch], final: Iterable[FinalPlace]
) -> EventRow:
    numbers = {number for row in rows for number in row.entries}
    places = {place.who: place.rank for place in final}
    rank = min((places[number] for number in numbers if number in places), default=None)
    best = (number for number in sorted(numbers) if places.get(number) == rank)
    return row_of(
        EventRow,
        tournament,
        entry=rows[0].name,
        number=next(best, None),
        rank=rank,
        tally=tally_of(rows),
    )


def _upcoming(
    competitor: Competitor, viewer: Actor
) -> tuple[tuple[UpcomingTournament, ...], NextTable | None]:
    """Return the running and coming tournaments that the viewer may see, and the next table.

    One query, and one more where there are any.
    """
    if competitor.kind == "player":
        paths = ("player", "pair__first", "pair__second")
        condition = Q(*(is_one_with(path, competitor.pk) for path in paths), _connector=Q.OR)
    elif competitor.kind == "pair":
        condition = is_one_with("pair", competitor.pk)
    else:
        condition = Q(bot=competitor.pk)
    entries = Entry.objects.filter(
        condition,
        visible_condition(viewer, "tournament__"),
        tournament__state__in=(State.RUNNING, State.DRAFT),
    )
    order = ("-tournament__created_at", "number", "-pk")
    rows = entries.with_players().select_related("tournament__club").order_by(*order)[:100]
    upcoming: dict[str, UpcomingTournament] = {}
    for entry in rows:
        ahead = row_of(UpcomingTournament, entry.tournament, entry=entry.shown_name)
        upcoming.setdefault(ahead.slug, ahead)
    return tuple(upcoming.values()), _next_table({entry.pk for entry in rows})


def _next_table(entries: set[int]) -> NextTable | None:
    """Return the first match of a published round that the entries still have to play."""
    if not entries:
        return None
    open_matches = Match.objects.undecided().filter(
        at_any_place(entries, "__in"), round__state=Round.State.PUBLISHED
    )
    match = open_matches.with_names().order_by("round__published_at", "round_id", "table").first()
    if match is None:
        return None
    others = [side for side in match.sides if not entries & {entry.pk for entry in side}]
    return NextTable(
        match_pk=match.pk,
        slug=match.tournament.slug,
        tournament=match.tournament.name,
        round=match.round.number,
        table=match.table,
        against=", ".join(entry.shown_name for side in others for entry in side),
    )


# --- partners and opponents ----------------------------------------------------------------------


def _most_frequent(
    all_matches: Iterable[PlayedMatch], people_of: Callable[[PlayedMatch], Iterable[Person]]
) -> tuple[MetPerson, ...]:
    """Return the most frequent partners or opponents with the sums of their matches."""
    people: dict[str, Person] = {}
    matches: dict[str, list[PlayedMatch]] = {}
    for row in all_matches:
        for key, person in {companion.key: companion for companion in people_of(row)}.items():
            people[key] = person
            matches.setdefault(key, []).append(row)
    company = [MetPerson(people[key], tally_of(rows)) for key, rows in matches.items()]
    company.sort(
        key=lambda companion: (
            -companion.tally.matches,
            companion.person.name,
            companion.person.key,
        )
    )
    return tuple(company[:MAX_PEOPLE])


# --- declarations --------------------------------------------------------------------------------


def _declaration_totals(
    competitor: Competitor, matches: Sequence[PlayedMatch]
) -> DeclarationTotals | None:
    """Count the declarations in hands with known cards; None below `MIN_HANDS`."""
    hands = list(_calls(competitor, matches))
    if len(hands) < MIN_HANDS:
        return None
    forties = [sum(call == "40" for call in calls) for calls in hands]
    twenties = [sum(call.startswith("20") for call in calls) for calls in hands]
    return DeclarationTotals(
        hands=len(hands),
        forties=sum(forties),
        twenties=sum(twenties),
        tutes=sum(call.startswith("tute") for calls in hands for call in calls),
        forty=engine.mean_interval([float(count) for count in forties]),
        twenty=engine.mean_interval([float(count) for count in twenties]),
    )


def _calls(competitor: Competitor, matches: Sequence[PlayedMatch]) -> Iterator[tuple[str, ...]]:
    """Yield the declarations in each hand with known cards of the latest records; one query."""
    sides = {row.match_pk: row.side for row in matches[:MAX_RECORDS]}
    records = Record.objects.accepted().filter(match__in=sides).order_by("-pk")
    rows = records.values_list("match", "home_side", "text", "verdict")
    names = _names_of(competitor) if competitor.kind == "player" else frozenset()
    for match, home_side, text, verdict in rows[:MAX_RECORDS]:
        seats = sides_of(home_side)[sides[match]]
        if competitor.kind == "player":
            seats = _seats(names, seats, text)
        for hand in verdict.get("hands", ()):
            if seats and hand["audited"]:
                calls = (token.partition(":") for token in hand["declarations"])
                yield tuple(call for seat, _, call in calls if seat in seats)


def _names_of(player: Competitor) -> frozenset[str]:
    """Return all names of a player in compared form, those of merged ones included; one query."""
    merged = Player.objects.filter(same_as=player.pk)
    names = (name for row in merged for name in (row.name, *row.earlier_names))
    return frozenset((player.folded, *player.earlier, *map(fold_name, names)))


def _seats(own_names: Collection[str], side: str, text: str) -> str:
    """Return the seats of a player on a side: those with one of the player's names."""
    names = json.loads(text).get("seats", ())
    names_by_seat = dict(zip("ABCD", names, strict=False))
    return "".join(seat for seat in side if fold_name(names_by_seat.get(seat, "")) in own_names)
