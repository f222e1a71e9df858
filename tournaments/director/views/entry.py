"""The page of one entry for the staff, and check-in by code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import found
from tournaments.core.forms import Form
from tournaments.core.permissions import Actor, may_see, refuse_unless
from tournaments.core.rate_limits import CODES, count_one, refuse_too_many
from tournaments.core.views import (
    ABOUT_THE_ASKER,
    actor_from,
    forget_code,
    given_code,
    remember_code,
)
from tournaments.director.forms import day
from tournaments.director.forms.day import CodeForm, LeaveForm, RestForm
from tournaments.director.queries.entries import (
    EntryPage,
    entry_page,
    own_page,
    tournament_for_codes,
)
from tournaments.director.services import absences, entries, substitutions
from tournaments.models import Entry, Tournament

# --- Entry ----------------------------------------------------------------------------------------
# The page of one entry for the staff: its facts and its forms.


Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Verb:
    """The form, the action and the success message of a button on the page."""

    form: type[day.EntryForm]
    act: Callable[[Actor, Entry, Any], object]
    done: str | Promise
    back: str = "entry"


@require_safe
def entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an entry and its forms."""
    return render_entry(request, page_for_staff(request, slug, number), {})


@require_POST
def act(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Submit one of the forms; a refusal is shown on the page."""
    page = page_for_staff(request, slug, number)
    if verb not in VERBS:
        raise Refusal(Reason.NOT_FOUND)
    who, action = actor_from(request), VERBS[verb]
    form = action.form(page, request.POST, auto_id=ids(verb, request.POST.get("pk")))
    done = form.ask(lambda: (action.act(who, find.find_entry(slug, number, who), form.said),))
    if done is None:
        return render_entry(request, page, {verb: form})
    messages.success(request, str(action.done) % {"name": page.entry.name})
    return (
        redirect("entries", slug) if action.back == "entries" else redirect("entry", slug, number)
    )


def page_for_staff(request: HttpRequest, slug: str, number: int) -> EntryPage:
    """Return the entry for the club's staff; refuses SIGN_IN, FORBIDDEN."""
    who = actor_from(request)
    page = entry_page(slug, number, who)
    refuse_unless(page.head.may.arbitrate, who)
    return page


def render_entry(
    request: HttpRequest, page: EntryPage, filled: Mapping[str, day.EntryForm]
) -> HttpResponse:
    """Render the page, with one form as it was submitted and the others empty."""
    made = {
        verb.replace("-", "_"): filled.get(verb) or action.form(page, auto_id=ids(verb))
        for verb, action in VERBS.items()
    }
    refusal = next((form.refused for form in filled.values() if form.refused), None)
    status = max((form.status for form in filled.values()), default=200)
    wrong = next(iter(filled), "")
    context = {
        "page": page,
        "head": page.head,
        "entry": page.entry,
        "forms": made,
        "refusal": refusal,
        "wrong": wrong,
        "wrong_pk": request.POST.get("pk", ""),
    }
    return render(request, "director/entries/entry.html", context, status=status)


def ids(verb: str, pk: str | None = None) -> str:
    """Return the `auto_id` pattern of a form, which keeps the ids of the page's fields apart."""
    return f"{verb}-{pk}-%s" if pk and pk.isdecimal() else f"{verb}-%s"


def of(rows: QuerySet[Row], pk: int) -> Row:
    """Return the row of an entry that a form names; refuses NOT_FOUND."""
    return find.found(rows.filter(pk=pk).first())


def _substitute(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    club = entry.tournament.club
    given["leaves"] = of(club.players.all(), given["leaves"])
    return substitutions.substitute(who, entry, **given)


def _end_substitute(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    row = of(entry.substitutions.all(), given["pk"])
    substitutions.end_substitution(who, row, until_round=given["until_round"])
    return row


def _revoke(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    row = of(entry.penalties.all(), given["pk"])
    return absences.revoke_penalty(who, row, given["reason"])


def _cancel_bye(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    row = of(entry.bye_requests.all(), given["pk"])
    absences.cancel_bye(who, row)
    return row


VERBS: dict[str, Verb] = {
    "check-in": Verb(
        day.EntryForm,
        lambda who, entry, _given: absences.check_in(who, entry),
        _("%(name)s has come."),
    ),
    "undo-check-in": Verb(
        day.EntryForm,
        lambda who, entry, _given: absences.undo_check_in(who, entry),
        _("The check-in of %(name)s is taken back."),
    ),
    "withdraw": Verb(
        day.WithdrawForm,
        lambda who, entry, given: absences.withdraw(who, entry, given["reason"]),
        _("%(name)s has left."),
    ),
    "bring-back": Verb(
        day.EntryForm,
        lambda who, entry, _given: absences.bring_back(who, entry),
        _("%(name)s plays again."),
    ),
    "expel": Verb(
        day.BecauseForm,
        lambda who, entry, given: absences.expel(who, entry, given["reason"]),
        _("%(name)s is expelled."),
    ),
    "ask-bye": Verb(
        day.ByeForm,
        lambda who, entry, given: absences.request_bye(who, entry, given["round"], given["kind"]),
        _("The bye of %(name)s is written down."),
    ),
    "cancel-bye": Verb(day.RowForm, _cancel_bye, _("The bye of %(name)s is taken back.")),
    "substitute": Verb(day.SubstituteForm, _substitute, _("The substitute plays for %(name)s.")),
    "end-substitute": Verb(
        day.EndSubstituteForm, _end_substitute, _("The substitution of %(name)s has an end.")
    ),
    "penalise": Verb(
        day.PenaltyForm,
        lambda who, entry, given: absences.penalise(who, entry, **given),
        _("The penalty of %(name)s counts."),
    ),
    "revoke": Verb(day.RevokeForm, _revoke, _("The penalty of %(name)s is taken back.")),
    "describe": Verb(
        day.DescribeForm,
        lambda who, entry, given: entries.describe_entry(who, entry, **given),
        _("What the draw knows of %(name)s is kept."),
    ),
    "remove": Verb(
        day.EntryForm,
        lambda who, entry, _given: entries.remove_entry(who, entry),
        _("%(name)s is off the list. It can be taken back under “Undo”."),
        back="entries",
    ),
}


# --- Come -----------------------------------------------------------------------------------------
# Self check-in: an entry's code is entered once, then kept in the visitor's session. Without a code
# these pages answer the same for a hidden tournament and for none, so as not to tell which it is.


@require_safe
def come(request: HttpRequest, slug: str, to: str = "") -> HttpResponse:
    """Show the entry whose code is in the session, or ask for a code; ``to`` is the next page.

    A printed slip links here with its ``code`` filled in; it is accepted on submission, and asked
    for even if the session has another.
    """
    tournament = tournament_for_codes(slug)
    entry, code = entry_here(request, tournament), request.GET.get("code", "")
    if entry is not None and code.strip().upper() in {"", entry.code}:
        return render_check_in(request, entry)
    return ask_for_code(request, slug, tournament, CodeForm(initial={"code": code}), to)


@require_POST
def check_in_act(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Accept a code, or do what an entry's people may do; a refusal is shown on the page."""
    tournament = tournament_for_codes(slug)
    if verb == "code":
        return take_code(request, slug, tournament)
    if verb not in CHECK_IN_VERBS:
        raise Refusal(Reason.NOT_FOUND)
    entry = entry_here(request, tournament)
    return redirect("come", slug) if entry is None else CHECK_IN_VERBS[verb](request, entry)


def take_code(request: HttpRequest, slug: str, tournament: Tournament | None) -> HttpResponse:
    """Keep a valid code in the session; count a wrong one."""
    form = CodeForm(request.POST)

    def look() -> Entry:
        refuse_too_many(request, CODES)
        try:
            return find_by_code(tournament, form.cleaned_data["code"])
        except Refusal:
            count_one(request, CODES)
            raise

    entry = form.ask(look)
    if entry is None:
        return ask_for_code(request, slug, tournament, form, request.POST.get("to", ""))
    remember_code(request, entry.tournament, entry.code)
    return redirect("own-table" if request.POST.get("to") == "table" else "come", slug)


def find_by_code(tournament: Tournament | None, code: str) -> Entry:
    """Return the entry that a code belongs to; refuses BAD_CODE, also without a tournament."""
    if tournament is None:
        raise Refusal(Reason.BAD_CODE)
    return absences.entry_with_code(tournament, code)


def forget(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Remove the code from the session."""
    forget_code(request, entry.tournament)
    return redirect("come", entry.tournament.slug)


def entry_here(request: HttpRequest, tournament: Tournament | None) -> Entry | None:
    """Return the entry whose code is in the session, if the code is still valid."""
    code = None if tournament is None else given_code(request, tournament)
    if tournament is None or code is None:
        return None
    try:
        return absences.entry_with_code(tournament, code)
    except Refusal:
        return None


def ask_for_code(
    request: HttpRequest, slug: str, tournament: Tournament | None, form: CodeForm, to: str = ""
) -> HttpResponse:
    """Ask for a code; show the tournament's name only to viewers who may see it.

    ``to`` is ``table`` for visitors who come from a table's card, not to check in.
    """
    seen = tournament if tournament and may_see(actor_from(request), tournament) else None
    context = {
        "form": form,
        "slug": slug,
        "name": seen.name if seen else "",
        "to": to if to == "table" else "",
    }
    return render(request, "director/day/code.html", context, status=form.status)


def render_check_in(
    request: HttpRequest,
    entry: Entry,
    filled: Mapping[str, Form] | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """Show an entry to its people, with a form as it was submitted."""
    page, filled = own_page(entry), filled or {}
    context = {
        "page": page,
        "entry": page.entry,
        "refusal": refusal,
        "rest": filled.get("rest") or RestForm(page),
        "leave": filled.get("leave") or LeaveForm(),
    }
    status = max((form.status for form in filled.values()), default=200)
    return render(
        request, "director/day/come.html", context, status=refusal.status if refusal else status
    )


def _run_and_redirect(
    request: HttpRequest, entry: Entry, act: Callable[[], object], done: str
) -> HttpResponse:
    try:
        act()
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER and refusal.reason is not Reason.FORBIDDEN:
            raise
        return render_check_in(request, entry, refusal=refusal)
    messages.success(request, done)
    return redirect("come", entry.tournament.slug)


def _check_in(request: HttpRequest, entry: Entry) -> HttpResponse:
    who = Actor.of_entry(entry)
    return _run_and_redirect(
        request,
        entry,
        lambda: absences.check_in(who, entry),
        gettext("You are here: thank you. Sit down and wait for the round."),
    )


def _rest(request: HttpRequest, entry: Entry) -> HttpResponse:
    form = RestForm(own_page(entry), request.POST)
    bye = form.ask(
        lambda: absences.request_bye(Actor.of_entry(entry), entry, **_bye_arguments(form))
    )
    if bye is None:
        return render_check_in(request, entry, {"rest": form})
    messages.success(
        request, gettext("You rest in round %(number)s.") % {"number": bye.round_number}
    )
    return redirect("come", entry.tournament.slug)


def _bye_arguments(form: RestForm) -> dict[str, Any]:
    return {"round_number": form.cleaned_data["round"], "kind": form.cleaned_data["kind"]}


def _cancel(request: HttpRequest, entry: Entry) -> HttpResponse:
    pk = request.POST.get("pk", "")
    bye = found(entry.bye_requests.filter(pk=int(pk) if pk.isdecimal() else 0).first())
    return _run_and_redirect(
        request,
        entry,
        lambda: absences.cancel_bye(Actor.of_entry(entry), bye),
        gettext("You play in round %(number)s.") % {"number": bye.round_number},
    )


def _leave(request: HttpRequest, entry: Entry) -> HttpResponse:
    form = LeaveForm(request.POST)
    if not form.is_valid():
        return render_check_in(request, entry, {"leave": form})
    return _run_and_redirect(
        request,
        entry,
        lambda: absences.withdraw(Actor.of_entry(entry), entry),
        gettext("You have left the tournament."),
    )


CHECK_IN_VERBS: dict[str, Callable[[HttpRequest, Entry], HttpResponse]] = {
    "check-in": _check_in,
    "rest": _rest,
    "cancel": _cancel,
    "leave": _leave,
    "forget": forget,
}
