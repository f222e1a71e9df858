"""Directing a tournament: made, drawn, published and closed; its drafts, clock and check-in."""

from functools import partial

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.serializers import Nothing
from tournaments.core.api.views import Data, write_view
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import (
    find_club,
    find_entry,
    find_match,
    find_round,
    find_stage,
    find_tournament,
)
from tournaments.core.idempotency import Answer
from tournaments.core.permissions import Actor
from tournaments.director.serializers import directing
from tournaments.director.services import absences, draws, restoring, rounds, tournaments
from tournaments.director.services.draws import set_seeding
from tournaments.director.services.tournaments import set_visibility
from tournaments.models import Tournament


def answer_of(tournament: Tournament) -> Answer:
    """Return what is stored of an answer: how the tournament stands."""
    state = str(tournament.state)
    return Answer(201, {"slug": tournament.slug, "state": state, "version": tournament.version})


def tournament_response(request: Request, answer: Answer) -> Response:
    """Answer how the tournament stood when it was done."""
    path = reverse("api:tournament", args=[answer.content["slug"]])
    place = request.build_absolute_uri(path)
    body = directing.Organised({"tournament": place, **answer.content}).data
    return Response(body, status=answer.status, headers={"Location": place})


tournament_action = partial(
    write_view,
    tag="organising",
    responses={201: OpenApiResponse(directing.Organised, "It is done.")},
    to_answer=answer_of,
    to_response=tournament_response,
)
"""Make a view that does something with a tournament, and answers how it stands then."""


@tournament_action(directing.NewTournament, name="create_tournament")
def create(actor: Actor, data: Data, slug: str) -> Tournament:
    """Make a tournament of a club, as a draft of one stage that takes entries.

    As all that organises it needs a token with the scope `tournaments:manage` of an organiser.
    """
    terms = tournaments.Terms(visibility=data.pop("visibility"))
    return tournaments.create_tournament(actor, find_club(slug), terms=terms, **data)


@tournament_action(directing.Visibility, name="show_tournament")
def show(actor: Actor, data: Data, slug: str) -> Tournament:
    """Say who sees a tournament, at any time: everybody, or its club and those who play in it.

    For everybody else a private one is not there, and what is played in it counts in no rating.
    """
    tournament = find_tournament(slug, actor)
    return set_visibility(actor, tournament, data["visibility"])


@tournament_action(directing.Draw, name="draw")
def draw(actor: Actor, data: Data, slug: str) -> Tournament:
    """Draw the first round of a tournament, or the one after a round, as a draft.

    Formats that can draw all their rounds do so at once.
    """
    tournament = find_tournament(slug, actor)
    after, order = data.get("after"), data.get("order", ())
    if after is not None and after >= 1000:
        raise Refusal(Reason.BAD_PARAMETER, name="after")
    # Nothing is left before the first round of a running tournament whose drafts were thrown away.
    if after or (after == 0 and tournament.state == Tournament.State.RUNNING):
        draws.draw_next(actor, tournament, after=after, order=order)
    else:
        draws.draw(actor, tournament, order=order, reason=data.get("reason", ""))
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="publish_round")
def publish(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Publish a round: everybody sees it, and it takes records."""
    return tournaments.publish_round(actor, find_round(slug, number, actor)).stage.tournament


@tournament_action(Nothing, name="close_round")
def close(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Close a round whose matches all have their results or are postponed."""
    return tournaments.close_round(actor, find_round(slug, number, actor)).stage.tournament


@tournament_action(directing.Finish, name="finish_tournament")
def finish(actor: Actor, data: Data, slug: str) -> Tournament:
    """End a tournament whose rounds are all closed; with `early`, also before all are drawn."""
    return tournaments.finish(actor, find_tournament(slug, actor), **data)


@tournament_action(directing.Afresh, name="open_check_in")
def open_check_in(actor: Actor, data: Data, slug: str) -> Tournament:
    """Open the check-in again."""
    tournament = find_tournament(slug, actor)
    return absences.open_check_in(actor, tournament, **data)


@tournament_action(directing.Absent, name="close_check_in")
def close_check_in(actor: Actor, data: Data, slug: str) -> Tournament:
    """End the check-in: who has not come is withdrawn, or rests in the coming round."""
    absences.close_check_in(actor, find_tournament(slug, actor), **data)
    return find_tournament(slug, actor)


@tournament_action(directing.Announcement, name="announce")
def announce(actor: Actor, data: Data, slug: str) -> Tournament:
    """Tell the hall something: on phones, pages and the projector, until the next or an empty text.

    Also an arbiter may.
    """
    return tournaments.announce(actor, find_tournament(slug, actor), data["text"])


@tournament_action(Nothing, name="draw_lots")
def draw_lots(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Draw the lots of a round's stage, where they decide what nothing else does."""
    stage = find_round(slug, number, actor).stage
    restoring.draw_lots(actor, stage)
    return find_tournament(slug, actor)


@tournament_action(directing.HowDrawn, name="set_seeding")
def choose_seeding(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Choose how a stage is seeded, until it is drawn; what is left out is the usual."""
    set_seeding(actor, find_stage(slug, number, actor), data["seeding"], data["seeded"])
    return find_tournament(slug, actor)


@tournament_action(directing.AnotherDraw, name="draw_stage_again")
def draw_stage_again(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Draw a stage again with the next seed, until a round of it is published.

    Number, seed and reason of every draw stay for everybody to see.
    """
    draws.draw_stage_again(actor, find_stage(slug, number, actor), **data)
    return find_tournament(slug, actor)


@tournament_action(directing.Again, name="draw_round_again")
def draw_again(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Draw a draft again around the tables that are pinned."""
    rounds.draw_again(actor, find_round(slug, number, actor), **data)
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="throw_round_away")
def throw_away(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Throw a draft away."""
    rounds.throw_away(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@tournament_action(directing.Two, name="swap_entries")
def swap(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Let two entries of a draft change places."""
    one, other = (find_entry(slug, data[name], actor) for name in ("one", "other"))
    rounds.swap(actor, find_round(slug, number, actor), one, other)
    return find_tournament(slug, actor)


@tournament_action(directing.Two, name="pair_entries")
def pair(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Seat two entries of a draft that have no table at one."""
    one, other = (find_entry(slug, data[name], actor) for name in ("one", "other"))
    rounds.pair(actor, find_round(slug, number, actor), one, other)
    return find_tournament(slug, actor)


@tournament_action(directing.Rest, name="rest_entry")
def rest(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Give a bye to an entry of a draft that has no table."""
    entry = find_entry(slug, data.pop("entry"), actor)
    rounds.rest(actor, find_round(slug, number, actor), entry, **data)
    return find_tournament(slug, actor)


@tournament_action(directing.Pinned, name="pin_match")
def pin(actor: Actor, data: Data, pk: int) -> Tournament:
    """Keep a table of a draft as it is when the draft is drawn again; or no longer."""
    match = find_match(pk, actor)
    rounds.pin(actor, match, **data)
    return find_tournament(match.tournament.slug, actor)


@tournament_action(Nothing, name="part_match")
def part(actor: Actor, _data: Data, pk: int) -> Tournament:
    """Take a table of a draft apart."""
    match = find_match(pk, actor)
    rounds.part(actor, match)
    return find_tournament(match.tournament.slug, actor)


@tournament_action(directing.Minutes, name="start_clock")
def start_clock(actor: Actor, data: Data, slug: str, number: int) -> Tournament:
    """Start a round's clock."""
    rounds.start_clock(actor, find_round(slug, number, actor), **data)
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="stop_clock")
def stop_clock(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Stop a round's clock."""
    rounds.stop_clock(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)


@tournament_action(Nothing, name="resume_clock")
def resume_clock(actor: Actor, _data: Data, slug: str, number: int) -> Tournament:
    """Let a round's clock go on."""
    rounds.resume_clock(actor, find_round(slug, number, actor))
    return find_tournament(slug, actor)
