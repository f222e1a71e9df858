"""The tables of a locked tournament in memory, for whoever has to find many of them at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db.models import Q

from tournaments.domain.names import folded
from tournaments.domain.seating import as_called_now
from tournaments.models import Entry, Match, Record, Result, Round, Tournament
from tournaments.models.matches import PLACES, MatchQuerySet, hang_entries
from tournaments.services.matching import meant_of, names_now, people_of
from tournaments.services.readings import Reading

People = frozenset[str]


class Tables:
    """The matches of a tournament, locked before, that readings can mean; a handful of queries.

    Those are the matches of the very people at the seats, and all in which somebody stands in for
    others. ``accepted`` is the accepted record of each that has one, its text and verdict left out.
    """

    def __init__(self, tournament: Tournament, readings: Iterable[Reading]) -> None:
        entries = {entry.pk: entry for entry in tournament.entries.with_players()}
        self.known = people_of(entries.values())
        self._names = names_now(entries.values())
        wanted = {_seated(self._seats(reading)) for reading in readings}
        matches = _matches(tournament, entries, wanted)
        keys = [match.pk for match in matches]
        self.accepted = _accepted_records(keys)
        results = Result.objects.filter(match__in=keys)
        self.with_result = frozenset(results.values_list("match", flat=True))
        self._by_people: dict[People, list[Match]] = defaultdict(list)
        self._of_others = [match for match in matches if match.lineup]
        for match in matches:
            people = frozenset(folded(name) for side in match.names for name in side)
            self._by_people[people].append(match)

    def meant(self, reading: Reading) -> Match:
        """Return the match that a reading means; refuses as :func:`.matching.match_meant`."""
        seats = self._seats(reading)
        same_people = self._by_people.get(_seated(seats), self._of_others)
        return meant_of(reading, seats, same_people, self.known, self._accepted_in)

    def _accepted_in(self, matches: Iterable[Match], digest: str) -> Collection[int]:
        there = {match.pk: self.accepted.get(match.pk) for match in matches}
        return {pk for pk, record in there.items() if record and record.digest == digest}

    def _seats(self, reading: Reading) -> tuple[str, ...]:
        return as_called_now(reading.seats, self._names)


def _seated(seats: Iterable[str]) -> People:
    return frozenset(map(folded, seats))


def _matches(
    tournament: Tournament, entries: dict[int, Entry], wanted: Collection[People]
) -> list[Match]:
    """Return the matches of people that are wanted, and those with stand-ins, in order.

    They have two sides at least and hang under rows read once.
    """
    stages = Round.objects.filter(stage__tournament=tournament).select_related("stage")
    rounds = {round_.pk: round_ for round_ in stages}
    for round_ in rounds.values():
        round_.stage.tournament = tournament
    all_ = Match.objects.filter(round__in=rounds, away__isnull=False)
    of_theirs = [pk for pk, people in _people(all_, entries) if people in wanted]
    rows = all_.filter(Q(pk__in=of_theirs) | ~Q(lineup={})).defer("whys")
    matches = list(rows.order_by("round__number", "table"))
    for match in matches:
        match.round = rounds[match.round_id]
    hang_entries(matches, entries)
    return matches


def _people(matches: MatchQuerySet, entries: dict[int, Entry]) -> Iterator[tuple[int, People]]:
    """Yield the people of matches by their keys, those who stand in for others left out."""
    names = {pk: frozenset(map(folded, entry.seat_names)) for pk, entry in entries.items()}
    for pk, *places in matches.order_by().values_list("pk", *(f"{place}_id" for place in PLACES)):
        yield pk, People().union(*(names[place] for place in places if place))


def _accepted_records(matches: Sequence[int]) -> dict[int, Record]:
    records = Record.objects.accepted().filter(match__in=matches)
    rows = records.only("match_id", "digest", "home_side", "said_by").order_by("-coto")
    return {record.match_id: record for record in rows}
