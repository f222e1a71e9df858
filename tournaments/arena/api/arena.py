"""Bots at play: compared, asked to play, paused, and sent on by their schedule."""

import re
from datetime import time
from typing import Any, Final

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.arena import serializers
from tournaments.arena.queries.arena import ArenaPage, arena_page
from tournaments.arena.queries.status import read_schedule
from tournaments.arena.services import arena
from tournaments.arena.services.arena import set_schedule
from tournaments.arena.services.playing import play_round
from tournaments.core import find
from tournaments.core.api.access import actor_of, signed_in
from tournaments.core.api.problems import CONTENT_TYPE
from tournaments.core.api.serializers import Nothing, Problem
from tournaments.core.api.validation import MEDIA_TYPE, read_body, refuse_unknown, validate
from tournaments.core.api.views import (
    IF_MATCH_ONCE_THERE,
    Data,
    read_view,
    refuse_stale,
    require_revalidation,
    with_etag,
)
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_round, find_tournament
from tournaments.core.locks import lock_tournament
from tournaments.core.permissions import Actor
from tournaments.director.api.directing import tournament_action
from tournaments.models import Tournament


@read_view(serializers.Arena, tag="tournaments", name="read_arena")
def comparison(request: Request, slug: str) -> ArenaPage:
    """The bots compared: each with all whom it met, and pair by pair, with 95 % intervals."""
    return arena_page(slug, actor_of(request))


@tournament_action(Nothing, name="play_round")
def play(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Have the bots of a published round play; again, those of the matches left undone.

    As pausing them it needs a token with the scope `bots:run` of an organiser.
    """
    play_round(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="pause_round")
def pause(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Let the bots of a round finish the matches that they are at, and begin no other."""
    arena.pause_round(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="resume_round")
def resume(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Let the bots of a round that was paused play on."""
    arena.resume_round(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="run_schedule")
def run(actor: Actor, _data: Data, slug: str) -> Tournament:
    """Do at once what the schedule of a tournament of bots would do when it is due.

    What is complete is closed, and the next round drawn, published and played. Needs a token with
    the scopes `tournaments:manage` and `bots:run`.
    """
    arena.run_now(actor, find_tournament(slug, actor))
    return find_tournament(slug, actor)


CLOCK: Final = re.compile(r"[0-2][0-9]:[0-5][0-9]")


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_schedule",
    summary="When the rounds of bots play themselves",
    description="When the rounds of bots play themselves, and what became of the last time; 404 "
    "where there is no schedule.",
    tags=["tournaments"],
    responses=serializers.Schedule,
)
@extend_schema(
    methods=["PUT"],
    operation_id="set_schedule",
    summary="Say when the rounds of bots play themselves",
    description="Say when the rounds of bots play themselves, or switch that off. Said again, "
    "nothing changes. Needs a token with the scopes `tournaments:manage` and `bots:run`.",
    tags=["tournaments"],
    parameters=[IF_MATCH_ONCE_THERE],
    request={MEDIA_TYPE: serializers.Timed},
    responses={
        200: OpenApiResponse(serializers.Schedule, "The schedule as it is now."),
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
        return require_revalidation(
            Response(serializers.Schedule(read_schedule(slug, actor_of(request))).data)
        )
    actor = signed_in(request)
    tournament = find.find_tournament(slug, actor)
    terms = terms_of(validate(serializers.Timed, read_body(request)))
    with transaction.atomic():
        lock_tournament(tournament)
        refuse_stale(request, there(slug, actor))
        set_schedule(actor, tournament, **terms)
    return require_revalidation(Response(serializers.Schedule(read_schedule(slug, actor)).data))


def there(slug: str, actor: Actor) -> object | None:
    """Return the schedule that is there, as it is read; `None` where there is none."""
    try:
        return serializers.Schedule(read_schedule(slug, actor)).data
    except Refusal:
        return None


def terms_of(data: Data) -> dict[str, Any]:
    """Return the terms of a schedule as the service takes them."""
    try:
        at = time.fromisoformat(data["at"])
    except ValueError as error:
        if CLOCK.fullmatch(data["at"]):  # of the form that is asked for, and no time of a day
            raise Refusal(Reason.BAD_SCHEDULE, text="at") from error
        raise Refusal(Reason.BAD_PARAMETER, name="at") from error
    return {"is_on": data["on"], "at": at, "zone": data["zone"], "days": data["days"]}
