"""The schedule of a tournament of bots: set, switched, run at once."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.errors import Refusal
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import find
from tournaments.queries import schedules as queries
from tournaments.services import schedules as services
from tournaments.web.answers import ABOUT_THE_ASKER, asker
from tournaments.web.forms_schedules import ScheduleForm


@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """When the rounds play themselves, and what became of the last time."""
    who = asker(request)
    page = page_of(slug, who)
    given = request.POST if request.method == "POST" else None
    form = ScheduleForm(page.zones, page.schedule, given)
    made = None
    if form.is_bound:
        made = form.ask(
            lambda: services.set_schedule(who, find.find_tournament(slug, who), **form.cleaned_data)
        )
    if made:
        messages.success(request, _("The schedule is set."))
        return redirect("schedule", slug)
    context = {"page": page, "head": page.head, "form": form}
    return render(request, "schedules/page.html", context, status=form.status)


@require_POST
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the next round at once; a refusal is told on the schedule's page."""
    who = asker(request)
    page_of(slug, who)
    try:
        round_ = services.run_now(who, find.find_tournament(slug, who))
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER:
            raise
        messages.error(request, refusal.message)
        return redirect("schedule", slug)
    messages.success(request, _("Round %(round)s has begun.") % {"round": round_.number})
    return redirect("round", slug, round_.number)


def page_of(slug: str, who: Actor) -> queries.SchedulePage:
    """Return the page for those who run the tournament; refuses the others."""
    page = queries.schedule_page(slug, who)
    refuse_unless(page.head.may.manage, who)
    return page
