"""Seasons: the best results of several tournaments."""

from functools import partial

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.requests import actor_of
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import Data, read_view, write_view
from tournaments.core.find import find_club, find_tournament
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor
from tournaments.models import Season
from tournaments.standings import serializers, services
from tournaments.standings.queries import seasons
from tournaments.standings.queries.seasons import find_season


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


@season_action(serializers.NoSeasonEvent, name="take_out_of_season")
def take_out_of_season(actor: Actor, data: Data, slug: str, season: str) -> Season:
    """Take a tournament out of a season."""
    row = find_season(slug, season)
    services.remove_tournament(actor, row, find_tournament(data["tournament"], actor))
    return row


@season_action(Nothing, name="close_season")
def close_season(actor: Actor, _data: Data, slug: str, season: str) -> Season:
    """Let a season take no more tournaments."""
    return services.close_season(actor, find_season(slug, season))
