"""Sources of a sign-up: who comes through from other tournaments, and how their tickets stand."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from tournaments.core.permissions import Actor, may_see_poster, public_condition
from tournaments.director.queries.finals import final_places_of, means_of_all
from tournaments.director.queries.tickets import name_of
from tournaments.domain.names import name_of_two
from tournaments.domain.season import FinalPlace
from tournaments.domain.sources import Means, cut_places, rank_others
from tournaments.models import (
    Entry,
    Erasure,
    Player,
    SeasonEvent,
    SignUp,
    SignUpPerson,
    SignUpRequest,
    SignUpSource,
    Tournament,
)
from tournaments.signup.queries.places import PlacesLeft, players_of

MOST_OFFERED: Final = 200
"""Tournaments that a form offers: more than one season of a town has (chosen)."""


@dataclass(frozen=True, slots=True)
class ThroughRow:
    """An entry of a source with its place there, and its ticket; 0: it has none.

    ``elsewhere`` is the name of the source from which one of its people comes already, empty where
    none does. ``why`` is the reason why it was invited, or why it does not come.
    """

    number: int
    place: int
    name: str
    pair_name: str
    players: tuple[Player, ...]
    ticket: int = 0
    elsewhere: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source with those who are ``through``, by place.

    ``origin`` is what its tickets come from: without one of its own the name of the tournament, of
    one that is not open to everybody nothing. ``free`` of those who are ``level`` come too.
    ``invited`` have a ticket for a reason, ``no_longer`` have one though they are not through (the
    source was corrected), ``gone`` do not come, ``others`` are the rest. ``best`` and
    ``best_level`` are its part of the best of the others (`OthersRow`).
    """

    pk: int
    tournament: Tournament
    take: int
    origin: str
    through: tuple[ThroughRow, ...] = ()
    level: tuple[ThroughRow, ...] = ()
    free: int = 0
    invited: tuple[ThroughRow, ...] = ()
    no_longer: tuple[ThroughRow, ...] = ()
    gone: tuple[ThroughRow, ...] = ()
    others: tuple[ThroughRow, ...] = ()
    best: tuple[ThroughRow, ...] = ()
    best_level: tuple[ThroughRow, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether its places are final."""
        return self.tournament.state == Tournament.State.FINISHED

    @property
    def missing(self) -> tuple[ThroughRow, ...]:
        """Those who are through without a ticket."""
        return tuple(row for row in self.through if not row.ticket and not row.elsewhere)

    @property
    def to_note(self) -> int:
        """How many one press would note."""
        return len(self.missing) + self.free

    @property
    def asked(self) -> tuple[ThroughRow, ...]:
        """Those who are through here and, or one of them, from another source already."""
        rows = (*self.through, *self.level)
        return tuple(row for row in rows if not row.ticket and row.elsewhere)

    @property
    def everybody(self) -> tuple[ThroughRow, ...]:
        """All its entries of people, by place."""
        rows = (*self.through, *self.level, *self.invited, *self.no_longer, *self.gone)
        rows += (*self.best, *self.best_level, *self.others)
        return tuple(sorted(rows, key=lambda row: row.place))

    @property
    def has_tickets(self) -> bool:
        """Whether tickets have come from it, also such as left."""
        return any(row.ticket for row in self.everybody)

    @property
    def is_open(self) -> bool:
        """Whether everybody may read its name."""
        return may_see_poster(Actor(), self.tournament)


class StatedRow(NamedTuple):
    """A ticket of one who came through in a tournament of another club or system.

    One that has left ``is_gone``: noting the list again does not bring it back.
    """

    origin: str
    place: int
    ticket: int
    is_gone: bool
    pair_name: str
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its own name, or that made of its people."""
        return name_of(self.pair_name, self.names)


class OtherRow(NamedTuple):
    """An entry of a source that is through in none, with what it made a match."""

    source: SourceRow
    row: ThroughRow
    means: Means

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """Match points, hands and card points a match, to be shown."""
        return tuple(None if one is None else float(one) for one in self.means[:3])


@dataclass(frozen=True, slots=True)
class OthersRow:
    """The best of those who are through in no source: ``take`` of all sources together.

    They are known when all sources are finished and no last place of one is shared (``is_ready``);
    until then only those who have tickets are ``through``. ``free`` of those who are ``level`` come
    too. Without ``is_comparable`` a match was not worth the same in all sources.
    """

    take: int
    order: str
    is_ready: bool
    is_comparable: bool
    through: tuple[OtherRow, ...] = ()
    level: tuple[OtherRow, ...] = ()
    free: int = 0

    @property
    def missing(self) -> tuple[OtherRow, ...]:
        """Those who are through without a ticket."""
        return tuple(one for one in self.through if not one.row.ticket)


class Sources(NamedTuple):
    """The sources of a sign-up in their order, and as a last line the best of the others."""

    rows: tuple[SourceRow, ...] = ()
    others: OthersRow | None = None

    @property
    def to_note(self) -> int:
        """How many one press would note."""
        others = self.others
        of_all = 0 if others is None else len(others.missing) + others.free
        return of_all + sum(row.to_note for row in self.rows)

    @property
    def is_shared(self) -> bool:
        """Whether an organiser or a lot has to say who of those who share a place come."""
        return any(row.free for row in self.rows) or bool(self.others and self.others.free)


def sources_of(signup: SignUp) -> Sources:
    """Return the sources of a sign-up; one query without any, else up to 14.

    Up to eight more with the best of the others. Bots and people who were erased do not come
    through.
    """
    if not signup.pk:
        return Sources()
    sources = list(signup.sources.select_related("tournament__club").order_by("order", "pk"))
    if not sources:
        return Sources()
    finished = [
        source.tournament
        for source in sources
        if source.tournament.state == Tournament.State.FINISHED
    ]
    places, entries = final_places_of(finished), _entries_of(finished)
    tickets: dict[int, dict[int, SignUpRequest]] = defaultdict(dict)
    for request in signup.requests.exclude(source=None).order_by("ticket"):
        if request.source_id is not None and request.source_entry is not None:
            tickets[request.source_id][request.source_entry] = request
    coming, rows = _coming(signup, sources, tickets), []
    for source in sources:
        row = _source_row(
            source,
            places.get(source.tournament_id, ()),
            entries[source.tournament_id],
            tickets[source.pk],
            coming,
        )
        coming |= {
            player.pk: _name_of(source) for through in row.missing for player in through.players
        }
        rows.append(row)
    if not signup.best_others:
        return Sources(tuple(rows))
    return _with_others(rows, _others_row(signup, rows, coming))


def _others_row(signup: SignUp, rows: Sequence[SourceRow], coming: Collection[int]) -> OthersRow:
    """Return the best of the others; ``coming`` are the keys of the players who are through.

    Who is entered in two sources comes from the one that is first in the order.
    """
    known = means_of_all([source.tournament for source in rows if source.is_finished])
    others = [
        OtherRow(source, row, known[source.tournament.pk][1][row.number])
        for source in rows
        for row in (*source.no_longer, *source.others)
        if row.number in known[source.tournament.pk][1]
        and (row.ticket or not any(player.pk in coming for player in row.players))
    ]
    compared = {n: (other.row.place, other.means) for n, other in enumerate(others)}
    noted = {n for n, other in enumerate(others) if other.row.ticket}
    is_ready = all(source.is_finished and not source.free for source in rows)
    places, seen = [], set[int]()
    for place in rank_others(compared, by_place=signup.others_order == SignUp.OthersOrder.PLACE):
        people = {player.pk for player in others[place.who].row.players}
        if seen.isdisjoint(people) and (is_ready or place.who in noted):
            places.append(place)
        seen |= people
    cut = cut_places(places, signup.best_others, noted=noted)
    return OthersRow(
        signup.best_others,
        str(SignUp.OthersOrder(signup.others_order).label),
        is_ready,
        is_comparable=len({worth for worth, _ in known.values()}) < 2,
        through=tuple(others[place.who] for place in cut.through),
        level=tuple(others[place.who] for place in cut.level),
        free=cut.free,
    )


def _with_others(rows: Iterable[SourceRow], others: OthersRow) -> Sources:
    """Return the sources, each with its part of the best of the others."""
    of_all = []
    for source in rows:
        best = tuple(other.row for other in others.through if other.source is source)
        level = tuple(other.row for other in others.level if other.source is source)
        no_longer = tuple(row for row in source.no_longer if row not in best)
        rest = tuple(row for row in source.others if row not in (*best, *level))
        row = replace(source, best=best, best_level=level, no_longer=no_longer, others=rest)
        of_all.append(row)
    return Sources(tuple(of_all), others)


def _source_row(
    source: SignUpSource,
    places: Collection[FinalPlace],
    entries: Mapping[int, Entry],
    tickets: Mapping[int, SignUpRequest],
    coming: Mapping[int, str],
) -> SourceRow:
    """Return a source; ``coming`` names the source from which a player comes, by its key."""
    there = [place for place in places if place.who in entries]
    gone = {number for number, ticket in tickets.items() if ticket.left_at is not None}
    live = tickets.keys() - gone
    cut = cut_places(there, source.take, gone, live)
    through, level = _numbers(cut.through), _numbers(cut.level)
    rows = {
        place.who: _through_row(entries[place.who], place.rank, tickets.get(place.who), coming)
        for place in there
    }
    stays = {number for number in live if tickets[number].source_why}

    def of(numbers: Collection[int]) -> tuple[ThroughRow, ...]:
        return tuple(row for number, row in rows.items() if number in numbers)

    return SourceRow(
        source.pk,
        source.tournament,
        source.take,
        _origin_of(source),
        through=of(through),
        level=of(level),
        free=cut.free,
        invited=of(stays - through),
        no_longer=of(live - through - stays),
        gone=of(gone),
        others=of(rows.keys() - through - level - live - gone),
    )


def _numbers(places: Iterable[FinalPlace]) -> set[int]:
    return {place.who for place in places}


def _through_row(
    entry: Entry, place: int, request: SignUpRequest | None, coming: Mapping[int, str]
) -> ThroughRow:
    players = tuple(player.main for player in entry.players)
    elsewhere = [coming[player.pk] for player in players if player.pk in coming]
    return ThroughRow(
        number=entry.number,
        place=place,
        name=entry.shown_name,
        pair_name=_own_name(entry),
        players=players,
        ticket=0 if request is None else request.ticket,
        elsewhere=elsewhere[0] if elsewhere and request is None else "",
        why="" if request is None else request.left_why or request.source_why,
    )


def _own_name(entry: Entry) -> str:
    """Return the name of a pair that has one of its own."""
    if entry.pair is None:
        return ""
    name = entry.pair.main.name
    return "" if name == name_of_two(*(player.name for player in entry.players)) else name


def _origin_of(source: SignUpSource) -> str:
    """Return what its tickets come from; the name of one that became private is not kept."""
    is_open = may_see_poster(Actor(), source.tournament)
    return source.origin or (source.tournament.name if is_open else "")


def _name_of(source: SignUpSource) -> str:
    return source.origin or source.tournament.name


def _entries_of(tournaments: Collection[Tournament]) -> dict[int, dict[int, Entry]]:
    """Return the entries of people by tournament and number, without those who were erased."""
    entries = Entry.objects.filter(tournament__in=tournaments, bot=None).select_related(
        *("pair__same_as", "pair__first__same_as", "pair__second__same_as", "player__same_as")
    )
    erased = set(Erasure.objects.exclude(player_key=None).values_list("player_key", flat=True))
    found: dict[int, dict[int, Entry]] = defaultdict(dict)
    for entry in entries:
        if erased.isdisjoint(player.main.pk for player in entry.players):
            found[entry.tournament_id][entry.number] = entry
    return found


def _coming(
    signup: SignUp,
    sources: Iterable[SignUpSource],
    tickets: Mapping[int, Mapping[int, SignUpRequest]],
) -> dict[int, str]:
    """Return from which source each player with a ticket comes, by the key of the player."""
    names = {
        request.ticket: _name_of(source)
        for source in sources
        for request in tickets[source.pk].values()
        if request.left_at is None
    }
    return {
        player.pk: names[ticket]
        for (ticket, _seat), player in players_of(signup).items()
        if ticket in names
    }


def stated_rows(signup: SignUp) -> tuple[StatedRow, ...]:
    """Return the tickets with a stated place, by origin and place; two queries."""
    rows = signup.requests.filter(source=None).exclude(source_place=None)
    people = Prefetch("people", SignUpPerson.objects.order_by("seat"))
    return tuple(
        StatedRow(
            row.origin,
            row.source_place or 0,
            row.ticket,
            row.left_at is not None,
            row.pair_name,
            tuple(person.name for person in row.people.all()),
        )
        for row in rows.order_by("origin", "source_place", "ticket").prefetch_related(people)
    )


def possible_sources(final: Tournament) -> QuerySet[Tournament]:
    """Return the tournaments that can lead to a final: others of its club, of the same unit.

    Those of bots alone cannot: a ticket is of people.
    """
    rows = Tournament.objects.filter(
        club=final.club, unit=final.unit, discarded_at=None, cancelled_at=None
    )
    entries = Entry.objects.filter(tournament=OuterRef("pk"))
    of_people = Exists(entries.filter(bot=None)) | ~Exists(entries)
    return rows.filter(of_people).exclude(pk=final.pk)


def tournaments_for(final: Tournament) -> tuple[Tournament, ...]:
    """Return the tournaments that a form offers as sources, the latest first; one query."""
    return tuple(possible_sources(final).order_by("-pk")[:MOST_OFFERED])


def seasons_for(final: Tournament) -> dict[str, set[int]]:
    """Return the seasons of the club by name with the keys of their tournaments; one query."""
    events = SeasonEvent.objects.filter(season__club=final.club).order_by("-season")
    seasons: dict[str, set[int]] = defaultdict(set)
    for name, tournament in events.values_list("season__name", "tournament"):
        seasons[name].add(tournament)
    return seasons


def will_wait(sources: Sources, places: PlacesLeft | None) -> int:
    """Return how many of those who are to be noted will wait for a place."""
    if places is None or places.free is None:
        return 0
    return max(0, sources.to_note - places.free)


def finals_of(tournament: Tournament) -> tuple[tuple[Tournament, int], ...]:
    """Return the finals that this tournament leads to, with how many come through; one query.

    Those alone whose poster everybody may see.
    """
    is_posted = Q(
        signup__tournament__visibility=Tournament.Visibility.PUBLIC,
        signup__tournament__posted_at__isnull=False,
    )
    sources = SignUpSource.objects.filter(
        public_condition("signup__tournament__") | is_posted,
        tournament=tournament,
        signup__tournament__discarded_at=None,
    )
    rows = sources.select_related("signup__tournament").order_by("pk")
    return tuple((source.signup.tournament, source.take) for source in rows)
