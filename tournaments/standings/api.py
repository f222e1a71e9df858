"""Endpoints of standings, crosstables, seasons and prizes."""

from functools import partial

from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.requests import (
    MEDIA_TYPE,
    actor_of,
    read_body,
    read_number,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.scopes import needs_scope
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import (
    IF_MATCH,
    Data,
    problems_of,
    read_view,
    refuse_stale,
    require_revalidation,
    with_etag,
    write_view,
)
from tournaments.core.find import (
    find_club,
    find_entry,
    find_tournament,
    lock_tournament,
    or_404,
)
from tournaments.core.idempotency import Answer
from tournaments.core.live_version import live_version
from tournaments.core.permissions import (
    Actor,
    Scope,
    may_arbitrate,
    may_manage,
    refuse_unless,
)
from tournaments.director.api.directing import action_on, on_tournament
from tournaments.director.queries import tournaments as tournaments_queries
from tournaments.models import CashEntry, Season, Tournament
from tournaments.standings import serializers
from tournaments.standings.queries import crosstables, seasons, standings
from tournaments.standings.queries import prizes as prizes_queries
from tournaments.standings.queries.seasons import find_season
from tournaments.standings.services import prizes as prizes_services
from tournaments.standings.services import seasons as services
from tournaments.standings.services.prizes import NewPrize


@read_view(serializers.Seasons, tag="clubs", name="list_seasons")
def club(request: Request, slug: str) -> seasons.SeasonsPage:
    """The seasons of a club."""
    return seasons.seasons_page(slug, actor_of(request))


@read_view(serializers.Season, tag="clubs", name="read_season")
def season(request: Request, slug: str, season: str) -> seasons.SeasonPage:
    """The table of a season, with what each line took from each of its tournaments."""
    return seasons.season_page(slug, season, actor_of(request))


def answer_of(season: Season) -> Answer:
    """Return what is stored of an answer."""
    state = str(season.state)
    return Answer(201, {"club": season.club.slug, "slug": season.slug, "state": state})


def season_response(request: Request, answer: Answer) -> Response:
    """Answer how the season stands."""
    path = reverse("api:season", args=[answer.content["club"], answer.content["slug"]])
    season_url = request.build_absolute_uri(path)
    body = serializers.SeasonKept({"season": season_url, **answer.content}).data
    return Response(body, status=answer.status, headers={"Location": season_url})


season_action = partial(
    write_view,
    tag="clubs",
    responses={201: OpenApiResponse(serializers.SeasonKept, "It is done.")},
    to_answer=answer_of,
    to_response=season_response,
)
"""Make a view that does something with a season."""


@season_action(serializers.NewSeason, name="open_season")
def open_season(actor: Actor, data: Data, slug: str) -> Season:
    """Open a season of a club."""
    return services.create_season(actor, find_club(slug), **data)


@season_action(serializers.SeasonEvent, name="add_to_season")
def add_to_season(actor: Actor, data: Data, slug: str, season: str) -> Season:
    """Let a tournament count in a season, after those that are there."""
    row = find_season(slug, season)
    tournament = find_tournament(data.pop("tournament"), actor)
    services.add_tournament(actor, row, tournament, **data)
    return row


@season_action(serializers.NoSeasonEvent, name="remove_from_season")
def remove_from_season(actor: Actor, data: Data, slug: str, season: str) -> Season:
    """Take a tournament out of a season."""
    row = find_season(slug, season)
    services.remove_tournament(actor, row, find_tournament(data["tournament"], actor))
    return row


def _preview_rules(actor: Actor, data: Data, slug: str, season: str) -> Response:
    row = find_season(slug, season)
    refuse_unless(may_manage(actor, row.club), actor)
    data.pop("reason", None)
    effect = seasons.rules_effect(row, services.checked_rules(**data))
    return Response(serializers.SeasonRulesEffect(effect).data)


@write_view(
    serializers.ChangedSeasonRules,
    tag="clubs",
    name="set_season_rules",
    responses={
        200: OpenApiResponse(serializers.SeasonRulesEffect, "What it would change (`dry_run`)."),
        201: OpenApiResponse(serializers.SeasonKept, "It is done."),
    },
    to_answer=answer_of,
    to_response=season_response,
    preview=_preview_rules,
)
def set_season_rules(actor: Actor, data: Data, slug: str, season: str) -> Season:
    """Set the rules of an open season, all at once.

    Once a tournament counts it needs a reason. `?dry_run=1` answers with the table before and
    after, and writes nothing.
    """
    return services.set_season_rules(actor, find_season(slug, season), **data)


@read_view(serializers.SeasonPrizes, tag="clubs", name="read_season_prizes")
def season_prizes(request: Request, slug: str, season: str) -> prizes_queries.SeasonPrizes:
    """The prizes of a season, and who gets them by its table as it stands."""
    page = seasons.season_page(slug, season, actor_of(request))
    return prizes_queries.season_prizes(find_season(slug, season), page.lines)


@season_action(serializers.SeasonPrizesKept, name="set_season_prizes")
def set_season_prizes(actor: Actor, data: Data, slug: str, season: str) -> Season:
    """Set the list of prizes of an open season, in place of the present one."""
    lines = [NewPrize(**line) for line in data["lines"]]
    return prizes_services.set_season_prizes(actor, find_season(slug, season), lines)


@season_action(Nothing, name="close_season")
def close_season(actor: Actor, _data: Data, slug: str, season: str) -> Season:
    """Let a season take no more tournaments."""
    return services.close_season(actor, find_season(slug, season))


STAGE = OpenApiParameter(
    "stage",
    {"type": "integer", "minimum": 1, "maximum": 999},
    description="The number of a stage; without it, the one in play.",
)


@read_view(serializers.Stages, tag="tournaments", name="read_stages")
def stages(request: Request, slug: str) -> tournaments_queries.TournamentHead:
    """The stages of the tournament: their formats, and how far each has come."""
    return tournaments_queries.tournament_head(slug, actor_of(request))


def standings_key(request: Request, slug: str) -> str:
    """Return the cache key of a table for its reader; one query. Refuses NOT_FOUND."""
    actor, stage = actor_of(request), read_number(request, "stage")
    version = live_version(slug, actor)
    return f"api-standings:{slug}:{version}:{stage}:{actor.scope_name}:{get_language()}"


@read_view(
    serializers.Standings,
    tag="tournaments",
    name="read_standings",
    parameters=[STAGE],
    key=standings_key,
)
def table(request: Request, slug: str) -> standings.StandingsPage:
    """The table of a stage, and what decided each place."""
    return standings.standings_page(slug, actor_of(request), read_number(request, "stage"))


@read_view(serializers.Sums, tag="tournaments", name="read_sums", parameters=[STAGE])
def entry_sums(request: Request, slug: str, number: int) -> standings.SumsPage:
    """One entry's line of the table: its rounds, and what each number is the sum of."""
    return standings.entry_sums(slug, number, actor_of(request), read_number(request, "stage"))


@read_view(serializers.Crosstable, tag="tournaments", name="read_crosstable", parameters=[STAGE])
def crosstable(request: Request, slug: str) -> crosstables.CrosstablePage:
    """Everybody against everybody, and round by round."""
    return crosstables.crosstable_page(slug, actor_of(request), read_number(request, "stage"))


# --- Prizes ---------------------------------------------------------------------------------------


PRIZES_REFUSALS = {
    409: "Something was handed out of a prize.",
    412: "It has changed since it was read.",
    413: "It is too large.",
    422: "It cannot be a list of prizes.",
    428: "`If-Match` is missing.",
}


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_prizes",
    summary="The prizes, and who gets them as it stands",
    description="The list of prizes in its order, and who gets them by the standings. It is empty "
    "where the prizes are a text alone.",
    tags=["tournaments"],
    responses=serializers.Prizes,
)
@extend_schema(
    methods=["PUT"],
    operation_id="set_prizes",
    summary="Set the list of prizes",
    description="Set the list of prizes in place of the present one. Sent again, nothing changes. "
    "Equal lines stay the same; one of which something was handed out cannot be removed.",
    tags=["tournaments"],
    parameters=[IF_MATCH],
    request={MEDIA_TYPE: serializers.PrizesKept},
    responses={
        200: OpenApiResponse(serializers.Prizes, "The prizes as they are now."),
        **problems_of(PRIZES_REFUSALS),
    },
)
@needs_scope(Scope.MANAGE, methods=("PUT",))
@api_view(["GET", "HEAD", "PUT"])
def prizes(request: Request, slug: str) -> Response:
    """Read the list of prizes, or set it."""
    refuse_unknown(request, frozenset())
    if request.method != "PUT":
        return require_revalidation(Response(_prizes_of(slug, actor_of(request))))
    actor = require_actor(request)
    tournament = find_tournament(slug, actor)
    data = validate(serializers.PrizesKept, read_body(request))
    lines = [NewPrize(**line) for line in data.pop("lines")]
    with transaction.atomic():
        lock_tournament(tournament)
        refuse_stale(request, _prizes_of(slug, actor))
        prizes_services.set_prizes(actor, tournament, lines, **data)
    return require_revalidation(Response(_prizes_of(slug, actor)))


def _prizes_of(slug: str, actor: Actor) -> object:
    """Return the prizes of a tournament as the API shows them. Refuses NOT_FOUND."""
    access = tournaments_queries.open_tournament(slug, actor)
    return serializers.Prizes(prizes_queries.prize_list(access.tournament)).data


@on_tournament(serializers.HandOut, name="hand_out_prize", answer=serializers.HandedOut)
def hand_out(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Note that an entry was given what is left of its prize, and who took it."""
    refuse_unless(may_arbitrate(actor, tournament.club), actor)
    entry = find_entry(tournament.slug, data["entry"], actor)
    terms = {name: data[name] for name in ("cents", "stage", "payee") if name in data}
    return {"lines": [line.pk for line in prizes_services.hand_out(actor, entry, **terms)]}


def find_note(slug: str, line: int, viewer: Actor) -> CashEntry:
    """Return the note of a prize; refuses those who may not take it back."""
    tournament = find_tournament(slug, viewer)
    refuse_unless(may_arbitrate(viewer, tournament.club), viewer)
    notes = CashEntry.objects.select_related("tournament__club", "request", "prize")
    return or_404(notes.filter(tournament=tournament, pk=line).first())


on_note = action_on(find_note, ("slug", "line"), lambda note: note.tournament)


@on_note(Nothing, name="take_back_prize")
def take_back(actor: Actor, _data: Data, note: CashEntry) -> None:
    """Reverse the note that something was handed out: it is still to be given."""
    prizes_services.take_back(actor, note)
