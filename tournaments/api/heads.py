"""A tournament itself over the API: read, changed, and as a draft thrown away."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.bodies import said
from tournaments.api.doors import IF_MATCH, keep_fresh, refuse_stale, refuse_unknown, with_etag
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import strict
from tournaments.api.shapes import tournaments as shapes
from tournaments.api.shapes.organising import Change
from tournaments.api.shapes.problems import Problem
from tournaments.api.submissions import MEDIA_TYPE, read_body
from tournaments.api.tokens import actor_of, signed_in
from tournaments.permissions import Actor, may_manage, refuse_unless
from tournaments.queries.find import find_tournament
from tournaments.queries.heads import tournament_head
from tournaments.services.changes import change_tournament, discard_draft
from tournaments.services.locks import lock_tournament

TAGS = ["tournaments"]
STALE = {
    (412, CONTENT_TYPE): OpenApiResponse(Problem, "It has changed since it was read."),
    (428, CONTENT_TYPE): OpenApiResponse(Problem, "Send `If-Match`."),
}
TOO_LATE = {
    (409, CONTENT_TYPE): OpenApiResponse(Problem, "The tournament is too far for that."),
}


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_tournament",
    summary="One tournament: its rules, its state, and how far it has come",
    description="One tournament: its rules, its state, and how far it has come.",
    tags=TAGS,
    responses=shapes.Tournament,
)
@extend_schema(
    methods=["PATCH"],
    operation_id="change_tournament",
    summary="Change what was said of a tournament",
    description="Change what was said of a tournament: its name until it is over, who sees it at "
    "any time, what is agreed for the day until its rounds are drawn. What is left out stays; the "
    "short name never changes. Needs a token with the scope `tournaments:manage` of an organiser.",
    tags=TAGS,
    parameters=[IF_MATCH],
    request={MEDIA_TYPE: Change},
    responses={
        200: OpenApiResponse(shapes.Tournament, "The tournament as it is now."),
        (413, CONTENT_TYPE): OpenApiResponse(Problem, "It is too large."),
        (422, CONTENT_TYPE): OpenApiResponse(Problem, "It is not possible."),
        **TOO_LATE,
        **STALE,
    },
)
@extend_schema(
    methods=["DELETE"],
    operation_id="discard_tournament",
    summary="Throw a draft away",
    description="Throw a draft away, with its entries and its plan. The club keeps its players and "
    "pairs, and the history what was done; nothing brings the draft back, and its short name is "
    "free again. Needs a token with the scope `tournaments:manage` of an organiser.",
    tags=TAGS,
    parameters=[IF_MATCH],
    responses={204: OpenApiResponse(description="It is gone."), **TOO_LATE, **STALE},
)
@api_view(["GET", "HEAD", "PATCH", "DELETE"])
def tournament(request: Request, slug: str) -> Response:
    """Read a tournament, change it, or throw it away."""
    refuse_unknown(request, frozenset())
    if request.method == "PATCH":
        return _changed(request, slug)
    if request.method == "DELETE":
        return _discarded(request, slug)
    return keep_fresh(Response(_told(slug, actor_of(request))))


def _changed(request: Request, slug: str) -> Response:
    actor = signed_in(request)
    body = strict(read_body(request), frozenset(Change().get_fields()))
    with transaction.atomic():
        row = lock_tournament(find_tournament(slug, actor))
        refuse_unless(may_manage(actor, row.club), actor)
        wanted = said(Change, body)
        refuse_stale(request, _told(slug, actor))
        change_tournament(actor, row, wanted)
        told = _told(slug, actor)
    return keep_fresh(Response(told))


def _discarded(request: Request, slug: str) -> Response:
    actor = signed_in(request)
    with transaction.atomic():
        row = lock_tournament(find_tournament(slug, actor))
        refuse_unless(may_manage(actor, row.club), actor)
        refuse_stale(request, _told(slug, actor))
        discard_draft(actor, row)
    return Response(status=204, headers={"Cache-Control": "no-store"})


def _told(slug: str, viewer: Actor) -> Any:
    return shapes.Tournament(tournament_head(slug, viewer)).data
