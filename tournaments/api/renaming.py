"""Names put right over the API: of a club, of its players and pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.bodies import said
from tournaments.api.doors import (
    IF_MATCH,
    View,
    keep_fresh,
    refuse_stale,
    refuse_unknown,
    with_etag,
)
from tournaments.api.organising import Shape
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import strict
from tournaments.api.shapes import people as shapes
from tournaments.api.shapes.problems import Problem
from tournaments.api.submissions import MEDIA_TYPE, read_body
from tournaments.api.tokens import actor_of, signed_in
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries import people
from tournaments.queries.find import find_club, find_pair_of, find_player_of
from tournaments.services import renaming
from tournaments.services.locks import lock_club

Change = Callable[..., object]
REFUSALS: Final = {
    409: "Somebody else of the club is called so, or he was erased.",
    412: "It has changed since it was read.",
    413: "It is too large.",
    422: "It cannot be a name.",
    428: "Send `If-Match`.",
}


def put_right(
    noun: str, shape: Shape, wanted: Shape, told: Callable[..., Any], change: Change, about: str
) -> View:
    """Make a view that reads something of a club, and by PATCH puts its name right.

    ``told`` returns what is read of it, ``change`` carries out what is ``wanted``.
    """

    @with_etag
    @extend_schema(
        methods=["GET"],
        operation_id=f"read_{noun}",
        summary=about.rstrip("."),
        description=about,
        tags=["clubs"],
        responses=shape,
    )
    @extend_schema(
        methods=["PATCH"],
        operation_id=f"rename_{noun}",
        summary=f"Put the name of a {noun} right",
        description=f"Put the name of a {noun} that was typed wrong right, wherever it is shown. "
        "Codes and short names stay. Needs a token with the scope `tournaments:manage` of an "
        "organiser.",
        tags=["clubs"],
        parameters=[IF_MATCH],
        request={MEDIA_TYPE: wanted},
        responses={
            200: OpenApiResponse(shape, "As it is now."),
            **{
                (status, CONTENT_TYPE): OpenApiResponse(Problem, why)
                for status, why in REFUSALS.items()
            },
        },
    )
    @api_view(["GET", "HEAD", "PATCH"])
    def view(request: Request, /, slug: str, **place: str) -> Response:
        refuse_unknown(request, frozenset())
        if request.method != "PATCH":
            return keep_fresh(Response(shape(told(slug, actor_of(request), **place)).data))
        actor = signed_in(request)
        body = strict(read_body(request), frozenset(wanted().get_fields()))
        with transaction.atomic():
            club = lock_club(find_club(slug, actor))
            refuse_unless(may_manage(actor, club), actor)
            asked = said(wanted, body)
            refuse_stale(request, shape(told(slug, actor, **place)).data)
            change(actor, slug, **place, **asked)
            now = shape(told(slug, actor, **place)).data
        return keep_fresh(Response(now))

    return view


def _club(actor: Actor, slug: str, **asked: str) -> None:
    row = find_club(slug, actor)
    renaming.rename_club(actor, row, **{"name": row.name, "city": row.city, **asked})


def _player(actor: Actor, slug: str, code: str, **asked: str) -> None:
    row = find_player_of(slug, code, actor)
    renaming.rename_player(actor, row, **{"name": row.name, **asked})


def _pair(actor: Actor, slug: str, code: str, **asked: str) -> None:
    row = find_pair_of(slug, code, actor)
    renaming.rename_pair(actor, row, **{"name": row.name, **asked})


club = put_right(
    "club",
    shapes.Club,
    shapes.ClubChange,
    people.club_page,
    _club,
    "One club with its players, its pairs and the tournaments that may be seen.",
)
player = put_right(
    "player",
    shapes.Player,
    shapes.NameChange,
    people.player_row,
    _player,
    "One player of a club, by his code.",
)
pair = put_right(
    "pair",
    shapes.Pair,
    shapes.NameChange,
    people.pair_row,
    _pair,
    "One pair of a club, by its code.",
)
