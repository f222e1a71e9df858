"""The schedule of a tournament of bots: read by everybody, set by who runs it."""

import re
from collections.abc import Mapping
from datetime import time
from typing import Any, Final

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.doors import IF_MATCH, keep_fresh, refuse_stale, refuse_unknown, with_etag
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import strict
from tournaments.api.shapes.problems import Problem
from tournaments.api.shapes.schedules import Schedule, Timed
from tournaments.api.submissions import MEDIA_TYPE, read_body
from tournaments.api.tokens import actor_of, signed_in
from tournaments.errors import Reason, Refusal
from tournaments.permissions import Actor
from tournaments.queries import find
from tournaments.queries.schedules import read_schedule
from tournaments.services.locks import lock_tournament
from tournaments.services.schedules import set_schedule

CLOCK: Final = re.compile(r"[0-2][0-9]:[0-5][0-9]")
FIELDS: Final = frozenset({"on", "at", "zone", "days"})


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_schedule",
    summary="When the rounds of bots play themselves",
    description="When the rounds of bots play themselves, and what became of the last time; 404 "
    "where there is no schedule.",
    tags=["tournaments"],
    responses=Schedule,
)
@extend_schema(
    methods=["PUT"],
    operation_id="set_schedule",
    summary="Say when the rounds of bots play themselves",
    description="Say when the rounds of bots play themselves, or switch that off. Said again, "
    "nothing changes. Needs a token with the scopes `tournaments:manage` and `bots:run`.",
    tags=["tournaments"],
    parameters=[IF_MATCH],
    request={MEDIA_TYPE: Timed},
    responses={
        200: OpenApiResponse(Schedule, "The schedule as it is now."),
        (409, CONTENT_TYPE): OpenApiResponse(Problem, "People play in it, or it is over."),
        (412, CONTENT_TYPE): OpenApiResponse(Problem, "It has changed since it was read."),
        (422, CONTENT_TYPE): OpenApiResponse(Problem, "It cannot be a schedule."),
        (428, CONTENT_TYPE): OpenApiResponse(Problem, "There is one already: send `If-Match`."),
    },
)
@api_view(["GET", "HEAD", "PUT"])
def schedule(request: Request, slug: str) -> Response:
    """Read the schedule, or set it."""
    refuse_unknown(request, frozenset())
    if request.method != "PUT":
        return keep_fresh(Response(Schedule(read_schedule(slug, actor_of(request))).data))
    actor = signed_in(request)
    tournament = find.find_tournament(slug, actor)
    wanted = said(strict(read_body(request), FIELDS))
    with transaction.atomic():
        lock_tournament(tournament)
        refuse_stale(request, there(slug, actor))
        set_schedule(actor, tournament, **wanted)
    return keep_fresh(Response(Schedule(read_schedule(slug, actor)).data))


def there(slug: str, actor: Actor) -> object | None:
    """Return the schedule that is there, as it is read; `None` where there is none."""
    try:
        return Schedule(read_schedule(slug, actor)).data
    except Refusal:
        return None


def said(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a body says, as the service takes it; refuses what is of the wrong kind."""
    wanted: dict[str, type] = {"on": bool, "at": str, "zone": str, "days": list}
    for name, kind in wanted.items():
        if not isinstance(body.get(name), kind):
            raise Refusal(Reason.BAD_PARAMETER, name=name)
    if not all(type(day) is int for day in body["days"]):
        raise Refusal(Reason.BAD_PARAMETER, name="days")
    try:
        at = time.fromisoformat(body["at"])
    except ValueError as error:
        if CLOCK.fullmatch(body["at"]):  # of the form that is asked for, and no time of a day
            raise Refusal(Reason.BAD_SCHEDULE, text="at") from error
        raise Refusal(Reason.BAD_PARAMETER, name="at") from error
    return {"is_on": body["on"], "at": at, "zone": body["zone"], "days": body["days"]}
