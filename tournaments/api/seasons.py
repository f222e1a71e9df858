"""Seasons: the best results of several tournaments."""

from rest_framework.request import Request

from tournaments.api.doors import reads
from tournaments.api.shapes import seasons as shapes
from tournaments.api.tokens import actor_of
from tournaments.queries import seasons


@reads(shapes.Seasons, tag="clubs", name="list_seasons")
def club(request: Request, slug: str) -> seasons.SeasonsPage:
    """The seasons of a club."""
    return seasons.seasons_page(slug, actor_of(request))


@reads(shapes.Season, tag="clubs", name="read_season")
def season(request: Request, slug: str, season: str) -> seasons.SeasonPage:
    """The table of a season, with what each line took from each of its tournaments."""
    return seasons.season_page(slug, season, actor_of(request))
