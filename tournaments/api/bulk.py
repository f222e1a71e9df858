"""Many records at once, one a line: in, all or none; out, with a line that proves the end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import IO, Any, Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.doors import keep_fresh, refuse_unknown
from tournaments.api.negotiation import answers_in
from tournaments.api.problems import CONTENT_TYPE, problem
from tournaments.api.schema import described
from tournaments.api.shapes.problems import BatchProblem
from tournaments.api.shapes.records import Batch as BatchShape
from tournaments.api.submissions import KEY, read_body, read_key
from tournaments.api.tokens import actor_of, signed_in
from tournaments.errors import Reason, Refusal
from tournaments.queries import find
from tournaments.queries.records_file import RecordsFile, records_file
from tournaments.services import bulk
from tournaments.services.bulk import MOST_BYTES, MOST_LINES, Batch, Line, lines_of

LINES: Final = "application/x-ndjson"
PIECE: Final = 1 << 16
"""Bytes of an export that are sent at a time."""

DRY_RUN: Final = OpenApiParameter(
    "dry_run",
    {"type": "integer", "minimum": 0, "maximum": 1, "default": 0},
    description="1: judge every line and write nothing. No `Idempotency-Key` is wanted then.",
)
OPTIONAL_KEY: Final = OpenApiParameter(
    KEY.name, OpenApiTypes.STR, OpenApiParameter.HEADER, description=KEY.description
)
REFUSALS: Final = {
    400: "A parameter is not possible, or the key is missing.",
    409: "The key is in use.",
    413: f"More than {MOST_LINES} lines, or more than 5 MiB.",
    415: f"The body is not {LINES} in UTF-8.",
    422: "A line cannot be accepted, or there is none: nothing was written. Or the key was used "
    "for other lines.",
}


def _submit_lines(request: Request, slug: str) -> Response:
    """Submit many records of a tournament's matches at once, one a line.

    Each line is a record as it would be sent alone; blank lines are passed over. All lines are
    accepted, or none: one that cannot be accepted is told by its number, its code and the place,
    and nothing is written. With `?dry_run=1` nothing is written either, and the report is the same.
    At most 1000 lines and 5 MiB. Needs a token with the scope `games:submit`.
    """
    actor = signed_in(request)
    refuse_unknown(request, frozenset({DRY_RUN.name}))
    tournament = find.find_tournament(slug, actor)
    dry_run = _is_dry(request)
    key = None if dry_run else read_key(request)
    body = read_body(request, MOST_BYTES, LINES)
    lines = lines_of(body)
    if len(body) > MOST_BYTES or len(lines) > MOST_LINES:
        raise Refusal(Reason.TOO_LARGE)
    batch = bulk.submit_lines(actor, tournament, lines, idempotency_key=key, dry_run=dry_run)
    return _told(request, batch)


submit_lines = extend_schema(
    operation_id="submit_lines",
    **described(_submit_lines),
    tags=["records"],
    parameters=[OPTIONAL_KEY, DRY_RUN],
    request={LINES: OpenApiTypes.STR},
    responses={
        201: OpenApiResponse(BatchShape, "Accepted: all lines."),
        200: OpenApiResponse(BatchShape, "All are in order, and nothing has changed."),
        **{
            (status, CONTENT_TYPE): OpenApiResponse(BatchProblem, text)
            for status, text in REFUSALS.items()
        },
    },
)(api_view(["POST"])(_submit_lines))


def _is_dry(request: Request) -> bool:
    said = request.query_params.get(DRY_RUN.name, "0")
    if said not in {"0", "1"}:
        raise Refusal(Reason.BAD_PARAMETER, name=DRY_RUN.name)
    return said == "1"


def _told(request: Request, batch: Batch) -> Response:
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
            lines=lines,
        )
    headers = {"Cache-Control": "no-store"}
    if batch.replayed:
        headers["Idempotency-Replayed"] = "true"
    status = 201 if batch.has_new else 200
    return Response({"dry_run": batch.dry_run, "lines": lines}, status=status, headers=headers)


def _line(root: str, line: Line) -> dict[str, Any]:
    told = {
        "line": line.number,
        "outcome": line.outcome,
        "status": line.status,
        "duplicate": line.outcome == "duplicate",
        "match": f"{root}matches/{line.match}/" if line.match else None,
        "record": f"{root}records/{line.record}/" if line.record else None,
    }
    why = {"code": line.code, "reason": line.reason, "detail": line.message}
    told |= {name: said for name, said in why.items() if said}
    place = {"pointer": line.pointer, "column": line.column}
    return told | {name: said for name, said in place.items() if said is not None}


def _export(request: Request, slug: str) -> HttpResponseBase:
    """All accepted records of a tournament, one a line, in the order in which they were played.

    The last line is `{"end": true, "count": …, "sha256": …}`: the number of records, and the hash
    of all bytes before it. An answer without it has been cut short. All lines are of one moment.
    """
    refuse_unknown(request, frozenset())
    return sent(request, records_file(slug, actor_of(request)))


def sent(request: Request, found: RecordsFile) -> HttpResponseBase:
    """Send a file of lines in pieces; nothing of it to whoever has it already."""
    whole = request._request  # noqa: SLF001 - Django's own, whose handler will send the pieces
    tag = f'"{found.sha256}"'
    unchanged = get_conditional_response(whole, etag=tag)
    if unchanged is not None:
        found.file.close()
        unchanged["ETag"] = tag
        return keep_fresh(unchanged)
    pieces = _Fetched(found.file) if isinstance(whole, ASGIRequest) else _Read(found.file)
    response = StreamingHttpResponse(pieces, content_type=LINES)
    response["ETag"], response["Content-Length"] = tag, str(found.size)
    return keep_fresh(response)


export = extend_schema(
    operation_id="export_records",
    **described(_export),
    tags=["records"],
    responses={(200, LINES): OpenApiTypes.STR},
)(answers_in(LINES)(api_view(["GET", "HEAD"])(_export)))


class _Pieces:
    """A file in pieces; whoever sends them closes it, read or not."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def close(self) -> None:
        self.file.close()


class _Read(_Pieces):
    def __iter__(self) -> Iterator[bytes]:
        with self.file as file:
            yield from iter(partial(file.read, PIECE), b"")


class _Fetched(_Pieces):
    """Read beside the loop that serves everybody."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with self.file as file:
            while piece := await sync_to_async(file.read, thread_sensitive=False)(PIECE):
                yield piece
