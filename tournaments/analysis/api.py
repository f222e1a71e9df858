"""What analysing the hands has found: of a hand, of a tournament, of a player or a bot."""

from typing import Final

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from tournaments.analysis import serializers
from tournaments.analysis.queries import play
from tournaments.core.api.requests import actor_of
from tournaments.core.api.views import read_view

RULESET: Final = (
    OpenApiParameter(
        "ruleset", OpenApiTypes.STR, description="Under which ruleset; without it, under all."
    ),
)


@read_view(serializers.Luck, tag="analyses", name="read_luck")
def tournament(request: Request, slug: str) -> play.LuckPage:
    """The tournament with the luck of the deals taken off: what each entry's play has won."""
    return play.luck_page(slug, actor_of(request))


@read_view(serializers.Figures, tag="analyses", name="read_player_play", parameters=RULESET)
def player(request: Request, pk: int) -> play.PlayPage:
    """What a player's cards cost a hand, by role."""
    return play.player_play(pk, request.query_params.get("ruleset", ""))


@read_view(serializers.Figures, tag="analyses", name="read_bot_play", parameters=RULESET)
def bot(request: Request, slug: str) -> play.PlayPage:
    """What a bot's cards cost a hand, by role."""
    return play.bot_play(slug, request.query_params.get("ruleset", ""))
