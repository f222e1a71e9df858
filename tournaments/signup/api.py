"""Endpoints of the sign-up, for a club's own programs: nothing anonymous is written here."""

from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.requests import actor_of
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import Data, combine, read_view, write_view
from tournaments.core.find import find_tournament, not_found_unless, or_404
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor, Scope, may_manage, refuse_unless
from tournaments.director.api.directing import action_on, entered_answer, on_tournament
from tournaments.director.serializers.directing import Entered, StatedReason
from tournaments.models import SignUp, SignUpRequest, Tournament
from tournaments.people.serializers import answers_of
from tournaments.signup import serializers
from tournaments.signup.queries.contacts import contacts_until
from tournaments.signup.queries.places import find_sign_up, ticket_rows
from tournaments.signup.services import closing, requests


def find_request(slug: str, ticket: int, viewer: Actor) -> SignUpRequest:
    """Return a request by its ticket; refuses those who do not manage the tournament."""
    tournament = find_tournament(slug, viewer)
    refuse_unless(may_manage(viewer, tournament.club), viewer)
    rows = SignUpRequest.objects.select_related("joined", "signup__tournament__club")
    return or_404(rows.filter(signup__tournament=tournament, ticket=ticket, is_ticket=True).first())


on_request = action_on(find_request, ("slug", "ticket"), lambda row: row.signup.tournament)


@read_view(serializers.SignUpState, tag="organising", name="read_sign_up", scope=Scope.MANAGE)
def read_sign_up(request: Request, slug: str) -> dict[str, Any]:
    """How people sign up for a tournament, and who has, by ticket.

    Needs a token with the scope `tournaments:manage` of an organiser.
    """
    viewer = actor_of(request)
    tournament = find_tournament(slug, viewer)
    not_found_unless(may_manage(viewer, tournament.club))
    signup = find_sign_up(tournament) or SignUp(tournament=tournament)
    names = (*requests.SETTINGS, "closed_at")
    settings = {name: getattr(signup, name) for name in names}
    until = contacts_until(signup) if signup.pk else None
    return {**settings, "contacts_until": until, "rows": ticket_rows(signup)}


@on_tournament(serializers.SignUpSettings, name="set_sign_up")
def set_sign_up(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Set how people sign up: opening, places, fee, what is asked; what is left out stays."""
    changes = dict(data)
    moves_due = changes.pop("moves_due", False)
    requests.set_sign_up(actor, tournament, changes, moves_due=moves_due)


def _stored(row: SignUpRequest) -> Answer:
    """Return what is stored for the key: the ticket, its place on the list, and no code."""
    place = next(one.rank for one in ticket_rows(row.signup) if one.ticket == row.ticket)
    slug = row.signup.tournament.slug
    return Answer(201, {"slug": slug, "ticket": row.ticket, "rank": place})


def _noted(request: Request, answer: Answer) -> Response:
    rows = SignUpRequest.objects.filter(
        signup__tournament__slug=answer.content["slug"], ticket=answer.content["ticket"]
    )
    row = or_404(rows.first())
    body = {**answer.content, "code": row.code, "is_in": row.told_in}
    del request
    return Response(serializers.NotedSignUp(body).data, status=answer.status)


note = partial(
    write_view,
    tag="organising",
    responses={201: OpenApiResponse(serializers.NotedSignUp, "It is noted.")},
    to_answer=_stored,
    to_response=_noted,
)


@note(serializers.NewSignUp, name="sign_up")
def sign_up(actor: Actor, data: Data, slug: str) -> SignUpRequest:
    """Note a request for a place with the next ticket; one name looks for a partner.

    Needs a token with the scope `tournaments:manage` of an organiser: people sign up on the page.
    """
    tournament = find_tournament(slug, actor)
    refuse_unless(may_manage(actor, tournament.club), actor)
    fields = {**data, "names": tuple(data["names"])}
    return requests.sign_up(actor, tournament, requests.Application(**fields))


sign_ups = combine(read_sign_up, sign_up)


@on_tournament(serializers.Closing, name="close_sign_up", answer=Entered)
def close_sign_up(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Close the sign-up and enter those within the places; names of players mean these players.

    Names that may mean several persons are refused (`who_is_this`), and answered by `who`, in which
    `line` is the ticket.
    """
    left_out, as_written = data.get("leave_out", ()), data.get("as_written", ())
    return entered_answer(
        closing.close_sign_up(actor, tournament, left_out, answers_of(data), as_written)
    )


@on_tournament(Nothing, name="reopen_sign_up")
def reopen_sign_up(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Take requests again; nobody is removed."""
    closing.reopen_sign_up(actor, tournament)


@on_tournament(Nothing, name="keep_contacts")
def keep_contacts(actor: Actor, _data: Data, tournament: Tournament) -> None:
    """Put off the deletion of telephones and e-mails by 30 days, once."""
    closing.keep_contacts(actor, tournament)


@on_tournament(serializers.TakingOff, name="take_off_sign_ups")
def take_off_several(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Take several requests off the list with one reason, or none; their entries are removed."""
    requests.take_off_several(actor, tournament, data["tickets"], data["reason"])


@on_request(StatedReason, name="take_off_sign_up")
def take_off(actor: Actor, data: Data, row: SignUpRequest) -> None:
    """Take a request off the list, with a reason; its entry is removed too."""
    requests.take_off(actor, row, data["reason"])


@on_request(serializers.Partner, name="join_sign_ups")
def join(actor: Actor, data: Data, row: SignUpRequest) -> None:
    """Join two singles; they hold the place of the earlier ticket."""
    other = find_request(row.signup.tournament.slug, data["other"], actor)
    requests.join(actor, row, other)
