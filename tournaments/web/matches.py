"""A match: its result, its record, and what an arbiter does about them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.models import Match
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import find, matches
from tournaments.queries import history as events
from tournaments.queries.analyses import match_analysis
from tournaments.queries.bots import forfeits_of_match
from tournaments.queries.find import found
from tournaments.queries.ratings import ratings_of
from tournaments.queries.rows import names_of
from tournaments.queries.state import refuse_unless_open
from tournaments.services import matches as services
from tournaments.services.forfeits import forfeit as forfeit_match
from tournaments.services.forfeits import no_show
from tournaments.web.answers import asker, speaker_at
from tournaments.web.effects import unseen_effect
from tournaments.web.forms import ReasonForm
from tournaments.web.forms_results import (
    DecideForm,
    ForfeitForm,
    PostponeForm,
    RulingForm,
    ScoreForm,
)

FORM = ["GET", "HEAD", "POST"]


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Result, hands, record, evidence, disputes."""
    who = speaker_at(request, pk)
    found = find.find_match(pk, who)
    page = matches.page_of(found, who)
    names = names_of(page.head.pk) if page.match.whys else {}
    more: dict[str, Any] = {"ratings": ratings_of(found), "analysis": match_analysis(page)}
    if any(side.is_bot for side in page.match.sides):
        more["forfeits"] = forfeits_of_match(pk, who)
    context = context_of(page, names=names, **more)
    return render(request, "matches/page.html", context)


@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """Who did what about the match, when and why."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless(page.head.may.history, who)
    context = context_of(page, history=events.told_of_match(pk, who))
    return render(request, "matches/history.html", context)


def context_of(page: matches.MatchPage, **more: Any) -> dict[str, Any]:
    """Return what every page about a match starts from."""
    return {"page": page, "head": page.head, "match": page.match, **more}


@require_http_methods(FORM)
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a result right, with a reason, once it was shown what that changes."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "correct", who)
    form = ScoreForm(page.match, request.POST or None)
    effect = unseen_effect(request, form, pk, who)
    result = None
    if effect is None:
        result = form.ask(
            lambda: services.correct_result(
                who, find.find_match(pk, who), form.score, reason=form.cleaned_data["reason"]
            )
        )
    if result:
        messages.success(request, _("The result is corrected; the standings follow it."))
        return redirect("match", pk)
    context = context_of(page, form=form, effect=effect)
    return render(request, "matches/correct.html", context, status=form.status)


@require_http_methods(FORM)
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Object to a result."""
    who = speaker_at(request, pk)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "dispute", who)
    form = ReasonForm(request.POST or None)
    opened = form.ask(
        lambda: services.open_dispute(who, find.find_match(pk, who), form.cleaned_data["reason"])
    )
    if opened:
        messages.success(request, _("The dispute is open. The arbiter will rule on it."))
        return redirect("match", pk) if who.entry is None else redirect("own-table", page.head.slug)
    return render(request, "matches/dispute.html", context_of(page, form=form), status=form.status)


@require_POST
def take_up(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that one is looking into the open dispute."""
    who, opened = asker(request), open_dispute_of(request, pk)
    services.take_up(who, find.find_dispute(opened, who))
    messages.success(request, _("You have taken the dispute up; everybody sees it."))
    return redirect("rule-dispute", pk)


def open_dispute_of(request: HttpRequest, pk: int) -> int:
    """Return the key of the dispute about a match that an arbiter may rule on."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "rule", who)
    return found(page.dispute).pk


@require_http_methods(FORM)
def rule(request: HttpRequest, pk: int) -> HttpResponse:
    """Rule on the open dispute."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "rule", who)
    form = RulingForm(page, request.POST or None)
    ruled = form.ask(
        lambda: services.rule_on_dispute(
            who, find.find_dispute(form.cleaned_data["dispute"], who), **form.words(who)
        )
    )
    if ruled:
        messages.success(request, _("Ruled. The standings follow."))
        return redirect("match", pk)
    return render(request, "matches/rule.html", context_of(page, form=form), status=form.status)


@require_http_methods(FORM)
def forfeit(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a match as lost by those who did not play it."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "forfeit", who)
    form = ForfeitForm(page.match, request.POST or None)
    if form.ask(lambda: forfeited(who, find.find_match(pk, who), form)):
        messages.success(request, _("The match is lost without being played."))
        return redirect("match", pk)
    return render(request, "matches/forfeit.html", context_of(page, form=form), status=form.status)


def forfeited(who: Actor, match: Match, form: ForfeitForm) -> object:
    """Forfeit a match by absence, or for the reason that is given."""
    given = form.cleaned_data
    if form.is_no_show:
        return no_show(who, match, given["sides"])
    return forfeit_match(who, match, given["sides"], reason=given["reason"])


@require_http_methods(FORM)
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Say who goes on from a match that ended level."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "decide", who)
    form = DecideForm(page.match, request.POST or None)
    decided = form.ask(
        lambda: services.decide(
            who,
            find.find_match(pk, who),
            form.cleaned_data["side"],
            reason=form.cleaned_data["reason"],
        )
    )
    if decided:
        messages.success(request, _("It is decided who goes on."))
        return redirect("match", pk)
    return render(request, "matches/decide.html", context_of(page, form=form), status=form.status)


@require_http_methods(FORM)
def postpone(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a match off, to a time if that is known."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless_open(page.may, "postpone", who)
    initial = {"to": page.postponed_to}
    form = PostponeForm(request.POST or None, initial=initial)
    put_off = form.ask(
        lambda: services.postpone(
            who,
            find.find_match(pk, who),
            form.cleaned_data["to"],
            reason=form.cleaned_data["reason"],
        )
    )
    if put_off:
        messages.success(request, _("The match is postponed; its round can be closed meanwhile."))
        return redirect("match", pk)
    return render(request, "matches/postpone.html", context_of(page, form=form), status=form.status)


@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a postponed match be played in its round after all."""
    who = asker(request)
    services.resume(who, find.find_match(pk, who))
    messages.success(request, _("The match is played in its round after all."))
    return redirect("match", pk)
