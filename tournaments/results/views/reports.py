"""Pages for the people at a table: report, confirm, and the page of their own table."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor, may_see
from tournaments.core.views import actor_at_match, actor_from, entry_actor, redirect_page, unchanged
from tournaments.director.forms.day import CodeForm
from tournaments.director.queries.entries import tournament_for_codes
from tournaments.director.queries.state import refuse_unless_open
from tournaments.director.views.entry import come, entry_here
from tournaments.results.forms.results import HandsForm, ReportForm
from tournaments.results.queries import matches
from tournaments.results.queries.own_table import own_entry, own_table_page, own_table_version
from tournaments.results.services.reports import Outcome, Reported, confirm_result, report_result
from tournaments.results.services.results import length_of
from tournaments.results.views.matches import context_of

FORM = ["GET", "HEAD", "POST"]

TOLD: Final = {
    Outcome.ACCEPTED: gettext_lazy("Noted: the result counts."),
    Outcome.REPORTED: gettext_lazy("Reported: it counts once the other side has confirmed it."),
    Outcome.CONFIRMED: gettext_lazy("Both sides say the same: the result counts."),
    Outcome.DUPLICATE: gettext_lazy("This result was here already."),
    Outcome.CONTESTED: gettext_lazy(
        "The sides report different results: the arbiter decides, and nothing changes until then."
    ),
}
"""Messages for the outcomes of reports."""


@require_http_methods(FORM)
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the score of a match."""
    who = actor_at_match(request, pk)
    page = matches.match_page(pk, who)
    if late := too_late(page):
        messages.warning(request, late)
        return redirect("match", pk)
    refuse_unless_open(page.may, "report", who)
    form = ReportForm(page, length_of(find.find_match(pk, who)), request.POST or None)
    answer = form.ask(lambda: report_result(who, find.find_match(pk, who), score=form.score))
    if answer:
        return render_outcome(request, who, answer)
    context = context_of(page, form=form, length=form.length, tab="score")
    return render(request, "results/matches/report.html", context, status=form.status)


@require_http_methods(FORM)
def report_hands(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the points of each hand of a match."""
    who = actor_at_match(request, pk)
    page = matches.match_page(pk, who)
    if late := too_late(page):
        messages.warning(request, late)
        return redirect("match", pk)
    refuse_unless_open(page.may, "report", who)
    match = find.find_match(pk, who)
    form = HandsForm(page, length_of(match), match.boards, request.POST or None)
    answer = (
        None
        if form.asks_for_more
        else form.ask(lambda: report_result(who, match, hand_scores=form.hand_scores))
    )
    if answer:
        return render_outcome(request, who, answer)
    context = context_of(page, form=form, length=length_of(match), tab="hands")
    return render(request, "results/matches/report_hands.html", context, status=form.status)


def too_late(page: matches.MatchPage) -> str:
    """Return why a player of the match can no longer report, if there is a result; else empty."""
    if page.may["report"] or not page.own_side or page.live is None:
        return ""
    if page.may["dispute"]:
        text = _("This match has its result already: %(score)s. If it is not so, dispute it.")
        return text % {"score": page.live.score.text}
    return Refusal(Reason.ALREADY_DISPUTED if page.dispute else Reason.HAS_RESULT).message


def render_outcome(request: HttpRequest, who: Actor, answer: Reported) -> HttpResponse:
    """Show the outcome of a report, on the page that its sender came from."""
    is_contested = answer.outcome is Outcome.CONTESTED
    level = messages.WARNING if is_contested else messages.SUCCESS
    messages.add_message(request, level, TOLD[answer.outcome])
    return back(who, answer.match.tournament.slug, answer.match.pk)


def back(who: Actor, slug: str, pk: int) -> HttpResponse:
    """Redirect to the own table with an entry code, to the match without one."""
    return redirect("match", pk) if who.entry is None else redirect("own-table", slug)


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm the version of another side's report that the page showed."""
    who = actor_at_match(request, pk)
    match = find.find_match(pk, who)
    try:
        confirm_result(who, match, version=version_in(request))
    except Refusal as refusal:
        if refusal.reason is not Reason.REPORT_CHANGED:
            raise
        messages.warning(request, refusal.message)
    else:
        messages.success(request, _("Confirmed: the result counts."))
    return back(who, match.tournament.slug, pk)


def version_in(request: HttpRequest) -> int:
    """Return the version in the request; 0, which no result has, when it is missing."""
    word = request.POST.get("version", "")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else 0


@require_safe
def own_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the player plays now, against whom, and what waits for confirmation.

    The QR code of a table card leads here: where the tournament is hidden, or there is none, the
    page asks for the code.
    """
    tournament = tournament_for_codes(slug)
    is_follower = "HX-Request" in request.headers  # the page is open and asks whether it changed
    if tournament is None or not may_see(actor_from(request), tournament):
        return (
            redirect_page(request, request.path) if is_follower else come(request, slug, to="table")
        )
    who = entry_actor(request, tournament)
    entry = own_entry(tournament, who)
    if entry is None and is_follower:
        return redirect_page(request, request.path)
    if entry is None:
        unspoken = entry_here(request, tournament)
        context = {"tournament": tournament, "form": CodeForm(), "unspoken": unspoken}
        return render(request, "results/matches/no_table.html", context)
    word = own_table_version(entry)
    if same := unchanged(request, word):
        return same
    page = own_table_page(tournament, entry, who)
    return render(
        request, "results/matches/own_table.html", {"page": page, "head": page.head, "word": word}
    )
