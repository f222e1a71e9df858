"""Endpoints of files, proofs and the audit trail."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import partial
from typing import IO, Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request

from tournaments.core.api.pagination import (
    PARAMETERS,
    Page,
    filter_moment,
    filter_parameters,
    filter_verb,
    paginate,
    read_filters,
)
from tournaments.core.api.parameters import bad_parameter
from tournaments.core.api.requests import NDJSON, actor_of, read_number, refuse_unknown
from tournaments.core.api.scopes import READ_METHODS, needs_scope
from tournaments.core.api.serializers import Count, Text
from tournaments.core.api.views import (
    Data,
    View,
    accept_only,
    operation_texts,
    read_view,
    require_revalidation,
    with_etag,
)
from tournaments.core.find import find_club
from tournaments.core.permissions import Actor, Scope, may_manage, refuse_unless
from tournaments.director.api.directing import tournament_action
from tournaments.director.serializers import tournaments
from tournaments.domain.trail.checkpoints import Checkpoint as SignedCheckpoint
from tournaments.exchange.queries import exports, tables, trails
from tournaments.exchange.services.outlines import create_draft, read_outline
from tournaments.models import Tournament
from tournaments.people.serializers import PersonAnswers, answers_of
from tournaments.results.queries.records import RecordsFile, records_file
from tournaments.sheets.spreadsheets import CSV, MEDIA_TYPES, XLSX


class FileToDraft(PersonAnswers):
    """A tournament file or a FIDE report, of which a draft is made."""

    file = Text(help_text="Its text.")
    ruleset = Text(required=False, help_text="Left out: that of the file.")


@tournament_action(FileToDraft, name="create_from_file")
def create_from_file(actor: Actor, data: Data, slug: str) -> Tournament:
    """Make a draft of a tournament file or a FIDE report: its stages with their rules, its entries.

    Results are left out. Names that may mean several persons are refused (`who_is_this`), and
    answered by `who`, in which `line` is the number of the entry.
    """
    club = find_club(slug)
    refuse_unless(may_manage(actor, club), actor)
    outline = read_outline(data["file"])
    ruleset = data.get("ruleset", outline.rows.ruleset)
    return create_draft(actor, club, outline, ruleset, answers_of(data))


class Checkpoint(serializers.Serializer[object]):
    """That at a time the club's event of this number was the last and had this digest."""

    club = Count(help_text="The club's key: the same in all its events.")
    number = Count(help_text="Counts the club's checkpoints from 1.")
    sequence = Count(help_text="The number of the event.")
    digest = serializers.CharField(help_text="Of the event, 64 hex digits.")
    at = serializers.CharField(help_text="In UTC with microseconds, as it is signed.")
    before = serializers.CharField(help_text="The digest of the checkpoint before; zeros at first.")
    key = serializers.CharField(help_text="The public key (Ed25519), 64 hex digits.")
    signature = serializers.CharField(help_text="128 hex digits.")


class Checkpoints(serializers.Serializer[object]):
    """A page of checkpoints, the earliest first."""

    results = Checkpoint(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")


JSON: Final = "application/json"

TEXT: Final = "text/plain; charset=utf-8"

NUMBER: Final = {"type": "integer", "minimum": 1, "maximum": 999}

ROUND: Final = OpenApiParameter(
    "round",
    NUMBER,
    description="Of the rounds up to this one; of all that are published without it.",
)

STAGE: Final = OpenApiParameter(
    "stage", NUMBER, description="The stage's number; the last that has begun without it."
)

FileFunction = Callable[..., bytes]


def file_view(
    kind: str, *, name: str, parameters: Sequence[OpenApiParameter] = ()
) -> Callable[[FileFunction], View]:
    """Make a view that answers a GET with the bytes that the function returns."""
    parameter_names = frozenset(parameter.name for parameter in parameters)
    shape = OpenApiTypes.OBJECT if kind == JSON else OpenApiTypes.STR

    def make(function: FileFunction) -> View:
        @extend_schema(
            operation_id=name,
            **operation_texts(function),
            tags=["tournaments"],
            parameters=list(parameters),
            responses={(200, kind): shape},
        )
        @api_view(["GET", "HEAD"])
        def view(request: Request, /, **url_kwargs: str | int) -> HttpResponse:
            refuse_unknown(request, parameter_names)
            response = HttpResponse(function(request, **url_kwargs), content_type=kind)
            response["Cache-Control"] = "no-cache, private"
            response["Vary"] = "Authorization, Accept-Language"
            return response

        return with_etag(accept_only(kind.partition(";")[0])(view))

    return make


@file_view(JSON, name="read_tournament_file")
def tournament_file(request: Request, slug: str) -> bytes:
    """The tournament file: entries, published rounds, results."""
    return exports.tournament_file(slug, actor_of(request))


@file_view(JSON, name="read_tournament_proof", parameters=(ROUND,))
def proof(request: Request, slug: str) -> bytes:
    """The proof bundle, which `baza verify-tournament` draws and ranks again.

    The file holds what was known when each round was drawn, every edit by hand with who made it,
    and the standings with the exact number of every criterion.
    """
    return exports.proof(slug, actor_of(request), read_number(request, "round"))


@file_view(TEXT, name="read_fide_report", parameters=(STAGE,))
def report(request: Request, slug: str) -> bytes:
    """The FIDE report (TRF) of a stage in which two sides meet.

    Where a stage cannot be written as one, the problem `no_report` says why.
    """
    return exports.report(slug, actor_of(request), read_number(request, "stage"))


KIND: Final = OpenApiParameter(
    "kind",
    {"type": "string", "enum": list(MEDIA_TYPES), "default": CSV},
    description="What the file is: CSV in UTF-8, or XLSX.",
)
TABLE: Final = OpenApiParameter(
    "table", str, OpenApiParameter.PATH, enum=list(tables.TABLES), description="Which table."
)
TABLE_STAGE: Final = OpenApiParameter(
    "stage", NUMBER, description="Of the standings: the stage's number; the one in play without it."
)


def _table(request: Request, slug: str, table: str) -> HttpResponse:
    """The standings, the results or the entries as a table for people: CSV or XLSX.

    Headings are in the language asked for. No text is a formula; in CSV one that begins like one
    has an apostrophe before it. Programs read `standings/` and `matches/`.
    """
    refuse_unknown(request, frozenset({KIND.name, TABLE_STAGE.name}))
    kind = request.query_params.get(KIND.name, CSV)
    if kind not in MEDIA_TYPES:
        raise bad_parameter(KIND.name, allowed=list(MEDIA_TYPES))
    stage = read_number(request, TABLE_STAGE.name)
    viewer, language = actor_of(request), get_language()
    content = tables.table_file(slug, table, kind, viewer, language, stage)
    return require_revalidation(HttpResponse(content, content_type=MEDIA_TYPES[kind]))


table = with_etag(
    accept_only(*(kind.partition(";")[0] for kind in MEDIA_TYPES.values()))(
        extend_schema(
            operation_id="read_table",
            **operation_texts(_table),
            tags=["tournaments"],
            parameters=[TABLE, KIND, TABLE_STAGE],
            responses={
                (200, MEDIA_TYPES[CSV]): OpenApiTypes.STR,
                (200, MEDIA_TYPES[XLSX]): OpenApiTypes.BINARY,
            },
        )(api_view(["GET", "HEAD"])(_table))
    )
)

PIECE: Final = 1 << 16
"""Bytes of an export that are sent at a time."""


def lines_view(
    *, name: str, tag: str, scope: str = ""
) -> Callable[[Callable[..., RecordsFile]], View]:
    """Make a view that answers a GET with the lines of the file that the function returns."""

    def make(function: Callable[..., RecordsFile]) -> View:
        @needs_scope(*filter(None, (scope,)), methods=READ_METHODS)
        @extend_schema(
            operation_id=name,
            **operation_texts(function),
            tags=[tag],
            responses={(200, NDJSON): OpenApiTypes.STR},
        )
        @api_view(["GET", "HEAD"])
        def view(request: Request, /, **url_kwargs: str) -> HttpResponseBase:
            refuse_unknown(request, frozenset())
            return send_lines(request, function(request, **url_kwargs))

        lines: View = accept_only(NDJSON)(view)
        return lines

    return make


def send_lines(request: Request, lines: RecordsFile) -> HttpResponseBase:
    """Stream a file of lines in chunks, or answer 304 to a request that names its ETag."""
    http_request = request._request  # noqa: SLF001 - Django's own, whose handler will send the pieces
    tag = f'"{lines.sha256}"'
    unchanged = get_conditional_response(http_request, etag=tag)
    if unchanged is not None:
        lines.file.close()
        unchanged["ETag"] = tag
        return require_revalidation(unchanged)
    pieces = (
        _AsyncChunks(lines.file)
        if isinstance(http_request, ASGIRequest)
        else _SyncChunks(lines.file)
    )
    response = StreamingHttpResponse(pieces, content_type=NDJSON)
    response["ETag"], response["Content-Length"] = tag, str(lines.size)
    return require_revalidation(response)


class _FileChunks:
    """A file that is sent in chunks, and closed whether it was read or not."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def close(self) -> None:
        self.file.close()


class _SyncChunks(_FileChunks):
    def __iter__(self) -> Iterator[bytes]:
        with self.file as file:
            yield from iter(partial(file.read, PIECE), b"")


class _AsyncChunks(_FileChunks):
    """Reads each chunk in a thread, so that the event loop does not wait."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with self.file as file:
            while piece := await sync_to_async(file.read, thread_sensitive=False)(PIECE):
                yield piece


@read_view(Checkpoints, tag="clubs", name="list_checkpoints", parameters=PARAMETERS)
def checkpoints(request: Request, slug: str) -> Page[SignedCheckpoint]:
    """The signed checkpoints of a club's history, the earliest first; keep them to check it later.

    Each tells the digest of the club's last event at a time, is signed with Ed25519, and names the
    checkpoint before it. How they are made and checked is in docs/operators/audit.md.
    """

    def fetch(after: str, count: int) -> tuple[SignedCheckpoint, ...]:
        return trails.checkpoints_after(slug, int(after or 0), count)

    return paginate(request, fetch, lambda checkpoint: str(checkpoint.number))


@lines_view(name="export_records", tag="records")
def export(request: Request, slug: str) -> RecordsFile:
    """All accepted records of a tournament, one a line, in the order in which they were played.

    The last line is `{"end": true, "count": …, "sha256": …}`: the number of records, and the hash
    of all bytes before it. An answer without it has been cut short. All lines are of one moment.
    """
    return records_file(slug, actor_of(request))


@lines_view(name="export_club_trail", tag="clubs", scope=Scope.AUDIT)
def club_trail(request: Request, slug: str) -> RecordsFile:
    """All that was done in a club, with digests and checkpoints, one a line.

    For organisers, by a token with the scope `audit:read`. `baza verify-audit FILE` checks it. The
    last line is `{"end": true, "count": …, "sha256": …}`: an answer without it has been cut short.
    """
    return trails.trail_of_club(slug, actor_of(request))


@lines_view(name="export_tournament_trail", tag="tournaments", scope=Scope.AUDIT)
def tournament_trail(request: Request, slug: str) -> RecordsFile:
    """All that was done in a tournament, with digests and checkpoints, one a line.

    For members of the club, by a token with the scope `audit:read`. Of the club's other events the
    digests are there, so that the chain can be followed. `baza verify-audit FILE` checks it.
    """
    return trails.trail_of_tournament(slug, actor_of(request))


EVENTS = (
    filter_verb("verb", "Events of this kind: `round.published`, or all of `round`."),
    filter_moment("since", "Events since this moment."),
)


@read_view(
    tournaments.History,
    tag="tournaments",
    name="read_history",
    parameters=(*PARAMETERS, *filter_parameters(EVENTS)),
    scope=Scope.AUDIT,
)
def history(request: Request, slug: str) -> Page[trails.EventRow]:
    """Who did what, when: for members of the club, by a token with the scope `audit:read`."""
    filters = read_filters(request, EVENTS)

    def fetch(after: str, count: int) -> tuple[trails.EventRow, ...]:
        return trails.history_after(slug, int(after or 0), count, actor_of(request), **filters)

    return paginate(request, fetch, lambda event: str(event.sequence))
