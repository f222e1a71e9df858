"""A match: its result, its record, and what an arbiter does about them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.permissions import refuse_unless
from tournaments.queries import find, matches
from tournaments.queries.ratings import match_ratings
from tournaments.services.matches import correct_result, open_dispute, rule_on_dispute
from tournaments.web.answers import asker
from tournaments.web.forms import ReasonForm, RulingForm, ScoreForm


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Result, hands, record, evidence, disputes."""
    who = asker(request)
    context = context_of(matches.match_page(pk, who), ratings=match_ratings(pk, who))
    return render(request, "matches/page.html", context)


def context_of(page: matches.MatchPage, **more: Any) -> dict[str, Any]:
    """Return what every page about a match starts from."""
    return {"page": page, "head": page.head, "match": page.match, **more}


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a result right, with a reason."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless(page.may.correct, who)
    form = ScoreForm(page.match, request.POST or None)
    result = form.ask(
        lambda: correct_result(
            who, find.find_match(pk, who), form.score, reason=form.cleaned_data["reason"]
        )
    )
    if result:
        messages.success(request, _("The result is corrected; the standings follow it."))
        return redirect("match", pk)
    return render(request, "matches/correct.html", context_of(page, form=form), status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Object to a result."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless(page.may.dispute, who)
    form = ReasonForm(request.POST or None)
    opened = form.ask(
        lambda: open_dispute(who, find.find_match(pk, who), form.cleaned_data["reason"])
    )
    if opened:
        messages.success(request, _("The dispute is open. The arbiter will rule on it."))
        return redirect("match", pk)
    return render(request, "matches/dispute.html", context_of(page, form=form), status=form.status)


@require_http_methods(["GET", "HEAD", "POST"])
def rule(request: HttpRequest, pk: int) -> HttpResponse:
    """Rule on the open dispute."""
    who = asker(request)
    page = matches.match_page(pk, who)
    refuse_unless(page.may.rule, who)
    form = RulingForm(page, request.POST or None)
    ruled = form.ask(
        lambda: rule_on_dispute(
            who, find.find_dispute(form.cleaned_data["dispute"], who), **form.words(who)
        )
    )
    if ruled:
        messages.success(request, _("Ruled. The standings follow."))
        return redirect("match", pk)
    return render(request, "matches/rule.html", context_of(page, form=form), status=form.status)
