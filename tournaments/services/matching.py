"""Finding the match that a record tells of, by the names at its seats."""

from collections.abc import Callable

from django.db.models import Q

from tournaments.domain.names import folded
from tournaments.domain.seating import partners
from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Match, Record, Round, Tournament
from tournaments.services.readings import Reading


def match_meant(tournament: Tournament, reading: Reading) -> Match:
    """Return the match whose players sit at the seats.

    Refuses NOT_A_PARTICIPANT, PAIRING_MISMATCH.
    """
    who = {
        folded(name): entry
        for entry in tournament.entries.with_players()
        for name in entry.seat_names
    }
    strangers = [name for name in reading.seats if folded(name) not in who]
    if strangers or not reading.seats:
        raise Refusal(Reason.NOT_A_PARTICIPANT, text=", ".join(strangers)[:400])
    at_ac, at_bd = ({who[name] for name in side} for side in partners(reading.seats))
    involved = named(*sorted(at_ac | at_bd, key=lambda entry: entry.number))
    if len(at_ac) != 1 or len(at_bd) != 1:
        raise Refusal(Reason.PAIRING_MISMATCH, expected=involved)
    (one,), (other,) = at_ac, at_bd
    met = Q(home=one, away=other) | Q(home=other, away=one)
    matches = list(Match.objects.with_names().filter(met).order_by("round__number"))
    if not matches:
        raise Refusal(Reason.PAIRING_MISMATCH, expected=involved)
    return min(matches, key=_meant(matches, reading))


def _meant(matches: list[Match], reading: Reading) -> Callable[[Match], tuple[bool, ...]]:
    """Return what orders the matches of the same two, the one most likely meant first."""
    same = Record.objects.accepted().filter(match__in=matches, digest=reading.verdict.digest or "")
    accepted_in = set(same.values_list("match", flat=True))
    tagged = reading.record.tags.get("round") if reading.record else None

    def order(match: Match) -> tuple[bool, ...]:
        is_open = match.round.state == Round.State.PUBLISHED
        return (
            match.pk not in accepted_in,
            str(match.round.number) != tagged,
            not (is_open and match.state == Match.State.PENDING),
            not is_open,
        )

    return order


def named(*entries: Entry) -> str:
    """Return entries with their players, for a refusal."""
    return " – ".join(f"{entry.name} ({', '.join(entry.seat_names)})" for entry in entries)
