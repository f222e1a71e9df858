"""Finding the match that a record tells of, by the names at its seats."""

from collections.abc import Callable

from django.db.models import Q

from tournaments.domain.names import folded
from tournaments.domain.seating import home_side
from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Match, Record, Round, Tournament
from tournaments.services.readings import Reading


def match_meant(tournament: Tournament, reading: Reading) -> Match:
    """Return the match whose players sit at the seats, those who stand in for others included.

    Refuses NOT_A_PARTICIPANT, PAIRING_MISMATCH.
    """
    known = _known(tournament)
    involved = {known[name] for name in map(folded, reading.seats) if name in known}
    candidates = _candidates(tournament, involved)
    matches = [match for match in candidates if home_side(reading.seats, *_people(match))]
    if matches:
        return min(matches, key=_meant(matches, reading))
    playing = {folded(name) for match in candidates for side in _people(match) for name in side}
    strangers = [n for n in reading.seats if folded(n) not in known and folded(n) not in playing]
    if strangers or not reading.seats:
        raise Refusal(Reason.NOT_A_PARTICIPANT, text=", ".join(strangers)[:400])
    entries = sorted(involved, key=lambda entry: entry.number)
    raise Refusal(Reason.PAIRING_MISMATCH, expected=named(*entries))


def _known(tournament: Tournament) -> dict[str, Entry]:
    """Return the people of the entries, as names are compared, each with his entry."""
    return {
        folded(name): entry
        for entry in tournament.entries.with_players()
        for name in entry.seat_names
    }


def _candidates(tournament: Tournament, involved: set[Entry]) -> list[Match]:
    """Return the matches of some entries, and those in which somebody stands in for others."""
    theirs = ~Q(lineup={})
    for place in ("home", "home_partner", "away", "away_partner", "third"):
        theirs |= Q(**{f"{place}__in": involved})
    matches = Match.objects.with_names().filter(round__stage__tournament=tournament)
    return list(matches.filter(theirs, away__isnull=False).order_by("round__number", "table"))


def _people(match: Match) -> list[tuple[str, ...]]:
    """Return who is to sit at a match, side by side."""
    return [match.names_at(number) for number in range(len(match.sides))]


def _meant(matches: list[Match], reading: Reading) -> Callable[[Match], tuple[bool, ...]]:
    """Return what orders the matches of the same people, the one most likely meant first."""
    same = Record.objects.accepted().filter(match__in=matches, digest=reading.verdict.digest or "")
    accepted_in = set(same.values_list("match", flat=True))
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
