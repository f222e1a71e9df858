"""Pages of a match and of one hand, an arbiter's decisions, and reports from the table."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.analysis.queries.analyses import hand_analysis, match_analysis
from tournaments.analysis.queries.positions import tried_position
from tournaments.analysis.services import note_look
from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import or_404
from tournaments.core.forms import Form, ReasonForm
from tournaments.core.page_cache import cached_page
from tournaments.core.permissions import Actor, side_of
from tournaments.core.views import (
    IDEMPOTENCY_KEY,
    NO_CONTENT,
    ScriptAnswer,
    actor_at_match,
    actor_from,
    page_after,
    refuse_other_entry,
    respond_to_script_once,
)
from tournaments.director.queries.forfeits import forfeits_of_match
from tournaments.director.queries.rows import score_in, shown_names
from tournaments.director.queries.state import refuse_unless_open
from tournaments.models import Match, Round
from tournaments.ratings.queries.pages import match_ratings
from tournaments.results.forms import (
    AgreeDayForm,
    AwardForm,
    DecideForm,
    ForfeitForm,
    HandsCorrectionForm,
    HandsForm,
    HandsRulingForm,
    PostponeForm,
    ProposeDayForm,
    ReportForm,
    RulingFields,
    RulingForm,
    ScoreForm,
)
from tournaments.results.queries import matches
from tournaments.results.queries.matches import hand_page, match_page
from tournaments.results.queries.own_table import own_entry
from tournaments.results.queries.what_if import (
    EffectPage,
    RulingPreview,
    effect_page,
    ruling_preview,
)
from tournaments.results.services import agreements
from tournaments.results.services import matches as matches_services
from tournaments.results.services.reports import (
    ReportOutcome,
    confirm_result,
    report_result,
)
from tournaments.results.services.submission import OutcomeKind

# --- Matches --------------------------------------------------------------------------------------


FORM_METHODS = ["GET", "HEAD", "POST"]

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
    actor = actor_at_match(request, pk)
    found_match = find.find_match(pk, actor)
    page = matches.page_of(found_match, actor)
    names = shown_names(page.head.pk) if page.match.whys else {}
    extra_context: dict[str, Any] = {
        "ratings": match_ratings(found_match),
        "analysis": match_analysis(page),
    }
    if any(side.is_bot for side in page.match.sides):
        extra_context["forfeits"] = forfeits_of_match(pk, actor)
    context = context_of(page, names=names, **extra_context)
    return render(request, "results/matches/page.html", context)


def open_match_page(request: HttpRequest, pk: int, verb: str) -> tuple[Actor, matches.MatchPage]:
    """Return the actor and the match; refuses what closes the verb to them."""
    actor = actor_from(request)
    page = matches.match_page(pk, actor)
    refuse_unless_open(page.may, verb, actor)
    return actor, page


def context_of(page: matches.MatchPage, **extra_context: Any) -> dict[str, Any]:
    """Return the context of every page about a match."""
    return {"page": page, "head": page.head, "match": page.match, **extra_context}


@require_http_methods(FORM_METHODS)
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a result, with a reason, after showing the effect on the standings."""
    actor, page = open_match_page(request, pk, "correct")
    match = find.find_match(pk, actor)
    data = request.POST or None
    form: AwardForm | HandsCorrectionForm | ScoreForm = award_form(request, page) or (
        HandsCorrectionForm(page, match.boards, data)
        if match.compares_deals
        else ScoreForm(page, data, typed=request.GET.dict())
    )

    def correction() -> dict[str, Any]:
        return {**form.result, "reason": form.cleaned_data["reason"]}

    def preview() -> EffectPage:
        corrected = matches_services.preview_correction(actor, match, **correction())
        return effect_page(pk, actor, score_in(corrected), corrected.hand_scores)

    effect, result = form.submit(preview), None
    if effect and request.POST.get("seen") == effect.version:
        result = form.submit(lambda: matches_services.correct_result(actor, match, **correction()))
    if result:
        messages.success(request, _("The result is corrected; the standings follow it."))
        return redirect(return_address(request, page))
    return render_form(request, "correct", page, form, effect=effect)


def award_form(request: HttpRequest, page: matches.MatchPage) -> AwardForm | None:
    """Return the form of an award that a button asked for, filled in; None without one."""
    data = request.POST if request.method == "POST" else request.GET
    return AwardForm(page, data.dict()) if "hand" in data else None


def submit_match_form(
    request: HttpRequest,
    verb: str,
    page: matches.MatchPage,
    form: Form,
    action: Callable[[], object],
    message: str,
) -> HttpResponse:
    """Do what a form about a match says and leave its page, or show it again with its refusal."""
    if form.submit(action):
        messages.success(request, message)
        return redirect(return_address(request, page))
    return render_form(request, verb, page, form)


def redirect_back(request: HttpRequest, actor: Actor, match: Match) -> HttpResponse:
    """Redirect those who play in a match to their own table, all others to where they came from."""
    if side_of(actor, match):
        return redirect("own-table", match.tournament.slug)
    default_url = reverse("match", args=[match.pk])
    return redirect(page_after(request, match.tournament.slug, default_url))


def render_form(
    request: HttpRequest, name: str, page: matches.MatchPage, form: Form, **extra_context: Any
) -> HttpResponse:
    """Render a form about a match, with the address that its *Cancel* leads to."""
    shared = {"back": return_address(request, page), "form": form, "length": page.length}
    context = context_of(page, **shared, **extra_context)
    return render(request, f"results/matches/{name}.html", context, status=form.status)


def return_address(request: HttpRequest, page: matches.MatchPage) -> str:
    """Return the address that a form about a match leads to: the match's, or the control room's."""
    number, default_url = page.match.round, reverse("match", args=[page.match.pk])
    # The control room has the rounds being played: asked for another one it is not there.
    is_played = page.round_state == Round.State.PUBLISHED
    round_number = number if is_played and number != page.head.current_round else None
    return page_after(request, page.head.slug, default_url, number=round_number)


@require_http_methods(FORM_METHODS)
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a dispute about a result."""
    actor = actor_at_match(request, pk)
    page = matches.match_page(pk, actor)
    refuse_unless_open(page.may, "dispute", actor)
    form = ReasonForm(request.POST or None)
    new_dispute = form.submit(
        lambda: matches_services.dispute_result(
            actor, find.find_match(pk, actor), form.cleaned_data["reason"]
        )
    )
    if new_dispute:
        messages.success(request, _("The dispute is open. The arbiter will rule on it."))
        return redirect_back(request, actor, find.find_match(pk, actor))
    return render_form(request, "dispute", page, form)


@require_POST
def take_up(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark the open dispute as under review."""
    actor, page = open_match_page(request, pk, "rule")
    matches_services.take_up(actor, find.find_dispute(or_404(page.dispute).pk, actor))
    messages.success(request, _("You are reviewing the dispute, and all can see that."))
    query = request.GET.urlencode()
    return redirect(reverse("rule-dispute", args=[pk]) + (query and f"?{query}"))


@require_http_methods(FORM_METHODS)
def rule(request: HttpRequest, pk: int) -> HttpResponse:
    """Rule on the open dispute, after showing what a ruling that changes the result does."""
    actor, page = open_match_page(request, pk, "rule")
    if award := award_form(request, page):
        return rule_with_award(request, page, award, actor)
    match, data = find.find_match(pk, actor), request.POST or None
    form: RulingFields = (
        HandsRulingForm(page, match.boards, data)
        if match.compares_deals
        else RulingForm(page, data)
    )

    if not form.is_bound:
        return render_form(request, "rule", page, form, foreseen=foreseen_ruling(form, actor))

    def preview_change() -> RulingPreview | None:
        ruling = form.ruling_arguments(actor)
        if ruling["ruling"] not in {form.AMEND, form.VOID}:
            return None
        dispute = find.find_dispute(form.cleaned_data["dispute"], actor)
        outcome = matches_services.preview_ruling(actor, dispute, **ruling)
        return ruling_preview(pk, actor, outcome)

    preview = form.submit(preview_change)
    if preview and preview.version != request.POST.get("seen"):
        return render_form(request, "rule", page, form, preview=preview)

    def act() -> object:
        dispute = find.find_dispute(form.cleaned_data["dispute"], actor)
        return matches_services.rule_on_dispute(actor, dispute, **form.ruling_arguments(actor))

    return submit_match_form(request, "rule", page, form, act, _("Ruled. The standings follow."))


def rule_with_award(
    request: HttpRequest, page: matches.MatchPage, form: AwardForm, actor: Actor
) -> HttpResponse:
    """Rule that a hand goes to one side, after showing what that does."""
    dispute = find.find_dispute(or_404(page.dispute).pk, actor)

    def ruling() -> dict[str, Any]:
        reason = form.cleaned_data["reason"]
        return {"ruling": matches_services.Ruling.AMEND, "reason": reason, **form.result}

    def preview_change() -> RulingPreview:
        outcome = matches_services.preview_ruling(actor, dispute, **ruling())
        return ruling_preview(page.match.pk, actor, outcome)

    def act() -> object:
        return matches_services.rule_on_dispute(actor, dispute, **ruling())

    preview = form.submit(preview_change)
    if preview is None or preview.version != request.POST.get("seen"):
        return render_form(request, "rule", page, form, preview=preview)
    return submit_match_form(request, "rule", page, form, act, _("Ruled. The standings follow."))


def foreseen_ruling(form: RulingFields, actor: Actor) -> RulingPreview | None:
    """Return what it changes if the contradiction counts: seen first, it is ruled by one press."""
    opened = form.opened
    if opened is None or not (opened.record_pk or opened.result_pk):
        return None
    dispute = find.find_dispute(opened.pk, actor)
    try:
        outcome = matches_services.preview_ruling(
            actor, dispute, ruling=form.AMEND, reason=opened.reason, **dispute.contradiction
        )
    except Refusal:
        return None  # said when that ruling is chosen; the others are open
    return ruling_preview(dispute.match_id, actor, outcome)


@require_http_methods(FORM_METHODS)
def forfeit(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a match as lost by the sides that did not play it."""
    actor, page = open_match_page(request, pk, "forfeit")
    form = ForfeitForm(page.match, request.POST or None)

    def act() -> object:
        match, data = find.find_match(pk, actor), form.cleaned_data
        if form.is_no_show:
            return matches_services.no_show(actor, match, data["sides"])
        return matches_services.forfeit(actor, match, data["sides"], reason=data["reason"])

    message = _("The match is lost without being played.")
    return submit_match_form(request, "forfeit", page, form, act, message)


@require_http_methods(FORM_METHODS)
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide which side goes on from a match that ended level."""
    actor, page = open_match_page(request, pk, "decide")
    form = DecideForm(page.match, request.POST or None)

    def act() -> object:
        match, data = find.find_match(pk, actor), form.cleaned_data
        return matches_services.decide(actor, match, data["side"], reason=data["reason"])

    return submit_match_form(request, "decide", page, form, act, _("It is decided who goes on."))


@require_http_methods(FORM_METHODS)
def postpone(request: HttpRequest, pk: int) -> HttpResponse:
    """Postpone a match, to a time if that is known."""
    actor, page = open_match_page(request, pk, "postpone")
    form = PostponeForm(request.POST or None, initial={"to": page.postponed_to})

    def act() -> object:
        match, data = find.find_match(pk, actor), form.cleaned_data
        return matches_services.postpone(actor, match, data["to"], reason=data["reason"])

    message = _("The match is postponed; its round can be closed meanwhile.")
    return submit_match_form(request, "postpone", page, form, act, message)


@require_POST
def resume(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the postponement of a match."""
    actor = actor_from(request)
    matches_services.resume(actor, find.find_match(pk, actor))
    messages.success(request, _("The match is played in its round after all."))
    return redirect(return_address(request, matches.match_page(pk, actor)))


@require_http_methods(FORM_METHODS)
def propose_day(request: HttpRequest, pk: int) -> HttpResponse:
    """Propose another day for a match to its other side."""
    actor = actor_at_match(request, pk)
    page = matches.match_page(pk, actor)
    refuse_unless_open(page.may, "propose_day", actor)
    form = ProposeDayForm(page.last_day, request.POST or None)
    match = find.find_match(pk, actor)
    if form.submit(lambda: agreements.propose_day(actor, match, form.cleaned_data["to"])):
        messages.success(request, _("The day is proposed; the other side has to agree to it."))
        return redirect_back(request, actor, match)
    return render_form(request, "propose_day", page, form)


@require_POST
def agree_day(request: HttpRequest, pk: int) -> HttpResponse:
    """Agree to the day that the page showed; where another one is proposed now, say so."""
    actor, form = actor_at_match(request, pk), AgreeDayForm(request.POST)
    refuse_unless_open(matches.match_page(pk, actor).may, "agree_day", actor)
    match = find.find_match(pk, actor)
    if form.submit(lambda: agreements.agree_day(actor, match, form.cleaned_data["to"])):
        messages.success(request, _("It is agreed: the match has its new day."))
    else:
        messages.warning(request, form.error_text or Refusal(Reason.PROPOSAL_CHANGED).message)
    return redirect_back(request, actor, match)


@require_POST
def decline_day(request: HttpRequest, pk: int) -> HttpResponse:
    """Decline the day that is proposed, or take back the own proposal."""
    actor = actor_at_match(request, pk)
    match = find.find_match(pk, actor)
    agreements.decline_day(actor, match)
    messages.success(request, _("The proposed day is declined; the match stays as it was."))
    return redirect_back(request, actor, match)


# --- Hands ----------------------------------------------------------------------------------------


@require_safe
@partial(cached_page, every=ANALYSED)
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a hand: the deal, every trick, the declarations, the points and the verdict."""
    page = hand_page(pk, number, actor_from(request))
    analysis = hand_analysis(page)
    context = {"page": page, "head": page.head, "match": page.match, "analysis": analysis}
    return render(request, "results/hands/page.html", context)


@require_safe
@partial(cached_page, every=ANALYSED)
def try_again(request: HttpRequest, pk: int, number: int, card: int) -> HttpResponse:
    """Show the position before a card as its player saw it, and what each card came to.

    With ``unnamed`` seats stand for the names, as in a club's week.
    """
    page = hand_page(pk, number, actor_from(request))
    if "unnamed" in request.GET:
        seats, sides = ({letters: letters for letters in each} for each in (page.seats, page.sides))
        page = replace(page, seats=seats, sides=sides)
    position = tried_position(page, card)
    context = {"page": page, "head": page.head, "match": page.match, "position": position}
    return render(request, "results/hands/try.html", context)


@require_safe
@partial(cached_page, every=ANALYSED)
def last_trick(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show the last trick of a hand, as the part that a tournament's page fetches."""
    page = hand_page(pk, number, actor_from(request))
    trick = page.tricks[-1] if page.tricks else None
    winner = page.seats.get(trick.winner, trick.winner) if trick else ""
    context = {"trick": trick, "winner": winner, "trump": page.trump}
    return render(request, "results/hands/_last_trick.html", context)


# --- Reports --------------------------------------------------------------------------------------


OUTCOME_MESSAGES: Final = {
    OutcomeKind.ACCEPTED: gettext_lazy("Noted: the result counts."),
    OutcomeKind.REPORTED: gettext_lazy("Reported: it counts once the other side has confirmed it."),
    OutcomeKind.CONFIRMED: gettext_lazy("Both sides say the same: the result counts."),
    OutcomeKind.DUPLICATE: gettext_lazy("This result was here already."),
    OutcomeKind.CONTESTED: gettext_lazy(
        "The sides report different results: the arbiter decides, and nothing changes until then."
    ),
}

CONFIRMED: Final = gettext_lazy("Confirmed: the result counts.")


@require_http_methods(FORM_METHODS)
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the score of a match."""
    actor = actor_at_match(request, pk)
    if IDEMPOTENCY_KEY in request.headers:
        return respond_to_script_once(
            request, actor, f"report {pk}", lambda: report_from_phone(request, actor, pk)
        )
    page = matches.match_page(pk, actor)
    if late_text := late_report_text(page):
        messages.warning(request, late_text)
        return redirect("match", pk)
    refuse_unless_open(page.may, "report", actor)
    if page.compares_deals and request.method != "POST":  # a score alone would be refused
        return redirect(f"{reverse('report-hands', args=[pk])}?{request.GET.urlencode()}")
    form = ReportForm(page, request.POST or None)
    answer = form.submit(lambda: report_result(actor, find.find_match(pk, actor), **form.result))
    if answer:
        return render_outcome(request, actor, answer)
    return render_form(request, "report", page, form, tab="score")


def report_from_phone(request: HttpRequest, actor: Actor, pk: int) -> ScriptAnswer:
    """Report the score that a phone had kept.

    It does not contradict a result that came to count meanwhile: its people dispute that by hand.
    """
    match = find.find_match(pk, actor)
    refuse_other_entry(request, own_entry(match.tournament, actor))
    page = matches.match_page(pk, actor)
    form = ReportForm(page, request.POST)
    if form.is_valid() and (late_text := late_report_text(page)):
        is_known = page.live is not None and score_in(page.live.score).agrees_with(form.score)
        return (
            ScriptAnswer("good", str(OUTCOME_MESSAGES[OutcomeKind.DUPLICATE]))
            if is_known
            else ScriptAnswer("bad", late_text)
        )
    answer = form.submit(lambda: report_result(actor, match, **form.result))
    if answer is None:
        return ScriptAnswer("ask" if form.needs_confirmation else "bad", form.error_text)
    is_contested = answer.outcome is OutcomeKind.CONTESTED
    return ScriptAnswer("warn" if is_contested else "good", str(OUTCOME_MESSAGES[answer.outcome]))


@require_http_methods(FORM_METHODS)
def report_hands(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the points of each hand of a match."""
    actor = actor_at_match(request, pk)
    page = matches.match_page(pk, actor)
    if late_text := late_report_text(page):
        messages.warning(request, late_text)
        return redirect("match", pk)
    refuse_unless_open(page.may, "report", actor)
    match = find.find_match(pk, actor)
    form = HandsForm(page, match.boards, request.POST or None)
    answer = (
        None
        if form.asks_for_more
        else form.submit(lambda: report_result(actor, match, hand_scores=form.hand_scores))
    )
    if answer:
        return render_outcome(request, actor, answer)
    return render_form(request, "report_hands", page, form, tab="hands")


def late_report_text(page: matches.MatchPage) -> str:
    """Return why a player of the match can no longer report, if there is a result; else empty."""
    if page.may["report"] or not page.own_side or page.live is None:
        return ""
    if page.may["dispute"]:
        text = _("This match has its result already: %(score)s. If it is not so, dispute it.")
        return text % {"score": page.live.score.text}
    return Refusal(Reason.ALREADY_DISPUTED if page.dispute else Reason.HAS_RESULT).message


def render_outcome(request: HttpRequest, actor: Actor, answer: ReportOutcome) -> HttpResponse:
    """Show the outcome of a report, on the page that its sender came from."""
    is_contested = answer.outcome is OutcomeKind.CONTESTED
    level = messages.WARNING if is_contested else messages.SUCCESS
    messages.add_message(request, level, OUTCOME_MESSAGES[answer.outcome])
    return redirect_back(request, actor, answer.match)


@require_POST
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm the version of another side's report that the page showed."""
    actor = actor_at_match(request, pk)
    if IDEMPOTENCY_KEY in request.headers:
        return respond_to_script_once(
            request, actor, f"confirm {pk}", lambda: confirm_from_phone(request, actor, pk)
        )
    match = find.find_match(pk, actor)
    try:
        confirm_result(actor, match, version=read_version(request))
    except Refusal as refusal:
        if refusal.reason is not Reason.REPORT_CHANGED:
            raise
        messages.warning(request, refusal.message)
    else:
        messages.success(request, CONFIRMED)
    return redirect_back(request, actor, match)


def confirm_from_phone(request: HttpRequest, actor: Actor, pk: int) -> ScriptAnswer:
    """Confirm the report that a phone had kept the answer to."""
    match = find.find_match(pk, actor)
    refuse_other_entry(request, own_entry(match.tournament, actor))
    confirm_result(actor, match, version=read_version(request))
    return ScriptAnswer("good", str(CONFIRMED))


def read_version(request: HttpRequest) -> int:
    """Return the version in the request; 0, which no result has, when it is missing."""
    word = request.POST.get("version", "")
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else 0


WAITING = "waiting"
JUDGING = "judging"


@require_safe
def hand_analysis_board(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Return the analysis of a hand to a page that polls for it; UNCHANGED while it is pending.

    A page that shows it without judgements has ``seen`` that it is being judged.
    """
    page = hand_page(pk, number, actor_from(request))
    analysis = hand_analysis(page)
    if analysis.state == WAITING or analysis.judging:
        note_look(pk)
    if analysis.state == WAITING or (analysis.judging and request.GET.get("seen") == JUDGING):
        return HttpResponse(status=NO_CONTENT)
    context = {"page": page, "match": page.match, "analysis": analysis, "oob": True}
    return render(request, "results/hands/_analysis.html", context)


@require_safe
def match_analysis_board(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the luck of a match to a page that polls for it; UNCHANGED if it was ``seen``."""
    page = match_page(pk, actor_at_match(request, pk))
    analysis = match_analysis(page)
    if analysis is not None and analysis.state == WAITING:
        note_look(pk)
    if analysis is not None and request.GET.get("seen") == f"{analysis.state}-{analysis.done}":
        return HttpResponse(status=NO_CONTENT)
    context = {"page": page, "match": page.match, "analysis": analysis, "oob": True}
    return render(request, "results/matches/_luck.html", context)
