"""Directing a tournament: made, drawn, published and closed; its drafts, clock and check-in."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.core.api.serializers import Nothing, StrictSerializer
from tournaments.core.api.views import Data, View, write_view
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
from tournaments.models import Entry, Match, Round, Stage, Tournament


def stored_answer(tournament: Tournament) -> Answer:
    """Return the answer that is stored under the idempotency key: the tournament's state."""
    state = str(tournament.state)
    return Answer(201, {"slug": tournament.slug, "state": state, "version": tournament.version})


def tournament_response(request: Request, answer: Answer) -> Response:
    """Answer how the tournament stood when it was done."""
    path = reverse("api:tournament", args=[answer.content["slug"]])
    location = request.build_absolute_uri(path)
    body = directing.Organised({"tournament": location, **answer.content}).data
    return Response(body, status=answer.status, headers={"Location": location})


tournament_action = partial(
    write_view,
    tag="organising",
    responses={201: OpenApiResponse(directing.Organised, "It is done.")},
    to_answer=stored_answer,
    to_response=tournament_response,
)
"""Make a view of a function that returns a tournament, and answers how it stands then."""

Row = TypeVar("Row")


def action_on(
    find: Callable[..., Row], keys: tuple[str, ...], tournament_of: Callable[[Row], Tournament]
) -> Callable[..., Callable[[Callable[..., object]], View]]:
    """Return a decorator that makes a view of a function that acts on a row of a tournament.

    ``find`` returns the row for the ``keys`` of the address and the actor; other parts of the
    address are passed on. The view answers how the tournament stands then.
    """

    def action(
        serializer: type[StrictSerializer], *, name: str
    ) -> Callable[[Callable[..., object]], View]:
        def make(function: Callable[..., object]) -> View:
            @wraps(function)
            def act(actor: Actor, data: Data, /, **url_kwargs: Any) -> Tournament:
                row = find(*(url_kwargs.pop(key) for key in keys), actor)
                function(actor, data, row, **url_kwargs)
                return find_tournament(tournament_of(row).slug, actor)

            return tournament_action(serializer, name=name)(act)

        return make

    return action


on_tournament = action_on(find_tournament, ("slug",), lambda tournament: tournament)
on_stage = action_on(find_stage, ("slug", "number"), lambda stage: stage.tournament)
on_round = action_on(find_round, ("slug", "number"), lambda round_: round_.stage.tournament)
on_entry = action_on(find_entry, ("slug", "number"), lambda entry: entry.tournament)
on_match = action_on(find_match, ("pk",), lambda match: match.tournament)


@tournament_action(directing.NewTournament, name="create_tournament")
def create(actor: Actor, data: Data, slug: str) -> Tournament:
    """Make a tournament of a club, as a draft of one stage that takes entries.

    As all that organises it needs a token with the scope `tournaments:manage` of an organiser.
    """
    terms = tournaments.Terms(visibility=data.pop("visibility"))
    return tournaments.create_tournament(actor, find_club(slug), terms=terms, **data)


@on_tournament(directing.Visibility, name="show_tournament")
def show(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Say who sees a tournament, at any time: everybody, or its club and those who play in it.

    For everybody else a private one is not there, and what is played in it counts in no rating.
    """
    set_visibility(actor, tournament, data["visibility"])


@on_tournament(directing.Draw, name="draw")
def draw(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Draw the first round of a tournament, or the one after a round, as a draft.

    Formats that can draw all their rounds do so at once.
    """
    after, order = data.get("after"), data.get("order", ())
    if after is not None and after >= 1000:
        raise Refusal(Reason.BAD_PARAMETER, name="after")
    # Nothing is left before the first round of a running tournament whose drafts were thrown away.
    if after or (after == 0 and tournament.state == Tournament.State.RUNNING):
        draws.draw_next(actor, tournament, after=after, order=order)
    else:
        draws.draw(actor, tournament, order=order, reason=data.get("reason", ""))


@on_round(Nothing, name="publish_round")
def publish(actor: Actor, _data: Data, round_: Round) -> None:
    """Publish a round: everybody sees it, and it takes records."""
    tournaments.publish_round(actor, round_)


@on_round(Nothing, name="close_round")
def close(actor: Actor, _data: Data, round_: Round) -> None:
    """Close a round whose matches all have their results or are postponed."""
    tournaments.close_round(actor, round_)


@on_tournament(directing.Finish, name="finish_tournament")
def finish(actor: Actor, data: Data, tournament: Tournament) -> None:
    """End a tournament whose rounds are all closed; with `early`, also before all are drawn."""
    tournaments.finish(actor, tournament, **data)


@on_tournament(directing.Afresh, name="open_check_in")
def open_check_in(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Open the check-in again."""
    absences.open_check_in(actor, tournament, **data)


@on_tournament(directing.Absent, name="close_check_in")
def close_check_in(actor: Actor, data: Data, tournament: Tournament) -> None:
    """End the check-in: who has not come is withdrawn, or rests in the coming round."""
    absences.close_check_in(actor, tournament, **data)


@on_tournament(directing.Announcement, name="announce")
def announce(actor: Actor, data: Data, tournament: Tournament) -> None:
    """Tell the hall something: on phones, pages and the projector, until the next or an empty text.

    Also an arbiter may.
    """
    tournaments.announce(actor, tournament, data["text"])


@on_round(Nothing, name="draw_lots")
def draw_lots(actor: Actor, _data: Data, round_: Round) -> None:
    """Draw the lots of a round's stage, where they decide what nothing else does."""
    restoring.draw_lots(actor, round_.stage)


@on_stage(directing.HowDrawn, name="set_seeding")
def choose_seeding(actor: Actor, data: Data, stage: Stage) -> None:
    """Choose how a stage is seeded, until it is drawn; what is left out is the usual."""
    set_seeding(actor, stage, data["seeding"], data["seeded"])


@on_stage(directing.AnotherDraw, name="draw_stage_again")
def redraw_stage(actor: Actor, data: Data, stage: Stage) -> None:
    """Draw a stage again with the next seed, until a round of it is published.

    Number, seed and reason of every draw stay for everybody to see.
    """
    draws.redraw_stage(actor, stage, **data)


@on_round(directing.Again, name="draw_round_again")
def redraw(actor: Actor, data: Data, round_: Round) -> None:
    """Draw a draft again around the tables that are pinned."""
    rounds.redraw(actor, round_, **data)


@on_round(Nothing, name="throw_round_away")
def delete_draft(actor: Actor, _data: Data, round_: Round) -> None:
    """Throw a draft away."""
    rounds.delete_draft(actor, round_)


def _find_two_entries(round_: Round, data: Data, actor: Actor) -> tuple[Entry, Entry]:
    slug = round_.stage.tournament.slug
    return find_entry(slug, data["one"], actor), find_entry(slug, data["other"], actor)


@on_round(directing.Two, name="swap_entries")
def swap(actor: Actor, data: Data, round_: Round) -> None:
    """Let two entries of a draft change places."""
    entry, other = _find_two_entries(round_, data, actor)
    rounds.swap(actor, round_, entry, other)


@on_round(directing.Two, name="pair_entries")
def pair(actor: Actor, data: Data, round_: Round) -> None:
    """Seat two entries of a draft that have no table at one."""
    entry, other = _find_two_entries(round_, data, actor)
    rounds.pair(actor, round_, entry, other)


@on_round(directing.Rest, name="rest_entry")
def rest(actor: Actor, data: Data, round_: Round) -> None:
    """Give a bye to an entry of a draft that has no table."""
    slug = round_.stage.tournament.slug
    entry = find_entry(slug, data.pop("entry"), actor)
    rounds.rest(actor, round_, entry, **data)


@on_match(directing.Pinned, name="pin_match")
def pin(actor: Actor, data: Data, match: Match) -> None:
    """Keep a table of a draft as it is when the draft is drawn again; or no longer."""
    rounds.pin(actor, match, **data)


@on_match(Nothing, name="part_match")
def unpair(actor: Actor, _data: Data, match: Match) -> None:
    """Take a table of a draft apart."""
    rounds.unpair(actor, match)


@on_round(directing.Minutes, name="start_clock")
def start_clock(actor: Actor, data: Data, round_: Round) -> None:
    """Start a round's clock."""
    rounds.start_clock(actor, round_, **data)


@on_round(Nothing, name="stop_clock")
def stop_clock(actor: Actor, _data: Data, round_: Round) -> None:
    """Stop a round's clock."""
    rounds.stop_clock(actor, round_)


@on_round(Nothing, name="resume_clock")
def resume_clock(actor: Actor, _data: Data, round_: Round) -> None:
    """Let a round's clock go on."""
    rounds.resume_clock(actor, round_)
