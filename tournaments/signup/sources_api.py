"""Endpoints of the sources of a final: who comes through from other tournaments."""

from rest_framework.request import Request

from tournaments.core.api.requests import actor_of
from tournaments.core.api.views import Data, combine, read_view
from tournaments.core.find import find_tournament, not_found_unless, or_404
from tournaments.core.permissions import Actor, Scope, may_manage, refuse_unless
from tournaments.director.api.directing import on_tournament
from tournaments.models import SignUp, SignUpSource, Tournament
from tournaments.signup import serializers
from tournaments.signup.queries.places import find_sign_up
from tournaments.signup.queries.sources import SourceRow, sources_of
from tournaments.signup.services import sources as services


@read_view(serializers.Source, tag="organising", name="read_sources", many=True, scope=Scope.MANAGE)
def read_sources(request: Request, slug: str) -> tuple[SourceRow, ...]:
    """The tournaments whose first places come into this one, and who is through.

    Needs a token with the scope `tournaments:manage` of an organiser.
    """
    viewer = actor_of(request)
    tournament = find_tournament(slug, viewer)
    not_found_unless(may_manage(viewer, tournament.club))
    return sources_of(find_sign_up(tournament) or SignUp(tournament=tournament)).rows


@on_tournament(serializers.SourcesToSet, name="set_sources")
def set_sources(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Let the first `take` of each of these tournaments come; others stay as they are."""
    found = [find_tournament(slug, actor) for slug in data["tournaments"]]
    services.set_sources(actor, tournament, found, data["take"], data.get("origin"))


sources = combine(read_sources, set_sources)


def _key_of(actor: Actor, tournament: Tournament, slug: str) -> int:
    """Return the key of a source by the short name of its tournament; refuses NOT_FOUND.

    Refuses those who do not manage the tournament FORBIDDEN, whatever its sources are.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    rows = SignUpSource.objects.filter(signup__tournament=tournament, tournament__slug=slug)
    return or_404(rows.first()).pk


@on_tournament(serializers.Noting, name="note_through")
def note_through(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Note those who are through and have no ticket; sent again it notes nobody.

    Where the place at the cut is shared (`shared_place`), `come` names those who come, or a lot is
    drawn.
    """
    named = data.get("come", ())
    come = [(_key_of(actor, tournament, one["tournament"]), one["entry"]) for one in named]
    services.note_through(actor, tournament, come, draw_lots=data.get("draw_lots", False))


@on_tournament(serializers.StatedPlaces, name="note_places")
def note_places(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Note those who are through in a tournament of another club, by a list of their places.

    What is wrong is listed in `errors` by line, and then nothing is noted; sent again it notes
    nobody.
    """
    services.note_places(actor, tournament, data["text"], data["origin"])


@on_tournament(serializers.SourceReason, name="pass_over")
def pass_over(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Pass the place of an entry of a source on, with a reason: the next of it is through."""
    entrant = (_key_of(actor, tournament, data["tournament"]), data["entry"])
    services.pass_over(actor, tournament, entrant, data["reason"])


@on_tournament(serializers.SourceReason, name="invite")
def invite(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Give an entry of a source a ticket with a reason, though it is not through."""
    entrant = (_key_of(actor, tournament, data["tournament"]), data["entry"])
    services.invite(actor, tournament, entrant, data["reason"])


@on_tournament(serializers.SourceToRemove, name="remove_source")
def remove_source(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Remove a source from which no ticket has come."""
    services.remove_source(actor, tournament, _key_of(actor, tournament, data["tournament"]))
