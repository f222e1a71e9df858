"""Endpoints of entries: withdraw, return, substitute, byes, penalties, lists."""

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.requests import (
    MEDIA_TYPE,
    actor_of,
    read_body,
    refuse_unknown,
    require_actor,
    validate,
)
from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import (
    IF_MATCH,
    Data,
    operation_texts,
    problems_of,
    read_view,
    refuse_stale,
    require_revalidation,
    with_etag,
)
from tournaments.core.find import (
    find_bot,
    find_entry,
    find_players,
    find_restore_point,
    find_tournament,
    lock_tournament,
    not_found_unless,
    or_404,
)
from tournaments.core.permissions import Actor, is_member, may_manage, refuse_unless
from tournaments.director.api.directing import on_entry, on_tournament, tournament_action
from tournaments.director.queries import tournaments
from tournaments.director.queries.entries import entry_page
from tournaments.director.serializers import directing
from tournaments.director.services import absences, entries, substitutions
from tournaments.director.services.restoring import restore_to_point
from tournaments.domain.roster import ListedEntrant, Source
from tournaments.models import Entry, Tournament


@on_tournament(directing.Lists, name="import_entries")
def import_csv(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Bring players and pairs to the club, and enter the pairs in the order of their list.

    Entries that are there already stay as they are.
    """
    entries.import_entries(actor, tournament, data["players"], data["pairs"])


@on_tournament(directing.BotEntries, name="enter_bots")
def enter_bots(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Enter bots of the house or of the club into a draft; the same one as often as it is named."""
    names = data["bots"]
    bots = {name: find_bot(tournament.slug, name, actor) for name in dict.fromkeys(names)}
    entries.enter_newcomers(actor, tournament, [bots[name] for name in names])


CHANGE_REFUSALS = {
    409: "It has been drawn: its rating stays.",
    412: "It has changed since it was read.",
    413: "It is too large.",
    422: "It is not possible.",
    428: "Send `If-Match`.",
}
PREVIEW_REFUSALS = {
    400: "It cannot be read.",
    409: "The tournament is over.",
    413: "It is too large.",
    422: "Something is wrong in the list: `errors` tells all of it.",
}


@on_tournament(directing.EntryList, name="import_list")
def enter_list(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Enter everybody of a list, making the players and pairs that are new, or nobody.

    Into a tournament that is running they come late. What is wrong is listed in `errors`: of CSV by
    line, of rows by index.
    """
    entries.import_list(actor, tournament, source_of(data))


def _preview(request: Request, slug: str) -> Response:
    """Say what a list would do, and do nothing: who would be entered, who is new to the club.

    It is refused as entering it would be. Needs a token with the scope `tournaments:manage` of an
    organiser, and no key.
    """
    actor = require_actor(request)
    refuse_unknown(request, frozenset())
    data = validate(directing.EntryList, read_body(request))
    plan = entries.preview_import(actor, find_tournament(slug, actor), source_of(data))
    return Response(directing.EntryPlan(plan).data, headers={"Cache-Control": "no-store"})


preview = extend_schema(
    operation_id="preview_list",
    **operation_texts(_preview),
    tags=["organising"],
    request={MEDIA_TYPE: directing.EntryList},
    responses={
        200: OpenApiResponse(directing.EntryPlan, "What entering it would do."),
        **problems_of(PREVIEW_REFUSALS),
    },
)(api_view(["POST"])(_preview))


def source_of(data: Data) -> Source:
    """Return the list that a body holds."""
    if "csv" in data:
        return str(data["csv"])
    return [ListedEntrant(**{**row, "players": tuple(row["players"])}) for row in data["entries"]]


@on_entry(Nothing, name="check_in")
def check_in(actor: Actor, _data: Data, entry: Entry) -> None:
    """Say that an entry has come."""
    absences.check_in(actor, entry)


@on_entry(Nothing, name="undo_check_in")
def undo_check_in(actor: Actor, _data: Data, entry: Entry) -> None:
    """Say that an entry has not come after all."""
    absences.undo_check_in(actor, entry)


@on_entry(directing.Leave, name="withdraw_entry")
def withdraw(actor: Actor, data: Data, entry: Entry) -> None:
    """Let an entry leave; it may come back."""
    absences.withdraw(actor, entry, **data)


@on_entry(directing.Reason, name="expel_entry")
def expel(actor: Actor, data: Data, entry: Entry) -> None:
    """Send an entry away for good."""
    absences.expel(actor, entry, **data)


@on_entry(Nothing, name="bring_entry_back")
def readmit(actor: Actor, _data: Data, entry: Entry) -> None:
    """Let an entry that left play again from the next round on."""
    absences.readmit(actor, entry)


@on_entry(directing.Bye, name="request_bye")
def request_bye(actor: Actor, data: Data, entry: Entry) -> None:
    """Ask for a bye of an entry in a round that is not published yet."""
    absences.request_bye(actor, entry, data["round"], data["kind"])


@on_entry(directing.NewPenalty, name="penalise_entry")
def penalise(actor: Actor, data: Data, entry: Entry) -> None:
    """Take match points, hands or points from an entry; negative numbers give."""
    absences.penalise(actor, entry, round_number=data.pop("round"), **data)


@on_entry(directing.Substitution, name="substitute_player")
def substitute(actor: Actor, data: Data, entry: Entry) -> None:
    """Let a substitute play in the place of one of a pair."""
    leaves, comes = find_players(
        entry.tournament.slug, [data.pop("leaves"), data.pop("comes")], actor
    )
    substitutions.substitute(actor, entry, leaves=leaves, comes=comes, **data)


@with_etag
@extend_schema(
    methods=["GET"],
    operation_id="read_entry",
    summary="One entry",
    description="One entry: what the draw knows of it, and what was decided about it; for the "
    "staff, by a token with the scope `tournaments:manage`.",
    tags=["tournaments"],
    responses=directing.EntryDetail,
)
@extend_schema(
    methods=["PATCH"],
    operation_id="describe_entry",
    summary="Say what the draw should know of an entry",
    description="Say what the draw should know of an entry: its seeding rating, where it comes "
    "from, whom it may not meet, at which table it always sits. What is left out stays. Needs a "
    "token with the scope `tournaments:manage` of an organiser.",
    tags=["tournaments"],
    parameters=[IF_MATCH],
    request={MEDIA_TYPE: directing.Description},
    responses={
        200: OpenApiResponse(directing.EntryDetail, "The entry as it is now."),
        **problems_of(CHANGE_REFUSALS),
    },
)
@api_view(["GET", "HEAD", "PATCH"])
def entry(request: Request, slug: str, number: int) -> Response:
    """Read an entry, or say what the draw should know of it."""
    refuse_unknown(request, frozenset())
    if request.method != "PATCH":
        return require_revalidation(Response(entry_detail(slug, number, actor_of(request))))
    actor = require_actor(request)
    data = validate(directing.Description, read_body(request))
    with transaction.atomic():
        row = find_entry(slug, number, actor)
        lock_tournament(row.tournament)
        refuse_unless(may_manage(actor, row.tournament.club), actor)
        refuse_stale(request, entry_detail(slug, number, actor))
        entries.describe_entry(actor, row, **data)
        body = entry_detail(slug, number, actor)
    return require_revalidation(Response(body))


def entry_detail(slug: str, number: int, viewer: Actor) -> Any:
    """Return an entry as the API shows it to the staff; refuses NOT_FOUND for all others."""
    page = entry_page(slug, number, viewer)
    not_found_unless(page.head.may.arbitrate)
    return directing.EntryDetail(page).data


@on_entry(Nothing, name="remove_entry")
def remove(actor: Actor, _data: Data, entry: Entry) -> None:
    """Take an entry off the list of a draft; the others keep their numbers."""
    entries.remove_entry(actor, entry)


@on_entry(Nothing, name="cancel_bye")
def cancel_bye(actor: Actor, _data: Data, entry: Entry, pk: int) -> None:
    """Take back a bye that was asked for."""
    absences.cancel_bye(actor, or_404(entry.bye_requests.filter(pk=pk).first()))


@on_entry(directing.Revocation, name="revoke_penalty")
def revoke(actor: Actor, data: Data, entry: Entry, pk: int) -> None:
    """Take a penalty back; it stays written down."""
    penalty = or_404(entry.penalties.filter(pk=pk).first())
    absences.revoke_penalty(actor, penalty, **data)


@on_entry(directing.EndOfSubstitution, name="end_substitution")
def end_substitution(actor: Actor, data: Data, entry: Entry, pk: int) -> None:
    """Let the one who was replaced play again from a round on."""
    substitution = or_404(entry.substitutions.filter(pk=pk).first())
    substitutions.end_substitution(actor, substitution, **data)


@read_view(directing.RestorePoint, tag="organising", name="list_restore_points", many=True)
def restore_points(request: Request, slug: str) -> tuple[tournaments.PointRow, ...]:
    """The moments that a tournament can be taken back to, the latest first.

    Needs a token with the scope `games:read` of a member of the club.
    """
    viewer = actor_of(request)
    tournament = find_tournament(slug, viewer)
    not_found_unless(is_member(viewer, tournament.club))
    return tournaments.restore_points(tournament)


@tournament_action(Nothing, name="restore")
def restore(actor: Actor, _data: Data, slug: str, pk: int) -> Tournament:
    """Take a tournament back to before something was done; that, too, can be undone.

    What was played is never lost: where a match that has a result would go, it is refused.
    """
    return restore_to_point(actor, find_restore_point(slug, pk, actor))
