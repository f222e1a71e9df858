"""Pages of standings and seasons: tables, sums, crosstables, the effect of another result."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.forms.utils import flatatt
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.arena.queries.bots import forfeits_in_stage
from tournaments.arena.queries.status import next_round
from tournaments.core import find
from tournaments.core.cache import remembered
from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import Form
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import Step, asker, confirmed, unchanged
from tournaments.director.forms.day import choose
from tournaments.director.queries.tournaments import tournament_head
from tournaments.domain.scores import Score
from tournaments.live.page_cache import cached_page
from tournaments.live.queries import home
from tournaments.live.queries.feed import live_version
from tournaments.standings import services
from tournaments.standings.forms import SeasonEventForm, SeasonForm
from tournaments.standings.queries import crosstables, what_if
from tournaments.standings.queries import seasons as seasons_queries
from tournaments.standings.queries import standings as standings_queries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.forms.renderers import BaseRenderer
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Season
    from tournaments.results.forms.results import ScoreFields

# --- Standings ------------------------------------------------------------------------------------
# Who stands where and why: tables, sums, who met whom.


LARGEST = 10_000
"""No stage has a greater number."""


@require_safe
@cached_page
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Who stands where, and what decided it; nothing when it is as the browser has ``seen`` it."""
    version = live_version(slug, asker(request))
    if same := unchanged(request, version):
        return same
    frame = standings_queries.standings_frame(slug, asker(request), stage_asked(request))
    context: dict[str, Any] = {"head": frame.head, "stage": frame.stage, "version": version}
    context["scheduled"] = next_round(frame.head)
    if frame.has_rows:
        query = f"?stage={frame.stage.number}" if len(frame.head.stages) > 1 else ""
        context["tables"] = kept("standings/_tables.html", frame.key, lambda: told(frame, query))
    return render(request, "director/tournaments/page.html", context)


def told(frame: standings_queries.StandingsFrame, query: str) -> dict[str, Any]:
    """Return what the tables of a stage are made of; where bots play, the hands that they lost."""
    page = frame.read()
    has_bots = any(row.is_bot for row in page.rows)
    lost = forfeits_in_stage(frame.head.slug, frame.stage.number) if has_bots else {}
    return {"page": page, "query": query, "forfeits": lost}


@require_safe
@cached_page
def sums(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """An entry's numbers, each with what it is the sum of."""
    page = standings_queries.entry_sums(slug, number, asker(request), stage_asked(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    return render(request, "standings/sums.html", context)


@require_safe
@cached_page
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Who met whom: a crosstable, a table by rounds, a bracket or guide cards."""
    version = live_version(slug, asker(request))
    if same := unchanged(request, version):
        return same
    page = crosstables.crosstable_page(slug, asker(request), stage_asked(request))
    context = {"page": page, "head": page.head, "stage": page.stage}
    context["tables"] = kept(f"standings/_{page.view}.html", page.key, lambda: context)
    return render(request, "director/tournaments/crosstable.html", {**context, "version": version})


def stage_asked(request: HttpRequest) -> int | None:
    """Return the stage that is asked for, if one is; refuses NOT_FOUND what is no number."""
    text = request.GET.get("stage")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < len(str(LARGEST))):
        raise Refusal(Reason.NOT_FOUND)
    return int(text)


def kept(template: str, key: str, context: Callable[[], dict[str, Any]]) -> SafeString:
    """Return a part of a page that is the same for everybody, written once for each language."""
    text = remembered(
        f"{key}:{template}:{get_language()}", lambda: str(render_to_string(template, context()))
    )
    return mark_safe(text)  # noqa: S308 - what a template of ours wrote  # nosec B308 B703


# --- Effects --------------------------------------------------------------------------------------
# What another result of a match would change: a table before and after, nothing written.


Matches = list[tuple[str, list[tuple[str, str]]]]
"""Choices by round."""

MOST_HANDS = 1000
MOST_POINTS = 250_000
TWO_SIDES = 2


class LongSelect(forms.Select):
    """A list of a thousand choices in groups, written at once: a template each costs far more."""

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,
        renderer: BaseRenderer | None = None,  # noqa: ARG002 - as Django calls it
    ) -> SafeString:
        """Write the list; the chosen one is marked."""
        groups = self.optgroups(name, self.format_value(value), attrs)
        named = format_html_join(
            "",
            '<optgroup label="{}">{}</optgroup>',
            ((group, _options(options)) for group, options, _index in groups if group),
        )
        loose = (_options(options) for group, options, _index in groups if not group)
        given = self.build_attrs(self.attrs, attrs)
        return format_html(
            '<select name="{}"{}>{}{}</select>',
            name,
            flatatt(given),
            format_html_join("", "{}", ((one,) for one in loose)),
            named,
        )


def _options(options: Iterable[dict[str, Any]]) -> SafeString:
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((o["value"], flatatt(o["attrs"]), o["label"]) for o in options),
    )


class EffectForm(Form):
    """A match of the tournament, and the result that it might have."""

    match = forms.TypedChoiceField(label=_("Match"), coerce=int, widget=LongSelect)
    home_hands = forms.IntegerField(
        label=_("Hands of the first side"), min_value=0, max_value=MOST_HANDS
    )
    away_hands = forms.IntegerField(
        label=_("Hands of the second side"), min_value=0, max_value=MOST_HANDS
    )
    third_hands = forms.IntegerField(
        label=_("Hands of the third side"), min_value=0, max_value=MOST_HANDS, required=False
    )
    home_points = forms.IntegerField(
        label=_("Points of the first side"), min_value=0, max_value=MOST_POINTS, required=False
    )
    away_points = forms.IntegerField(
        label=_("Points of the second side"), min_value=0, max_value=MOST_POINTS, required=False
    )
    third_points = forms.IntegerField(
        label=_("Points of the third side"), min_value=0, max_value=MOST_POINTS, required=False
    )

    def __init__(self, matches: Matches, *args: Any, thirds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose(self, "match", matches)
        if not thirds:
            del self.fields["third_hands"], self.fields["third_points"]

    @property
    def score(self) -> Score:
        """The result as it might be; points that are not said are none."""
        given = self.cleaned_data
        return Score(
            given["home_hands"],
            given["away_hands"],
            given["home_points"] or 0,
            given["away_points"] or 0,
            given.get("third_hands"),
            given.get("third_points"),
        )


@require_safe
def effect(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match's stage with another result; for the club's people.

    A match of another tournament is none of the choices. Refuses a score of the wrong number of
    sides.
    """
    who = asker(request)
    head = tournament_head(slug, who)
    refuse_unless(head.may.history, who)
    matches, thirds = choices(slug, who)
    form = EffectForm(matches, request.GET or None, thirds=thirds)
    if not form.is_valid():
        context = {"head": head, "form": form}
        return render(request, "standings/what_if.html", context, status=form.status)
    page = what_if.effect_page(form.cleaned_data["match"], who, form.score)
    context = {"head": page.head, "stage": page.stage, "effect": page, "match": page.match}
    return render(request, "standings/what_if.html", context)


def choices(slug: str, who: Actor) -> tuple[Matches, bool]:
    """Return the matches that have sides, by round, and whether three sides meet in any."""
    there = what_if.choices(slug, who)
    matches = [
        (
            gettext("Round %(number)s") % {"number": number},
            [(str(one.pk), f"{one.table}: {' – '.join(one.sides)}") for one in played],
        )
        for number, played in groupby(there, key=lambda one: one.round)
    ]
    return matches, any(len(one.sides) > TWO_SIDES for one in there)


def unseen_effect(
    request: HttpRequest, form: ScoreFields, pk: int, who: Actor
) -> what_if.EffectPage | None:
    """Return what the result that is filled in would change, unless that was shown already."""
    if not form.is_bound or not form.is_valid():
        return None
    page = what_if.effect_page(pk, who, form.score)
    return None if request.POST.get("seen") == page.word else page


# --- Seasons --------------------------------------------------------------------------------------
# Seasons of a club: its tournaments added up.


@require_safe
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """All seasons of a club."""
    return render(
        request,
        "standings/seasons/list.html",
        {"page": seasons_queries.seasons_page(slug, asker(request))},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def new_season(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a season; its tournaments come next."""
    who = asker(request)
    page = home.club_page(slug, who)
    refuse_unless(page.may.manage, who)
    form = SeasonForm(request.POST or None)
    season = form.ask(
        lambda: services.create_season(who, find.find_club(slug, who), **form.cleaned_data)
    )
    if season:
        messages.success(request, gettext("“%(name)s” is open.") % {"name": season.name})
        return redirect("season", slug, season.slug)
    return render(
        request, "standings/seasons/new.html", {"page": page, "form": form}, status=form.status
    )


@require_safe
def season(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """The table of a season, and its tournaments."""
    return shown(request, seasons_queries.season_page(slug, season, asker(request)))


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
    told = gettext("“%(name)s” is part of the season.") % {"name": event.tournament.name}
    messages.success(request, told)
    return redirect("season", slug, season)


@require_POST
def remove(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Let a tournament count no more."""
    who, row, _page = opened(request, slug, season)
    tournament = find.find_tournament(request.POST.get("tournament", ""), who)
    services.remove_tournament(who, row, tournament)
    told = gettext("“%(name)s” is no longer part of the season; it can be added again.") % {
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
        done=gettext("The season is closed."),
        back=reverse("season", args=[slug, season]),
        possible=page.verbs["close"],
    )
    return confirmed(request, "standings/seasons/close.html", {"page": page}, step)


def opened(
    request: HttpRequest, slug: str, season: str
) -> tuple[Actor, Season, seasons_queries.SeasonPage]:
    """Return who asks and the season, if he may run it; refuses SIGN_IN, FORBIDDEN, NOT_FOUND."""
    who = asker(request)
    page = seasons_queries.season_page(slug, season, who)
    refuse_unless(page.may.manage, who)
    return who, seasons_queries.find_season(slug, season, who), page


def shown(
    request: HttpRequest, page: seasons_queries.SeasonPage, form: SeasonEventForm | None = None
) -> HttpResponse:
    """Show a season, with the form as it was filled in."""
    can_add = page.verbs["add"] and page.candidates
    status = form.status if form else 200
    adding = form or (SeasonEventForm(page.candidates) if can_add else None)
    return render(
        request, "standings/seasons/page.html", {"page": page, "form": adding}, status=status
    )
