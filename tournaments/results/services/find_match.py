"""Finds the match that a record belongs to, by the names at its seats."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from django.db.models import Q

from tournaments.core.errors import Reason, Refusal
from tournaments.domain.names import folded
from tournaments.domain.seating import current_names, home_side, renamed
from tournaments.models import Entry, Match, Record, Round, Tournament
from tournaments.models.matches import PLACES, MatchQuerySet, set_entries
from tournaments.results.services.parse import ParsedRecord

People = frozenset[str]


class MatchFinder:
    """Finds the matches of a tournament for given records; a handful of queries.

    Candidates are the matches of exactly the people at the seats, and all matches with a stand-in.
    """

    def __init__(self, tournament: Tournament, records: Iterable[ParsedRecord]) -> None:
        entries = {entry.pk: entry for entry in tournament.entries.with_players()}
        self._entry_of = {
            folded(name): entry for entry in entries.values() for name in entry.seat_names
        }
        self._renamed = renamed(player for entry in entries.values() for player in entry.players)
        wanted = {_people_at(self._seats(parsed)) for parsed in records}
        matches = _matches(tournament, entries, wanted)
        self._keys = [match.pk for match in matches]
        self._by_people: dict[People, list[Match]] = defaultdict(list)
        self._with_stand_ins = [match for match in matches if match.lineup]
        for match in matches:
            self._by_people[_people_at(name for side in match.names for name in side)].append(match)

    def find(self, parsed: ParsedRecord) -> Match:
        """Return the match of a record, matches with stand-ins included.

        Refuses NOT_A_PARTICIPANT, PAIRING_MISMATCH.
        """
        seats = self._seats(parsed)
        candidates = self._by_people.get(_people_at(seats), self._with_stand_ins)
        matches = [match for match in candidates if home_side(seats, *match.names)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            return min(matches, key=self._preference(parsed))
        playing = {folded(name) for match in candidates for side in match.names for name in side}
        strangers = [
            name
            for name in seats
            if folded(name) not in self._entry_of and folded(name) not in playing
        ]
        if strangers or not seats:
            raise Refusal(Reason.NOT_A_PARTICIPANT, text=", ".join(strangers)[:400])
        involved = {self._entry_of[name] for name in map(folded, seats) if name in self._entry_of}
        entries = sorted(involved, key=lambda entry: entry.number)
        raise Refusal(Reason.PAIRING_MISMATCH, expected=describe_entries(*entries))

    def _seats(self, parsed: ParsedRecord) -> tuple[str, ...]:
        return current_names(parsed.seats, self._renamed)

    @cached_property
    def _digests(self) -> dict[int, set[str]]:
        """Digests of accepted records by match; read only if a record fits several matches."""
        digests: dict[int, set[str]] = defaultdict(set)
        accepted = Record.objects.accepted().filter(match__in=self._keys)
        for match_pk, digest in accepted.values_list("match", "digest"):
            digests[match_pk].add(digest)
        return digests

    def _preference(self, parsed: ParsedRecord) -> Callable[[Match], tuple[bool, ...]]:
        """Return the sort key for matches of the same people, the most likely one first."""
        digest = parsed.verdict.digest or ""
        tagged = parsed.record.tags.get("round") if parsed.record else None

        def order(match: Match) -> tuple[bool, ...]:
            is_open = match.round.state == Round.State.PUBLISHED
            waits = match.state in {Match.State.PENDING, Match.State.POSTPONED}
            return (
                digest not in self._digests[match.pk],
                str(match.round.number) != tagged,
                not (is_open and waits),
                not waits,
                not is_open,
            )

        return order


def find_match(tournament: Tournament, parsed: ParsedRecord) -> Match:
    """Return the match of a record; refuses as :meth:`MatchFinder.find`."""
    return MatchFinder(tournament, [parsed]).find(parsed)


def _people_at(seats: Iterable[str]) -> People:
    return frozenset(map(folded, seats))


def _matches(
    tournament: Tournament,
    entries: Mapping[int, Entry],
    wanted: Collection[People],
) -> list[Match]:
    """Return the matches of the people wanted, and those with stand-ins, in order.

    They have two sides at least; rounds, entries and the tournament are shared objects.
    """
    people = People().union(*wanted)
    involved = [
        pk for pk, entry in entries.items() if not people.isdisjoint(map(folded, entry.seat_names))
    ]
    of_tournament = Match.objects.filter(round__stage__tournament=tournament, away__isnull=False)
    theirs = of_tournament.filter(home__in=involved, away__in=involved)
    keys = [pk for pk, people in _people_by_match(theirs, entries) if people in wanted]
    rows = of_tournament.filter(Q(pk__in=keys) | ~Q(lineup={})).defer("whys")
    matches = list(rows.select_related("round__stage").order_by("round__number", "table"))
    for match in matches:
        match.round.stage.tournament = tournament
    set_entries(matches, entries)
    return matches


def _people_by_match(
    matches: MatchQuerySet, entries: Mapping[int, Entry]
) -> Iterator[tuple[int, People]]:
    """Yield the people of matches by primary key, without stand-ins."""
    names = {pk: _people_at(entry.seat_names) for pk, entry in entries.items()}
    for pk, *places in matches.order_by().values_list("pk", *(f"{place}_id" for place in PLACES)):
        yield pk, People().union(*(names[place] for place in places if place))


def describe_entries(*entries: Entry) -> str:
    """Return entries with their players as text, for a refusal."""
    return " – ".join(f"{entry.name} ({', '.join(entry.seat_names)})" for entry in entries)


def describe_seats(match: Match) -> str:
    """Return the entries and players of a match, side by side, for a refusal."""
    return " – ".join(
        f"{' + '.join(entry.name for entry in side)} ({', '.join(match.names_at(number))})"
        for number, side in enumerate(match.sides)
    )
