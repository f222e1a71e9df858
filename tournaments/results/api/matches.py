"""Endpoints of matches and of an arbiter's decisions."""

from collections.abc import Callable, Mapping
from typing import Final

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.access import actor_of
from tournaments.core.api.problems import problem
from tournaments.core.api.serializers import Nothing, StrictSerializer
from tournaments.core.api.views import Data, Place, View, Write, read_view, write_view
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_dispute, find_match, find_tournament
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor
from tournaments.director.api.directing import tournament_action
from tournaments.domain.scores import Score
from tournaments.models import Tournament
from tournaments.models.matches import SIDES
from tournaments.results import serializers
from tournaments.results.queries import matches
from tournaments.results.services import matches as matches_services
from tournaments.results.services.reports import Outcome, confirm_result, report_result


@read_view(serializers.Match, tag="matches", name="read_match")
def match(request: Request, pk: int) -> matches.MatchPage:
    """One match: its hands, its result and how that came about."""
    return matches.match_page(pk, actor_of(request))


@read_view(serializers.Hand, tag="matches", name="read_hand")
def hand(request: Request, pk: int, number: int) -> matches.HandPage:
    """One hand of the accepted record: the deal, every trick, and a frame after each token."""
    return matches.hand_page(pk, number, actor_of(request))


REPORT_REFUSALS: Final = {
    400: "It cannot be read, or the key is missing.",
    409: "It contradicts what is there, comes too late, or the key is in use.",
    413: "It is too large.",
    422: "It is not possible in this match; or the key was used for another request.",
}


def answer_of(
    status: int, outcome: str | None, *, version: int | None = None, dispute: int | None = None
) -> Answer:
    """Return what is stored of an answer."""
    word = None if outcome is None else str(outcome)
    return Answer(status, {"outcome": word, "version": version, "dispute": dispute})


def outcome_response(request: Request, answer: Answer) -> Response:
    """Answer with the outcome, or the problem."""
    if answer.content["outcome"] is None:
        refusal = Refusal(Reason.CONFLICTING_REPORT)
        return problem(request, refusal.code, refusal.status, refusal.message)
    match = request.build_absolute_uri(
        reverse("api:match", kwargs=request.parser_context["kwargs"])
    )
    body = serializers.Told({"match": match, **answer.content}).data
    return Response(body, status=answer.status)


def match_action(
    serializer: type[StrictSerializer], *, name: str
) -> Callable[[Write[Place, Answer]], View]:
    """Make a view that takes a report, a confirmation or an objection by POST."""
    return write_view(
        serializer,
        name=name,
        tag="matches",
        responses={
            201: OpenApiResponse(serializers.Told, "Something has changed."),
            200: OpenApiResponse(serializers.Told, "It was so before, or is agreed on now."),
        },
        refusals=REPORT_REFUSALS,
        to_answer=lambda answer: answer,
        to_response=outcome_response,
    )


@match_action(serializers.Report, name="report_result")
def report(actor: Actor, data: Data, pk: int) -> Answer:
    """Report how a match ended, by its score or by the points of each hand.

    The club's report counts at once; a side's when another side has reported or confirmed the same,
    or the time to object is over. One that contradicts what is there is kept, opens a dispute and
    is answered with `conflicting_report`. Needs a token with the scope `games:submit`.
    """
    hands = data.pop("hands", [])
    reported = report_result(actor, find_match(pk, actor), score=score_of(data), hand_scores=hands)
    outcome = None if reported.outcome is Outcome.CONTESTED else reported.outcome
    return answer_of(reported.status, outcome, version=reported.result.version)


@match_action(serializers.Confirmation, name="confirm_result")
def confirm(actor: Actor, data: Data, pk: int) -> Answer:
    """Confirm what a side reported: another side does, or the club.

    Say which version is confirmed: one that was put right meanwhile is answered with
    `report_changed`. Confirmed twice, it is confirmed once. Needs a token with the scope
    `games:submit`.
    """
    result = confirm_result(actor, find_match(pk, actor), version=data["version"])
    return answer_of(200, Outcome.CONFIRMED, version=result.version)


@match_action(serializers.Objection, name="dispute_result")
def dispute(actor: Actor, data: Data, pk: int) -> Answer:
    """Object to a result, with a reason; one that counts does so until the arbiter rules.

    Needs a token with the scope `games:submit`.
    """
    opened = matches_services.open_dispute(actor, find_match(pk, actor), data["reason"])
    return answer_of(201, "disputed", dispute=opened.pk)


def score_of(given: Mapping[str, int]) -> Score | None:
    """Return the score that a body gives, if it gives one."""
    if not given:
        return None
    if "home_hands" not in given or "away_hands" not in given:
        raise Refusal(Reason.SCORE_MISSING)
    if ("third_points" in given) and "third_hands" not in given:
        raise Refusal(Reason.SCORE_MISSING)
    words = [word for word in SIDES if f"{word}_hands" in given]
    hands = tuple(given[f"{word}_hands"] for word in words)
    return Score.of(hands, tuple(given.get(f"{word}_points", 0) for word in words))


@tournament_action(serializers.Correction, name="correct_result")
def correct(actor: Actor, data: Data, pk: int) -> Tournament:
    """Give a match another result, or its first; the old one is kept and counts no more.

    With the `version` that is put right, a result that is another by now stays as it is and is
    answered with `report_changed`.
    """
    match, reason, version = find_match(pk, actor), data.pop("reason"), data.pop("version", None)
    matches_services.correct_result(actor, match, score_of(data), reason=reason, version=version)
    return find_tournament(match.tournament.slug, actor)


@tournament_action(serializers.MatchForfeit, name="forfeit_match")
def forfeit(actor: Actor, data: Data, pk: int) -> Tournament:
    """Give a match as lost by some of its sides, or by all of them."""
    match = find_match(pk, actor)
    matches_services.forfeit(actor, match, data["sides"], reason=data["reason"])
    return find_tournament(match.tournament.slug, actor)


@tournament_action(serializers.Missing, name="tell_no_show")
def no_show(actor: Actor, data: Data, pk: int) -> Tournament:
    """Give a match as lost by those who have not come in time."""
    match = find_match(pk, actor)
    matches_services.no_show(actor, match, data["sides"])
    return find_tournament(match.tournament.slug, actor)


@tournament_action(serializers.Decision, name="decide_match")
def decide(actor: Actor, data: Data, pk: int) -> Tournament:
    """Say who goes on where a match was tied and somebody has to."""
    match = find_match(pk, actor)
    matches_services.decide(actor, match, data["side"], reason=data["reason"])
    return find_tournament(match.tournament.slug, actor)


@tournament_action(serializers.Postponement, name="postpone_match")
def postpone(actor: Actor, data: Data, pk: int) -> Tournament:
    """Put a match off, to a time if that is known."""
    match = find_match(pk, actor)
    matches_services.postpone(actor, match, data.get("to"), reason=data.get("reason", ""))
    return find_tournament(match.tournament.slug, actor)


@tournament_action(Nothing, name="resume_match")
def resume(actor: Actor, _data: Data, pk: int) -> Tournament:
    """Take a match up again that was put off."""
    match = find_match(pk, actor)
    matches_services.resume(actor, match)
    return find_tournament(match.tournament.slug, actor)


@tournament_action(Nothing, name="take_dispute_up")
def take_up(actor: Actor, _data: Data, pk: int) -> Tournament:
    """Say that an arbiter looks into a dispute."""
    dispute = find_dispute(pk, actor)
    matches_services.take_up(actor, dispute)
    return find_tournament(dispute.match.tournament.slug, actor)


@tournament_action(serializers.Ruling, name="rule_on_dispute")
def rule(actor: Actor, data: Data, pk: int) -> Tournament:
    """Rule on a dispute: let the result count for now, uphold, amend or void it."""
    dispute, ruling, reason = find_dispute(pk, actor), data.pop("ruling"), data.pop("reason")
    matches_services.rule_on_dispute(actor, dispute, ruling, reason=reason, score=score_of(data))
    return find_tournament(dispute.match.tournament.slug, actor)
