"""Results without a record: reported, confirmed, disputed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

import engine
from tournaments.api.doors import View, address, refuse_unknown
from tournaments.api.problems import CONTENT_TYPE, problem
from tournaments.api.schema import described
from tournaments.api.shapes.problems import Problem
from tournaments.api.shapes.reports import Confirmation, Objection, Report, Told
from tournaments.api.submissions import KEY, MEDIA_TYPE, read_body, read_key
from tournaments.api.tokens import signed_in
from tournaments.domain.scores import Score
from tournaments.errors import Reason, Refusal
from tournaments.models import Match
from tournaments.models.matches import SIDES
from tournaments.permissions import Actor
from tournaments.queries import find
from tournaments.services.matches import open_dispute
from tournaments.services.repeats import Answer, once
from tournaments.services.reports import Outcome, confirm_result, report_result

Body = Mapping[str, Any]
Door = Callable[[Actor, Match, Body], Answer]

REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "It contradicts what is there, comes too late, or the key is in use.",
    413: "It is too large.",
    422: "It is not possible in this match; or the key was used for another request.",
}


def tells(shape: type[Serializer[object]], *, name: str) -> Callable[[Door], View]:
    """Make a view that takes what somebody says of a match by POST, in the given shape."""

    def make(door: Door) -> View:
        @extend_schema(
            operation_id=name,
            **described(door),
            tags=["matches"],
            parameters=[KEY],
            request={MEDIA_TYPE: shape},
            responses={
                201: OpenApiResponse(Told, "Something has changed."),
                200: OpenApiResponse(Told, "It was so before, or is agreed on now."),
                **{
                    (status, CONTENT_TYPE): OpenApiResponse(Problem, text)
                    for status, text in REFUSALS.items()
                },
            },
        )
        @api_view(["POST"])
        def view(request: Request, pk: int) -> Response:
            actor = signed_in(request)
            refuse_unknown(request, frozenset())
            match = find.find_match(pk, actor)
            key, raw = read_key(request), read_body(request)
            body = strict(raw, frozenset(shape().get_fields()))
            target = f"{name} {pk}"
            return answered(
                request, match, once(actor, key, target, raw, lambda: door(actor, match, body))
            )

        return view

    return make


@tells(Report, name="report_result")
def report(actor: Actor, match: Match, body: Body) -> Answer:
    """Report how a match ended, by its score or by the points of each hand.

    The club's report counts at once; a side's when another side has reported or confirmed the same,
    or the time to object is over. One that contradicts what is there is kept, opens a dispute and
    is answered with `conflicting_report`. Needs a token with the scope `games:submit`.
    """
    hands = body.get("hands", [])
    if not isinstance(hands, list) or not all(isinstance(hand, dict) for hand in hands):
        raise Refusal(Reason.BAD_PARAMETER, name="hands")
    reported = report_result(actor, match, score=score_of(body), hand_scores=hands)
    outcome = None if reported.outcome is Outcome.CONTESTED else reported.outcome
    return told(reported.status, outcome, version=reported.result.version)


@tells(Confirmation, name="confirm_result")
def confirm(actor: Actor, match: Match, body: Body) -> Answer:
    """Confirm what a side reported: another side does, or the club.

    Say which version is confirmed: one that was put right meanwhile is answered with
    `report_changed`. Confirmed twice, it is confirmed once. Needs a token with the scope
    `games:submit`.
    """
    result = confirm_result(actor, match, version=whole(body, "version"))
    return told(200, Outcome.CONFIRMED, version=result.version)


@tells(Objection, name="dispute_result")
def dispute(actor: Actor, match: Match, body: Body) -> Answer:
    """Object to a result, with a reason: it counts no more until the arbiter rules.

    Needs a token with the scope `games:submit`.
    """
    reason = body.get("reason")
    if not isinstance(reason, str):
        raise Refusal(Reason.BAD_PARAMETER, name="reason")
    opened = open_dispute(actor, match, reason)
    return told(201, "disputed", dispute=opened.pk)


def told(
    status: int, outcome: str | None, *, version: int | None = None, dispute: int | None = None
) -> Answer:
    """Return what is kept of an answer."""
    word = None if outcome is None else str(outcome)
    return Answer(status, {"outcome": word, "version": version, "dispute": dispute})


def answered(request: Request, match: Match, answer: Answer) -> Response:
    """Answer a program: what became of it, or the problem."""
    if answer.told["outcome"] is None:
        refusal = Refusal(Reason.CONFLICTING_REPORT)
        return problem(request, refusal.code, refusal.status, refusal.message)
    headers = {"Cache-Control": "no-store"}
    if answer.replayed:
        headers["Idempotency-Replayed"] = "true"
    body = {"match": address(request, "match", match), **answer.told}
    return Response(Told(body).data, status=answer.status, headers=headers)


def strict(raw: bytes, known: frozenset[str], most: int = engine.MAX_BYTES) -> Body:
    """Return the object that a body is, read as strictly as a record.

    Refuses what it does not know, rather than ignore it.
    """
    if len(raw) > most:
        raise Refusal(Reason.TOO_LARGE)
    try:
        body = engine.read_json(raw or b"{}")
    except engine.RecordError as error:
        raise Refusal(
            Reason.BAD_REQUEST, reason=error.reason, line=error.line, column=error.column
        ) from error
    if not isinstance(body, dict):
        raise Refusal(Reason.BAD_REQUEST, reason="expected_object")
    for name in body:
        if name not in known:
            raise Refusal(Reason.BAD_PARAMETER, name=name[:60])
    return body


def score_of(body: Body) -> Score | None:
    """Return the score that a body gives, if it gives one."""
    given = {name: whole(body, name) for name in body if name != "hands"}
    if not given:
        return None
    if "home_hands" not in given or "away_hands" not in given:
        raise Refusal(Reason.SCORE_MISSING)
    if ("third_points" in given) and "third_hands" not in given:
        raise Refusal(Reason.SCORE_MISSING)
    words = [word for word in SIDES if f"{word}_hands" in given]
    hands = tuple(given[f"{word}_hands"] for word in words)
    return Score.of(hands, tuple(given.get(f"{word}_points", 0) for word in words))


def whole(body: Body, name: str) -> int:
    """Return a number of a body; refuses what is none."""
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refusal(Reason.BAD_PARAMETER, name=name)
    return value
