"""Pages of seasons: their tables, their rules, and what is done with them."""

from functools import partial
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.analysis.queries.play import season_losses
from tournaments.core import find
from tournaments.core.live_version import club_version
from tournaments.core.page_cache import cached_club_page
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import ConfirmedAction, actor_from, confirm_page
from tournaments.director.queries import cards
from tournaments.director.queries.state import closed_text, refuse_unless_open
from tournaments.domain.race import MAX_LINES, draw_race
from tournaments.models import Season
from tournaments.standings.forms import (
    RunningSeasonForm,
    SeasonEventForm,
    SeasonForm,
    rules_initial,
)
from tournaments.standings.queries import seasons as seasons_queries
from tournaments.standings.queries.prizes import season_prizes
from tournaments.standings.services import seasons as services

LINES: Final = 200
"""Lines of a page of a season's table; shorter tables are whole."""


@require_safe
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """List the seasons of a club."""
    return render(
        request,
        "standings/seasons/list.html",
        {"page": seasons_queries.seasons_page(slug, actor_from(request))},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def new_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a season."""
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    refuse_unless(page.may.manage, actor)
    form = SeasonForm(request.POST or None)
    season = form.submit(
        lambda: services.create_season(
            actor,
            find.find_club(slug),
            name=form.cleaned_data["name"],
            by=form.cleaned_data["by"],
            ruleset=form.cleaned_data["ruleset"],
            **form.rules,
        )
    )
    if season:
        messages.success(request, gettext("“%(name)s” is open.") % {"name": season.name})
        return redirect("season", slug, season.slug)
    return render(
        request, "standings/seasons/new.html", {"page": page, "form": form}, status=form.status
    )


@require_safe
@partial(cached_club_page, read=lambda slug, **_: club_version(club__slug=slug))
def season(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Show the table of a season, and its tournaments."""
    return render_season(request, seasons_queries.season_page(slug, season, actor_from(request)))


@require_POST
def add(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Add a tournament to a season."""
    actor, row, page = find_season(request, slug, season)
    form = SeasonEventForm(page.candidates, request.POST)
    event = form.submit(
        lambda: services.add_tournament(
            actor,
            row,
            find.find_tournament(form.cleaned_data["tournament"], actor),
            weight=form.cleaned_data["weight"],
        )
    )
    if event is None:
        return render_season(request, page, form)
    text = gettext("“%(name)s” is part of the season.") % {"name": event.tournament.name}
    messages.success(request, text)
    return redirect("season", slug, season)


@require_POST
def remove(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Remove a tournament from a season."""
    actor, row, _page = find_season(request, slug, season)
    tournament = find.find_tournament(request.POST.get("tournament", ""), actor)
    services.remove_tournament(actor, row, tournament)
    text = gettext("“%(name)s” is no longer part of the season; it can be added again.") % {
        "name": tournament.name
    }
    messages.success(request, text)
    return redirect("season", slug, season)


@require_http_methods(["GET", "HEAD", "POST"])
def set_season_rules(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Change the rules of a season; once a tournament counts, show first what they change."""
    actor, row, page = find_season(request, slug, season)
    refuse_unless_open(page.verbs, "set_season_rules", actor)
    data = request.POST if request.method == "POST" else None
    form = RunningSeasonForm(data, initial=rules_initial(page))
    effect = None
    if request.POST.get("step") == "preview":
        effect = form.submit(
            lambda: seasons_queries.rules_effect(row, services.checked_rules(**form.rules))
        )
    elif form.submit(
        lambda: services.set_season_rules(
            actor, row, reason=form.cleaned_data["reason"], **form.rules
        )
    ):
        messages.success(request, gettext("The rules of the season are changed."))
        return redirect("season", slug, season)
    context = {"page": page, "form": form, "effect": effect}
    return render(request, "standings/seasons/rules.html", context, status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Close a season, after a confirmation."""
    actor, row, page = find_season(request, slug, season)
    step = ConfirmedAction(
        act=lambda: services.close_season(actor, row),
        done=gettext("The season is closed."),
        back=reverse("season", args=[slug, season]),
        closed=closed_text(page.verbs, "close"),
    )
    return confirm_page(request, "standings/seasons/close.html", {"page": page}, step)


def find_season(
    request: HttpRequest, slug: str, season: str
) -> tuple[Actor, Season, seasons_queries.SeasonPage]:
    """Return the actor and the season; refuses SIGN_IN, FORBIDDEN, NOT_FOUND."""
    actor = actor_from(request)
    page = seasons_queries.season_page(slug, season, actor)
    refuse_unless(page.may.manage, actor)
    return actor, seasons_queries.find_season(slug, season), page


def render_season(
    request: HttpRequest, page: seasons_queries.SeasonPage, form: SeasonEventForm | None = None
) -> HttpResponse:
    """Render a season, with the form as it was filled in."""
    can_add = page.verbs["add"] and page.candidates
    status = form.status if form else 200
    adding = form or (SeasonEventForm(page.candidates) if can_add else None)
    row = seasons_queries.find_season(page.club_slug, page.slug)
    first = page.lines[:MAX_LINES]
    lines = Paginator(page.lines, LINES).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "lines": lines,
        "decided": [line for line in lines if line.decided_by not in {"", "total", "shared"}],
        "form": adding,
        "losses": season_losses(row),
        "prizes": season_prizes(row, page.lines),
        "race": draw_race([(line.shown_name, line.running) for line in first]),
    }
    return render(request, "standings/seasons/page.html", context, status=status)
