"""One entry's page for the staff: its facts, and what may be done about it."""

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

from tournaments.errors import Reason, Refusal
from tournaments.models import Entry
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import find
from tournaments.queries.entry import EntryPage, entry_page
from tournaments.services import absences, attendance, entries, penalties, substitutions
from tournaments.web import forms_day as forms
from tournaments.web.answers import asker

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Verb:
    """What a form of the page does, and what is said when it is done."""

    form: type[forms.EntryForm]
    act: Callable[[Actor, Entry, Any], object]
    done: str | Promise
    back: str = "entry"


@require_safe
def entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Its facts and its forms."""
    return shown(request, page_for_staff(request, slug, number), {})


@require_POST
def act(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Do something about it; a refusal is told on its page."""
    page = page_for_staff(request, slug, number)
    if verb not in VERBS:
        raise Refusal(Reason.NOT_FOUND)
    who, asked = asker(request), VERBS[verb]
    form = asked.form(page, request.POST, auto_id=ids(verb, request.POST.get("pk")))
    done = form.ask(lambda: (asked.act(who, find.find_entry(slug, number, who), form.said),))
    if done is None:
        return shown(request, page, {verb: form})
    messages.success(request, str(asked.done) % {"name": page.entry.name})
    return redirect("entries", slug) if asked.back == "entries" else redirect("entry", slug, number)


def page_for_staff(request: HttpRequest, slug: str, number: int) -> EntryPage:
    """Return the entry, if the asker is of the club's staff; refuses SIGN_IN, FORBIDDEN."""
    who = asker(request)
    page = entry_page(slug, number, who)
    refuse_unless(page.head.may.arbitrate, who)
    return page


def shown(
    request: HttpRequest, page: EntryPage, filled: Mapping[str, forms.EntryForm]
) -> HttpResponse:
    """Show the page, with a form as it was filled in and the others empty."""
    made = {
        verb.replace("-", "_"): filled.get(verb) or asked.form(page, auto_id=ids(verb))
        for verb, asked in VERBS.items()
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
    return render(request, "entries/entry.html", context, status=status)


def ids(verb: str, pk: str | None = None) -> str:
    """Return how the fields of a form are told from those of the others on the page."""
    return f"{verb}-{pk}-%s" if pk and pk.isdecimal() else f"{verb}-%s"


def of(rows: QuerySet[Row], pk: int) -> Row:
    """Return the row of an entry that a form names; refuses NOT_FOUND."""
    return find.found(rows.filter(pk=pk).first())


def _substitute(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    club = entry.tournament.club
    given["leaves"] = of(club.players.all(), given["leaves"])
    given["comes"] = of(club.players.all(), given["comes"])
    return substitutions.substitute(who, entry, **given)


def _end_substitute(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    row = of(entry.substitutions.all(), given["pk"])
    substitutions.end_substitution(who, row, until_round=given["until_round"])
    return row


def _revoke(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    row = of(entry.penalties.all(), given["pk"])
    return penalties.revoke_penalty(who, row, given["reason"])


def _cancel_bye(who: Actor, entry: Entry, given: dict[str, Any]) -> object:
    row = of(entry.bye_requests.all(), given["pk"])
    absences.cancel_bye(who, row)
    return row


VERBS: dict[str, Verb] = {
    "check-in": Verb(
        forms.EntryForm,
        lambda who, entry, _given: attendance.check_in(who, entry),
        _("%(name)s has come."),
    ),
    "undo-check-in": Verb(
        forms.EntryForm,
        lambda who, entry, _given: attendance.undo_check_in(who, entry),
        _("The check-in of %(name)s is taken back."),
    ),
    "withdraw": Verb(
        forms.WithdrawForm,
        lambda who, entry, given: absences.withdraw(who, entry, given["reason"]),
        _("%(name)s has left."),
    ),
    "bring-back": Verb(
        forms.EntryForm,
        lambda who, entry, _given: absences.bring_back(who, entry),
        _("%(name)s plays again."),
    ),
    "expel": Verb(
        forms.BecauseForm,
        lambda who, entry, given: absences.expel(who, entry, given["reason"]),
        _("%(name)s is expelled."),
    ),
    "ask-bye": Verb(
        forms.ByeForm,
        lambda who, entry, given: absences.request_bye(who, entry, given["round"], given["kind"]),
        _("The bye of %(name)s is written down."),
    ),
    "cancel-bye": Verb(forms.RowForm, _cancel_bye, _("The bye of %(name)s is taken back.")),
    "substitute": Verb(forms.SubstituteForm, _substitute, _("The substitute plays for %(name)s.")),
    "end-substitute": Verb(
        forms.EndSubstituteForm, _end_substitute, _("The substitution of %(name)s has an end.")
    ),
    "penalise": Verb(
        forms.PenaltyForm,
        lambda who, entry, given: penalties.penalise(who, entry, **given),
        _("The penalty of %(name)s counts."),
    ),
    "revoke": Verb(forms.RevokeForm, _revoke, _("The penalty of %(name)s is taken back.")),
    "describe": Verb(
        forms.DescribeForm,
        lambda who, entry, given: entries.describe_entry(who, entry, **given),
        _("What the draw knows of %(name)s is kept."),
    ),
    "remove": Verb(
        forms.EntryForm,
        lambda who, entry, _given: entries.remove_entry(who, entry),
        _("%(name)s is off the list. It can be taken back under “Undo”."),
        back="entries",
    ),
}
