"""Who sees a tournament: everybody, or its club and those who play in it."""

from django.db import transaction

from tournaments.audit import write_event
from tournaments.errors import Reason, Refusal
from tournaments.models import Tournament
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.services.locks import bump, lock_tournament


@transaction.atomic
def set_visibility(actor: Actor, tournament: Tournament, visibility: str) -> Tournament:
    """Say who sees a tournament (`Tournament.Visibility`), at any time.

    Its version moves on, so that ratings and the pages of people and clubs count what is played in
    it, or no longer do. What it is already changes nothing. Refuses FORBIDDEN, BAD_OPTIONS.
    """
    tournament = lock_tournament(tournament)
    refuse_unless(may_manage(actor, tournament.club), actor)
    if visibility not in Tournament.Visibility.values:
        raise Refusal(Reason.BAD_OPTIONS, text="visibility")
    if tournament.visibility == visibility:
        return tournament
    tournament.visibility = visibility
    tournament.save(update_fields=["visibility"])
    bump(tournament)
    facts = {"visibility": visibility}
    club = tournament.club
    write_event(actor, "tournament.shown", tournament, club=club, tournament=tournament, **facts)
    return tournament
