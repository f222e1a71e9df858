"""Page of the organiser for the sources of a sign-up: who comes through, and notes them."""

import re
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core.errors import Reason, Refusal
from tournaments.core.forms import read_number
from tournaments.core.views import run_action
from tournaments.domain.state import verbs
from tournaments.signup.forms import SourcesForm, StatedForm
from tournaments.signup.queries.places import places_of, sign_up_facts
from tournaments.signup.queries.sources import (
    seasons_for,
    sources_of,
    stated_rows,
    tournaments_for,
    will_wait,
)
from tournaments.signup.services import sources as services
from tournaments.signup.views.desk import Desk, open_desk

ENTRANT: Final = re.compile(r"([0-9]{1,18})-([0-9]{1,9})")
"""A source and the number of an entry in it, as a box of the page has them."""


@require_http_methods(["GET", "HEAD", "POST"])
def sources(request: HttpRequest, slug: str) -> HttpResponse:
    """List the sources with those who are through; add sources."""
    desk = open_desk(request, slug)
    offered = tournaments_for(desk.tournament), seasons_for(desk.tournament)
    form = SourcesForm(*offered, request.POST or None)
    done = form.submit(lambda: services.set_sources(desk.actor, desk.tournament, **form.values))
    if done is not None:
        messages.success(request, _("The sources are set."))
        return redirect("sign-up-sources", slug)
    return _render(request, desk, form)


@require_POST
def note_places(request: HttpRequest, slug: str) -> HttpResponse:
    """Note the list of those who are through elsewhere, or show what is wrong in it."""
    desk, form = open_desk(request, slug), StatedForm(request.POST)
    noted = form.submit(lambda: services.note_places(desk.actor, desk.tournament, **form.values))
    if noted is not None:
        messages.success(request, _noted_text(len(noted)))
        return redirect("sign-up-sources", slug)
    offered = SourcesForm(tournaments_for(desk.tournament), seasons_for(desk.tournament))
    return _render(request, desk, offered, form)


def _noted_text(count: int) -> str:
    return ngettext("%(count)s is noted.", "%(count)s are noted.", count) % {"count": count}


def _render(
    request: HttpRequest, desk: Desk, form: SourcesForm, stated: StatedForm | None = None
) -> HttpResponse:
    signup = desk.signup
    found = sources_of(signup)
    context = {
        "head": desk.head,
        "form": form,
        "stated": stated or StatedForm(),
        "stated_rows": stated_rows(signup) if signup.pk else (),
        "rows": found.rows,
        "others": found.others,
        "missing": found.to_note,
        "is_shared": found.is_shared,
        "waiting": will_wait(found, places_of(desk.tournament, signup) if signup.pk else None),
        "may": verbs(sign_up_facts(desk.tournament, signup), desk.role),
    }
    status = (stated or form).status
    return render(request, "signup/sources.html", context, status=status)


@require_POST
def note(request: HttpRequest, slug: str) -> HttpResponse:
    """Note those who are through; where the last place is shared, those that are ticked."""
    desk = open_desk(request, slug)
    ticked = map(ENTRANT.fullmatch, request.POST.getlist("come"))
    come = {(int(found[1]), int(found[2])) for found in ticked if found}
    draws = "lots" in request.POST

    def act() -> object:
        noted = services.note_through(desk.actor, desk.tournament, come, draw_lots=draws)
        messages.success(request, _noted_text(len(noted)))
        return noted

    run_action(request, act, "")
    return redirect("sign-up-sources", slug)


@require_POST
def act(request: HttpRequest, slug: str, pk: int, verb: str) -> HttpResponse:
    """Do what a button of a source says: pass a place on, invite, remove the source."""
    desk = open_desk(request, slug)
    actor, tournament = desk.actor, desk.tournament
    entrant = (pk, read_number(request.POST.get("number", "")) or 0)
    reason = request.POST.get("reason", "")
    if verb == "remove":
        text = _("The source is removed.")
        run_action(request, lambda: services.remove_source(actor, tournament, pk), text)
    elif verb in WITH_REASON:
        service, said = WITH_REASON[verb]
        run_action(request, lambda: service(actor, tournament, entrant, reason), str(said))
    else:
        raise Refusal(Reason.NOT_FOUND)
    return redirect("sign-up-sources", slug)


WITH_REASON: Final = {
    "pass-over": (services.pass_over, gettext_lazy("The place goes to the next.")),
    "invite": (services.invite, gettext_lazy("It is on the list.")),
}
"""Verbs of an entry of a source, which need a reason."""
