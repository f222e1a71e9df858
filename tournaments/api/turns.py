"""Bots that run elsewhere: they fetch their turns, and post one line for each."""

from typing import Final

from django.conf import settings
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.doors import reads, refuse_unknown
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.schema import described
from tournaments.api.shapes.problems import Problem
from tournaments.api.shapes.turns import Line, Replied, Turns
from tournaments.api.submissions import MEDIA_TYPE, read_body
from tournaments.api.tokens import actor_of, signed_in
from tournaments.errors import Reason, Refusal
from tournaments.models import BotTurn
from tournaments.queries import turns as queries
from tournaments.services.replies import take_reply
from tournaments.services.turns import failure_of

WHOLE: Final = OpenApiParameter(
    "whole",
    {"type": "integer", "minimum": 0, "maximum": 1, "default": 0},
    description="1: tell every turn as to a bot that has just been started.",
)


@reads(Turns, tag="bots", name="list_turns", parameters=(WHOLE,))
def turns(request: Request, slug: str) -> queries.TurnsPage:
    """What a bot that runs elsewhere has to answer now.

    It answers at once, with `poll_after` seconds until it is worth to ask again; `If-None-Match`
    saves the transfer while nothing has changed. Needs a token with the scope `bots:run` of the
    bot's author, or of an organiser of its club.
    """
    said = request.query_params.get(WHOLE.name, "0")
    if said not in {"0", "1"}:
        raise Refusal(Reason.BAD_PARAMETER, name=WHOLE.name)
    return queries.turns_page(slug, actor_of(request), whole=said == "1")


def reply(request: Request, slug: str, pk: int) -> Response:
    """Answer a turn with the bot's line.

    The line is judged at once. One that is no legal answer loses the hand and is answered with its
    `failure`. The same line again is answered alike. Needs a token as for reading the turns.
    """
    actor = signed_in(request)
    refuse_unknown(request, frozenset())
    turn = queries.find_turn(slug, pk, actor)
    return Response(told(take_reply(actor, turn, read_body(request))))


ANSWER: Final = OpenApiExample("A card", value={"id": 3, "say": "5o"}, request_only=True)
answer = extend_schema(
    operation_id="answer_turn",
    **described(reply),
    tags=["bots"],
    request={MEDIA_TYPE: Line},
    examples=[ANSWER],
    responses={
        200: OpenApiResponse(Replied, "Taken: the match goes on."),
        (409, CONTENT_TYPE): OpenApiResponse(Problem, "It was answered before, or is over."),
    },
)(api_view(["POST"])(reply))


def told(turn: BotTurn) -> dict[str, object]:
    """Return what became of a line."""
    language = (get_language() or settings.LANGUAGE_CODE)[:2]
    wrong = failure_of(turn).words(language) if turn.failure else ""
    place = {"match": turn.match_id, "part": turn.part, "seat": turn.seat}
    taken = {"pk": turn.pk, "say": turn.say, "failure": turn.failure, "message": wrong}
    return dict(Replied(place | taken).data)
