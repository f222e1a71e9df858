"""The control room: the page from which an organiser directs a day, and its parts."""

from dataclasses import asdict
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from tournaments.core import find
from tournaments.core.errors import Refusal
from tournaments.core.live_version import live_version
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import (
    IDEMPOTENCY_KEY,
    ScriptAnswer,
    actor_from,
    respond_to_script_once,
    unchanged_response,
)
from tournaments.director.forms.entries import AnnouncementForm, ArrivalForm, LateSeatForm
from tournaments.director.queries import desk
from tournaments.director.queries.replanning import replan_offer
from tournaments.director.queries.rows import counted_in, score_in
from tournaments.director.queries.tickets import waiting_tickets
from tournaments.director.queries.tournaments import lots_due, tournament_head
from tournaments.director.services import absences, late_seats, tournaments
from tournaments.director.services.entries import enter_list
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match, Tournament
from tournaments.results.forms import QuickForm, score_query
from tournaments.results.queries.matches import match_page
from tournaments.results.services.reports import ReportOutcome, confirm_result, report_result
from tournaments.results.services.submission import OutcomeKind

OUTCOME_MESSAGES: Final = {
    OutcomeKind.ACCEPTED: gettext_lazy("Table %(table)s: %(score)s counts."),
    OutcomeKind.CONFIRMED: gettext_lazy("Table %(table)s: %(score)s, as was reported; it counts."),
    OutcomeKind.DUPLICATE: gettext_lazy("Table %(table)s: %(score)s was there already."),
    OutcomeKind.REPORTED: gettext_lazy("Table %(table)s: %(score)s waits for the other side."),
    OutcomeKind.CONTESTED: gettext_lazy(
        "Table %(table)s: %(score)s is not what was reported; a dispute is open."
    ),
}


@require_safe
def control_room(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the control room: tables by state, a line to enter results, the step to the next round.

    When no round is being played, the draft of the next one.
    """
    return render_control_room(
        request, slug, QuickForm(initial={"table": request.GET.get("table")})
    )


def render_control_room(
    request: HttpRequest,
    slug: str,
    form: QuickForm | None = None,
    *,
    saved_table: int = 0,
    status: int = 200,
    **extra_context: Any,
) -> HttpResponse:
    """Render the control room with the submitted forms, the others empty."""
    version = live_version(slug, actor_from(request))
    page = requested_desk_page(
        request, slug, request.POST if request.method == "POST" else request.GET
    )
    context = {**desk_context(page, form or QuickForm(), saved_table), "version": version}
    if page.head.state == Tournament.State.RUNNING and not page.head.is_of_bots:
        tournament = find.find_tournament(slug, actor_from(request))
        arrivals = desk.arrivals(tournament)
        context["people"] = arrivals.people
        context["offer"] = replan_offer(page.head)
        may_come = bool(arrivals.away) or page.head.may.verbs["enter_late"]
        context["late"] = ArrivalForm(tournament.unit, arrivals) if may_come else None
        if page.head.may.manage and (seats := desk.late_seats(page, tournament)):
            context["seating"] = LateSeatForm(seats)
            context["seating_round"] = seats.round
    context["waiting_tickets"] = waiting_tickets(page.head)
    if page.step.kind == "draw":
        context["lots"] = lots_due(page.head)
    if page.head.may.verbs["announce"]:
        context["announcing"] = AnnouncementForm(initial={"text": page.head.announcement})
    return render(
        request, "results/control_room/page.html", {**context, **extra_context}, status=status
    )


@require_safe
def table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Return a table with what may be done at it, for the control room to show in place."""
    actor = actor_from(request)
    page = match_page(pk, actor)
    find.or_404(page.head if page.head.slug == slug else None)
    refuse_unless(page.head.may.arbitrate, actor)
    context = {"page": page, "head": page.head, "match": page.match}
    return render(request, "results/control_room/_table.html", context)


@require_POST
def add_latecomer(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter new people who come late, or bring back an entry that was away."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless(head.may.arbitrate, actor)
    tournament = find.find_tournament(slug, actor)
    form = ArrivalForm(tournament.unit, desk.arrivals(tournament), request.POST)

    def act() -> Entry:
        if number := form.cleaned_data.get("back"):
            return absences.readmit(actor, find.find_entry(slug, number, actor))
        return enter_list(actor, tournament, [form.entry_row], form.reading)[0]

    entry = form.submit(act)
    if entry is None:
        return render_control_room(request, slug, late=form, status=form.status)
    seat = desk.seat_of(entry)
    text = (
        _("%(name)s is there. From now on it is in every draw.")
        if seat is None
        else _("%(name)s is there and plays now: round %(round)s, table %(table)s.")
    )
    round_, table = seat or (0, 0)
    messages.success(request, text % {"name": entry.shown_name, "round": round_, "table": table})
    return redirect("control", slug)


@require_POST
def seat_late(request: HttpRequest, slug: str) -> HttpResponse:
    """Seat an entry without a table in the place of one that has not come."""
    actor = actor_from(request)
    tournament = find.find_tournament(slug, actor)
    page = requested_desk_page(request, slug, request.POST)
    refuse_unless(page.head.may.manage, actor)
    form = LateSeatForm(desk.late_seats(page, tournament) or desk.LateSeats(), request.POST)

    def act() -> Match:
        late = find.find_entry(slug, form.cleaned_data["late"], actor)
        absent = find.find_entry(slug, form.cleaned_data["absent"], actor)
        at = find.or_404(desk.waiting_match(absent, page.round or 0))
        return late_seats.seat_late(actor, find.find_match(at, actor), absent=absent, late=late)

    if form.submit(act) is None:
        return render_control_room(request, slug, seating=form, status=form.status)
    text = _("%(name)s plays now. It can be taken back under “Undo”.")
    late = find.find_entry(slug, form.cleaned_data["late"], actor)
    messages.success(request, text % {"name": late.shown_name})
    return redirect("control", slug)


@require_POST
def announce(request: HttpRequest, slug: str) -> HttpResponse:
    """Announce a text to the hall; without one, end the announcement."""
    actor, form = actor_from(request), AnnouncementForm(request.POST)
    tournament = find.find_tournament(slug, actor)
    if (
        form.submit(lambda: tournaments.announce(actor, tournament, form.cleaned_data["text"]))
        is None
    ):
        return render_control_room(request, slug, announcing=form, status=form.status)
    messages.success(
        request,
        _("It is on phones, pages and the projector.")
        if form.cleaned_data["text"].strip()
        else _("Nothing is announced any more."),
    )
    return redirect("control", slug)


@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the part of the control room that changes; UNCHANGED if the browser has ``seen`` it.

    When other rounds are being played, or none, the browser is asked to reload the page.
    """
    version = live_version(slug, actor_from(request))
    if response := unchanged_response(request, version):
        return response
    number = read_round_number(request.GET.get("round"))
    page = desk.desk_page(slug, actor_from(request), group=request.GET.get("state", ""))
    if number in page.rounds and number != page.asked:
        page = requested_desk_page(request, slug, request.GET)
    if number != page.asked or request.GET.get("shown", "") != shown_rounds(page):
        return HttpResponseClientRefresh()
    context = {**desk_context(page, None), "version": version, "moved": True}
    return render(request, "results/control_room/_board.html", context)


@require_POST
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Save the result of one table; the form is then empty for the next one, or keeps an error.

    With an idempotency key the desk's script gets JSON. A ``bad`` line was not saved: it stays in
    the form to be corrected; its ``url``, if any, is the correction of the result that is there.
    """
    actor, form = actor_from(request), QuickForm(request.POST)

    def act() -> ScriptAnswer | None:
        return form.submit(lambda: report_line(actor, slug, request, form))

    if IDEMPOTENCY_KEY in request.headers:
        return respond_to_script_once(
            request,
            actor,
            f"desk {slug}",
            lambda: act() or ScriptAnswer("bad", form.error_text, url=""),
        )
    line = act()
    is_noted = line is not None and line.kind != "bad"
    saved_table = form.cleaned_data["table"] if is_noted else 0
    next_form = QuickForm() if is_noted else form
    status = 200 if line else form.status
    return render_control_room(
        request, slug, next_form, saved_table=saved_table, status=status, line=line
    )


def report_line(
    actor: Actor, slug: str, request: HttpRequest, form: QuickForm
) -> ScriptAnswer | None:
    """Report the result of a line for the club; another result that counts is not replaced."""
    number, match = form.cleaned_data["table"], form.cleaned_data["match"]
    row = desk.desk_table(slug, actor, read_round_number(request.POST.get("round")), number)
    if match and (row is None or row.match.pk != match):  # closed or drawn again meanwhile
        text = _("The match that was at table %(table)s is not being played any more.")
        return ScriptAnswer("bad", text % {"table": number}, url="")
    if row is None:
        text = _("There is no match at table %(table)s.")
        form.add_error("table", text % {"table": number})
        return None
    match_at_table = find.find_match(row.match.pk, actor)
    score = form.score(typed_only=match_at_table.round.stage.rules.typed_only)
    if row.group == "done" and row.match.score and not score_in(row.match.score).agrees_with(score):
        text = _("Table %(table)s has its result: %(score)s. Correct it, with a reason.")
        params = {"table": number, "score": row.match.score.text}
        query = {**score_query(row.match, score, cut=form.cut), "back": "control"}
        url = reverse("correct-result", args=[row.match.pk], query=query)
        return ScriptAnswer("bad", text % params, url)
    answer = report_result(actor, match_at_table, score=score, cut=form.cut)
    return report_outcome_line(answer, number, score)


def report_outcome_line(answer: ReportOutcome, table: int, score: Score) -> ScriptAnswer:
    """Return the desk's line for the outcome of a report."""
    params = {"table": table, "score": "–".join(map(str, counted_in(score)))}
    kind = "warn" if answer.outcome is OutcomeKind.CONTESTED else "good"
    url = reverse("match", args=[answer.match.pk])
    return ScriptAnswer(kind, str(OUTCOME_MESSAGES[answer.outcome]) % params, url)


@require_http_methods(["GET", "HEAD", "POST"])
def confirm_listed(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm the waiting results that were listed on the confirmation page."""
    actor = actor_from(request)
    data = request.POST if request.method == "POST" else request.GET
    number = read_round_number(data.get("round"))
    page = desk.desk_page(slug, actor, number=number, group="reported")
    if request.method != "POST":
        return render(request, "results/control_room/confirm.html", desk_context(page, None))
    listed_keys = set(request.POST.getlist("seen"))
    listed_rows = [row for row in page.rows if f"{row.match.pk}:{row.version}" in listed_keys]
    objections = [text for row in listed_rows if (text := confirm_at_desk(actor, row))]
    count = len(listed_rows) - len(objections)
    text = ngettext("%(count)s result confirmed.", "%(count)s results confirmed.", count)
    messages.success(request, text % {"count": count})
    for objection in objections:
        messages.warning(request, objection)
    return redirect(reverse("control", args=[slug], query={"round": number} if number else None))


def confirm_at_desk(actor: Actor, row: desk.DeskRow) -> str:
    """Confirm the result of a table; return the refusal as text, or an empty string."""
    try:
        confirm_result(actor, find.find_match(row.match.pk, actor), version=row.version)
    except Refusal as refusal:
        return _("Table %(table)s: %(why)s") % {"table": row.match.table, "why": refusal.message}
    return ""


def requested_desk_page(request: HttpRequest, slug: str, query: QueryDict) -> desk.DeskPage:
    """Return the desk of the requested round and group."""
    return desk.desk_page(
        slug,
        actor_from(request),
        number=read_round_number(query.get("round")),
        group=query.get("state", ""),
    )


def desk_context(
    page: desk.DeskPage, form: QuickForm | None, saved_table: int = 0
) -> dict[str, Any]:
    """Return the context of every page of the desk; ``saved_table`` is the table entered last."""
    if form is not None and page.head.cotos > 1:
        form.fields["hands"].label = _("Cotos")
    if form is not None and page.typed_only:
        form.fields["hands"].label = _("Places")
    return {
        "page": page,
        "head": page.head,
        "form": form,
        "next": page.after(saved_table),
        "clocks": desk.desk_clocks(page),
        "shown": shown_rounds(page),
        "tables": [asdict(row) for row in page.tables],
    }


def shown_rounds(page: desk.DeskPage) -> str:
    """Return the numbers of the rounds of several stages on the desk, or an empty string."""
    return ",".join(map(str, page.shown)) if page.is_of_several else ""


def read_round_number(text: str | None) -> int | None:
    """Return a round number from a query string, or None."""
    word = text or ""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else None
