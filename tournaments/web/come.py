"""Checking in by oneself: an entry's code is given once, then kept in the visitor's session."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.models import Entry, Tournament
from tournaments.permissions import Actor, may_see
from tournaments.queries.entry import own_page, tournament_for_codes
from tournaments.queries.find import found
from tournaments.services import absences, attendance
from tournaments.web.answers import (
    ABOUT_THE_ASKER,
    asker,
    forget_code,
    given_code,
    remember_code,
)
from tournaments.web.attempts import CODES, count_one, refuse_too_many
from tournaments.web.forms import Form
from tournaments.web.forms_day import CodeForm, LeaveForm, RestForm


@require_safe
def come(request: HttpRequest, slug: str, to: str = "") -> HttpResponse:
    """The entry whose code was given, or the question for a code, which leads on ``to``.

    A printed slip leads here with its ``code`` filled in; it is taken when it is sent, and asked
    for also where another was given before.
    """
    tournament = tournament_for_codes(slug)
    entry, code = entry_here(request, tournament), request.GET.get("code", "")
    if entry is not None and code.strip().upper() in {"", entry.code}:
        return shown(request, entry)
    return asked(request, tournament, CodeForm(initial={"code": code}), to)


@require_POST
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Take a code, or do what an entry's people may do; a refusal is told on the page."""
    tournament = tournament_for_codes(slug)
    if verb == "code":
        return take_code(request, tournament)
    if verb not in VERBS:
        raise Refusal(Reason.NOT_FOUND)
    entry = entry_here(request, tournament)
    return redirect("come", slug) if entry is None else VERBS[verb](request, entry)


def take_code(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Keep a right code in the session; count a wrong one."""
    form = CodeForm(request.POST)

    def look() -> Entry:
        refuse_too_many(request, CODES)
        try:
            return attendance.entry_with_code(tournament, form.cleaned_data["code"])
        except Refusal:
            count_one(request, CODES)
            raise

    entry = form.ask(look)
    if entry is None:
        return asked(request, tournament, form, request.POST.get("to", ""))
    remember_code(request, tournament, entry.code)
    return redirect("own-table" if request.POST.get("to") == "table" else "come", tournament.slug)


def forget(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Take the code out of the session."""
    forget_code(request, entry.tournament)
    return redirect("come", entry.tournament.slug)


def entry_here(request: HttpRequest, tournament: Tournament) -> Entry | None:
    """Return the entry whose code the session keeps, if the code is still good."""
    code = given_code(request, tournament)
    if code is None:
        return None
    try:
        return attendance.entry_with_code(tournament, code)
    except Refusal:
        return None


def asked(
    request: HttpRequest, tournament: Tournament, form: CodeForm, to: str = ""
) -> HttpResponse:
    """Ask for a code; the name only to who may see the tournament.

    ``to`` is ``table`` for who comes from a table's card, not to check in.
    """
    is_seen = may_see(asker(request), tournament)
    context = {
        "form": form,
        "slug": tournament.slug,
        "name": tournament.name if is_seen else "",
        "to": to if to == "table" else "",
    }
    return render(request, "day/code.html", context, status=form.status)


def shown(
    request: HttpRequest,
    entry: Entry,
    filled: Mapping[str, Form] | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """Show an entry to its people, with a form as it was filled in."""
    page, filled = own_page(entry), filled or {}
    context = {
        "page": page,
        "entry": page.entry,
        "refusal": refusal,
        "rest": filled.get("rest") or RestForm(page),
        "leave": filled.get("leave") or LeaveForm(),
    }
    status = max((form.status for form in filled.values()), default=200)
    return render(request, "day/come.html", context, status=refusal.status if refusal else status)


def _said(request: HttpRequest, entry: Entry, act: Callable[[], object], done: str) -> HttpResponse:
    try:
        act()
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER and refusal.reason is not Reason.FORBIDDEN:
            raise
        return shown(request, entry, refusal=refusal)
    messages.success(request, done)
    return redirect("come", entry.tournament.slug)


def _check_in(request: HttpRequest, entry: Entry) -> HttpResponse:
    who = Actor.of_entry(entry)
    return _said(
        request,
        entry,
        lambda: attendance.check_in(who, entry),
        _("You are here: thank you. Sit down and wait for the round."),
    )


def _rest(request: HttpRequest, entry: Entry) -> HttpResponse:
    form = RestForm(own_page(entry), request.POST)
    bye = form.ask(lambda: absences.request_bye(Actor.of_entry(entry), entry, **_asked(form)))
    if bye is None:
        return shown(request, entry, {"rest": form})
    messages.success(request, _("You rest in round %(number)s.") % {"number": bye.round_number})
    return redirect("come", entry.tournament.slug)


def _asked(form: RestForm) -> dict[str, Any]:
    return {"round_number": form.cleaned_data["round"], "kind": form.cleaned_data["kind"]}


def _cancel(request: HttpRequest, entry: Entry) -> HttpResponse:
    pk = request.POST.get("pk", "")
    bye = found(entry.bye_requests.filter(pk=int(pk) if pk.isdecimal() else 0).first())
    return _said(
        request,
        entry,
        lambda: absences.cancel_bye(Actor.of_entry(entry), bye),
        _("You play in round %(number)s.") % {"number": bye.round_number},
    )


def _leave(request: HttpRequest, entry: Entry) -> HttpResponse:
    form = LeaveForm(request.POST)
    if not form.is_valid():
        return shown(request, entry, {"leave": form})
    return _said(
        request,
        entry,
        lambda: absences.withdraw(Actor.of_entry(entry), entry),
        _("You have left the tournament."),
    )


VERBS: dict[str, Callable[[HttpRequest, Entry], HttpResponse]] = {
    "check-in": _check_in,
    "rest": _rest,
    "cancel": _cancel,
    "leave": _leave,
    "forget": forget,
}
