"""Endpoints of meetings and statistics; those that merge, separate and split players and pairs."""

from functools import partial

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import Data, read_view, write_view
from tournaments.core.find import find_pair_of, find_player_of, find_tournament
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor, may_manage, refuse_unless
from tournaments.models import Pair, Player
from tournaments.profiles import serializers
from tournaments.profiles.queries.meetings import HeadToHeadPage, head_to_head
from tournaments.profiles.queries.merging import Mergeable, merge_preview
from tournaments.profiles.queries.statistics import Statistics, statistics_page
from tournaments.profiles.services import merging, splitting

TWO = (
    OpenApiParameter("one", str, description="`player-<id>`, `pair-<id>` or `bot-<slug>`."),
    OpenApiParameter("other", str, description="The same, of the other."),
)


@read_view(serializers.HeadToHead, tag="clubs", name="read_head_to_head", parameters=TWO)
def meetings(request: Request, slug: str) -> HeadToHeadPage:
    """All meetings of two players, pairs or bots in a club, seen from the first, latest first."""
    chosen = (request.query_params.get(name, "") for name in ("one", "other"))
    return head_to_head(slug, *chosen)


@read_view(serializers.ClubStatistics, tag="clubs", name="read_statistics")
def statistics(_request: Request, slug: str) -> Statistics:
    """What was played in a club: months, rulesets, margins, declarations, who plays most."""
    return statistics_page(slug).statistics


REFUSALS = {
    400: "It cannot be read, or the key is missing.",
    409: "The two cannot be the same, or are so already; or the key is in use.",
    413: "It is too large.",
    422: "It is not possible; or the key was used for another request.",
}


def _answer(row: Mergeable) -> Answer:
    main = row.same_as.code if row.same_as is not None else None
    return Answer(201, {"code": row.code, "name": row.name, "same_as": main})


def _response(_request: Request, answer: Answer) -> Response:
    return Response(serializers.Merged(answer.content).data, status=answer.status)


def _preview(actor: Actor, row: Mergeable, main: Mergeable) -> Response:
    refuse_unless(may_manage(actor, row.club), actor)
    preview = merge_preview(row, main)
    if preview.refusal is not None:
        raise preview.refusal
    return Response(serializers.MergePreview(preview).data)


def _preview_player(actor: Actor, data: Data, slug: str, code: str) -> Response:
    return _preview(actor, find_player_of(slug, code), find_player_of(slug, data["into"]))


def _preview_pair(actor: Actor, data: Data, slug: str, code: str) -> Response:
    return _preview(actor, find_pair_of(slug, code), find_pair_of(slug, data["into"]))


MERGED = {
    200: OpenApiResponse(serializers.MergePreview, "What it would change (`dry_run`)."),
    201: OpenApiResponse(serializers.Merged, "It is merged."),
}

separations = partial(
    write_view,
    Nothing,
    tag="clubs",
    responses={201: OpenApiResponse(serializers.Merged, "It is separated.")},
    refusals=REFUSALS,
    to_answer=_answer,
    to_response=_response,
)


@write_view(
    serializers.Merge,
    name="merge_player",
    tag="clubs",
    responses=MERGED,
    refusals=REFUSALS,
    to_answer=_answer,
    to_response=_response,
    preview=_preview_player,
)
def merge_player(actor: Actor, data: Data, slug: str, code: str) -> Player:
    """Let a player be the same as another one of the club, who stays.

    Ratings, seasons, meetings and profile then count both as one; entries, results, names and codes
    stay. Pairs that become the same two people are merged too. `?dry_run=1` answers with what would
    change. Needs a token with the scope `tournaments:manage` of an organiser.
    """
    return merging.merge_player(
        actor, find_player_of(slug, code), find_player_of(slug, data["into"])
    )


@separations(name="separate_player")
def separate_player(actor: Actor, _data: Data, slug: str, code: str) -> Player:
    """Undo the merge of a player, and of the pairs that were merged with it."""
    return merging.separate_player(actor, find_player_of(slug, code))


@write_view(
    serializers.Split,
    name="split_player",
    tag="clubs",
    responses={201: OpenApiResponse(serializers.Merged, "The new player.")},
    refusals=REFUSALS,
    to_answer=_answer,
    to_response=_response,
)
def split_player(actor: Actor, data: Data, slug: str, code: str) -> Player:
    """Give tournaments of a player who was two persons to a new player, whose name has a mark.

    Ratings, seasons, meetings and profile follow; results, records and proofs stay as written. Only
    of tournaments that are over. Merging the two undoes it. Needs a token with the scope
    `tournaments:manage` of an organiser.
    """
    tournaments = [find_tournament(name, actor) for name in data["tournaments"]]
    return splitting.split_player(actor, find_player_of(slug, code), tournaments, data["mark"])


@write_view(
    serializers.Merge,
    name="merge_pair",
    tag="clubs",
    responses=MERGED,
    refusals=REFUSALS,
    to_answer=_answer,
    to_response=_response,
    preview=_preview_pair,
)
def merge_pair(actor: Actor, data: Data, slug: str, code: str) -> Pair:
    """Let a pair be the same as another one of the same two people, which stays.

    `?dry_run=1` answers with what would change.
    """
    return merging.merge_pair(actor, find_pair_of(slug, code), find_pair_of(slug, data["into"]))


@separations(name="separate_pair")
def separate_pair(actor: Actor, _data: Data, slug: str, code: str) -> Pair:
    """Undo the merge of a pair."""
    return merging.separate_pair(actor, find_pair_of(slug, code))
