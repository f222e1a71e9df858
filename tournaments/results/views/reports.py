"""Pages for the people at a table: report and confirm, also what their phones had kept."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.core.views import (
    IDEMPOTENCY_KEY,
    Line,
    actor_at_match,
    answer_once,
    refuse_other_entry,
)
from tournaments.director.queries.state import refuse_unless_open
from tournaments.results.forms.results import HandsForm, ReportForm, said
from tournaments.results.queries import matches
from tournaments.results.queries.own_table import own_entry
from tournaments.results.services.reports import Outcome, Reported, confirm_result, report_result
from tournaments.results.views.matches import back, render_form

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

CONFIRMED: Final = gettext_lazy("Confirmed: the result counts.")


@require_http_methods(FORM)
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the score of a match."""
    who = actor_at_match(request, pk)
    if IDEMPOTENCY_KEY in request.headers:
        return answer_once(request, who, f"report {pk}", lambda: sent_report(request, who, pk))
    page = matches.match_page(pk, who)
    if late := too_late(page):
        messages.warning(request, late)
        return redirect("match", pk)
    refuse_unless_open(page.may, "report", who)
    form = ReportForm(page, request.POST or None)
    answer = form.ask(lambda: report_result(who, find.find_match(pk, who), score=form.score))
    if answer:
        return render_outcome(request, who, answer)
    return render_form(request, "report", page, form, length=page.length, tab="score")


def sent_report(request: HttpRequest, who: Actor, pk: int) -> Line:
    """Report the score that a phone had kept.

    It does not contradict a result that came to count meanwhile: its people dispute that by hand.
    """
    match = find.find_match(pk, who)
    refuse_other_entry(request, own_entry(match.tournament, who))
    page = matches.match_page(pk, who)
    form = ReportForm(page, request.POST)
    if form.is_valid() and (late := too_late(page)):
        is_known = page.live is not None and said(page.live.score).agrees_with(form.score)
        return Line("good", str(TOLD[Outcome.DUPLICATE])) if is_known else Line("bad", late)
    answer = form.ask(lambda: report_result(who, match, score=form.score))
    if answer is None:
        return Line("ask" if form.is_unsure else "bad", form.trouble)
    is_contested = answer.outcome is Outcome.CONTESTED
    return Line("warn" if is_contested else "good", str(TOLD[answer.outcome]))


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
    form = HandsForm(page, match.boards, request.POST or None)
    answer = (
        None
        if form.asks_for_more
        else form.ask(lambda: report_result(who, match, hand_scores=form.hand_scores))
    )
    if answer:
        return render_outcome(request, who, answer)
    return render_form(request, "report_hands", page, form, length=page.length, tab="hands")


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
    return back(request, who, answer.match)


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm the version of another side's report that the page showed."""
    who = actor_at_match(request, pk)
    if IDEMPOTENCY_KEY in request.headers:
        return answer_once(request, who, f"confirm {pk}", lambda: sent_answer(request, who, pk))
    match = find.find_match(pk, who)
    try:
        confirm_result(who, match, version=version_in(request))
    except Refusal as refusal:
        if refusal.reason is not Reason.REPORT_CHANGED:
            raise
        messages.warning(request, refusal.message)
    else:
        messages.success(request, CONFIRMED)
    return back(request, who, match)


def sent_answer(request: HttpRequest, who: Actor, pk: int) -> Line:
    """Confirm the report that a phone had kept the answer to."""
    match = find.find_match(pk, who)
    refuse_other_entry(request, own_entry(match.tournament, who))
    confirm_result(who, match, version=version_in(request))
    return Line("good", str(CONFIRMED))


def version_in(request: HttpRequest) -> int:
    """Return the version in the request; 0, which no result has, when it is missing."""
    word = request.POST.get("version", "")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else 0
