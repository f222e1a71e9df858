"""Seasons of a club: its tournaments added up."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.models import Season
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import find, people
from tournaments.queries import seasons as queries
from tournaments.services import seasons as services
from tournaments.web.answers import Step, asker, confirmed
from tournaments.web.forms_seasons import SeasonEventForm, SeasonForm


@require_safe
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """All seasons of a club."""
    return render(
        request, "seasons/list.html", {"page": queries.seasons_page(slug, asker(request))}
    )


@require_http_methods(["GET", "HEAD", "POST"])
def new_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a season; its tournaments come next."""
    who = asker(request)
    page = people.club_page(slug, who)
    refuse_unless(page.may.manage, who)
    form = SeasonForm(request.POST or None)
    season = form.ask(
        lambda: services.create_season(who, find.find_club(slug, who), **form.cleaned_data)
    )
    if season:
        messages.success(request, _("“%(name)s” is open.") % {"name": season.name})
        return redirect("season", slug, season.slug)
    return render(request, "seasons/new.html", {"page": page, "form": form}, status=form.status)


@require_safe
def season(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """The table of a season, and its tournaments."""
    return shown(request, queries.season_page(slug, season, asker(request)))


@require_POST
def add(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Make a tournament count."""
    who, row, page = opened(request, slug, season)
    form = SeasonEventForm(page.candidates, request.POST)
    event = form.ask(
        lambda: services.add_tournament(
            who,
            row,
            find.find_tournament(form.cleaned_data["tournament"], who),
            weight=form.cleaned_data["weight"],
        )
    )
    if event is None:
        return shown(request, page, form)
    told = _("“%(name)s” is part of the season.") % {"name": event.tournament.name}
    messages.success(request, told)
    return redirect("season", slug, season)


@require_POST
def remove(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Let a tournament count no more."""
    who, row, _page = opened(request, slug, season)
    tournament = find.find_tournament(request.POST.get("tournament", ""), who)
    services.remove_tournament(who, row, tournament)
    told = _("“%(name)s” is no longer part of the season; it can be added again.") % {
        "name": tournament.name
    }
    messages.success(request, told)
    return redirect("season", slug, season)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Let a season take no more tournaments."""
    who, row, page = opened(request, slug, season)
    step = Step(
        act=lambda: services.close_season(who, row),
        done=_("The season is closed."),
        back=reverse("season", args=[slug, season]),
        possible=page.verbs["close"],
    )
    return confirmed(request, "seasons/close.html", {"page": page}, step)


def opened(
    request: HttpRequest, slug: str, season: str
) -> tuple[Actor, Season, queries.SeasonPage]:
    """Return who asks and the season, if he may run it; refuses SIGN_IN, FORBIDDEN, NOT_FOUND."""
    who = asker(request)
    page = queries.season_page(slug, season, who)
    refuse_unless(page.may.manage, who)
    return who, queries.find_season(slug, season, who), page


def shown(
    request: HttpRequest, page: queries.SeasonPage, form: SeasonEventForm | None = None
) -> HttpResponse:
    """Show a season, with the form as it was filled in."""
    can_add = page.verbs["add"] and page.candidates
    status = form.status if form else 200
    adding = form or (SeasonEventForm(page.candidates) if can_add else None)
    return render(request, "seasons/page.html", {"page": page, "form": adding}, status=status)
