"""Pages of entries: import of lists, choice of pairs, players and bots, late entries; one entry."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core import find
from tournaments.core.buttons import Button, find_button
from tournaments.core.forms import Form
from tournaments.core.permissions import Actor, refuse_unless
from tournaments.core.views import actor_from, say_encoding
from tournaments.director.forms import entries as entry_forms
from tournaments.director.forms.entries import (
    BotsForm,
    ImportForm,
    LateForm,
    LatePeopleForm,
    NewcomersForm,
)
from tournaments.director.forms.lists import ListForm
from tournaments.director.queries import entries as entries_queries
from tournaments.director.queries.entries import EntryPage, entry_page
from tournaments.director.queries.replanning import replan_offer
from tournaments.director.queries.state import refuse_unless_open
from tournaments.director.queries.tickets import waiting_tickets
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services import absences, substitutions
from tournaments.director.services import entries as entries_services
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.entries import import_entries as import_lists
from tournaments.domain.roster import Reading, read_pairs, read_players
from tournaments.models import Entry, Tournament

# --- Entries --------------------------------------------------------------------------------------
# Adding entries: import of lists, choice of pairs, players and bots, latecomers.


Unit = Tournament.Unit


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the entries; until the draw, organisers add more here."""
    return render_entries(request, slug)


@require_POST
def import_entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the pairs of two lists; with one bad line nothing is imported."""
    actor = entering_actor(request, slug)
    form = ImportForm(request.POST, request.FILES)

    def enter() -> Sequence[Entry]:
        tournament = find.find_tournament(slug, actor)
        players, pairs = form.source("players"), form.source("pairs")
        reading = Reading(who=form.who)
        new = import_lists(
            actor, tournament, players, pairs, as_written=form.as_written, reading=reading
        )
        for source, read in ((players, read_players(players)), (pairs, read_pairs(pairs))):
            say_encoding(request, source)
            _say_unread(request, read.unread)
        return new

    return enter_from_form(request, slug, "lists", form, enter)


def _say_unread(request: HttpRequest, columns: Sequence[str]) -> None:
    """Tell the user which columns of a list were left out."""
    if columns:
        text = ngettext(
            "This column is left out: %(columns)s.",
            "These columns are left out: %(columns)s.",
            len(columns),
        )
        messages.info(request, text % {"columns": ", ".join(columns)})


@require_POST
def add_newcomers(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Enter ``pairs`` or ``players`` that the club has already."""
    actor = entering_actor(request, slug)
    form = NewcomersForm(kind, entries_queries.newcomers(slug, actor), request.POST)

    def enter() -> Sequence[Entry]:
        tournament = find.find_tournament(slug, actor)
        find_by_code = find.find_pairs if kind == "pairs" else find.find_players
        return enter_newcomers(
            actor, tournament, find_by_code(slug, form.cleaned_data[kind], actor)
        )

    return enter_from_form(request, slug, kind, form, enter)


@require_POST
def add_bots(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter bots, each as often as requested."""
    actor = entering_actor(request, slug)
    form = BotsForm(entries_queries.entries_page(slug, actor).bots, request.POST)

    def enter() -> Sequence[Entry]:
        tournament = find.find_tournament(slug, actor)
        return enter_newcomers(actor, tournament, find.find_bots(slug, form.chosen, actor))

    return enter_from_form(request, slug, "bots", form, enter)


@require_POST
def enter_late(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a latecomer into a tournament that is running, people by their names."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless_open(head.may.verbs, "enter_late", actor)
    tournament = find.find_tournament(slug, actor)
    if head.is_of_bots:
        return _add_late_bot(request, slug, actor, tournament)
    form = LatePeopleForm(tournament.unit, request.POST)
    new = form.submit(
        lambda: entries_services.enter_list(actor, tournament, [form.entry_row], form.reading)
    )
    if new is None:
        return render_entries(request, slug, {"late": form})
    return _redirect_to_late(request, slug, *new)


def _add_late_bot(
    request: HttpRequest, slug: str, actor: Actor, tournament: Tournament
) -> HttpResponse:
    form = LateForm(entries_queries.newcomers(slug, actor), request.POST)

    def enter() -> Entry:
        key = form.cleaned_data["newcomer"]
        if key.startswith(entries_queries.BOT):
            name = key.removeprefix(entries_queries.BOT)
            return entries_services.enter_late(actor, tournament, find.find_bot(slug, name, actor))
        find_by_code = find.find_pairs if tournament.unit == Unit.PAIR else find.find_players
        (newcomer,) = find_by_code(slug, [key], actor)
        return entries_services.enter_late(actor, tournament, newcomer)

    entry = form.submit(enter)
    if entry is None:
        return render_entries(request, slug, {"late": form})
    return _redirect_to_late(request, slug, entry)


def _redirect_to_late(request: HttpRequest, slug: str, entry: Entry) -> HttpResponse:
    """Redirect to the list of entries with a message of when a late entry plays."""
    text = gettext("%(name)s is entered and plays from round %(round)s on.")
    messages.success(request, text % {"name": entry.name, "round": entry.joined_round})
    return redirect("entries", slug)


def entering_actor(request: HttpRequest, slug: str) -> Actor:
    """Return the actor, if they may add entries now; refuses SIGN_IN, FORBIDDEN, NOT_A_DRAFT."""
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless_open(head.may.verbs, "enter", actor)
    return actor


def enter_from_form(
    request: HttpRequest, slug: str, name: str, form: Form, enter: Callable[[], Sequence[Entry]]
) -> HttpResponse:
    """Enter what the form of this name holds, or show it again with its refusal."""
    new = form.submit(enter)
    if new is None:
        return render_entries(request, slug, {name: form})
    return redirect_to_entries(request, slug, new)


def redirect_to_entries(request: HttpRequest, slug: str, new: Sequence[Entry]) -> HttpResponse:
    """Redirect to the list of entries with a message of how many are new."""
    count = len(new)
    text = ngettext("%(count)s new entry.", "%(count)s new entries.", count)
    messages.success(request, text % {"count": count})
    return redirect("entries", slug)


def render_entries(
    request: HttpRequest, slug: str, bound_forms: Mapping[str, Form] | None = None
) -> HttpResponse:
    """Render the page with the submitted forms, the others empty."""
    bound_forms = bound_forms or {}
    actor = actor_from(request)
    page = entries_queries.entries_page(slug, actor)
    context: dict[str, Any] = {"page": page, "head": page.head}
    context["offer"] = replan_offer(page.head)
    context["waiting_tickets"] = waiting_tickets(page.head)
    verbs = page.head.may.verbs
    if verbs["enter_late"] and not verbs["enter"] and not page.head.is_of_bots:
        people = entries_queries.spare_people(find.find_tournament(slug, actor))
        context |= {"late": LatePeopleForm(page.unit), "people": people, **bound_forms}
    elif verbs["enter"] or verbs["enter_late"]:
        context |= {**forms_of(page, entries_queries.newcomers(slug, actor)), **bound_forms}
    status = max((form.status for form in bound_forms.values()), default=200)
    return render(request, "director/tournaments/entries.html", context, status=status)


def forms_of(
    page: entries_queries.EntriesPage, newcomers: tuple[entries_queries.Newcomer, ...]
) -> dict[str, Form]:
    """Return the empty forms that the tournament offers in its present state."""
    if not page.head.may.verbs["enter"]:
        return {"late": LateForm(newcomers)} if newcomers else {}
    bots = {"bots": BotsForm(page.bots), "list": ListForm(page.unit)}
    if page.unit == Unit.PAIR:
        return {"lists": ImportForm(), "pairs": NewcomersForm("pairs", newcomers), **bots}
    return {"players": NewcomersForm("players", newcomers), **bots}


# --- One entry ----------------------------------------------------------------------------------
# The page of one entry for the staff: its facts and its forms.


Row = TypeVar("Row", bound=Model)


@require_safe
def entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an entry and its forms."""
    return render_entry(request, page_for_staff(request, slug, number), {})


@require_POST
def act(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Submit one of the forms; a refusal is shown on the page."""
    page = page_for_staff(request, slug, number)
    verb, button = find_button(ENTRY_BUTTONS, verb)
    actor = actor_from(request)
    form = button.form(page, request.POST, auto_id=auto_id_pattern(verb, request.POST.get("pk")))
    result = form.submit(
        lambda: (button.act(actor, find.find_entry(slug, number, actor), form.arguments),)
    )
    if result is None:
        return render_entry(request, page, {verb: form})
    messages.success(request, str(button.done) % {"name": page.entry.name})
    if verb != "remove":
        return redirect("entry", slug, number)
    _say_of_ticket(request, *result)
    return redirect("entries", slug)


def _say_of_ticket(request: HttpRequest, removal: entries_services.Removal) -> None:
    """Say what became of the ticket of a removed entry, and who moves up."""
    if removal.ticket:
        text = gettext("Ticket %(ticket)s is off the list.")
        if removal.is_kept:
            text = gettext(
                "Ticket %(ticket)s stays on the list: “Close and enter” enters it again."
            )
        messages.success(request, text % {"ticket": removal.ticket})
    if removal.moves_up:
        text = gettext("%(name)s moves up from the waiting list.")
        messages.success(request, text % {"name": removal.moves_up})


def page_for_staff(request: HttpRequest, slug: str, number: int) -> EntryPage:
    """Return the entry for the club's staff; refuses SIGN_IN, FORBIDDEN."""
    actor = actor_from(request)
    page = entry_page(slug, number, actor)
    refuse_unless(page.head.may.arbitrate, actor)
    return page


def render_entry(
    request: HttpRequest, page: EntryPage, bound_forms: Mapping[str, entry_forms.EntryForm]
) -> HttpResponse:
    """Render the page, with one form as it was submitted and the others empty."""
    forms = {
        verb.replace("-", "_"): bound_forms.get(verb)
        or button.form(page, auto_id=auto_id_pattern(verb))
        for verb, button in ENTRY_BUTTONS.items()
    }
    refusal = next((form.refused for form in bound_forms.values() if form.refused), None)
    status = max((form.status for form in bound_forms.values()), default=200)
    wrong = next(iter(bound_forms), "")
    context = {
        "page": page,
        "head": page.head,
        "entry": page.entry,
        "forms": forms,
        "refusal": refusal,
        "wrong": wrong,
        "wrong_pk": request.POST.get("pk", ""),
        "offer": replan_offer(page.head),
    }
    return render(request, "director/entries/entry.html", context, status=status)


def auto_id_pattern(verb: str, pk: str | None = None) -> str:
    """Return the `auto_id` pattern of a form, which keeps the ids of the page's fields apart."""
    return f"{verb}-{pk}-%s" if pk and pk.isdecimal() else f"{verb}-%s"


def row_or_404(rows: QuerySet[Row], pk: int) -> Row:
    """Return the row of an entry that a form names; refuses NOT_FOUND."""
    return find.or_404(rows.filter(pk=pk).first())


def _substitute(actor: Actor, entry: Entry, data: dict[str, Any]) -> object:
    club = entry.tournament.club
    data["leaves"] = row_or_404(club.players.all(), data["leaves"])
    return substitutions.substitute(actor, entry, **data)


def _end_substitute(actor: Actor, entry: Entry, data: dict[str, Any]) -> object:
    row = row_or_404(entry.substitutions.all(), data["pk"])
    substitutions.end_substitution(actor, row, until_round=data["until_round"])
    return row


def _cancel_bye(actor: Actor, entry: Entry, data: dict[str, Any]) -> object:
    row = row_or_404(entry.bye_requests.all(), data["pk"])
    absences.cancel_bye(actor, row)
    return row


ENTRY_BUTTONS: Final[Mapping[str, Button[[Actor, Entry, Any]]]] = {
    "check-in": Button(
        lambda actor, entry, _given: absences.check_in(actor, entry),
        _("%(name)s has come."),
        entry_forms.EntryForm,
    ),
    "undo-check-in": Button(
        lambda actor, entry, _given: absences.undo_check_in(actor, entry),
        _("The check-in of %(name)s is taken back."),
        entry_forms.EntryForm,
    ),
    "withdraw": Button(
        lambda actor, entry, data: absences.withdraw(actor, entry, data["reason"]),
        _("%(name)s has left."),
        entry_forms.WithdrawForm,
    ),
    "readmit": Button(
        lambda actor, entry, _given: absences.readmit(actor, entry),
        _("%(name)s plays again."),
        entry_forms.EntryForm,
        earlier=("bring-back",),
    ),
    "expel": Button(
        lambda actor, entry, data: absences.expel(actor, entry, data["reason"]),
        _("%(name)s is expelled."),
        entry_forms.RequiredReasonForm,
    ),
    "revoke-expulsion": Button(
        lambda actor, entry, data: absences.revoke_expulsion(actor, entry, data["reason"]),
        _("The expulsion of %(name)s is revoked: it plays again."),
        entry_forms.RequiredReasonForm,
    ),
    "request-bye": Button(
        lambda actor, entry, data: absences.request_bye(actor, entry, data["round"], data["kind"]),
        _("The bye of %(name)s is written down."),
        entry_forms.ByeForm,
        earlier=("ask-bye",),
    ),
    "cancel-bye": Button(_cancel_bye, _("The bye of %(name)s is taken back."), entry_forms.RowForm),
    "substitute": Button(
        _substitute, _("The substitute plays for %(name)s."), entry_forms.SubstituteForm
    ),
    "end-substitution": Button(
        _end_substitute,
        _("The substitution of %(name)s has an end."),
        entry_forms.EndSubstituteForm,
        earlier=("end-substitute",),
    ),
    "penalise": Button(
        lambda actor, entry, data: absences.penalise(actor, entry, **data),
        _("The penalty of %(name)s counts."),
        entry_forms.PenaltyForm,
    ),
    "revoke-penalty": Button(
        lambda actor, entry, data: absences.revoke_penalty(
            actor, row_or_404(entry.penalties.all(), data["pk"]), data["reason"]
        ),
        _("The penalty of %(name)s is taken back."),
        entry_forms.RevokeForm,
        earlier=("revoke",),
    ),
    "describe": Button(
        lambda actor, entry, data: entries_services.describe_entry(actor, entry, **data),
        _("What the draw knows of %(name)s is kept."),
        entry_forms.DescribeForm,
    ),
    "remove": Button(
        lambda actor, entry, data: entries_services.remove_entry(actor, entry, **data),
        _("%(name)s is off the list. It can be taken back under “Undo”."),
        entry_forms.RemoveForm,
    ),
}
