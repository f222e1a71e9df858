"""Endpoints of tournaments: read, change, delete a draft."""

from functools import partial
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

import engine
from tournaments.core.api.pagination import (
    NAME_FILTER,
    PARAMETERS,
    Page,
    filter_choice,
    filter_moment,
    filter_number,
    filter_parameters,
    filter_slug,
    paginate,
    read_filters,
)
from tournaments.core.api.requests import (
    MEDIA_TYPE,
    actor_of,
    read_body,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import needs_scope
from tournaments.core.api.views import (
    IF_MATCH,
    problems_of,
    read_view,
    refuse_stale,
    require_revalidation,
    with_etag,
)
from tournaments.core.find import find_tournament, lock_tournament
from tournaments.core.permissions import Actor, Scope, may_manage, refuse_unless
from tournaments.director.queries import cards, draws
from tournaments.director.queries import entries as entries_queries
from tournaments.director.queries import rounds as rounds_queries
from tournaments.director.queries.rounds import Progress
from tournaments.director.queries.rows import MatchRow
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.serializers import tournaments
from tournaments.director.services.tournaments import change_tournament, discard_tournament
from tournaments.domain.pairing import FORMATS
from tournaments.models import Match, Tournament

FILTERS = (
    filter_choice("state", Tournament.State.values, "Those in this state alone."),
    filter_choice("ruleset", tuple(engine.RULESETS), "Those under these rules alone."),
    filter_choice("format", tuple(FORMATS), "Those with a stage of this format alone."),
    filter_slug("club", "Those of this club alone."),
    filter_moment("changed_since", "Those in which anything was done since this moment."),
    NAME_FILTER,
)

MATCHES = (
    filter_number("round", "Those of this round alone."),
    filter_number("table", "Those at this table alone."),
    filter_number("entry", "Those in which this entry sits alone."),
    filter_choice("state", Match.State.values, "Those in this state alone."),
)


@read_view(
    tournaments.Tournaments,
    tag="tournaments",
    name="list_tournaments",
    parameters=(*PARAMETERS, *filter_parameters(FILTERS)),
)
def all_tournaments(request: Request) -> Page[cards.TournamentCard]:
    """All tournaments; a draft is listed for members of its club.

    A member needs a token with the scope `games:read`.
    """
    filters = read_filters(request, FILTERS)
    fetch = partial(cards.tournaments_after, viewer=actor_of(request), params=filters)
    return paginate(request, fetch, lambda tournament: tournament.slug)


@read_view(tournaments.StageDraws, tag="tournaments", name="read_stage_draws")
def stage_draws(request: Request, slug: str, number: int) -> draws.StageDraws:
    """How a stage is drawn, and each draw of it, the last first."""
    return draws.stage_draws(slug, number, actor_of(request))


@read_view(tournaments.Entries, tag="tournaments", name="read_entries")
def entries(request: Request, slug: str) -> entries_queries.EntriesPage:
    """Who plays in the tournament."""
    return entries_queries.entries_page(slug, actor_of(request))


@read_view(tournaments.Rounds, tag="tournaments", name="read_rounds")
def rounds(request: Request, slug: str) -> rounds_queries.RoundsPage:
    """All published rounds with their matches; members of the club see the drafts as well."""
    return rounds_queries.rounds_page(slug, actor_of(request))


@read_view(tournaments.Round, tag="tournaments", name="read_round")
def round_(request: Request, slug: str, number: int) -> rounds_queries.RoundPage:
    """One round; while bots play in it, how far they have come."""
    return rounds_queries.round_page(slug, number, actor_of(request))


@read_view(tournaments.Progress, tag="tournaments", name="read_round_progress")
def round_progress(request: Request, slug: str, number: int) -> Progress:
    """How far the bots of a round have come, without its matches; 404 where no bots meet."""
    return rounds_queries.round_progress(slug, number, actor_of(request))[1]


@read_view(
    tournaments.Matches,
    tag="matches",
    name="list_matches",
    parameters=(*PARAMETERS, *filter_parameters(MATCHES)),
)
def matches(request: Request, slug: str) -> Page[MatchRow]:
    """The matches of all rounds that may be seen, by round and table."""
    viewer, filters = actor_of(request), read_filters(request, MATCHES)

    def fetch(after: str, count: int) -> tuple[MatchRow, ...]:
        number, table = map(int, (after or "0.0").split("."))
        return rounds_queries.matches_after(slug, (number, table), count, viewer, filters)

    return paginate(request, fetch, lambda match: f"{match.round}.{match.table}")


TAGS = ["tournaments"]

STALE = problems_of({412: "It has changed since it was read.", 428: "Send `If-Match`."})

TOO_LATE = problems_of({409: "The tournament is too far for that."})


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_tournament",
    summary="One tournament: its rules, its state, and how far it has come",
    description="One tournament: its rules, its state, and how far it has come.",
    tags=TAGS,
    responses=tournaments.Tournament,
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
    request={MEDIA_TYPE: tournaments.Change},
    responses={
        200: OpenApiResponse(tournaments.Tournament, "The tournament as it is now."),
        **problems_of({413: "It is too large.", 422: "It is not possible."}),
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
@needs_scope(Scope.MANAGE, methods=("PATCH", "DELETE"))
@api_view(["GET", "HEAD", "PATCH", "DELETE"])
def tournament(request: Request, slug: str) -> Response:
    """Read a tournament, change it, or throw it away."""
    refuse_unknown(request, frozenset())
    if request.method == "PATCH":
        return _change_answer(request, slug)
    if request.method == "DELETE":
        return _discarded(request, slug)
    return require_revalidation(Response(_representation(slug, actor_of(request))))


def _change_answer(request: Request, slug: str) -> Response:
    actor = require_actor(request)
    data = validate(tournaments.Change, read_body(request))
    with transaction.atomic():
        row = lock_tournament(find_tournament(slug, actor))
        refuse_unless(may_manage(actor, row.club), actor)
        refuse_stale(request, _representation(slug, actor))
        if "confirm_after" in data:
            data.setdefault("confirm_minutes", data["confirm_after"] * 60)
        change_tournament(actor, row, data)
        body = _representation(slug, actor)
    return require_revalidation(Response(body))


def _discarded(request: Request, slug: str) -> Response:
    actor = require_actor(request)
    with transaction.atomic():
        row = lock_tournament(find_tournament(slug, actor))
        refuse_unless(may_manage(actor, row.club), actor)
        refuse_stale(request, _representation(slug, actor))
        discard_tournament(actor, row)
    return Response(status=204, headers={"Cache-Control": "no-store"})


def _representation(slug: str, viewer: Actor) -> Any:
    return tournaments.Tournament(tournament_head(slug, viewer)).data
