"""Files of a tournament: its rows, its proof, its FIDE reports."""

from collections.abc import Callable, Sequence
from typing import Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request

from tournaments.api.doors import View, refuse_unknown, with_etag
from tournaments.api.negotiation import answers_in
from tournaments.api.schema import described
from tournaments.api.tokens import actor_of
from tournaments.errors import Reason, Refusal
from tournaments.queries import files
from tournaments.queries.round_files import round_file

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
LINES: Final = "application/x-ndjson"

NUMBER: Final = {"type": "integer", "minimum": 1, "maximum": 999}
ROUND: Final = OpenApiParameter(
    "round",
    NUMBER,
    description="Of the rounds up to this one; of all that are published without it.",
)
STAGE: Final = OpenApiParameter(
    "stage", NUMBER, description="The stage's number; the last that has begun without it."
)

Maker = Callable[..., bytes]


def gives(
    kind: str, *, name: str, parameters: Sequence[OpenApiParameter] = ()
) -> Callable[[Maker], View]:
    """Make a view that answers a GET with the bytes that the function returns."""
    known = frozenset(parameter.name for parameter in parameters)
    shape = OpenApiTypes.OBJECT if kind == JSON else OpenApiTypes.STR

    def make(door: Maker) -> View:
        @extend_schema(
            operation_id=name,
            **described(door),
            tags=["tournaments"],
            parameters=list(parameters),
            responses={(200, kind): shape},
        )
        @api_view(["GET", "HEAD"])
        def view(request: Request, /, **place: str | int) -> HttpResponse:
            refuse_unknown(request, known)
            response = HttpResponse(door(request, **place), content_type=kind)
            response["Cache-Control"] = "no-cache, private"
            response["Vary"] = "Authorization, Accept-Language"
            return response

        return with_etag(answers_in(kind.partition(";")[0])(view))

    return make


@gives(JSON, name="read_tournament_file")
def tournament_file(request: Request, slug: str) -> bytes:
    """The tournament file: entries, published rounds, results (see `docs/tournament-file.md`)."""
    return files.tournament_file(slug, actor_of(request))


@gives(JSON, name="read_tournament_proof", parameters=(ROUND,))
def proof(request: Request, slug: str) -> bytes:
    """The proof bundle, which `baza verify-tournament` draws and ranks again.

    The file holds what was known when each round was drawn, every edit by hand with who made it,
    and the standings with the exact number of every criterion.
    """
    return files.proof(slug, actor_of(request), _number(request, "round"))


@gives(LINES, name="read_round_deals")
def round_deals(request: Request, slug: str, number: int) -> bytes:
    """The seed of a closed round of bots and its records, as `baza verify-round` reads them."""
    return round_file(slug, number, actor_of(request))


@gives(TEXT, name="read_fide_report", parameters=(STAGE,))
def report(request: Request, slug: str) -> bytes:
    """The FIDE report (TRF) of a stage in which two sides meet.

    Where a stage cannot be written as one, the problem `no_report` says why.
    """
    return files.report(slug, actor_of(request), _number(request, "stage"))


def _number(request: Request, name: str) -> int | None:
    said = request.query_params.get(name)
    if said is None:
        return None
    if not (said.isascii() and said.isdecimal() and len(said) < 4 and int(said)):
        raise Refusal(Reason.BAD_PARAMETER, name=name)
    return int(said)
