"""Endpoints that compose several features: a club, and a player and a pair of it."""

from collections.abc import Callable
from typing import Any, Final

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournaments.core.api.requests import (
    MEDIA_TYPE,
    actor_of,
    read_body,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import needs_scope
from tournaments.core.api.serializers import StrictSerializer
from tournaments.core.api.views import (
    IF_MATCH,
    View,
    problems_of,
    refuse_stale,
    require_revalidation,
    with_etag,
)
from tournaments.core.find import find_club, find_pair_of, find_player_of, lock_club
from tournaments.core.permissions import Actor, Scope, may_manage, refuse_unless
from tournaments.director.queries import cards
from tournaments.front.serializers import Club
from tournaments.people import queries, serializers
from tournaments.people.services import clubs
from tournaments.profiles.services import renaming

Change = Callable[..., object]


RENAMING_REFUSALS: Final = {
    409: "Another person of the club has this name, or the player was erased.",
    412: "It has changed since it was read.",
    413: "It is too large.",
    422: "It cannot be a name.",
    428: "Send `If-Match`.",
}


def rename_view(
    noun: str,
    serializer: type[Serializer[Any]],
    body_serializer: type[StrictSerializer],
    read: Callable[..., Any],
    change: Change,
    about: str,
) -> View:
    """Make a view that returns an object of a club, and whose PATCH corrects its name.

    ``read`` returns the row that is shown, ``change`` carries out a valid body.
    """

    @with_etag
    @extend_schema(
        methods=["GET"],
        operation_id=f"read_{noun}",
        summary=about.rstrip("."),
        description=about,
        tags=["clubs"],
        responses=serializer,
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
        request={MEDIA_TYPE: body_serializer},
        responses={
            200: OpenApiResponse(serializer, "As it is now."),
            **problems_of(RENAMING_REFUSALS),
        },
    )
    @needs_scope(Scope.MANAGE, methods=("PATCH",))
    @api_view(["GET", "HEAD", "PATCH"])
    def view(request: Request, /, slug: str, **kwargs: str) -> Response:
        refuse_unknown(request, frozenset())
        if request.method != "PATCH":
            return require_revalidation(
                Response(serializer(read(slug, actor_of(request), **kwargs)).data)
            )
        actor = require_actor(request)
        changes = validate(body_serializer, read_body(request))
        with transaction.atomic():
            club = lock_club(find_club(slug))
            refuse_unless(may_manage(actor, club), actor)
            refuse_stale(request, serializer(read(slug, actor, **kwargs)).data)
            change(actor, slug, **kwargs, **changes)
            now = serializer(read(slug, actor, **kwargs)).data
        return require_revalidation(Response(now))

    return view


def _club(actor: Actor, slug: str, *, people_in_search: bool | None = None, **changes: str) -> None:
    row = find_club(slug)
    name, city = changes.get("name", row.name), changes.get("city", row.city)
    renaming.rename_club(actor, row, name=name, city=city)
    clubs.describe_club(actor, row, changes)
    if people_in_search is not None:
        clubs.set_people_in_search(actor, row, people_in_search=people_in_search)


def _player(
    actor: Actor, slug: str, code: str, *, as_written: bool = False, **changes: str
) -> None:
    row = find_player_of(slug, code)
    renaming.rename_player(actor, row, **{"name": row.name, **changes}, as_written=as_written)


def _pair(actor: Actor, slug: str, code: str, **changes: str) -> None:
    row = find_pair_of(slug, code)
    renaming.rename_pair(actor, row, **{"name": row.name, **changes})


club = rename_view(
    "club",
    Club,
    serializers.ClubChange,
    cards.club_page,
    _club,
    "One club with its players, its pairs and the tournaments that may be seen.",
)


player = rename_view(
    "player",
    serializers.Player,
    serializers.PlayerChange,
    queries.player_row,
    _player,
    "One player of a club, by code.",
)


pair = rename_view(
    "pair",
    serializers.Pair,
    serializers.NameChange,
    queries.pair_row,
    _pair,
    "One pair of a club, by its code.",
)
