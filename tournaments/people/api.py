"""Endpoints of clubs, players, pairs and seasons that a club keeps."""

from functools import partial
from typing import Final

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.pagination import (
    NAME_FILTER,
    PARAMETERS,
    Page,
    filter_parameters,
    paginate,
    read_filters,
)
from tournaments.core.api.requests import require_actor
from tournaments.core.api.views import (
    Data,
    read_view,
    write_view,
)
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_club
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor
from tournaments.people import queries, serializers
from tournaments.people.services import clubs as clubs_services


@read_view(serializers.Token, tag="token", name="read_token")
def token(request: Request) -> queries.TokenRow:
    """The token of this request: whose it is, what it may do, and until when.

    Answered to any token, and to requests without one with `sign_in`.
    """
    actor = require_actor(request)
    if actor.token is None:
        raise Refusal(Reason.SIGN_IN)
    return queries.token_row(actor, actor.token)


NAMED: Final = (NAME_FILTER,)


@read_view(
    serializers.Clubs,
    tag="clubs",
    name="list_clubs",
    parameters=(*PARAMETERS, *filter_parameters(NAMED)),
)
def clubs(request: Request) -> Page[queries.ClubCard]:
    """All clubs."""
    fetch = partial(queries.clubs_after, **read_filters(request, NAMED))
    return paginate(request, fetch, lambda club: club.slug)


@read_view(
    serializers.Players,
    tag="clubs",
    name="list_players",
    parameters=(*PARAMETERS, *filter_parameters(NAMED)),
)
def players(request: Request, slug: str) -> Page[queries.PlayerRow]:
    """The players of a club."""
    filters = read_filters(request, NAMED)
    fetch = partial(queries.players_after, slug, **filters)
    return paginate(request, fetch, lambda player: player.code)


@read_view(
    serializers.Pairs,
    tag="clubs",
    name="list_pairs",
    parameters=(*PARAMETERS, *filter_parameters(NAMED)),
)
def pairs(request: Request, slug: str) -> Page[queries.PairRow]:
    """The pairs of a club."""
    filters = read_filters(request, NAMED)
    fetch = partial(queries.pairs_after, slug, **filters)
    return paginate(request, fetch, lambda pair: pair.code)


def count_lines(imported: clubs_services.ImportCounts) -> Answer:
    """Return the answer that is stored under the idempotency key: the counts of an import."""
    counts = {
        "created": imported.created,
        "changed": imported.changed,
        "unchanged": imported.unchanged,
    }
    return Answer(201, counts)


def counts_response(_request: Request, answer: Answer) -> Response:
    """Answer how many lines changed what."""
    return Response(serializers.Imported(answer.content).data, status=answer.status)


imports = partial(
    write_view,
    serializers.Roster,
    tag="clubs",
    responses={201: OpenApiResponse(serializers.Imported, "It is done.")},
    to_answer=count_lines,
    to_response=counts_response,
)


@imports(name="import_players")
def import_players(actor: Actor, data: Data, slug: str) -> clubs_services.ImportCounts:
    """Bring players to a club, or give those that are there other names.

    New names that are nearly those of others are refused (`who_is_this`), and answered by `who`:
    one who is a player of the club is not made again.

    As all that a club keeps it needs a token with `tournaments:manage` of an organiser.
    """
    return clubs_services.import_players(
        actor,
        find_club(slug),
        data["csv"],
        as_written=data.get("as_written", False),
        reading=serializers.answers_of(data),
    )


@imports(name="import_pairs")
def import_pairs(actor: Actor, data: Data, slug: str) -> clubs_services.ImportCounts:
    """Bring pairs of players of the club to it, or change those that are there."""
    return clubs_services.import_pairs(actor, find_club(slug), data["csv"])
