"""The pages of players, pairs and bots: what came of everything that they played."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.models import Pair, Player
from tournaments.permissions import may_manage, refuse_unless
from tournaments.queries import players as queries
from tournaments.queries.find import find_pair, find_player
from tournaments.queries.players import PlayerPage
from tournaments.services import renaming
from tournaments.web.answers import asker
from tournaments.web.forms import NameForm
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


@require_http_methods(["GET", "HEAD", "POST"])
def rename_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a player's name right."""
    who = asker(request)
    row = find_player(pk)
    return _renamed(request, row, lambda name: renaming.rename_player(who, row, name))


@require_http_methods(["GET", "HEAD", "POST"])
def rename_pair(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a pair's name right."""
    who = asker(request)
    row = find_pair(pk)
    return _renamed(request, row, lambda name: renaming.rename_pair(who, row, name))


def _renamed(
    request: HttpRequest, row: Player | Pair, rename: Callable[[str], Player | Pair]
) -> HttpResponse:
    """Ask for the right name, and give it."""
    who = asker(request)
    refuse_unless(may_manage(who, row.club), who)
    back = reverse("player" if isinstance(row, Player) else "pair", args=[row.pk])
    form = NameForm(request.POST or None, initial={"name": row.name})
    if form.ask(lambda: rename(form.cleaned_data["name"])):
        messages.success(request, _("The name is right now, everywhere."))
        return redirect(back)
    context = {"page": row.club, "row": row, "form": form, "back": back}
    return render(request, "clubs/name.html", context, status=form.status)


def _ruleset(request: HttpRequest) -> str:
    return request.GET.get("ruleset", "")


def _shown(request: HttpRequest, page: PlayerPage) -> HttpResponse:
    curve = drawn(page.rating.curve) if page.rating is not None else None
    return render(request, "players/page.html", {"page": page, "curve": curve})
