"""Pages of standings and seasons: tables, sums, crosstables, the effect of another result."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core import find
from tournaments.core.cache import get_or_compute
from tournaments.core.live_version import live_version
from tournaments.core.page_cache import cached_page
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import (
    ConfirmedAction,
    actor_from,
    confirm_page,
    read_stage,
    unchanged_response,
)
from tournaments.director.queries import cards
from tournaments.director.queries.forfeits import forfeits_in_stage
from tournaments.director.queries.state import closed_text
from tournaments.models import Season
from tournaments.standings.forms import SeasonEventForm, SeasonForm
from tournaments.standings.queries import crosstables
from tournaments.standings.queries import seasons as seasons_queries
from tournaments.standings.queries import standings as standings_queries
from tournaments.standings.queries.prizes import season_prizes
from tournaments.standings.services import seasons as services

# --- Standings ------------------------------------------------------------------------------------


def table_context(frame: standings_queries.StandingsFrame, query: str) -> dict[str, Any]:
    """Return the context of a stage's tables; where bots play, with the hands that they lost."""
    page = standings_queries.standings_of(frame)
    has_bots = any(row.is_bot for row in page.rows)
    forfeits = forfeits_in_stage(frame.head.slug, frame.stage.number) if has_bots else {}
    return {"page": page, "query": query, "forfeits": forfeits}


@require_safe
@cached_page
def sums(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an entry's numbers, each with its addends."""
    page = standings_queries.entry_sums(slug, number, actor_from(request), read_stage(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    return render(request, "standings/sums.html", context)


@require_safe
@cached_page
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a crosstable, a table by rounds, a bracket or guide cards."""
    version = live_version(slug, actor_from(request))
    if response := unchanged_response(request, version):
        return response
    page = crosstables.crosstable_page(slug, actor_from(request), read_stage(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    context["tables"] = render_cached(f"standings/_{page.view}.html", page.key, lambda: context)
    return render(request, "director/tournaments/crosstable.html", {**context, "version": version})


def render_cached(template: str, key: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    """Return a rendered part of a page, cached for each language; the same for all visitors."""
    text = get_or_compute(
        f"{key}:{template}:{get_language()}", lambda: str(render_to_string(template, context()))
    )
    return mark_safe(text)  # noqa: S308 - what a template of ours wrote  # nosec B308 B703


# --- Seasons --------------------------------------------------------------------------------------


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
        lambda: services.create_season(actor, find.find_club(slug), **form.cleaned_data)
    )
    if season:
        messages.success(request, gettext("“%(name)s” is open.") % {"name": season.name})
        return redirect("season", slug, season.slug)
    return render(
        request, "standings/seasons/new.html", {"page": page, "form": form}, status=form.status
    )


@require_safe
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
    context = {"page": page, "form": adding, "prizes": season_prizes(row, page.lines)}
    return render(request, "standings/seasons/page.html", context, status=status)
