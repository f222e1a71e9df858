"""The day: who has come, the clock of a round, lots for shared places."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.models import Round
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import find
from tournaments.queries.entries import CheckInPage, check_in_page
from tournaments.queries.heads import tournament_head
from tournaments.services import attendance, clock, lots
from tournaments.web.answers import ABOUT_THE_ASKER, Step, asker, confirmed
from tournaments.web.forms_day import ClockForm

LONGEST_NAME_ASKED = 100


@require_safe
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Who has come, one tap each."""
    page = page_for_staff(request, slug, request.GET.get("name", "")[:LONGEST_NAME_ASKED])
    context = {"page": page, "head": page.head, "wanted": request.GET.get("name", "")}
    return render(request, "day/check_in.html", context)


@require_POST
def arrive(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check an entry in, or take that back; the list is shown as it was filtered."""
    who = asker(request)
    refuse_unless(tournament_head(slug, who).may.arbitrate, who)
    entry = find.find_entry(slug, number, who)
    if request.POST.get("come") == "no":
        attendance.undo_check_in(who, entry)
    else:
        attendance.check_in(who, entry)
    wanted = request.POST.get("name", "")[:LONGEST_NAME_ASKED]
    query = {"name": wanted} if wanted else {}
    return redirect(f"{reverse('check-in', args=[slug], query=query)}#entry-{number}")


@require_http_methods(["GET", "HEAD", "POST"])
def close_check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Say who is missing and ask what becomes of them, then end the check-in."""
    who = asker(request)
    page = page_for_staff(request, slug)
    refuse_unless(page.head.may.manage, who)
    absent = request.POST.get("absent", "")
    step = Step(
        act=lambda: attendance.close_check_in(
            who, find.find_tournament(slug, who), absent=absent or "withdraw"
        ),
        done=_("The check-in is closed."),
        back=reverse("check-in", args=[slug]),
        possible=page.closed_at is None,
    )
    context = {"page": page, "head": page.head, "absent": absent}
    return confirmed(request, "day/close.html", context, step)


@require_http_methods(["GET", "HEAD", "POST"])
def open_check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Say what is lost if everybody checks in afresh, then open the check-in again."""
    who = asker(request)
    page = page_for_staff(request, slug)
    refuse_unless(page.head.may.manage, who)
    step = Step(
        act=lambda: attendance.open_check_in(
            who, find.find_tournament(slug, who), afresh="afresh" in request.POST
        ),
        done=_("The check-in is open."),
        back=reverse("check-in", args=[slug]),
    )
    arrivals = sum(entry.checked_in_at is not None for entry in page.entries)
    context = {"head": page.head, "arrivals": arrivals}
    return confirmed(request, "day/open.html", context, step)


@require_POST
def set_clock(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Start, stop or resume the clock of a round; a refusal is told on the round's page."""
    who = asker(request)
    if verb not in CLOCK:
        raise Refusal(Reason.NOT_FOUND)
    round_ = find.find_round(slug, number, who)
    refuse_unless(tournament_head(slug, who).may.arbitrate, who)
    try:
        CLOCK[verb](who, round_, request)
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER:
            raise
        messages.error(request, refusal.message)
    return redirect("round", slug, number)


@require_POST
def draw_lots(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Draw lots for the shared places of a stage."""
    who = asker(request)
    stages = find.find_tournament(slug, who).stages.select_related("tournament__club")
    stage = find.found(stages.filter(number=number).first())
    try:
        lots.draw_lots(who, stage)
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER:
            raise
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The lots are drawn: no place is shared any more."))
    return redirect("rounds", slug)


def page_for_staff(request: HttpRequest, slug: str, wanted: str = "") -> CheckInPage:
    """Return who has come, if the asker is of the club's staff; refuses SIGN_IN, FORBIDDEN."""
    who = asker(request)
    page = check_in_page(slug, who, wanted)
    refuse_unless(page.head.may.arbitrate, who)
    return page


def _start(who: Actor, round_: Round, request: HttpRequest) -> object:
    form = ClockForm(request.POST)
    if not form.is_valid():
        raise Refusal(Reason.BAD_MINUTES, most=clock.LONGEST_ROUND)
    return clock.start_clock(who, round_, form.cleaned_data["minutes"])


CLOCK: dict[str, Callable[[Actor, Round, HttpRequest], object]] = {
    "start": _start,
    "stop": lambda who, round_, _request: clock.stop_clock(who, round_),
    "resume": lambda who, round_, _request: clock.resume_clock(who, round_),
}
