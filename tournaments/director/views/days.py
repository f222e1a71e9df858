"""Pages of the days of a tournament: the list, the plan, one day, what is overdue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.find import find_tournament
from tournaments.core.forms import Form
from tournaments.core.views import actor_from, run_action
from tournaments.director.forms.days import ChangeDayForm, DayForm, PlanDaysForm
from tournaments.director.queries import days as queries
from tournaments.director.queries.state import refuse_unless_open
from tournaments.director.queries.tournaments import open_tournament
from tournaments.director.services import days as services
from tournaments.director.services.days import NewDay
from tournaments.domain.names import MAX_ANNOUNCEMENT_LENGTH

if TYPE_CHECKING:
    from tournaments.core.permissions import Actor
    from tournaments.director.queries.days import DayRow
    from tournaments.models import Tournament


@require_safe
def days(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the days with their rounds; to arbiters what is overdue, to organisers the plan."""
    return _render(request, slug)


@require_POST
def plan_days(request: HttpRequest, slug: str) -> HttpResponse:
    """Plan the days on which rounds are played."""
    actor, tournament = _open(request, slug, "plan_days")
    form = PlanDaysForm(request.POST)
    if form.submit(lambda: services.plan_days(actor, tournament, form.plan)) is None:
        return _render(request, slug, plan=form)
    messages.success(request, _("The days are planned."))
    return redirect("days", slug)


@require_POST
def add_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a day."""
    actor, tournament = _open(request, slug, "add_day")
    form = DayForm(request.POST)
    if form.submit(lambda: services.add_day(actor, tournament, NewDay(**form.values))) is None:
        return _render(request, slug, add=form)
    messages.success(request, _("The day is added."))
    return redirect("days", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def change_day(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Move a day, or change what it says, and announce it."""
    actor = actor_from(request)
    access = open_tournament(slug, actor)
    refuse_unless_open(access.head.may.verbs, "change_day", actor)
    day = queries.find_day(slug, number, actor)
    row = queries.day_row(day, member=True)
    form = ChangeDayForm(request.POST) if request.method == "POST" else ChangeDayForm.of(row)

    def change() -> object:
        changes, rounds = form.values, form.cleaned_data["rounds"]
        is_dated = form.cleaned_data["starts_at"] or form.cleaned_data["play_by"]
        text = _announcement(row, form) if form.cleaned_data["tell"] and is_dated else ""
        return services.change_day(actor, day, changes, rounds=rounds, announcement=text)

    if form.submit(change) is not None:
        messages.success(request, _("The day is changed; pages, poster and calendar show it."))
        return redirect("days", slug)
    context = {"head": access.head, "day": row, "form": form}
    return render(request, "director/days/change.html", context, status=form.status)


@require_POST
def remove_day(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Remove a day."""
    actor = actor_from(request)
    day = queries.find_day(slug, number, actor)
    run_action(request, lambda: services.remove_day(actor, day), _("The day is removed."))
    return redirect("days", slug)


def _open(request: HttpRequest, slug: str, verb: str) -> tuple[Actor, Tournament]:
    """Return the actor and the tournament. Refuses NOT_FOUND, and where the verb is closed."""
    actor = actor_from(request)
    access = open_tournament(slug, actor)
    refuse_unless_open(access.head.may.verbs, verb, actor)
    return actor, access.tournament


def _announcement(before: DayRow, form: ChangeDayForm) -> str:
    """Return what is announced of a changed day, with its old time where it is moved."""
    data = form.cleaned_data
    numbers = ", ".join(map(str, data["rounds"]))
    what = _("Round %(number)s") % {"number": numbers} if numbers else _("Day of play")
    if data["starts_at"] is None:
        when = _("until %(day)s") % {"day": queries.day_text(data["play_by"])}
    else:
        when = queries.moment_text(data["starts_at"])
    text = f"{what}: {when}" + (f", {data['place']}" if data["place"] else "")
    if before.starts_at is not None and before.starts_at != data["starts_at"]:
        text += " " + _("(no longer %(moment)s)") % {"moment": before.when}
    return text[:MAX_ANNOUNCEMENT_LENGTH]


def _render(
    request: HttpRequest,
    slug: str,
    plan: PlanDaysForm | None = None,
    add: DayForm | None = None,
) -> HttpResponse:
    """Show the page, with a form that was refused."""
    actor = actor_from(request)
    page = queries.days_page(slug, actor)
    if page.head.may.verbs["plan_days"] and plan is None:
        plan = PlanDaysForm.proposed(queries.rounds_to_plan(find_tournament(slug, actor)))
    bound: list[Form] = [form for form in (plan, add) if form is not None and form.is_bound]
    context = {
        "page": page,
        "head": page.head,
        "plan": plan,
        "add": add or DayForm(),
        "opened": {"plan": not page.days or plan in bound, "add": add in bound},
        "address": request.build_absolute_uri(reverse("come", args=[slug])),
    }
    status = max((form.status for form in bound), default=200)
    return render(request, "director/days/page.html", context, status=status)
