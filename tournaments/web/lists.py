"""Everybody of one list entered: first what it would do, then the doing."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournaments.errors import Reason, Refusal
from tournaments.models import Tournament
from tournaments.permissions import refuse_unless
from tournaments.queries import find, heads
from tournaments.queries.lists import plan_of
from tournaments.services.entries import MOST_ENTRIES
from tournaments.services.lists import import_list
from tournaments.web.answers import asker
from tournaments.web.forms_files import ListForm


@require_http_methods(["GET", "HEAD", "POST"])
def enter_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a list, show what it would do, and do it once that was confirmed."""
    who = asker(request)
    head = heads.tournament_head(slug, who)
    refuse_unless(head.may.manage, who)
    if head.state == Tournament.State.FINISHED:
        raise Refusal(Reason.TOURNAMENT_OVER)
    tournament = find.find_tournament(slug, who)
    form = ListForm(request.POST or None, request.FILES or None)
    plan, text = None, ""
    if form.is_valid():
        text = _text(form.source)
        plan = plan_of(tournament, text, MOST_ENTRIES)
        if not plan.entries and not plan.faults:
            form.add_error(None, str(Reason.NOTHING_LISTED.text))
        elif "confirm" in request.POST and not plan.faults:
            new = form.ask(lambda: import_list(who, tournament, text))
            if new is not None:
                told = ngettext("%(count)s new entry.", "%(count)s new entries.", len(new))
                messages.success(request, told % {"count": len(new)})
                return redirect("entries", slug)
    status = 422 if plan is not None and plan.faults else form.status
    context = {"head": head, "form": form, "plan": plan, "text": text, "unit": tournament.unit}
    return render(request, "files/list.html", context, status=status)


def _text(source: bytes | str) -> str:
    """Return a list as text, so that it can be handed in again with the confirmation."""
    if isinstance(source, str):
        return source
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("cp1252", "replace")
