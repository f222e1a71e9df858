"""Pages of a match and of one hand, and an arbiter's decisions."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.analysis.queries.analyses import hand_analysis, match_analysis
from tournaments.arena.queries.bots import forfeits_of_match
from tournaments.core import find
from tournaments.core.find import found
from tournaments.core.forms import Form, ReasonForm
from tournaments.core.permissions import Actor, refuse_unless, side_of
from tournaments.core.views import actor_at_match, actor_from, page_after
from tournaments.director.queries.rows import shown_names
from tournaments.director.queries.state import refuse_unless_open
from tournaments.exchange.queries import trails
from tournaments.live.page_cache import cached_page
from tournaments.models import Match
from tournaments.ratings.pages import ratings_of
from tournaments.results.forms.results import (
    DecideForm,
    ForfeitForm,
    PostponeForm,
    RulingForm,
    ScoreForm,
)
from tournaments.results.queries import matches
from tournaments.results.queries.matches import hand_page
from tournaments.results.services import matches as matches_services
from tournaments.results.services.matches import forfeit as forfeit_match
from tournaments.results.services.matches import no_show
from tournaments.standings.views import unseen_effect

# --- Matches --------------------------------------------------------------------------------------


FORM = ["GET", "HEAD", "POST"]

IN_PLAY = 5
"""Seconds for which a match's page is cached: bots play on without a new version."""

ANALYSED = 60
"""Seconds for which a hand's page is cached: an analysis is requested and finished without a new
version, and a page that waits for it asks for it by itself. A hand that 300 people open would cost
twelve seconds of a processor otherwise."""


@require_safe
@partial(cached_page, every=IN_PLAY)
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the result, hands, records, evidence and disputes of a match."""
    who = actor_at_match(request, pk)
    found = find.find_match(pk, who)
    page = matches.page_of(found, who)
    names = shown_names(page.head.pk) if page.match.whys else {}
    more: dict[str, Any] = {"ratings": ratings_of(found), "analysis": match_analysis(page)}
    if any(side.is_bot for side in page.match.sides):
        more["forfeits"] = forfeits_of_match(pk, who)
    context = context_of(page, names=names, **more)
    return render(request, "results/matches/page.html", context)


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the events of a match."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless(page.head.may.history, who)
    context = context_of(page, history=trails.match_history(pk, who))
    return render(request, "results/matches/history.html", context)


def context_of(page: matches.MatchPage, **more: Any) -> dict[str, Any]:
    """Return the context of every page about a match."""
    return {"page": page, "head": page.head, "match": page.match, **more}


@require_http_methods(FORM)
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a result, with a reason, after showing the effect on the standings."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "correct", who)
    form = ScoreForm(page.match, request.POST or None)
    effect = unseen_effect(request, form, pk, who)
    result = None
    if effect is None:
        result = form.ask(
            lambda: matches_services.correct_result(
                who, find.find_match(pk, who), form.score, reason=form.cleaned_data["reason"]
            )
        )
    if result:
        messages.success(request, _("The result is corrected; the standings follow it."))
        return redirect(way_back(request, page))
    return render_form(request, "correct", page, form, effect=effect)


def back(request: HttpRequest, who: Actor, match: Match) -> HttpResponse:
    """Redirect those who play in a match to their own table, all others to where they came from."""
    if side_of(who, match):
        return redirect("own-table", match.tournament.slug)
    usual = reverse("match", args=[match.pk])
    return redirect(page_after(request, match.tournament.slug, usual))


def render_form(
    request: HttpRequest, name: str, page: matches.MatchPage, form: Form, **more: Any
) -> HttpResponse:
    """Render a form about a match, with the address that its *Cancel* leads to."""
    context = context_of(page, back=way_back(request, page), form=form, **more)
    return render(request, f"results/matches/{name}.html", context, status=form.status)


def way_back(request: HttpRequest, page: matches.MatchPage) -> str:
    """Return the address that a form about a match leads to: the match's, or the control room's."""
    number, usual = page.match.round, reverse("match", args=[page.match.pk])
    shown = None if number == page.head.current_round else number
    return page_after(request, page.head.slug, usual, number=shown)


@require_http_methods(FORM)
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a dispute about a result."""
    who = actor_at_match(request, pk)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "dispute", who)
    form = ReasonForm(request.POST or None)
    opened = form.ask(
        lambda: matches_services.open_dispute(
            who, find.find_match(pk, who), form.cleaned_data["reason"]
        )
    )
    if opened:
        messages.success(request, _("The dispute is open. The arbiter will rule on it."))
        return back(request, who, find.find_match(pk, who))
    return render_form(request, "dispute", page, form)


@require_POST
def take_up(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark the open dispute as under review."""
    who, opened = actor_from(request), open_dispute_of(request, pk)
    matches_services.take_up(who, find.find_dispute(opened, who))
    messages.success(request, _("You have taken the dispute up; everybody sees it."))
    query = request.GET.urlencode()
    return redirect(reverse("rule-dispute", args=[pk]) + (query and f"?{query}"))


def open_dispute_of(request: HttpRequest, pk: int) -> int:
    """Return the key of the match's dispute that the arbiter may rule on."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "rule", who)
    return found(page.dispute).pk


@require_http_methods(FORM)
def rule(request: HttpRequest, pk: int) -> HttpResponse:
    """Rule on the open dispute."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "rule", who)
    form = RulingForm(page, request.POST or None)
    ruled = form.ask(
        lambda: matches_services.rule_on_dispute(
            who, find.find_dispute(form.cleaned_data["dispute"], who), **form.words(who)
        )
    )
    if ruled:
        messages.success(request, _("Ruled. The standings follow."))
        return redirect(way_back(request, page))
    return render_form(request, "rule", page, form)


@require_http_methods(FORM)
def forfeit(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a match as lost by the sides that did not play it."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "forfeit", who)
    form = ForfeitForm(page.match, request.POST or None)
    if form.ask(lambda: forfeited(who, find.find_match(pk, who), form)):
        messages.success(request, _("The match is lost without being played."))
        return redirect(way_back(request, page))
    return render_form(request, "forfeit", page, form)


def forfeited(who: Actor, match: Match, form: ForfeitForm) -> object:
    """Forfeit a match by absence, or for the given reason."""
    given = form.cleaned_data
    if form.is_no_show:
        return no_show(who, match, given["sides"])
    return forfeit_match(who, match, given["sides"], reason=given["reason"])


@require_http_methods(FORM)
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide which side goes on from a match that ended level."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "decide", who)
    form = DecideForm(page.match, request.POST or None)
    decided = form.ask(
        lambda: matches_services.decide(
            who,
            find.find_match(pk, who),
            form.cleaned_data["side"],
            reason=form.cleaned_data["reason"],
        )
    )
    if decided:
        messages.success(request, _("It is decided who goes on."))
        return redirect(way_back(request, page))
    return render_form(request, "decide", page, form)


@require_http_methods(FORM)
def postpone(request: HttpRequest, pk: int) -> HttpResponse:
    """Postpone a match, to a time if that is known."""
    who = actor_from(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "postpone", who)
    initial = {"to": page.postponed_to}
    form = PostponeForm(request.POST or None, initial=initial)
    put_off = form.ask(
        lambda: matches_services.postpone(
            who,
            find.find_match(pk, who),
            form.cleaned_data["to"],
            reason=form.cleaned_data["reason"],
        )
    )
    if put_off:
        messages.success(request, _("The match is postponed; its round can be closed meanwhile."))
        return redirect(way_back(request, page))
    return render_form(request, "postpone", page, form)


@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the postponement of a match."""
    who = actor_from(request)
    matches_services.resume(who, find.find_match(pk, who))
    messages.success(request, _("The match is played in its round after all."))
    return redirect(way_back(request, matches.match_page(pk, who)))


# --- Hands ----------------------------------------------------------------------------------------


@require_safe
@partial(cached_page, every=ANALYSED)
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a hand: the deal, every trick, the declarations, the points and the verdict."""
    page = hand_page(pk, number, actor_from(request))
    analysis = hand_analysis(page)
    context = {"page": page, "head": page.head, "match": page.match, "analysis": analysis}
    return render(request, "results/hands/page.html", context)
