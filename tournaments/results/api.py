"""Endpoints of matches, of an arbiter's decisions, and of records."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Concatenate, Final

from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

import engine
from tournaments.analysis import serializers as analysis_serializers
from tournaments.analysis.queries import analyses
from tournaments.api import examples
from tournaments.core.api.pagination import (
    PARAMETERS,
    Page,
    filter_choice,
    filter_number,
    filter_parameters,
    paginate,
    read_filters,
)
from tournaments.core.api.problems import CONTENT_TYPE, problem
from tournaments.core.api.requests import (
    KEY,
    MEDIA_TYPE,
    NDJSON,
    TUTE,
    actor_of,
    address,
    media_type_of,
    read_body,
    read_flag,
    read_key,
    refuse_unknown,
    require_actor,
    unsupported_media_type,
    validate,
)
from tournaments.core.api.scopes import needs_scope
from tournaments.core.api.serializers import (
    BatchProblem,
    Nothing,
    Problem,
    RecordProblem,
    RecordText,
)
from tournaments.core.api.views import (
    DRY_RUN,
    Data,
    PathArguments,
    View,
    combine,
    operation_texts,
    problems_of,
    read_view,
    write_view,
)
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import (
    find_dispute,
    find_match,
    find_match_to_lock,
    find_tournament,
)
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor, Scope
from tournaments.director.api.directing import action_on, on_match, tournament_response
from tournaments.director.api.directing import stored_answer as stored_tournament
from tournaments.director.queries.filled import filled_before
from tournaments.director.queries.rows import score_in
from tournaments.domain.scores import Score
from tournaments.domain.sides import SIDES
from tournaments.models import Dispute, Match, Record, Tournament
from tournaments.results import serializers
from tournaments.results.queries import matches
from tournaments.results.queries.matches import hand_page
from tournaments.results.queries.records import (
    RecordListRow,
    RecordPage,
    record_page,
    records_after,
)
from tournaments.results.queries.what_if import (
    PlayedOnRow,
    effect_page,
    played_on_of,
    ruling_preview,
)
from tournaments.results.services import agreements
from tournaments.results.services import matches as matches_services
from tournaments.results.services import submit as submit_services
from tournaments.results.services.given import HandAward
from tournaments.results.services.intake import parse_text, read_records
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.submission import OutcomeKind, ParsedRecord, SubmissionOutcome
from tournaments.results.services.submit import Batch, LineOutcome

# --- Matches --------------------------------------------------------------------------------------

ANY_KEY: Final = OpenApiParameter(
    KEY.name, str, OpenApiParameter.HEADER, description=KEY.description
)
"""The key of many records, as it was published: without its pattern."""


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


def stored_answer(
    status: int, outcome: str | None, *, version: int | None = None, dispute: int | None = None
) -> Answer:
    """Return the answer that is stored under the idempotency key."""
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
    body = serializers.ChangedMatch({"match": match, **answer.content}).data
    return Response(body, status=answer.status)


match_action = partial(
    write_view,
    tag="matches",
    responses={
        201: OpenApiResponse(serializers.ChangedMatch, "Something has changed."),
        200: OpenApiResponse(serializers.ChangedMatch, "It was so before, or is agreed on now."),
    },
    refusals=REPORT_REFUSALS,
    to_answer=lambda answer: answer,
    to_response=outcome_response,
    scopes=(Scope.SUBMIT,),
)
"""Make a view that takes a report, a confirmation or an objection by POST."""


@match_action(serializers.Report, name="report_result")
def report(actor: Actor, data: Data, pk: int) -> Answer:
    """Report how a match ended, by its score or by the points of each hand.

    The club's report counts at once; a side's when another side has reported or confirmed the same,
    or the time to object is over. One that contradicts what is there is kept, opens a dispute and
    is answered with `conflicting_report`. Needs a token with the scope `games:submit`.
    """
    reported = report_result(actor, find_match(pk, actor), **_result_of(data))
    outcome = None if reported.outcome is OutcomeKind.CONTESTED else reported.outcome
    return stored_answer(reported.status, outcome, version=reported.result.version)


@match_action(serializers.Confirmation, name="confirm_result", scopes=(Scope.SUBMIT, Scope.MANAGE))
def confirm(actor: Actor, data: Data, pk: int) -> Answer:
    """Confirm what a side reported: another side does, or the club.

    Say which version is confirmed: one that was put right meanwhile is answered with
    `report_changed`. Confirmed twice, it is confirmed once. Needs a token with the scope
    `games:submit`.
    """
    result = confirm_result(actor, find_match(pk, actor), version=data["version"])
    return stored_answer(200, OutcomeKind.CONFIRMED, version=result.version)


@match_action(serializers.Objection, name="dispute_result", scopes=(Scope.SUBMIT, Scope.MANAGE))
def dispute(actor: Actor, data: Data, pk: int) -> Answer:
    """Object to a result, with a reason; one that counts does so until the arbiter rules.

    Needs a token with the scope `games:submit`.
    """
    new_dispute = matches_services.dispute_result(actor, find_match(pk, actor), data["reason"])
    return stored_answer(201, "disputed", dispute=new_dispute.pk)


def _result_of(data: Data) -> dict[str, Any]:
    """Return the result that a body gives, as arguments of the services."""
    hands, cut = data.pop("hands", ()), data.pop("cut", False)
    given: dict[str, Any] = {"hand_scores": hands, "cut": cut}
    if award := data.pop("award", None):
        given["award"] = HandAward(**award)
    return given | {"score": score_of(data)}


def score_of(data: Mapping[str, Any]) -> Score | None:
    """Return the score that a body gives, if it gives one."""
    if not data:
        return None
    if places := data.get("places"):
        sides = SIDES[: len(places)]
        points = tuple(data.get(f"{side}_points", 0) for side in sides)
        return replace(Score.of((0,) * len(sides), points), places=tuple(places))
    if "home_hands" not in data or "away_hands" not in data:
        raise Refusal(Reason.SCORE_MISSING)
    if any(f"{side}_points" in data and f"{side}_hands" not in data for side in SIDES):
        raise Refusal(Reason.SCORE_MISSING)
    words = [word for word in SIDES if f"{word}_hands" in data]
    hands = tuple(data[f"{word}_hands"] for word in words)
    return Score.of(hands, tuple(data.get(f"{word}_points", 0) for word in words))


on_dispute = action_on(find_dispute, ("pk",), lambda dispute: dispute.match.tournament)


def _correction_of(data: Data) -> dict[str, Any]:
    """Return a correction as arguments of the service."""
    reason, version = data.pop("reason"), data.pop("version", None)
    return {"reason": reason, "version": version, **_result_of(data)}


def _preview_correction(actor: Actor, data: Data, pk: int) -> Response:
    match = find_match(pk, actor)
    result = matches_services.preview_correction(actor, match, **_correction_of(data))
    page = effect_page(pk, actor, score_in(result), result.hand_scores)
    return Response(serializers.CorrectionEffect(page).data)


def _corrected_answer(corrected: tuple[Tournament, tuple[PlayedOnRow, ...]]) -> Answer:
    tournament, played_on = corrected
    answer = stored_tournament(tournament)
    said = {
        "played_on": [row._asdict() for row in played_on],
        "filled": [asdict(row) for row in filled_before(tournament)],
    }
    return Answer(answer.status, {**answer.content, **said})


@write_view(
    serializers.Correction,
    name="correct_result",
    tag="organising",
    responses={
        200: OpenApiResponse(serializers.CorrectionEffect, "What it would change (`dry_run`)."),
        201: OpenApiResponse(serializers.Corrected, "It is done."),
    },
    to_answer=_corrected_answer,
    to_response=partial(tournament_response, serializer=serializers.Corrected),
    preview=_preview_correction,
)
def correct(actor: Actor, data: Data, pk: int) -> tuple[Tournament, tuple[PlayedOnRow, ...]]:
    """Give a match another result, or its first; the old one is kept and counts no more.

    It is a score or, as in a report, the points of each hand, which a match whose deals are
    compared needs.

    With the `version` that is put right, a result that is another by now stays as it is and is
    answered with `report_changed`. `played_on` says where the next match of a bracket was played
    by the other side, `filled` which stages keep others than those who qualify now; `?dry_run=1`
    says it before, with the table, and writes nothing.
    """
    match = find_match(pk, actor)
    matches_services.correct_result(actor, match, **_correction_of(data))
    return find_tournament(match.tournament.slug, actor), played_on_of(match)


@on_match(serializers.MatchForfeit, name="forfeit_match")
def forfeit(actor: Actor, data: Data, match: Match) -> None:
    """Give a match as lost by some of its sides, or by all of them."""
    matches_services.forfeit(actor, match, data["sides"], reason=data["reason"])


@on_match(serializers.AbsentSides, name="tell_no_show")
def no_show(actor: Actor, data: Data, match: Match) -> None:
    """Give a match as lost by those who have not come in time."""
    matches_services.no_show(actor, match, data["sides"])


@on_match(serializers.Decision, name="decide_match")
def decide(actor: Actor, data: Data, match: Match) -> None:
    """Say who goes on where a match was tied and a side has to."""
    matches_services.decide(actor, match, data["side"], reason=data["reason"])


@on_match(serializers.Postponement, name="postpone_match")
def postpone(actor: Actor, data: Data, match: Match) -> None:
    """Put a match off, to a time if that is known."""
    matches_services.postpone(actor, match, data.get("to"), reason=data.get("reason", ""))


@on_match(Nothing, name="resume_match")
def resume(actor: Actor, _data: Data, match: Match) -> None:
    """Take a match up again that was put off."""
    matches_services.resume(actor, match)


@on_match(serializers.AgreedDay, name="propose_day", scopes=(Scope.SUBMIT,))
def propose_day(actor: Actor, data: Data, match: Match) -> None:
    """Propose another day to the other side, until the day by which the match is to be played."""
    agreements.propose_day(actor, match, data["to"])


@on_match(serializers.AgreedDay, name="agree_day", scopes=(Scope.SUBMIT,))
def agree_day(actor: Actor, data: Data, match: Match) -> None:
    """Agree to the day that the other side proposed: the match is postponed to it."""
    agreements.agree_day(actor, match, data["to"])


@on_match(Nothing, name="decline_day", scopes=(Scope.SUBMIT,))
def decline_day(actor: Actor, _data: Data, match: Match) -> None:
    """Decline the day that the other side proposed, or take back the own proposal."""
    agreements.decline_day(actor, match)


@on_dispute(Nothing, name="take_dispute_up")
def take_up(actor: Actor, _data: Data, dispute: Dispute) -> None:
    """Say that an arbiter looks into a dispute."""
    matches_services.take_up(actor, dispute)


PREVIEW_REFUSALS: Final = {
    400: "It cannot be read.",
    409: "It has been ruled on already.",
    413: "It is too large.",
    422: "It is not possible in this match.",
}


@on_dispute(serializers.Ruling, name="rule_on_dispute")
def rule(actor: Actor, data: Data, dispute: Dispute) -> None:
    """Rule on a dispute: let the result count for now, uphold, amend or void it.

    To amend it give its score or, as in a report, the points of each hand, which a match whose
    deals are compared needs; or let the record or report count that contradicts it (`contested`).
    """
    matches_services.rule_on_dispute(actor, dispute, **ruling_of(data, dispute))


def ruling_of(data: Data, dispute: Dispute) -> dict[str, Any]:
    """Return a ruling as arguments of the service."""
    arguments = {"ruling": data.pop("ruling"), "reason": data.pop("reason")}
    arguments |= dispute.contradiction if data.pop("contested", False) else {}
    return {**arguments, **_result_of(data)}


def _preview_ruling(request: Request, pk: int) -> Response:
    """Say what a ruling would change, and do nothing: the result, and the table of the stage.

    It is refused as the ruling would be. Needs a token with the scope `tournaments:manage` of an
    arbiter, and no key.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    data = validate(serializers.Ruling, read_body(request))
    dispute = find_dispute(pk, actor)
    outcome = matches_services.preview_ruling(actor, dispute, **ruling_of(data, dispute))
    preview = ruling_preview(dispute.match.pk, actor, outcome)
    return Response(serializers.RulingPreview(preview).data, headers={"Cache-Control": "no-store"})


preview_ruling = extend_schema(
    operation_id="preview_ruling",
    **operation_texts(_preview_ruling),
    tags=["organising"],
    request={MEDIA_TYPE: serializers.Ruling},
    responses={
        200: OpenApiResponse(serializers.RulingPreview, "What the ruling would change."),
        **problems_of(PREVIEW_REFUSALS),
    },
)(needs_scope(Scope.MANAGE)(api_view(["POST"])(_preview_ruling)))


# --- Records --------------------------------------------------------------------------------------


RECORD_REFUSALS: Final = {
    400: "It cannot be read as a record, or the key is missing.",
    409: "The round is not being played, another record was accepted, or the key is in use.",
    413: "It is larger than a record may be.",
    422: "It breaks a rule, or is not a record of this match; or the key was used for another one.",
}


def submission_view(
    *, name: str
) -> Callable[[Callable[Concatenate[Request, PathArguments], Response]], View]:
    """Make a view that takes a record by POST, described by the function's docstring."""

    def make(view: Callable[Concatenate[Request, PathArguments], Response]) -> View:
        return extend_schema(
            operation_id=name,
            **operation_texts(view),
            tags=["records"],
            parameters=[KEY],
            request={MEDIA_TYPE: RecordText, TUTE: OpenApiTypes.BINARY},
            examples=[examples.RECORD, examples.REFUSED],
            responses={
                201: OpenApiResponse(
                    serializers.Accepted,
                    "Taken: it counts, or waits for the other side (`reported`).",
                ),
                200: OpenApiResponse(
                    serializers.Accepted,
                    "What the other side reported counts now (`confirmed`), or the same record "
                    "was here before, and nothing has changed (`duplicate`).",
                ),
                (404, CONTENT_TYPE): OpenApiResponse(Problem, "There is nothing to submit to."),
                **problems_of(RECORD_REFUSALS, RecordProblem),
            },
        )(needs_scope(Scope.SUBMIT)(api_view(["POST"])(view)))

    return make


@read_view(serializers.Record, tag="records", name="read_record")
def record(request: Request, pk: int) -> RecordPage:
    """One record as it was submitted, and its verdict; a refused one for those whom it concerns."""
    return record_page(pk, actor_of(request))


def _read_record(request: Request) -> bytes | ParsedRecord:
    """Return the body: JSON as it was sent, to be read strictly, or the one record of a text."""
    body = read_body(request, media_types=(MEDIA_TYPE, TUTE), may_be_empty=False)
    return parse_text(body) if media_type_of(request) == TUTE else body


@submission_view(name="submit_record")
def submit(request: Request, pk: int) -> Response:
    """Submit the record of a match; it is replayed, and counts if it is valid.

    The club's counts at once; a player's when the other side has sent or confirmed the same.

    Needs a token with the scope `games:submit`. A record that is refused changes nothing; it is
    kept as evidence, and the problem says where.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    match = find_match_to_lock(pk, actor)
    key, body = read_key(request), _read_record(request)
    return submission_response(
        request, submit_services.submit_record(actor, match, body, idempotency_key=key)
    )


@submission_view(name="submit_record_to_tournament")
def submit_to_tournament_view(request: Request, slug: str) -> Response:
    """Submit the record of some match of a tournament, found by the names at its seats.

    Of several matches of the same two, the one of the round that its tags name, else the first that
    is open. In all else as submitting to a match.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    tournament = find_tournament(slug, actor)
    key, body = read_key(request), _read_record(request)
    return submission_response(
        request,
        submit_services.submit_to_tournament(actor, tournament, body, idempotency_key=key),
    )


def submission_response(request: Request, submitted: SubmissionOutcome) -> Response:
    """Answer a submission: 201, 200 for what is there, or the problem with the verdict."""
    headers = {"Idempotency-Replayed": "true"} if submitted.replayed else {}
    record_url = address(request, "record", submitted.record)
    verdict = submitted.verdict.as_dict(get_language())
    if submitted.status >= 400:
        fault = submitted.parsed.fault if submitted.refusal is None else None
        return problem(
            request,
            submitted.code,
            submitted.status,
            submitted.message,
            headers=headers,
            reason=submitted.reason or None,
            record=record_url,
            pointer=fault.path if fault else None,  # where the record itself is at fault
            line=submitted.line,
            column=submitted.column,
            verdict=verdict,
        )
    answer = {
        "record": record_url,
        "match": address(request, "match", submitted.match),
        "duplicate": submitted.outcome is OutcomeKind.DUPLICATE,
        "outcome": submitted.outcome,
        "verdict": verdict,
    }
    headers |= {"Location": str(record_url), "Cache-Control": "no-store"}
    return Response(serializers.Accepted(answer).data, status=submitted.status, headers=headers)


FILTERS: Final = (
    filter_choice("state", Record.State.values, "Those in this state alone."),
    filter_choice("source", Record.Source.values, "Those that came by this door alone."),
    filter_number("round", "Those of this round alone."),
)


@read_view(
    serializers.FiledRecords,
    tag="records",
    name="list_records",
    parameters=(*PARAMETERS, *filter_parameters(FILTERS)),
)
def list_records(request: Request, slug: str) -> Page[RecordListRow]:
    """The records of a tournament, without their texts, in the order in which they came.

    Everybody sees those that count or once did. Refused and contested ones need a token with the
    scope `games:read` of a member of the club; players find their own at their matches.
    """
    viewer, filters = actor_of(request), read_filters(request, FILTERS)

    def fetch(after: str, count: int) -> tuple[RecordListRow, ...]:
        return records_after(slug, int(after or 0), count, viewer, filters)

    return paginate(request, fetch, lambda row: str(row.record.pk))


records = combine(list_records, submit_to_tournament_view)

LINES: Final = (NDJSON, TUTE)
LINES_REFUSALS: Final = {
    400: "A parameter is not possible, or the key is missing.",
    409: "The key is in use.",
    413: f"More than {submit_services.MAX_LINES} records, or more than 5 MiB.",
    415: f"The body is not {NDJSON} or {TUTE} in UTF-8.",
    422: "A line cannot be accepted, or there is none: nothing was written. Or the key was used "
    "for other lines.",
}


def _submit_lines(request: Request, slug: str) -> Response:
    """Submit many records of a tournament's matches at once, one a line.

    Each line is a record as it would be sent alone; blank lines are passed over. A JSON array, one
    record over many lines and the export of a tournament's records, whose last line is checked, are
    taken too, with or without byte order mark, and `application/x-tute` is text: `form` says what
    the body was taken for, and `line` then counts the records. All lines are accepted, or none: one
    that cannot be accepted is named by its number, its code and the place, and nothing is written.
    With `?dry_run=1` nothing is written either, and the report is the same.
    At most 1000 records and 5 MiB. Needs a token with the scope `games:submit`.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset({DRY_RUN.name}))
    tournament = find_tournament(slug, actor)
    dry_run = read_flag(request, DRY_RUN.name)
    key = None if dry_run else read_key(request)
    body = read_body(request, submit_services.MAX_BYTES, LINES, may_be_empty=False)
    file = read_records(body, only_utf_8=True)
    if (file.reader.form is engine.Form.TUTE) != (media_type_of(request) == TUTE) and file.records:
        raise unsupported_media_type(LINES)
    batch = submit_services.submit_lines(
        actor, tournament, file.records, idempotency_key=key, dry_run=dry_run
    )
    return _batch_answer(request, batch, file.reader)


submit_lines = extend_schema(
    operation_id="submit_lines",
    **operation_texts(_submit_lines),
    tags=["records"],
    parameters=[ANY_KEY, DRY_RUN],
    # NDJSON last: a generated client that takes one kind of a file sends the last one.
    request={TUTE: OpenApiTypes.BINARY, NDJSON: OpenApiTypes.BINARY},
    responses={
        201: OpenApiResponse(serializers.Batch, "Accepted: all lines."),
        200: OpenApiResponse(serializers.Batch, "All are in order, and nothing has changed."),
        **problems_of(LINES_REFUSALS, BatchProblem),
    },
)(needs_scope(Scope.SUBMIT)(api_view(["POST"])(_submit_lines)))


def _batch_answer(request: Request, batch: Batch, reader: engine.RecordReader) -> Response:
    root = request.build_absolute_uri(reverse("api:nothing"))
    lines = [_line(root, line) for line in batch.lines]
    refusal = batch.refusal
    if refusal is not None:
        return problem(
            request,
            refusal.code,
            refusal.status,
            refusal.message,
            dry_run=batch.dry_run,
            form=reader.form,
            lines=lines,
        )
    headers = {"Cache-Control": "no-store"}
    if batch.replayed:
        headers["Idempotency-Replayed"] = "true"
    status = 201 if batch.has_new else 200
    body = {"dry_run": batch.dry_run, "form": reader.form, "lines": lines}
    return Response(body, status=status, headers=headers)


def _line(root: str, line: LineOutcome) -> dict[str, Any]:
    body = {
        "line": line.number,
        "outcome": line.outcome,
        "status": line.status,
        "duplicate": line.outcome == "duplicate",
        "match": f"{root}matches/{line.match}/" if line.match else None,
        "record": f"{root}records/{line.record}/" if line.record else None,
    }
    refusal = {"code": line.code, "reason": line.reason, "detail": line.message}
    body |= {name: value for name, value in refusal.items() if value}
    position = {"pointer": line.pointer, "column": line.column}
    return body | {name: value for name, value in position.items() if value is not None}


@read_view(analysis_serializers.HandAnalysis, tag="analyses", name="read_hand_analysis")
def hand_analysis(request: Request, pk: int, number: int) -> analyses.HandAnalysisPage:
    """What a hand was worth and what each of its cards cost."""
    return analyses.hand_analysis(hand_page(pk, number, actor_of(request)))
