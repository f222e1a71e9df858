"""Records: read one with its verdict, submit one."""

from django.conf import settings
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.doors import address, reads, refuse_unknown
from tournaments.api.problems import problem
from tournaments.api.shapes.records import Accepted, Record
from tournaments.api.submissions import read_body, read_key, submits
from tournaments.api.tokens import actor_of, signed_in
from tournaments.queries import find, records
from tournaments.services.records import Outcome, Submitted, submit_record, submit_to_tournament


@reads(Record, tag="records", name="read_record")
def record(request: Request, pk: int) -> records.RecordPage:
    """One record as it was submitted, and its verdict; a refused one for those whom it concerns."""
    return records.record_page(pk, actor_of(request))


@submits(name="submit_record")
def submit(request: Request, pk: int) -> Response:
    """Submit the record of a match; it is replayed, and counts if it is valid.

    The club's counts at once; a player's when the other side has sent or confirmed the same.

    Needs a token with the scope `games:submit`. A record that is refused changes nothing; it is
    kept as evidence, and the problem says where.
    """
    actor = signed_in(request)
    refuse_unknown(request, frozenset())
    match = find.find_match_to_lock(pk, actor)
    key, body = read_key(request), read_body(request)
    return tell(request, submit_record(actor, match, body, idempotency_key=key))


@submits(name="submit_record_to_tournament")
def submit_anywhere(request: Request, slug: str) -> Response:
    """Submit the record of some match of a tournament, found by the names at its seats.

    Of several matches of the same two, the one of the round that its tags name, else the first that
    is open. In all else as submitting to a match.
    """
    actor = signed_in(request)
    refuse_unknown(request, frozenset())
    tournament = find.find_tournament(slug, actor)
    key, body = read_key(request), read_body(request)
    return tell(request, submit_to_tournament(actor, tournament, body, idempotency_key=key))


def tell(request: Request, submitted: Submitted) -> Response:
    """Answer a submission: 201, 200 for what is there, or the problem with the verdict."""
    headers = {"Idempotency-Replayed": "true"} if submitted.replayed else {}
    record_url = address(request, "record", submitted.record)
    verdict = submitted.verdict.as_dict((get_language() or settings.LANGUAGE_CODE)[:2])
    if submitted.status >= 400:
        return problem(
            request,
            submitted.code,
            submitted.status,
            submitted.message,
            headers=headers,
            reason=submitted.reason or None,
            record=record_url,
            pointer=pointer_of(submitted),
            line=submitted.line,
            column=submitted.column,
            verdict=verdict,
        )
    answer = {
        "record": record_url,
        "match": address(request, "match", submitted.match),
        "duplicate": submitted.outcome is Outcome.DUPLICATE,
        "outcome": submitted.outcome,
        "verdict": verdict,
    }
    headers |= {"Location": str(record_url), "Cache-Control": "no-store"}
    return Response(Accepted(answer).data, status=submitted.status, headers=headers)


def pointer_of(submitted: Submitted) -> str | None:
    """Return the place that the first fault is about, where the record itself is at fault."""
    fault = submitted.reading.fault
    return fault.path if fault and submitted.refusal is None else None
