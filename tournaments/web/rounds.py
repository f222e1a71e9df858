"""The rounds of a tournament: what is played where, published and closed."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import Reason, Refusal
from tournaments.models import Round
from tournaments.permissions import Actor, refuse_unless
from tournaments.queries import drafts, find
from tournaments.queries import rounds as queries
from tournaments.queries.bots import forfeits_of_round
from tournaments.queries.clocks import round_clock
from tournaments.queries.live import live_version
from tournaments.queries.lots import lots_due
from tournaments.queries.progress import Progress, round_progress
from tournaments.queries.state import closed_to
from tournaments.services import arena
from tournaments.services import tournaments as services
from tournaments.services.playing import play_round
from tournaments.web.answers import ABOUT_THE_ASKER, Step, asker, confirmed
from tournaments.web.live import UNCHANGED, unchanged
from tournaments.web.page_cache import cached_page

PEOPLES = re.compile(r"[a-z]+-[0-9]+")
"""What the list of a round that people play has ``seen``; that of bots has more parts."""

CLOCK = 15
"""Seconds for which a page may tell how much the clock has left; its script counts on."""


@require_safe
@cached_page
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """All rounds with their matches."""
    version = live_version(slug, asker(request))
    if same := unchanged(request, version):
        return same
    page = queries.rounds_page(slug, asker(request))
    context = {
        "version": version,
        "page": page,
        "head": page.head,
        "next": drafts.next_to_draw(page.head),
        "lots": lots_due(page.head),
    }
    return render(request, "rounds/list.html", context)


@require_safe
def round_(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One round: who plays whom, at which table."""
    if queries.is_for_bots(slug, number):
        return any_round(request, slug=slug, number=number)
    return cached_page(any_round, every=CLOCK)(request, slug=slug, number=number)


def any_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A round, whoever plays it."""
    return render(request, "rounds/page.html", shown(request, slug, number))


@require_safe
def board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The list of a round's matches, with its clock; nothing when it is as was ``seen``."""
    if not PEOPLES.fullmatch(request.GET.get("seen", "")) and queries.is_for_bots(slug, number):
        return any_board(request, slug=slug, number=number)
    return cached_page(any_board)(request, slug=slug, number=number)


def any_board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The list of a round's matches and its clock, whoever plays them.

    The clock tells when it ends; how much is left its script counts.
    """
    context = shown(request, slug, number)
    if request.GET.get("seen") == context["state"]:
        return HttpResponse(status=UNCHANGED)
    return render(request, "rounds/_moved.html", context)


def shown(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Return what a round's page shows, and the state and version that it is of."""
    version = live_version(slug, asker(request))
    page = queries.round_page(slug, number, asker(request))
    state = board_word(page.round.state, page.progress)
    if page.progress is None:
        state = f"{state}-{version}"
    forfeits = forfeits_of_round(slug, number) if page.progress else {}
    here = {"page": page, "head": page.head, "round": page.round, "slug": slug, "state": state}
    return {**here, "forfeits": forfeits, "clock": round_clock(page.head, number)}


def board_word(state: str, progress: Progress | None) -> str:
    """Return one word that changes whenever the list of matches does."""
    return f"{state}-{progress.board}" if progress else state


@require_safe
def progress(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """How far the bots are; nothing when it is as ``seen``. The list of matches is told to follow.

    ``board`` is the word of the list that the browser has.
    """
    found, progress = round_progress(slug, number, asker(request))
    if request.GET.get("seen") == progress.word:
        return HttpResponse(status=UNCHANGED)
    state = board_word(found.state, progress)
    context = {"progress": progress, "round": found, "slug": slug, "state": state}
    answer = render(request, "rounds/_progress.html", context)
    if request.GET.get("board") != state:
        answer["HX-Trigger"] = "board"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the pairings to everybody."""
    who = asker(request)
    page = queries.round_page(slug, number, who)
    refuse_unless(page.head.may.manage, who)
    step = Step(
        act=lambda: services.publish_round(who, find.find_round(slug, number, who)),
        done=_("Round %(number)s is published.") % {"number": number},
        back=reverse("round", args=[slug, number]),
        closed=closed_to(page.may, "publish"),
    )
    context = {"page": page, "head": page.head, "round": page.round}
    return confirmed(request, "rounds/publish.html", context, step)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close the round; its seed is told."""
    who = asker(request)
    page = queries.round_page(slug, number, who)
    refuse_unless(page.head.may.manage, who)
    step = Step(
        act=lambda: services.close_round(who, find.find_round(slug, number, who)),
        done=_("Round %(number)s is closed.") % {"number": number},
        back=reverse("round", args=[slug, number]),
        closed=closed_to(page.may, "close"),
    )
    context = {"page": page, "head": page.head, "round": page.round}
    return confirmed(request, "rounds/close.html", context, step)


@require_POST
def play(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask for the bots' matches to be played."""
    who = asker(request)
    play_round(who, find.find_round(slug, number, who))
    messages.success(request, _("The bots are sitting down to play."))
    return redirect("round", slug, number)


@require_POST
def switch(request: HttpRequest, slug: str, number: int, verb: str) -> HttpResponse:
    """Pause the bots of the round, or let them go on; a refusal is told on the round's page."""
    who = asker(request)
    if verb not in SWITCH:
        raise Refusal(Reason.NOT_FOUND)
    act, done = SWITCH[verb]
    try:
        act(who, find.find_round(slug, number, who))
    except Refusal as refusal:
        if refusal.reason in ABOUT_THE_ASKER:
            raise
        messages.error(request, refusal.message)
    else:
        messages.success(request, str(done))
    return redirect("round", slug, number)


SWITCH: dict[str, tuple[Callable[[Actor, Round], object], Promise]] = {
    "pause": (
        arena.pause_round,
        gettext_lazy("The bots finish the matches that they are at, and begin no other."),
    ),
    "resume": (arena.resume_round, gettext_lazy("The bots play on.")),
}
