"""Pages of the day: check-in, clock, lots."""

from collections.abc import Mapping
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core import find
from tournaments.core.buttons import Button, find_button
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import (
    ConfirmedAction,
    actor_from,
    confirm_page,
    page_after,
    run_action,
)
from tournaments.director.forms.entries import ClockForm
from tournaments.director.queries.entries import CheckInPage, check_in_page
from tournaments.director.queries.state import closed_text
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services import absences, mass_acts, restoring, rounds
from tournaments.models import Round

# --- Day ------------------------------------------------------------------------------------------
# Check-in, the clock of a round, lots for shared places.


MAX_SEARCH_LENGTH = 100  # as the longest name: a longer search finds nothing


@require_POST
def toggle_check_in(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check an entry in or undo it; the list keeps its filter."""
    actor = actor_from(request)
    refuse_unless(tournament_head(slug, actor).may.arbitrate, actor)
    entry = find.find_entry(slug, number, actor)
    if request.POST.get("come") == "no":
        absences.undo_check_in(actor, entry)
    else:
        absences.check_in(actor, entry)
    search = request.POST.get("name", "")[:MAX_SEARCH_LENGTH]
    query = {"name": search} if search else {}
    return redirect(f"{reverse('check-in', args=[slug], query=query)}#entry-{number}")


@require_POST
def check_in_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in all entries that are missing."""
    actor = actor_from(request)
    refuse_unless(tournament_head(slug, actor).may.arbitrate, actor)
    tournament = find.find_tournament(slug, actor)
    run_action(request, lambda: absences.check_in_all(actor, tournament), _("All have come."))
    return redirect("check-in", slug)


@require_POST
def take_back_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back the last act on many entries."""
    actor = actor_from(request)
    refuse_unless(tournament_head(slug, actor).may.arbitrate, actor)
    tournament = find.find_tournament(slug, actor)
    done = _("Taken back. Entries that have changed since stay as they are.")
    run_action(request, lambda: mass_acts.take_back_act(actor, tournament), done)
    return redirect(page_after(request, slug, reverse("check-in", args=[slug])))


@require_http_methods(["GET", "HEAD", "POST"])
def close_check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """List the missing entries and ask what happens to them, then close the check-in."""
    actor = actor_from(request)
    page = page_for_staff(request, slug)
    refuse_unless(page.head.may.manage, actor)
    absent = request.POST.get("absent", "")
    step = ConfirmedAction(
        act=lambda: absences.close_check_in(
            actor, find.find_tournament(slug, actor), absent=absent or "withdraw"
        ),
        done=_("The check-in is closed."),
        back=reverse("check-in", args=[slug]),
        closed=closed_text(page.head.may.verbs, "close_check_in"),
    )
    context = {"page": page, "head": page.head, "absent": absent}
    return confirm_page(request, "director/day/close.html", context, step)


@require_http_methods(["GET", "HEAD", "POST"])
def open_check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Reopen the check-in, after a warning if all check-ins are to be cleared."""
    actor = actor_from(request)
    page = page_for_staff(request, slug)
    refuse_unless(page.head.may.manage, actor)
    step = ConfirmedAction(
        act=lambda: absences.open_check_in(
            actor, find.find_tournament(slug, actor), afresh="afresh" in request.POST
        ),
        done=_("The check-in is open."),
        back=reverse("check-in", args=[slug]),
    )
    arrivals = sum(entry.checked_in_at is not None for entry in page.entries)
    context = {"head": page.head, "arrivals": arrivals}
    return confirm_page(request, "director/day/open.html", context, step)


@require_POST
def set_clock(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Start, stop or resume the clock of a round; a refusal is shown on the round's page."""
    actor = actor_from(request)
    button = find_button(CLOCK_BUTTONS, verb)[1]
    round_ = find.find_round(slug, number, actor)
    refuse_unless(tournament_head(slug, actor).may.arbitrate, actor)
    run_action(request, lambda: button.act(actor, round_, request))
    return redirect(page_after(request, slug, reverse("round", args=[slug, number])))


@require_POST
def draw_lots(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Draw lots for the shared places of a stage."""
    actor = actor_from(request)
    stage = find.find_stage(slug, number, actor)
    message = _("The lots are drawn: no place is shared any more.")
    run_action(request, lambda: restoring.draw_lots(actor, stage), message)
    return redirect(page_after(request, slug, reverse("rounds", args=[slug])))


def page_for_staff(request: HttpRequest, slug: str, search: str = "") -> CheckInPage:
    """Return the check-in page for the club's staff; refuses SIGN_IN, FORBIDDEN."""
    actor = actor_from(request)
    page = check_in_page(slug, actor, search)
    refuse_unless(page.head.may.arbitrate, actor)
    return page


def _start(actor: Actor, round_: Round, request: HttpRequest) -> object:
    form = ClockForm(request.POST)
    if not form.is_valid():
        raise Refusal(Reason.BAD_MINUTES, most=rounds.MAX_ROUND_MINUTES)
    return rounds.start_clock(actor, round_, form.cleaned_data["minutes"])


CLOCK_BUTTONS: Final[Mapping[str, Button[[Actor, Round, HttpRequest]]]] = {
    "start": Button(_start),
    "stop": Button(lambda actor, round_, _request: rounds.stop_clock(actor, round_)),
    "resume": Button(lambda actor, round_, _request: rounds.resume_clock(actor, round_)),
}
