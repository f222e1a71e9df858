"""The pages of players, pairs and bots: what came of everything that they played."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.queries import players as queries
from tournaments.queries.players import PlayerPage
from tournaments.web.answers import asker
from tournaments.web.ratings import drawn


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """A player: results, partners, opponents, what he sings, his rating."""
    return _shown(request, queries.player_page(pk, asker(request), _ruleset(request)))


@require_safe
def pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Two who play together."""
    return _shown(request, queries.pair_page(pk, asker(request)))


@require_safe
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """What came of everything that a bot played."""
    return _shown(request, queries.bot_page(slug, asker(request), _ruleset(request)))


def _ruleset(request: HttpRequest) -> str:
    return request.GET.get("ruleset", "")


def _shown(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    curve = drawn(page.rating.curve) if page.rating is not None else None
    return render(request, "players/page.html", {"page": page, "curve": curve})
