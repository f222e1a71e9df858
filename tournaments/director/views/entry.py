"""The page of one entry for the staff."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core import find
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import (
    actor_from,
)
from tournaments.director.forms import day
from tournaments.director.queries.entries import (
    EntryPage,
    entry_page,
)
from tournaments.director.services import absences, entries, substitutions
from tournaments.models import Entry

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
