"""The history as a chain: signed checkpoints for everybody, whole trails for those who may."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request

from tournaments.api.bulk import LINES, sent
from tournaments.api.doors import reads, refuse_unknown
from tournaments.api.negotiation import answers_in
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.schema import described
from tournaments.api.shapes import audit as shapes
from tournaments.api.tokens import actor_of
from tournaments.domain.trail.checkpoints import Checkpoint
from tournaments.queries import trails


@reads(shapes.Checkpoints, tag="clubs", name="list_checkpoints", parameters=PARAMETERS)
def checkpoints(request: Request, slug: str) -> Page[Checkpoint]:
    """The signed checkpoints of a club's history, the earliest first; keep them to check it later.

    Each tells the digest of the club's last event at a time, is signed with Ed25519, and names the
    checkpoint before it. How they are made and checked is in docs/audit.md.
    """

    def fetch(after: str, count: int) -> tuple[Checkpoint, ...]:
        return trails.checkpoints_after(slug, int(after or 0), count, actor_of(request))

    return cut(request, fetch, lambda checkpoint: str(checkpoint.number))


def _club(request: Request, slug: str) -> HttpResponseBase:
    """All that was done in a club, with digests and checkpoints, one a line.

    For organisers, by a token with the scope `audit:read`. `baza verify-audit FILE` checks it. The
    last line is `{"end": true, "count": …, "sha256": …}`: an answer without it has been cut short.
    """
    refuse_unknown(request, frozenset())
    return sent(request, trails.trail_of_club(slug, actor_of(request)))


def _tournament(request: Request, slug: str) -> HttpResponseBase:
    """All that was done in a tournament, with digests and checkpoints, one a line.

    For members of the club, by a token with the scope `audit:read`. Of the club's other events the
    digests are there, so that the chain can be followed. `baza verify-audit FILE` checks it.
    """
    refuse_unknown(request, frozenset())
    return sent(request, trails.trail_of_tournament(slug, actor_of(request)))


club_trail = extend_schema(
    operation_id="export_club_trail",
    **described(_club),
    tags=["clubs"],
    responses={(200, LINES): OpenApiTypes.STR},
)(answers_in(LINES)(api_view(["GET", "HEAD"])(_club)))

tournament_trail = extend_schema(
    operation_id="export_tournament_trail",
    **described(_tournament),
    tags=["tournaments"],
    responses={(200, LINES): OpenApiTypes.STR},
)(answers_in(LINES)(api_view(["GET", "HEAD"])(_tournament)))
