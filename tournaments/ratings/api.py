"""Ratings: how strong the people of a club probably are, and how sure that is."""

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from tournaments.core.api.authentication import actor_of
from tournaments.core.api.views import read_view
from tournaments.ratings import pages, serializers

RULESET: Final = (
    OpenApiParameter(
        "ruleset",
        OpenApiTypes.STR,
        description="Under which ruleset; without it, the one with most people or matches.",
    ),
)


@read_view(serializers.Ratings, tag="ratings", name="list_ratings", parameters=RULESET)
def club(request: Request, slug: str) -> pages.RatingsPage:
    """The ratings of a club's players, and of the bots that have entered its tournaments."""
    return pages.ratings_page(slug, actor_of(request), _ruleset(request))


@read_view(serializers.PersonRating, tag="ratings", name="read_player_rating", parameters=RULESET)
def player(request: Request, pk: int) -> pages.RatingPage:
    """A player's rating and its course."""
    return pages.player_rating(pk, actor_of(request), _ruleset(request))


@read_view(serializers.PersonRating, tag="ratings", name="read_bot_rating", parameters=RULESET)
def bot(request: Request, slug: str) -> pages.RatingPage:
    """A bot's rating and its course."""
    return pages.bot_rating(slug, actor_of(request), _ruleset(request))


def _ruleset(request: Request) -> str:
    return request.query_params.get("ruleset", "")
