"""What a club keeps, over the API: players and pairs listed and imported, seasons filled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api import filters
from tournaments.api.bodies import said
from tournaments.api.doors import View, reads
from tournaments.api.organising import Asked, Door, Shape, posts
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.reports import Body
from tournaments.api.shapes import keeping as shapes
from tournaments.api.shapes.organising import Nothing
from tournaments.api.tokens import actor_of
from tournaments.models import Season
from tournaments.permissions import Actor
from tournaments.queries import people
from tournaments.queries.find import find_club, find_tournament
from tournaments.queries.seasons import find_season
from tournaments.services import rosters, seasons
from tournaments.services.repeats import Answer

NAMED = (filters.words("name", "Those with this in their name, as names are compared."),)


@reads(
    shapes.Players,
    tag="clubs",
    name="list_players",
    parameters=(*PARAMETERS, *filters.described(NAMED)),
)
def players(request: Request, slug: str) -> Page[people.PlayerRow]:
    """The players of a club."""
    wanted = filters.wanted(request, NAMED)
    fetch = partial(people.players_after, slug, viewer=actor_of(request), **wanted)
    return cut(request, fetch, lambda player: player.code)


@reads(
    shapes.Pairs,
    tag="clubs",
    name="list_pairs",
    parameters=(*PARAMETERS, *filters.described(NAMED)),
)
def pairs(request: Request, slug: str) -> Page[people.PairRow]:
    """The pairs of a club."""
    wanted = filters.wanted(request, NAMED)
    fetch = partial(people.pairs_after, slug, viewer=actor_of(request), **wanted)
    return cut(request, fetch, lambda pair: pair.code)


def counted(imported: rosters.Imported) -> dict[str, object]:
    """Return what is kept of an answer."""
    return {
        "created": imported.created,
        "changed": imported.changed,
        "unchanged": imported.unchanged,
    }


def tell_counts(_request: Request, answer: Answer) -> Response:
    """Answer how many lines changed what."""
    return Response(shapes.Imported(answer.told).data, status=answer.status)


imports = partial(
    posts, shapes.Roster, tag="clubs", made=shapes.Imported, told=counted, answered=tell_counts
)


@imports(name="import_players")
def import_players(actor: Actor, body: Body, slug: str) -> rosters.Imported:
    """Bring players to a club, or give those that are there other names.

    As all that a club keeps it needs a token with `tournaments:manage` of an organiser.
    """
    return rosters.import_players(actor, find_club(slug, actor), said(shapes.Roster, body)["csv"])


@imports(name="import_pairs")
def import_pairs(actor: Actor, body: Body, slug: str) -> rosters.Imported:
    """Bring pairs of players of the club to it, or change those that are there."""
    return rosters.import_pairs(actor, find_club(slug, actor), said(shapes.Roster, body)["csv"])


def kept(season: Season) -> dict[str, object]:
    """Return what is kept of an answer."""
    return {"club": season.club.slug, "slug": season.slug, "state": str(season.state)}


def tell_season(request: Request, answer: Answer) -> Response:
    """Answer how the season stands."""
    path = reverse("api:season", args=[answer.told["club"], answer.told["slug"]])
    place = request.build_absolute_uri(path)
    body = shapes.SeasonKept({"season": place, **answer.told}).data
    return Response(body, status=answer.status, headers={"Location": place})


def on_season(shape: Shape, *, name: str) -> Callable[[Door[Asked, Season]], View]:
    """Make a view that does something with a season."""
    return posts(
        shape, name=name, tag="clubs", made=shapes.SeasonKept, told=kept, answered=tell_season
    )


@on_season(shapes.NewSeason, name="open_season")
def open_season(actor: Actor, body: Body, slug: str) -> Season:
    """Open a season of a club."""
    wanted = said(shapes.NewSeason, body)
    return seasons.create_season(actor, find_club(slug, actor), **wanted)


@on_season(shapes.SeasonEvent, name="add_to_season")
def add_to_season(actor: Actor, body: Body, slug: str, season: str) -> Season:
    """Let a tournament count in a season, after those that are there."""
    wanted, row = said(shapes.SeasonEvent, body), find_season(slug, season, actor)
    tournament = find_tournament(wanted.pop("tournament"), actor)
    seasons.add_tournament(actor, row, tournament, **wanted)
    return row


@on_season(shapes.NoSeasonEvent, name="take_out_of_season")
def take_out_of_season(actor: Actor, body: Body, slug: str, season: str) -> Season:
    """Take a tournament out of a season."""
    wanted, row = said(shapes.NoSeasonEvent, body), find_season(slug, season, actor)
    seasons.remove_tournament(actor, row, find_tournament(wanted["tournament"], actor))
    return row


@on_season(Nothing, name="close_season")
def close_season(actor: Actor, _body: Body, slug: str, season: str) -> Season:
    """Let a season take no more tournaments."""
    return seasons.close_season(actor, find_season(slug, season, actor))
