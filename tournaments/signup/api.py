"""Endpoints of the sign-up, for a club's own programs: nothing anonymous is written here."""

from functools import partial
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.requests import (
    KEY,
    MEDIA_TYPE,
    actor_of,
    read_body,
    read_key,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import needs_scope
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import (
    ACTION_REFUSALS,
    Data,
    combine,
    problems_of,
    read_view,
    write_view,
)
from tournaments.core.find import find_tournament, not_found_unless, or_404
from tournaments.core.idempotency import Answer, run_once
from tournaments.core.permissions import Actor, Scope, may_manage, refuse_unless
from tournaments.director.api.directing import action_on, entered_answer, on_tournament
from tournaments.director.serializers.directing import Entered, StatedReason
from tournaments.models import SignUp, SignUpLink, SignUpRequest, Tournament
from tournaments.people.serializers import answers_of
from tournaments.signup import serializers
from tournaments.signup.queries.contacts import contacts_until
from tournaments.signup.queries.places import find_sign_up, link_rows, ticket_rows
from tournaments.signup.services import closing, requests
from tournaments.signup.services import links as links_services


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


def ticket_answer(row: SignUpRequest) -> Data:
    """Return what is answered of a changed ticket: its place on the list."""
    found = next((one for one in ticket_rows(row.signup) if one.ticket == row.ticket), None)
    return {"rank": found.rank, "is_in": found.is_in} if found else {"rank": 0, "is_in": False}


@on_request(serializers.TicketChange, name="change_sign_up", answer=serializers.ChangedTicket)
def change(actor: Actor, data: Data, row: SignUpRequest) -> Data:
    """Correct the people of a ticket, how they are reached, or how many are members."""
    changes = dict(data)
    flags = {name: changes.pop(name, False) for name in ("moves_due", "as_written")}
    return ticket_answer(requests.change_request(actor, row, changes, **flags))


@on_request(Nothing, name="part_sign_ups", answer=serializers.ChangedTicket)
def part(actor: Actor, _data: Data, row: SignUpRequest) -> Data:
    """Part two singles who were joined."""
    return ticket_answer(requests.part(actor, row))


@on_request(serializers.Partner, name="join_sign_ups", answer=serializers.ChangedTicket)
def join(actor: Actor, data: Data, row: SignUpRequest) -> Data:
    """Join two singles; they hold the place of the earlier ticket."""
    other = find_request(row.signup.tournament.slug, data["other"], actor)
    return ticket_answer(requests.join(actor, row, other))


# --- Links of bars and centres --------------------------------------------------------------------


@read_view(serializers.Links, tag="organising", name="list_sign_up_links", scope=Scope.MANAGE)
def read_links(request: Request, slug: str) -> dict[str, Any]:
    """The links with which bars and centres sign up their own, without their addresses."""
    viewer = actor_of(request)
    tournament = find_tournament(slug, viewer)
    not_found_unless(may_manage(viewer, tournament.club))
    return {"results": link_rows(tournament)}


@extend_schema(
    operation_id="make_sign_up_link",
    summary="Make a link for a bar or centre",
    description="Make a link with which a bar or centre signs up its own, up to so many places. "
    "Its address is in the first answer and nowhere else.",
    tags=["organising"],
    parameters=[KEY],
    request={MEDIA_TYPE: serializers.NewLink},
    responses={
        201: OpenApiResponse(serializers.MadeLink, "It is made."),
        **problems_of(ACTION_REFUSALS),
    },
)
@needs_scope(Scope.MANAGE)
@api_view(["POST"])
def make_link(request: Request, slug: str) -> Response:
    """Make a link; its secret is not stored, so it is answered once."""
    refuse_unknown(request, frozenset())
    actor = require_actor(request)
    tournament = find_tournament(slug, actor)
    key, raw = read_key(request), read_body(request)
    data = validate(serializers.NewLink, raw)
    made: list[str] = []

    def act() -> Answer:
        link, secret = links_services.make_link(actor, tournament, **data)
        made.append(reverse("sign-up-link", args=[slug, secret]))
        return Answer(201, {"id": link.pk})

    answer = run_once(actor, key, f"make_sign_up_link {slug}", raw, act)
    address = request.build_absolute_uri(made[0]) if made else None
    headers = {"Cache-Control": "no-store"}
    if answer.replayed:
        headers["Idempotency-Replayed"] = "true"
    body = serializers.MadeLink({**answer.content, "address": address}).data
    return Response(body, status=answer.status, headers=headers)


links = combine(read_links, make_link)


def find_link(slug: str, pk: int, viewer: Actor) -> SignUpLink:
    """Return a link of a sign-up; refuses those who do not manage the tournament."""
    tournament = find_tournament(slug, viewer)
    refuse_unless(may_manage(viewer, tournament.club), viewer)
    rows = SignUpLink.objects.select_related("signup__tournament__club")
    return or_404(rows.filter(signup__tournament=tournament, pk=pk).first())


on_link = action_on(find_link, ("slug", "pk"), lambda link: link.signup.tournament)


@on_link(Nothing, name="revoke_sign_up_link")
def revoke_link(actor: Actor, _data: Data, link: SignUpLink) -> None:
    """Revoke a link; what it signed up stays."""
    links_services.revoke_link(actor, link)
