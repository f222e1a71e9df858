"""Page on which a list of names is entered: first a preview, then the import."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from tournaments.core import find
from tournaments.core.errors import Reason
from tournaments.core.views import actor_from
from tournaments.director.forms.lists import ListForm, shown_reading
from tournaments.director.queries.lists import ImportPlan, import_plan, proposed_plan
from tournaments.director.queries.state import refuse_unless_open
from tournaments.director.queries.tournaments import tournament_head
from tournaments.director.services import entries as entries_services
from tournaments.director.views.entries import redirect_to_entries


@require_http_methods(["GET", "HEAD", "POST"])
def enter_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list, show a preview, and import it once it is confirmed.

    With ``enter`` a list that leaves nothing to ask is imported without a preview.
    """
    actor = actor_from(request)
    head = tournament_head(slug, actor)
    refuse_unless_open(head.may.verbs, "enter_list", actor)
    tournament = find.find_tournament(slug, actor)
    form = ListForm(tournament.unit, request.POST or None, request.FILES or None)
    plan = None
    is_confirmed = "confirm" in request.POST
    if form.is_valid():
        plan = (
            import_plan(tournament, form.text, form.reading)
            if is_confirmed
            else proposed_plan(tournament, form.text, form.reading)
        )
        if not plan.entries and not plan.faults:
            form.add_error(None, str(Reason.NOTHING_LISTED.text))
        elif _is_to_enter(request, plan, is_as_shown=form.is_as_shown):
            new = form.submit(
                lambda: entries_services.enter_list(actor, tournament, form.text, form.reading)
            )
            if new is not None:
                return redirect_to_entries(request, slug, new)
    is_refused = plan is not None and (plan.faults or (is_confirmed and plan.open_who))
    status = 422 if is_refused else form.status
    context = {
        "head": head,
        "form": form,
        "plan": plan,
        "shown": "" if plan is None else _shown(plan),
        "is_changed": is_confirmed and form.is_valid() and not form.is_as_shown,
        "unit": tournament.unit,
    }
    return render(request, "director/entries/list.html", context, status=status)


def _is_to_enter(request: HttpRequest, plan: ImportPlan, *, is_as_shown: bool) -> bool:
    if "confirm" in request.POST:
        return not (plan.faults or plan.open_who) and is_as_shown
    return "enter" in request.POST and plan.asks_nothing


def _shown(plan: ImportPlan) -> str:
    """Return how the list is read as the form sends it back."""
    columns = tuple(column.field for column in plan.read.columns)
    return shown_reading(replace(plan.reading, columns=columns))
