"""Organising over the API: a tournament made, filled, drawn, published, closed, ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournaments.api.bodies import said as in_shape
from tournaments.api.bots import text
from tournaments.api.doors import View, refuse_unknown
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import Body, strict
from tournaments.api.schema import described
from tournaments.api.shapes import organising as shapes
from tournaments.api.shapes.problems import Problem
from tournaments.api.submissions import KEY, MEDIA_TYPE, read_body, read_key
from tournaments.api.tokens import signed_in
from tournaments.domain.rows import Seeding
from tournaments.errors import Reason, Refusal
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import find_club, find_round, find_tournament
from tournaments.services import draws, tournaments
from tournaments.services.entries import import_entries
from tournaments.services.repeats import Answer, once
from tournaments.services.visibility import set_visibility

Asked = ParamSpec("Asked")
Made = TypeVar("Made")
Door = Callable[Concatenate[Actor, Body, Asked], Made]
Shape = type[Serializer[object]]

REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "The tournament or its round is not so far, or further, or the key is in use.",
    413: "It is too large.",
    422: "It is not possible; or the key was used for another request.",
}
WORDS: Final = ("slug", "ruleset", "format")


def posts(
    shape: Shape,
    *,
    name: str,
    tag: str,
    made: Shape,
    told: Callable[[Made], dict[str, Any]],
    answered: Callable[[Request, Answer], Response],
) -> Callable[[Door[Asked, Made]], View]:
    """Make a view that carries out by POST, once a key, what is wanted in the given shape.

    ``told`` returns what is kept of the answer, ``answered`` makes of it one of the shape ``made``.
    """

    def make(door: Door[Asked, Made]) -> View:
        @extend_schema(
            operation_id=name,
            **described(door),
            tags=[tag],
            parameters=[KEY],
            request={MEDIA_TYPE: shape},
            responses={
                201: OpenApiResponse(made, "It is done."),
                **{
                    (status, CONTENT_TYPE): OpenApiResponse(Problem, said)
                    for status, said in REFUSALS.items()
                },
            },
        )
        @api_view(["POST"])
        def view(request: Request, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Response:
            actor = signed_in(request)
            refuse_unknown(request, frozenset())
            key, raw = read_key(request), read_body(request)
            body = strict(raw, frozenset(shape().get_fields()))
            target = f"{name} {kwargs}"

            def act() -> Answer:
                return Answer(201, told(door(actor, body, *args, **kwargs)))

            answer = once(actor, key, target, raw, act)
            response = answered(request, answer)
            response.headers["Cache-Control"] = "no-store"
            if answer.replayed:
                response.headers["Idempotency-Replayed"] = "true"
            return response

        return view

    return make


def told(tournament: Tournament) -> dict[str, Any]:
    """Return what is kept of an answer."""
    state = str(tournament.state)
    return {"slug": tournament.slug, "state": state, "version": tournament.version}


def answered(request: Request, answer: Answer) -> Response:
    """Answer a program: how the tournament stood when it was done."""
    path = reverse("api:tournament", args=[answer.told["slug"]])
    place = request.build_absolute_uri(path)
    body = shapes.Organised({"tournament": place, **answer.told}).data
    return Response(body, status=answer.status, headers={"Location": place})


def acts(shape: Shape, *, name: str) -> Callable[[Door[Asked, Tournament]], View]:
    """Make a view that does something with a tournament, and answers how it stands then."""
    return posts(
        shape, name=name, tag="organising", made=shapes.Organised, told=told, answered=answered
    )


@acts(shapes.NewTournament, name="create_tournament")
def create(actor: Actor, body: Body, slug: str) -> Tournament:
    """Make a tournament of a club, as a draft of one stage that takes entries.

    As all that organises it needs a token with the scope `tournaments:manage` of an organiser.
    """
    club = find_club(slug, actor)
    options = body.get("options", {})
    if not isinstance(options, dict):
        raise Refusal(Reason.BAD_PARAMETER, name="options")
    said: dict[str, Any] = {word: text(body, word) for word in WORDS if word in body}
    if "visibility" in body:
        said["terms"] = tournaments.Terms(visibility=text(body, "visibility"))
    chosen = in_shape(shapes.HowDrawn, body)
    said["seeding"] = chosen.get("seeding", Seeding.AUTO.value)
    said["seeded"] = chosen.get("seeded", 0)
    return tournaments.create_tournament(
        actor, club, name=text(body, "name"), options=options, **said
    )


@acts(shapes.Visibility, name="show_tournament")
def show(actor: Actor, body: Body, slug: str) -> Tournament:
    """Say who sees a tournament, at any time: everybody, or its club and those who play in it.

    For everybody else a private one is not there, and what is played in it counts in no rating.
    """
    tournament = find_tournament(slug, actor)
    return set_visibility(actor, tournament, text(body, "visibility"))


@acts(shapes.Lists, name="import_entries")
def enter(actor: Actor, body: Body, slug: str) -> Tournament:
    """Bring players and pairs to the club, and enter the pairs in the order of their list.

    Who is there already stays as he is.
    """
    tournament = find_tournament(slug, actor)
    import_entries(actor, tournament, text(body, "players"), text(body, "pairs"))
    return find_tournament(slug, actor)


@acts(shapes.Draw, name="draw")
def draw(actor: Actor, body: Body, slug: str) -> Tournament:
    """Draw the first round of a tournament, or the one after a round, as a draft.

    Formats that can draw all their rounds do so at once.
    """
    tournament, wanted = find_tournament(slug, actor), in_shape(shapes.Draw, body)
    after, order = wanted.get("after", 0), wanted.get("order", ())
    if after >= 1000:
        raise Refusal(Reason.BAD_PARAMETER, name="after")
    if after:
        draws.draw_next(actor, tournament, after=after, order=order)
    else:
        draws.draw(actor, tournament, order=order, reason=wanted.get("reason", ""))
    return find_tournament(slug, actor)


@acts(shapes.Nothing, name="publish_round")
def publish(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Publish a round: everybody sees it, and it takes records."""
    return tournaments.publish_round(actor, find_round(slug, number, actor)).stage.tournament


@acts(shapes.Nothing, name="close_round")
def close(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Close a round whose matches all have their results or are postponed."""
    return tournaments.close_round(actor, find_round(slug, number, actor)).stage.tournament


@acts(shapes.Finish, name="finish_tournament")
def finish(actor: Actor, body: Body, slug: str) -> Tournament:
    """End a tournament whose rounds are all closed; with `early`, also before all are drawn."""
    early = body.get("early", False)
    if type(early) is not bool:
        raise Refusal(Reason.BAD_PARAMETER, name="early")
    return tournaments.finish(actor, find_tournament(slug, actor), early=early)
