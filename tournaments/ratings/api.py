"""Ratings: how strong the people of a club probably are, and how sure that is."""

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from tournaments.core.api.serializers import Count, Moment, Texts
from tournaments.core.api.views import read_view
from tournaments.ratings.queries import pages

RULESET: Final = (
    OpenApiParameter(
        "ruleset",
        OpenApiTypes.STR,
        description="Under which ruleset; without it, the one with most people or matches.",
    ),
)


class Rating(serializers.Serializer[object]):
    """What is thought of a player or a bot, and how surely."""

    rank = serializers.IntegerField(
        min_value=1, allow_null=True, help_text="Null while the rating is provisional."
    )
    name = serializers.CharField()
    player = serializers.IntegerField(
        allow_null=True, help_text="Under `/players/{id}/rating/`; null for a bot."
    )
    code = serializers.CharField(help_text="The player's code in the club; else empty.")
    bot = serializers.CharField(help_text="Under `/bots/{slug}/rating/`; empty for a player.")
    rating = serializers.IntegerField(help_text="As it is shown: 40 times `mu`.")
    margin = serializers.IntegerField(help_text="How far it may be out: 80 times `sigma`.")
    provisional = serializers.BooleanField(help_text="Too unsure to rank anybody by.")
    mu = serializers.FloatField(help_text="The mean in the units of the method.")
    sigma = serializers.FloatField(help_text="The standard deviation in the same units.")
    matches = Count(help_text="Matches that went into it.")
    checked = Count(help_text="Of these, matches of which every card was checked.")


class Ratings(serializers.Serializer[object]):
    """The ratings of a club under one ruleset, the best first, provisional ones last."""

    club = serializers.CharField()
    club_slug = serializers.SlugField()
    ruleset = serializers.CharField(help_text="Empty where nobody is rated yet.")
    rulesets = Texts(help_text="Under which anybody of the club is rated, the most first.")
    ratings = Rating(many=True)


class CurvePoint(serializers.Serializer[object]):
    """A rating after a number of matches."""

    number = Count(help_text="Matches played by then.")
    at = Moment(help_text="When the round of the last of them was published.")
    rating = serializers.IntegerField()
    margin = serializers.IntegerField()


class RatingChange(serializers.Serializer[object]):
    """What one match did to a rating."""

    match = Count(source="match_pk", help_text="Under `/matches/{id}/`.")
    at = Moment()
    tournament = serializers.CharField()
    round = Count()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    margin = serializers.IntegerField(help_text="How far the rating could be out afterwards.")


class PersonRating(serializers.Serializer[object]):
    """A player's or bot's rating under one ruleset, its curve and its changes, newest first."""

    name = serializers.CharField()
    club = serializers.CharField()
    club_slug = serializers.CharField(help_text="Empty for a house bot.")
    player = serializers.IntegerField(allow_null=True)
    bot = serializers.CharField()
    ruleset = serializers.CharField(help_text="Empty before the first rated match.")
    rulesets = Texts(help_text="Under which there is a rating, the most played first.")
    rating = Rating(allow_null=True)
    curve = CurvePoint(many=True, help_text="At most 240 points; the last is the last match.")
    changes = RatingChange(many=True, help_text="The latest 30.")


@read_view(Ratings, tag="ratings", name="list_ratings", parameters=RULESET)
def club(request: Request, slug: str) -> pages.RatingsPage:
    """The ratings of a club's players, and of the bots that have entered its tournaments."""
    return pages.ratings_page(slug, _ruleset(request))


@read_view(PersonRating, tag="ratings", name="read_player_rating", parameters=RULESET)
def player(request: Request, pk: int) -> pages.RatingPage:
    """A player's rating and its course."""
    return pages.player_rating(pk, _ruleset(request))


@read_view(PersonRating, tag="ratings", name="read_bot_rating", parameters=RULESET)
def bot(request: Request, slug: str) -> pages.RatingPage:
    """A bot's rating and its course."""
    return pages.bot_rating(slug, _ruleset(request))


def _ruleset(request: Request) -> str:
    return request.query_params.get("ruleset", "")
