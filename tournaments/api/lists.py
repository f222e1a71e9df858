"""Everybody of one list entered over the API: first what it would do, then the doing."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.bodies import fits, said
from tournaments.api.doors import refuse_unknown
from tournaments.api.organising import acts
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import Body, strict
from tournaments.api.schema import described
from tournaments.api.shapes import directing as shapes
from tournaments.api.shapes.problems import Problem
from tournaments.api.submissions import MEDIA_TYPE, read_body
from tournaments.api.tokens import signed_in
from tournaments.domain.roster import Listed, Source
from tournaments.errors import Reason, Refusal
from tournaments.models import Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import find_tournament
from tournaments.services import lists

REFUSALS = {
    400: "It cannot be read.",
    409: "The tournament is over.",
    413: "It is too large.",
    422: "Something is wrong in the list: `errors` tells all of it.",
}


@acts(shapes.EntryList, name="import_list")
def enter_list(actor: Actor, body: Body, slug: str) -> Tournament:
    """Enter everybody of a list, making the players and pairs that are new, or nobody.

    Into a tournament that is running they come late. What is wrong is told in `errors`: of CSV by
    line, of rows by index.
    """
    lists.import_list(actor, find_tournament(slug, actor), source_of(body))
    return find_tournament(slug, actor)


def _preview(request: Request, slug: str) -> Response:
    """Say what a list would do, and do nothing: who would be entered, who is new to the club.

    It is refused as entering it would be. Needs a token with the scope `tournaments:manage` of an
    organiser, and no key.
    """
    actor = signed_in(request)
    refuse_unknown(request, frozenset())
    body = strict(read_body(request), frozenset(shapes.EntryList().get_fields()))
    plan = lists.checked_plan(actor, find_tournament(slug, actor), source_of(body))
    return Response(shapes.EntryPlan(plan).data, headers={"Cache-Control": "no-store"})


preview = extend_schema(
    operation_id="preview_list",
    **described(_preview),
    tags=["organising"],
    request={MEDIA_TYPE: shapes.EntryList},
    responses={
        200: OpenApiResponse(shapes.EntryPlan, "What entering it would do."),
        **{
            (status, CONTENT_TYPE): OpenApiResponse(Problem, said)
            for status, said in REFUSALS.items()
        },
    },
)(api_view(["POST"])(_preview))


def source_of(body: Body) -> Source:
    """Return the list that a body holds; refuses BAD_PARAMETER, of rows by their index."""
    if ("csv" in body) == ("entries" in body):
        raise Refusal(Reason.BAD_PARAMETER, name="entries")
    rows = body.get("entries")
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        if not fits(shapes.EntryRow(), row):
            raise Refusal(Reason.BAD_PARAMETER, name=f"entries/{index}")
    wanted: dict[str, Any] = said(shapes.EntryList, body)
    if "csv" in wanted:
        return str(wanted["csv"])
    return [Listed(**{**row, "players": tuple(row["players"])}) for row in wanted["entries"]]
