"""One entry over the API: what was decided about it, put right; and going back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.bodies import said
from tournaments.api.doors import (
    IF_MATCH,
    keep_fresh,
    reads,
    refuse_stale,
    refuse_unknown,
    with_etag,
)
from tournaments.api.organising import acts
from tournaments.api.problems import CONTENT_TYPE
from tournaments.api.reports import Body, strict
from tournaments.api.shapes import entries as shapes
from tournaments.api.shapes.organising import Nothing
from tournaments.api.shapes.problems import Problem
from tournaments.api.submissions import MEDIA_TYPE, read_body
from tournaments.api.tokens import actor_of, signed_in
from tournaments.models import Tournament
from tournaments.permissions import Actor, is_member
from tournaments.queries import restoring
from tournaments.queries.entry import entry_page
from tournaments.queries.find import (
    find_entry,
    find_restore_point,
    find_tournament,
    found,
    visible,
)
from tournaments.services import absences, entries, penalties, substitutions
from tournaments.services.locks import lock_tournament
from tournaments.services.restoring import go_back


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_entry",
    summary="One entry",
    description="One entry: what the draw knows of it, and what was decided about it; for the "
    "staff, by a token with the scope `tournaments:manage`.",
    tags=["tournaments"],
    responses=shapes.EntryDetail,
)
@extend_schema(
    methods=["PATCH"],
    operation_id="describe_entry",
    summary="Say what the draw should know of an entry",
    description="Say what the draw should know of an entry: its seeding rating, where it comes "
    "from, whom it may not meet. What is left out stays. Needs a token with the scope "
    "`tournaments:manage` of an organiser.",
    tags=["tournaments"],
    parameters=[IF_MATCH],
    request={MEDIA_TYPE: shapes.Description},
    responses={
        200: OpenApiResponse(shapes.EntryDetail, "The entry as it is now."),
        (409, CONTENT_TYPE): OpenApiResponse(Problem, "It has been drawn: its rating stays."),
        (412, CONTENT_TYPE): OpenApiResponse(Problem, "It has changed since it was read."),
        (413, CONTENT_TYPE): OpenApiResponse(Problem, "It is too large."),
        (422, CONTENT_TYPE): OpenApiResponse(Problem, "It is not possible."),
        (428, CONTENT_TYPE): OpenApiResponse(Problem, "Send `If-Match`."),
    },
)
@api_view(["GET", "HEAD", "PATCH"])
def entry(request: Request, slug: str, number: int) -> Response:
    """Read an entry, or say what the draw should know of it."""
    refuse_unknown(request, frozenset())
    if request.method != "PATCH":
        return keep_fresh(Response(detail(slug, number, actor_of(request))))
    actor = signed_in(request)
    fields = frozenset(shapes.Description().get_fields())
    body = strict(read_body(request), fields)
    with transaction.atomic():
        row = find_entry(slug, number, actor)
        lock_tournament(row.tournament)
        entries.refuse_unless_organiser(actor, row)
        wanted = said(shapes.Description, body)
        refuse_stale(request, detail(slug, number, actor))
        entries.describe_entry(actor, row, **wanted)
        told = detail(slug, number, actor)
    return keep_fresh(Response(told))


def detail(slug: str, number: int, viewer: Actor) -> Any:
    """Return an entry as it is told to the staff; refuses NOT_FOUND for everybody else."""
    page = entry_page(slug, number, viewer)
    visible(page.head.may.arbitrate)
    return shapes.EntryDetail(page).data


@acts(Nothing, name="remove_entry")
def remove(actor: Actor, _body: Body, slug: str, number: int) -> Tournament:
    """Take an entry off the list of a draft; the others keep their numbers."""
    entries.remove_entry(actor, find_entry(slug, number, actor))
    return find_tournament(slug, actor)


@acts(Nothing, name="cancel_bye")
def cancel_bye(actor: Actor, _body: Body, slug: str, number: int, pk: int) -> Tournament:
    """Take back a bye that was asked for."""
    row = find_entry(slug, number, actor)
    absences.cancel_bye(actor, found(row.bye_requests.filter(pk=pk).first()))
    return find_tournament(slug, actor)


@acts(shapes.Revocation, name="revoke_penalty")
def revoke(actor: Actor, body: Body, slug: str, number: int, pk: int) -> Tournament:
    """Take a penalty back; it stays written down."""
    row = find_entry(slug, number, actor)
    penalty = found(row.penalties.filter(pk=pk).first())
    penalties.revoke_penalty(actor, penalty, **said(shapes.Revocation, body))
    return find_tournament(slug, actor)


@acts(shapes.EndOfSubstitution, name="end_substitution")
def end_substitution(actor: Actor, body: Body, slug: str, number: int, pk: int) -> Tournament:
    """Let the one who was replaced play again from a round on."""
    row = find_entry(slug, number, actor)
    made = found(row.substitutions.filter(pk=pk).first())
    substitutions.end_substitution(actor, made, **said(shapes.EndOfSubstitution, body))
    return find_tournament(slug, actor)


@reads(shapes.RestorePoint, tag="organising", name="list_restore_points", many=True)
def restore_points(request: Request, slug: str) -> tuple[restoring.PointRow, ...]:
    """The moments that a tournament can be taken back to, the latest first.

    Needs a token with the scope `games:read` of a member of the club.
    """
    viewer = actor_of(request)
    tournament = find_tournament(slug, viewer)
    visible(is_member(viewer, tournament.club))
    return restoring.restore_points(tournament)


@acts(Nothing, name="restore")
def restore(actor: Actor, _body: Body, slug: str, pk: int) -> Tournament:
    """Take a tournament back to before something was done; that, too, can be undone.

    What was played is never lost: where a match that has a result would go, it is refused.
    """
    return go_back(actor, find_restore_point(slug, pk, actor))
