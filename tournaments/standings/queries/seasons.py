"""Seasons: their tables, each number with the tournaments that it comes from.

Finished tournaments count with their current standings: a correction after the end changes the
season too. The tables are cached under the versions of their tournaments.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, Self

from django.db.models import Exists, Max, OuterRef

from tournaments.core.cache import get_or_compute
from tournaments.core.db import row_of
from tournaments.core.find import find_club, main_pairs, main_players, or_404
from tournaments.core.permissions import Actor, ClubRights, club_rights, is_member, is_public
from tournaments.director.queries.finals import final_places_of
from tournaments.director.queries.state import role_of
from tournaments.domain.names import ShownNames
from tournaments.domain.race import MAX_LINES
from tournaments.domain.season import (
    Event,
    FinalPlace,
    PlaceScale,
    SeasonCriterion,
    SeasonLine,
    SeasonRules,
    running_totals,
    season,
)
from tournaments.domain.signed_proof import CORRECTING
from tournaments.domain.state import SeasonFacts, Verbs, verbs
from tournaments.models import (
    AuditEvent,
    Club,
    Entry,
    Pair,
    Player,
    Season,
    SeasonEvent,
    Tournament,
)

Key = tuple[str, int]
"""A pair or player in the table: ``pair`` or ``player``, and the key in the database."""

Competitor = tuple[Key, str, tuple[str, ...]]
"""A pair or player in the table: key, name, and the names of a pair's players."""


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season in a list."""

    slug: str
    name: str
    state: str
    tournaments: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SeasonTournament:
    """A tournament of a season; one that is not finished does not count yet.

    ``column`` is its number among those that count, 0 for the others.
    """

    pk: int
    slug: str
    name: str
    state: str
    order: int
    weight: float
    counts: bool
    column: int


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The result of a pair or player in a tournament: place, its worth, and whether it is counted.

    ``rank`` is 0 in a tournament without their participation. ``counts``: it is among the best.
    """

    tournament: int
    rank: int
    worth: float
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonStanding(ShownNames):
    """A line of a season's table; ``taken`` is in the order of the tournaments that count.

    ``running`` are the totals after each of them, of the first ones (`race.MAX_LINES`) alone.
    """

    rank: int
    shared: bool
    name: str
    players: tuple[str, ...]
    total: float
    wins: int
    decided_by: str
    missing: int
    taken: tuple[SeasonResult, ...]
    running: tuple[float, ...]
    is_bot: bool = False  # bots take no place
    key: Key = ("", 0)


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A season: its tournaments, its table, and the tournaments that could be added.

    ``corrected_at`` is when a tournament of a closed season was last corrected after its closing.
    """

    slug: str
    name: str
    club_slug: str
    club_name: str
    state: str
    ruleset: str
    scale: str
    by: str
    by_name: str
    best: int | None
    own_scale: tuple[int, ...]
    mean_of: int | None
    missed_as_zero: bool
    criteria: tuple[str, ...]
    tournaments: tuple[SeasonTournament, ...]
    lines: tuple[SeasonStanding, ...]
    corrected_at: datetime | None
    candidates: tuple[tuple[str, str], ...]
    may: ClubRights
    verbs: Verbs

    @property
    def counted(self) -> tuple[SeasonTournament, ...]:
        """The tournaments that count, in their order."""
        return tuple(tournament for tournament in self.tournaments if tournament.counts)


@dataclass(frozen=True, slots=True)
class SeasonsPage:
    """The seasons of a club, the newest first."""

    slug: str
    name: str
    seasons: tuple[SeasonCard, ...]
    may: ClubRights


@dataclass(frozen=True, slots=True)
class RulesEffect:
    """The table of a season before and after a change of its rules."""

    before: tuple[SeasonStanding, ...]
    after: tuple[SeasonStanding, ...]

    @property
    def lines(self) -> list[tuple[SeasonStanding, SeasonStanding]]:
        """The lines after the change, each with its line before."""
        before = {line.key: line for line in self.before}
        return [(line, before[line.key]) for line in self.after]


def seasons_page(slug: str, viewer: Actor) -> SeasonsPage:
    """Return the seasons of a club: three queries, two for anonymous visitors."""
    club = find_club(slug)
    rows = club.seasons.prefetch_related("events__tournament")
    member = is_member(viewer, club)
    return SeasonsPage(
        club.slug,
        club.name,
        tuple(
            row_of(
                SeasonCard,
                row,
                tournaments=sum(
                    member or is_public(event.tournament) for event in row.events.all()
                ),
            )
            for row in rows
        ),
        club_rights(viewer, club),
    )


def season_page(club_slug: str, slug: str, viewer: Actor) -> SeasonPage:
    """Return a season with its table.

    Five queries when it is cached, six of a closed one; else twelve more.
    """
    row = find_season(club_slug, slug)
    allowed = club_rights(viewer, row.club)
    events = [
        event
        for event in row.events.select_related("tournament").order_by("order")
        if allowed.member or is_public(event.tournament)
    ]
    return row_of(
        SeasonPage,
        row,
        club_slug=row.club.slug,
        club_name=row.club.name,
        by_name=str(Season.Competitors(row.by).label),
        own_scale=(rules := rules_of_season(row)).own_scale,
        criteria=tuple(criterion.value for criterion in rules.criteria),
        tournaments=_tournaments(events),
        lines=season_standings(row, events),
        corrected_at=_corrected_at(row, events),
        candidates=_candidates(row, events) if allowed.manage else (),
        may=allowed,
        verbs=verbs(SeasonFacts(row.state), role_of(viewer, allowed)),
    )


def rules_effect(row: Season, columns: Mapping[str, Any]) -> RulesEffect:
    """Return what other rules, as columns of the season, would make of its table."""
    changed = copy(row)
    for name, value in columns.items():
        setattr(changed, name, value)
    events = list(row.events.select_related("tournament").order_by("order"))
    return RulesEffect(season_standings(row, events), season_standings(changed, events))


def find_season(club_slug: str, slug: str) -> Season:
    """Return a season with its club; seasons are public. Refuses NOT_FOUND."""
    club = find_club(club_slug)
    return or_404(Season.objects.select_related("club").filter(club=club, slug=slug).first())


def _counts(event: SeasonEvent) -> bool:
    return event.tournament.state == Tournament.State.FINISHED


def _corrected_at(row: Season, events: Iterable[SeasonEvent]) -> datetime | None:
    """Return when a tournament that counts was last corrected after the season was closed.

    What was ruled while it was still played is no correction. One query; none of an open season.
    """
    if row.closed_at is None:
        return None
    counted = [event.tournament_id for event in counted_events(events)]
    ends = AuditEvent.objects.filter(
        tournament=OuterRef("tournament"),
        verb="tournament.finished",
        sequence__gt=OuterRef("sequence"),
    )
    corrections = AuditEvent.objects.filter(
        ~Exists(ends), tournament__in=counted, verb__in=CORRECTING, at__gt=row.closed_at
    )
    at: datetime | None = corrections.aggregate(last=Max("at"))["last"]
    return at


def _tournaments(events: Sequence[SeasonEvent]) -> tuple[SeasonTournament, ...]:
    counted = counted_events(events)
    return tuple(
        row_of(
            SeasonTournament,
            event.tournament,
            order=event.order,
            weight=float(event.weight),
            counts=event in counted,
            column=counted.index(event) + 1 if event in counted else 0,
        )
        for event in events
    )


def _candidates(row: Season, events: Iterable[SeasonEvent]) -> tuple[tuple[str, str], ...]:
    """Return short name and name of the club's tournaments that could be added."""
    others = row.club.tournaments.exclude(pk__in=[event.tournament_id for event in events])
    if row.ruleset:
        others = others.filter(ruleset=row.ruleset)
    return tuple(others.order_by("-created_at", "-pk").values_list("slug", "name"))


# --- the table ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mains:
    """The main players and pairs of those who are merged, by key: who they are in a season."""

    players: Mapping[int, Player]
    pairs: Mapping[int, Pair]

    @classmethod
    def of(cls, club: Club) -> Self:
        """Read those of a club; two queries."""
        return cls(main_players(club.pk), main_pairs(club.pk))


def rules_of_season(row: Season) -> SeasonRules:
    """Return how a season counts."""
    rules = SeasonRules(
        scale=PlaceScale(row.scale),
        own_scale=tuple(map(int, row.own_scale.split())),
        best=row.best,
        mean_of=row.mean_of,
        missed_as_zero=row.missed_as_zero,
    )
    criteria = tuple(map(SeasonCriterion, row.criteria.split()))
    return replace(rules, criteria=criteria) if criteria else rules


def season_standings(row: Season, events: Iterable[SeasonEvent]) -> tuple[SeasonStanding, ...]:
    """Return the table of a season, from its finished tournaments.

    Merging and separating raise the versions of the tournaments that it is cached under.
    """
    counted = counted_events(events)
    parts = [
        (event.tournament_id, event.tournament.version, event.order, str(event.weight))
        for event in counted
    ]
    terms = repr((row.pk, rules_of_season(row), row.by, parts))
    key = f"season:{hashlib.sha256(terms.encode()).hexdigest()}"
    return get_or_compute(key, lambda: season_table(row, counted, Mains.of(row.club)))


def counted_events(events: Iterable[SeasonEvent]) -> list[SeasonEvent]:
    """Return the tournaments that count: those that are finished."""
    return [event for event in events if _counts(event)]


def season_table(
    row: Season, counted: Sequence[SeasonEvent], mains: Mains
) -> tuple[SeasonStanding, ...]:
    """Compute the table of a season from tournaments that count."""
    people = _People(mains)
    tournaments = [event.tournament for event in counted]
    places, entries = final_places_of(tournaments), _entries_by_number(tournaments)
    events = [
        Event(
            event.order,
            people.places(places[event.tournament_id], entries[event.tournament_id], row.by),
            Fraction(event.weight),
        )
        for event in counted
    ]
    competitors = people.competitors()
    by_order = {event.order: event.tournament_id for event in counted}
    rules = rules_of_season(row)
    lines = season(events, rules)
    running = running_totals(events, rules, [line.who for line in lines[:MAX_LINES]])
    nothing = {pk: SeasonResult(pk, 0, 0.0, counts=False) for pk in by_order.values()}
    return tuple(
        _season_standing(line, competitors[line.who], by_order, nothing, running.get(line.who, ()))
        for line in lines
    )


def _season_standing(
    line: SeasonLine,
    competitor: Competitor,
    by_order: Mapping[int, int],
    nothing: Mapping[int, SeasonResult],
    running: Sequence[Fraction],
) -> SeasonStanding:
    key, name, players = competitor
    took = {result.event: result for result in line.results}
    return row_of(
        SeasonStanding,
        line,
        name=name,
        players=players,
        total=float(line.total),
        running=tuple(map(float, running)),
        is_bot=False,
        key=key,
        taken=tuple(
            SeasonResult(pk, took[order].rank, float(took[order].worth), took[order].counts)
            if order in took
            else nothing[pk]
            for order, pk in by_order.items()
        ),
    )


class _People:
    """The pairs and players of a season, numbered in the order they appear.

    The same pair or player has one number in all tournaments.
    """

    def __init__(self, mains: Mains) -> None:
        self.mains = mains
        self.numbers: dict[Key, int] = {}
        self.named: dict[Key, tuple[str, tuple[str, ...]]] = {}

    def competitors(self) -> dict[int, Competitor]:
        """Return the pairs and players by number."""
        return {number: (key, *self.named[key]) for key, number in self.numbers.items()}

    def places(
        self, places: Iterable[FinalPlace], entries: Mapping[int, Entry], kind: str
    ) -> tuple[FinalPlace, ...]:
        """Return the places of a tournament. Bots take none: entries below a bot move up."""
        return tuple(
            place._replace(who=first, others=tuple(others))
            for place in _places_of_people(places, entries)
            for first, *others in [
                [self._number(*who) for who in _competitors(entries[place.who], kind, self.mains)]
            ]
        )

    def _number(self, key: Key, name: str, players: tuple[str, ...]) -> int:
        self.named[key] = (name, players)
        return self.numbers.setdefault(key, len(self.numbers) + 1)


def _competitors(entry: Entry, kind: str, mains: Mains) -> list[Competitor]:
    """Return the pair or players that an entry's place goes to."""
    if entry.pair is None:
        main = mains.players.get(entry.player_id or 0)
        if main is not None:
            return [(("player", main.pk), main.name, ())]
        return [(("player", entry.player_id or 0), entry.name, ())]
    pair = mains.pairs.get(entry.pair.pk, entry.pair)
    people = [mains.players.get(player.pk, player) for player in (pair.first, pair.second)]
    if kind == Season.Competitors.PERSON:
        return [(("player", player.pk), player.name, ()) for player in people]
    return [(("pair", pair.pk), pair.name, tuple(player.name for player in people))]


def _entries_by_number(tournaments: Iterable[Tournament]) -> dict[int, dict[int, Entry]]:
    """Return the entries by the keys of their tournaments and by number; one query."""
    entries: dict[int, dict[int, Entry]] = {tournament.pk: {} for tournament in tournaments}
    for entry in Entry.objects.with_players().filter(tournament__in=entries):
        entries[entry.tournament_id][entry.number] = entry
    return entries


def _places_of_people(
    places: Iterable[FinalPlace], entries: Mapping[int, Entry]
) -> list[FinalPlace]:
    """Return the final places, best first, of the entries that are not bots, without the gaps."""
    people = [place for place in places if entries[place.who].bot_id is None]
    ranks = [place.rank for place in people]  # ascending
    return [place._replace(rank=1 + bisect_left(ranks, place.rank)) for place in people]
