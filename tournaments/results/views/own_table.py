"""The page of an entry's own table, on a phone, and what its people may say there.

They come by account, by their entry's code or by a QR code. A code is entered once, then kept in
the visitor's session. Without one these pages answer the same for a hidden tournament and for none,
so as not to tell which it is.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core.buttons import Button, find_button
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import or_404
from tournaments.core.forms import Form
from tournaments.core.limits import CODES, count_one, refuse_too_many
from tournaments.core.permissions import Actor, club_rights, may_see
from tournaments.core.views import (
    IDEMPOTENCY_KEY,
    ScriptAnswer,
    actor_from,
    entry_actor,
    forget_code,
    redirect_page,
    refuse_other_entry,
    remember_code,
    respond_to_script_once,
    stored_code,
    unchanged_response,
)
from tournaments.director.forms.entries import CodeForm, LeaveForm, RestForm
from tournaments.director.queries.days import DayRow, days_by_round, days_of, next_day
from tournaments.director.queries.entries import own_page, tournament_for_codes
from tournaments.director.queries.state import role_of
from tournaments.director.queries.tournaments import (
    VisibleTournament,
    open_fetched_tournament,
)
from tournaments.director.services import absences
from tournaments.domain.codes import read_code
from tournaments.domain.money import Balance
from tournaments.domain.standing_rows import StandingRow
from tournaments.models import Entry, SignUpRequest, Tournament
from tournaments.results.forms import ReportForm
from tournaments.results.queries.own_table import (
    OwnTablePage,
    own_entry,
    own_table_page,
    own_table_version,
)
from tournaments.results.views.records import FRAME_FILES, offline_worker
from tournaments.signup.queries.places import (
    balance_of,
    entry_of_request,
    is_code_of_request,
    request_with_code,
)
from tournaments.standings.queries.standings import standings_in

OFFLINE_FILES: Final = (
    *FRAME_FILES,
    "css/phone.css",
    *(
        f"js/{name}.js"
        for name in ("own_table", "live", "focus", "stream", "clock", "score", "share")
    ),
)
"""The static files of the page, which a service worker caches for use without a network."""


class OwnTicket(NamedTuple):
    """What an entry pays: the fee in cents, and what holds for it."""

    due_cents: int
    balance: Balance


# --- The page -------------------------------------------------------------------------------------


@require_safe
def own_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the player plays now, against whom, what waits for an answer, and the day so far.

    The QR code of a table card leads here: where the tournament is hidden, or there is none, the
    page asks for the code.
    """
    tournament = tournament_for_codes(slug)
    is_follower = "HX-Request" in request.headers  # the page is open and asks whether it changed
    actor, entry = speaker(request, tournament)
    if entry is None and is_follower:
        return redirect_page(request, request.path)
    if entry is None and is_waiting(request, tournament):
        return redirect("own-request", slug)
    if tournament is None or not (actor.entry or may_see(actor_from(request), tournament)):
        return ask_for_code(request, slug, tournament, CodeForm(), target="table")
    if entry is None:
        unspoken = entry_in_session(request, tournament)
        context = {"tournament": tournament, "form": CodeForm(), "unspoken": unspoken}
        return render(request, "results/matches/no_table.html", context)
    version = own_table_version(entry)
    return unchanged_response(request, version) or render_table(request, entry, actor, version)


@require_safe
def worker(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the service worker that keeps the page of one's own table for use offline."""
    family = f"baza-own-table-{slug}."  # no slug has a dot: none begins with another family
    return offline_worker(request, reverse("own-table", args=[slug]), OFFLINE_FILES, family)


def render_table(
    request: HttpRequest,
    entry: Entry,
    actor: Actor,
    version: str,
    bound_forms: Mapping[str, Form] | None = None,
) -> HttpResponse:
    """Show the page of an entry's own table, with the forms as they were submitted.

    ``version`` is that of the page before it is read (`own_table_version`).
    """
    bound_forms = bound_forms or {}
    access = open_fetched_tournament(entry.tournament, actor, own_entry=entry)
    page = own_table_page(access, entry, actor)
    days = days_of(access.tournament)
    context = {
        "page": page,
        "head": page.head,
        "word": version,
        "you": page.you,
        "report": report_form(page),
        "standing": standing_of(access, entry),
        "day": (day := next_day(days)),
        "ticket": None if page.day else ticket_of(entry),
        "is_the_day": is_the_day(page, day),
        "days": days_by_round(days),
        "rest": bound_forms.get("request-bye") or RestForm(page.you),
        "leave": bound_forms.get("withdraw") or LeaveForm(),
        "wrong": next(iter(bound_forms.values()), None),
    }
    status = max((form.status for form in bound_forms.values()), default=200)
    return render(request, "results/matches/own_table.html", context, status=status)


def ticket_of(entry: Entry) -> OwnTicket:
    """Return what an entry pays, from the sign-up or not."""
    if entry.request is None:
        return OwnTicket(0, Balance())
    return OwnTicket(entry.request.due_cents, balance_of(entry.request))


def is_the_day(page: OwnTablePage, day: DayRow | None) -> bool:
    """Return whether people can come: on the day of play or after it, or where none is set.

    Who has played already comes again on a further planned day.
    """
    head = page.head
    if page.day:
        return day is not None and day.begins_on == timezone.localdate()
    if day is not None:
        return day.begins_on <= timezone.localdate()
    return head.begins_at is None or timezone.localdate(head.begins_at) <= timezone.localdate()


def report_form(page: OwnTablePage) -> ReportForm | None:
    """Return the form for the score of the match that is played now, if it can be reported."""
    if page.current is None or not page.current.may["report"]:
        return None
    if page.current.compares_deals:  # a score without its hands would be refused
        return None
    return ReportForm(page.current, auto_id="report_%s")


def standing_of(access: VisibleTournament, entry: Entry) -> StandingRow | None:
    """Return the line of an entry in the standings of the stage in play, once it has played."""
    if not access.head.decided:
        return None
    page = standings_in(access, access.head.stage(None))
    rows = (row for part in page.parts for row in part.rows)
    return next((row for row in rows if row.number == entry.number and row.played), None)


# --- Codes ----------------------------------------------------------------------------------------


@require_safe
def enter_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a code, or lead to the table of the entry whose code is in the session.

    A printed slip links here with its ``code`` filled in; it is accepted on submission, and asked
    for even if the session has another.
    """
    tournament = tournament_for_codes(slug)
    entry, code = entry_in_session(request, tournament), read_code(request.GET.get("code", ""))
    if entry is None and not code and is_waiting(request, tournament):
        return redirect("own-request", slug)
    if entry is not None and code in {"", entry.code}:
        return redirect("own-table", slug)
    return ask_for_code(request, slug, tournament, CodeForm(initial={"code": code}))


@require_POST
def accept_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep a valid code in the session; count a wrong one."""
    tournament = tournament_for_codes(slug)
    form = CodeForm(request.POST)

    def look() -> Entry | SignUpRequest:
        refuse_too_many(request, CODES)
        try:
            return find_by_code(tournament, form.cleaned_data["code"])
        except Refusal:
            count_one(request, CODES)
            raise

    found = form.submit(look)
    if found is None or tournament is None:
        return ask_for_code(request, slug, tournament, form, request.POST.get("to", ""))
    remember_code(request, tournament, found.code)
    return redirect("own-table" if isinstance(found, Entry) else "own-request", slug)


@require_POST
def drop_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Forget the code in the session, and ask for another."""
    tournament = tournament_for_codes(slug)
    if tournament is not None:
        forget_code(request, tournament)
    return redirect("come", slug)


def find_by_code(tournament: Tournament | None, code: str) -> Entry | SignUpRequest:
    """Return the entry that a code belongs to, or the request for a place.

    Refuses BAD_CODE, also without a tournament.
    """
    if tournament is None:
        raise Refusal(Reason.BAD_CODE)
    try:
        return absences.entry_with_code(tournament, code)
    except Refusal:
        request = request_with_code(tournament, code)
        return entry_of_request(request) or request


def is_waiting(request: HttpRequest, tournament: Tournament | None) -> bool:
    """Return whether the code in the session is that of a request for a place."""
    code = None if tournament is None else stored_code(request, tournament)
    return tournament is not None and code is not None and is_code_of_request(tournament, code)


def entry_in_session(request: HttpRequest, tournament: Tournament | None) -> Entry | None:
    """Return the entry whose code is in the session, if the code is still valid."""
    code = None if tournament is None else stored_code(request, tournament)
    if tournament is None or code is None:
        return None
    try:
        return absences.entry_with_code(tournament, code)
    except Refusal:
        return None


def ask_for_code(
    request: HttpRequest, slug: str, tournament: Tournament | None, form: CodeForm, target: str = ""
) -> HttpResponse:
    """Ask for a code; show the tournament's name only to viewers who may see it.

    ``target`` is ``table`` for visitors who come from a table's card, not to check in.
    """
    visible_tournament = (
        tournament if tournament and may_see(actor_from(request), tournament) else None
    )
    context = {
        "form": form,
        "slug": slug,
        "name": visible_tournament.name if visible_tournament else "",
        "to": target if target == "table" else "",
    }
    return render(request, "director/day/code.html", context, status=form.status)


# --- What its people may say ----------------------------------------------------------------------


class ByeForm(Form):
    """One of the entry's byes."""

    pk = forms.IntegerField(min_value=0)


OwnButton = Button[[Actor, Entry, dict[str, Any]]]
"""The form gets the entry's day and what was submitted; the action returns the message's values."""


@require_POST
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do what an entry's people may do; a refusal is shown on the page, or sent to a phone."""
    verb, button = find_button(OWN_BUTTONS, verb)
    actor, entry = speaker(request, tournament_for_codes(slug))
    if IDEMPOTENCY_KEY in request.headers:
        return respond_to_script_once(
            request, actor, f"{verb} {slug}", lambda: act_from_phone(request, actor, entry, button)
        )
    if entry is None:
        return redirect("come", slug)
    form = form_of(button, entry, actor, request.POST)
    message = carry_out(button, entry, actor, form)
    if message is None:
        return render_table(request, entry, actor, own_table_version(entry), {verb: form})
    messages.success(request, message)
    return redirect("own-table", slug)


def act_from_phone(
    request: HttpRequest, actor: Actor, entry: Entry | None, button: OwnButton
) -> ScriptAnswer:
    """Do what a phone had kept until it could be sent."""
    if entry is None:
        raise Refusal(Reason.SIGN_IN)
    refuse_other_entry(request, entry)
    form = form_of(button, entry, actor, request.POST)
    message = carry_out(button, entry, actor, form)
    return (
        ScriptAnswer("bad", form.error_text) if message is None else ScriptAnswer("good", message)
    )


def speaker(request: HttpRequest, tournament: Tournament | None) -> tuple[Actor, Entry | None]:
    """Return the actor in a tournament, and the entry that they speak for."""
    if tournament is None:
        return actor_from(request), None
    actor = entry_actor(request, tournament)
    return actor, own_entry(tournament, actor)


def form_of(button: OwnButton, entry: Entry, actor: Actor, query: QueryDict) -> Form:
    """Return the form of a button as it was submitted."""
    role = role_of(actor, club_rights(actor, entry.tournament.club), own=True)
    form: Form = button.form(own_page(entry, role), query)
    return form


def carry_out(button: OwnButton, entry: Entry, actor: Actor, form: Form) -> str | None:
    """Carry out what was submitted; return the message, or None when it was refused."""
    return form.submit(lambda: str(button.done) % button.act(actor, entry, form.cleaned_data))


def _check_in(actor: Actor, entry: Entry, _given: dict[str, Any]) -> dict[str, int]:
    absences.check_in(actor, entry)
    return {}


def _request_bye(actor: Actor, entry: Entry, data: dict[str, Any]) -> dict[str, int]:
    bye = absences.request_bye(actor, entry, data["round"], data["kind"])
    return {"number": bye.round_number}


def _cancel_bye(actor: Actor, entry: Entry, data: dict[str, Any]) -> dict[str, int]:
    bye = or_404(entry.bye_requests.filter(pk=data["pk"]).first())
    absences.cancel_bye(actor, bye)
    return {"number": bye.round_number}


def _withdraw(actor: Actor, entry: Entry, _given: dict[str, Any]) -> dict[str, int]:
    absences.withdraw(actor, entry)
    return {}


OWN_BUTTONS: Final[Mapping[str, OwnButton]] = {
    "check-in": Button(
        _check_in,
        _("You are here: thank you. Sit down and wait for the round."),
        lambda _page, data: Form(data),
    ),
    "request-bye": Button(
        _request_bye, _("You rest in round %(number)s."), RestForm, earlier=("rest",)
    ),
    "cancel-bye": Button(
        _cancel_bye,
        _("You play in round %(number)s."),
        lambda _page, data: ByeForm(data),
        earlier=("cancel",),
    ),
    "withdraw": Button(
        _withdraw,
        _("You have left the tournament."),
        lambda _page, data: LeaveForm(data),
        earlier=("leave",),
    ),
}
