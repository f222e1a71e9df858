"""Seats a late entry in the running round in the place of one that has not come."""

from django.db import transaction
from django.db.models import Max

from tournaments.core.audit import write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_match, raise_version, refresh_row
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.director.queries.seats import refuse_two_seats
from tournaments.director.queries.state import match_facts, refuse_closed
from tournaments.director.queries.tournaments import played_matches
from tournaments.director.services.drafts import refresh_drafts
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.substitutions import set_lineups
from tournaments.domain.rows import Bye
from tournaments.models import Entry, Match, Round
from tournaments.models.matches import at_any_place


@transaction.atomic
def seat_late(actor: Actor, match: Match, *, absent: Entry, late: Entry) -> Match:
    """Seat ``late``, which has no table, in the place of ``absent``; that rests without points.

    It can be taken back by *undo* until the match has play. Refuses FORBIDDEN, NOT_RUNNING,
    ROUND_NOT_OPEN, HAS_RESULT, BOTS_ARE_THERE, NO_LATE_ENTRY where the place of an entry is planned
    (brackets, rounds drawn ahead), NOT_IN_ROUND, ALREADY_SEATED, ALREADY_AWAY, PLAYER_TWICE.
    """
    refuse_unless(may_manage(actor, match.tournament.club), actor)
    match = lock_match(match)
    tournament, round_ = match.tournament, match.round
    has_play = played_matches(Match.objects.filter(pk=match.pk)).exists()
    refuse_closed("seat_late", match_facts(match, in_play=has_play))
    late = refresh_row(tournament.entries.with_players(), late)
    if late.number not in round_.stage.entrants:
        raise Refusal(Reason.NOT_IN_ROUND, text=late.name)
    place = next((side for side in ("home", "away") if getattr(match, side) == absent), None)
    if place is None:
        raise Refusal(Reason.NOT_IN_ROUND, text=absent.name)
    if Match.objects.filter(at_any_place(late), round=round_).exists():
        raise Refusal(Reason.ALREADY_SEATED, text=late.name)
    if late.absences.filter(until_round__isnull=True).exists():
        raise Refusal(Reason.ALREADY_AWAY, text=late.name)
    store_restore_point(actor, tournament, "entry.seated", round_.number)
    _join(late, round_)
    setattr(match, place, late)
    match.edited, match.lineup = True, {}
    present = match.away if place == "home" else match.home
    numbers = [late.number, present.number] if present else [late.number]
    match.whys = [{"code": "late_seat", "entrants": numbers, "facts": {}}]
    match.save(update_fields=[place, "edited", "lineup", "whys"])
    last = round_.matches.aggregate(last=Max("table"))["last"]
    rest = Match(round=round_, table=last + 1, home=absent, bye=str(Bye.ZERO), edited=True)
    rest.state = Match.State.BYE
    rest.save()
    for entry in (late, present):
        if entry is not None:
            set_lineups(entry, [match])
    refuse_two_seats(tournament, [late], round_.number)
    raise_version(tournament)
    refresh_drafts(tournament, "entry")
    write_tournament_event(
        actor,
        "entry.seated",
        late,
        tournament,
        entry=late.name,
        absent=absent.name,
        against="" if present is None else present.name,
        round=round_.number,
        table=match.table,
        rows=[late],
    )
    return match


def _join(late: Entry, round_: Round) -> None:
    """Let an entry play from a round on in which it was not to play yet, or was away."""
    if late.joined_round > round_.number:
        late.joined_round = round_.number
        late.save(update_fields=["joined_round"])
    absences = late.absences.filter(from_round__lte=round_.number, until_round__gt=round_.number)
    absences.filter(from_round=round_.number).delete()
    absences.update(until_round=round_.number)
