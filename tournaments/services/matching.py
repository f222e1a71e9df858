"""Finding the match that a record tells of, by the names at its seats."""

from collections.abc import Callable, Collection, Iterable, Mapping

from django.db.models import Q

from tournaments.domain.names import folded
from tournaments.domain.seating import as_called_now, home_side, renamed
from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Match, Record, Round, Tournament
from tournaments.models.matches import hang_entries
from tournaments.services.readings import Reading

Accepted = Callable[[list[Match], str], Collection[int]]
"""Which of some matches, by their keys, have accepted a record with this digest."""


def match_meant(tournament: Tournament, reading: Reading) -> Match:
    """Return the match whose players sit at the seats, those who stand in for others included.

    Refuses NOT_A_PARTICIPANT, PAIRING_MISMATCH.
    """
    entries = {entry.pk: entry for entry in tournament.entries.with_players()}
    candidates = _candidates(tournament, reading, entries)
    seats = as_called_now(reading.seats, names_now(entries.values()))
    return meant_of(reading, seats, candidates, people_of(entries.values()), _accepted_in)


def meant_of(
    reading: Reading,
    seats: tuple[str, ...],
    candidates: Iterable[Match],
    known: Mapping[str, Entry],
    accepted: Accepted,
) -> Match:
    """Return the match that a reading means of those with somebody at its seats.

    ``seats`` are the names there, as these people are called now (:func:`names_now`), ``known`` the
    people of the entries (:func:`people_of`). Refuses as :func:`match_meant`.
    """
    candidates = list(candidates)
    matches = [match for match in candidates if home_side(seats, *match.names)]
    if matches:
        return min(matches, key=_meant(matches, reading, accepted))
    playing = {folded(name) for match in candidates for side in match.names for name in side}
    strangers = [n for n in seats if folded(n) not in known and folded(n) not in playing]
    if strangers or not seats:
        raise Refusal(Reason.NOT_A_PARTICIPANT, text=", ".join(strangers)[:400])
    entries = sorted(involved_in(seats, known), key=lambda entry: entry.number)
    raise Refusal(Reason.PAIRING_MISMATCH, expected=named(*entries))


def names_now(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the present names of those of the entries whose names were put right."""
    return renamed(player for entry in entries for player in entry.players)


def people_of(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return the people of entries, as names are compared, each with his entry."""
    return {folded(name): entry for entry in entries for name in entry.seat_names}


def involved_in(seats: Iterable[str], known: Mapping[str, Entry]) -> set[Entry]:
    """Return the entries of whom somebody sits at the seats."""
    return {known[name] for name in map(folded, seats) if name in known}


def _candidates(
    tournament: Tournament, reading: Reading, entries: Mapping[int, Entry]
) -> list[Match]:
    """Return the matches that can have been meant, hung under the tournament and its entries.

    Somebody of each side sits there; or somebody stands in for others.
    """
    names = set(map(folded, as_called_now(reading.seats, names_now(entries.values()))))
    involved = [
        pk for pk, entry in entries.items() if not names.isdisjoint(map(folded, entry.seat_names))
    ]
    theirs = ~Q(lineup={}) | Q(home__in=involved, away__in=involved)
    rows = Match.objects.select_related("round__stage")
    rows = rows.filter(theirs, round__stage__tournament=tournament, away__isnull=False)
    matches = list(rows.order_by("round__number", "table"))
    for match in matches:
        match.round.stage.tournament = tournament
    hang_entries(matches, entries)
    return matches


def _accepted_in(matches: list[Match], digest: str) -> Collection[int]:
    same = Record.objects.accepted().filter(match__in=matches, digest=digest)
    return set(same.values_list("match", flat=True))


def _meant(
    matches: list[Match], reading: Reading, accepted: Accepted
) -> Callable[[Match], tuple[bool, ...]]:
    """Return what orders the matches of the same people, the one most likely meant first."""
    accepted_in = accepted(matches, reading.verdict.digest or "")
    tagged = reading.record.tags.get("round") if reading.record else None

    def order(match: Match) -> tuple[bool, ...]:
        is_open = match.round.state == Round.State.PUBLISHED
        waits = match.state in {Match.State.PENDING, Match.State.POSTPONED}
        return (
            match.pk not in accepted_in,
            str(match.round.number) != tagged,
            not (is_open and waits),
            not waits,
            not is_open,
        )

    return order


def named(*entries: Entry) -> str:
    """Return entries with their players, for a refusal."""
    return " – ".join(f"{entry.name} ({', '.join(entry.seat_names)})" for entry in entries)


def seated(match: Match) -> str:
    """Return who is to sit at a match, side by side, for a refusal."""
    return " – ".join(
        f"{' + '.join(entry.name for entry in side)} ({', '.join(match.names_at(number))})"
        for number, side in enumerate(match.sides)
    )
