"""The rounds of a tournament: what is played where, published and closed."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.permissions import refuse_unless
from tournaments.queries import drafts, find
from tournaments.queries import rounds as queries
from tournaments.queries.clocks import round_clock
from tournaments.queries.lots import lots_due
from tournaments.services import tournaments as services
from tournaments.services.bots import play_round
from tournaments.web.answers import Step, asker, confirmed

UNCHANGED = 204  # htmx leaves the page as it is


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """All rounds with their matches."""
    page = queries.rounds_page(slug, asker(request))
    context = {
        "page": page,
        "head": page.head,
        "next": drafts.next_to_draw(page.head),
        "lots": lots_due(page.head),
    }
    return render(request, "rounds/list.html", context)


@require_safe
def round_(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One round: who plays whom, at which table."""
    context = shown(request, slug, number)
    context["clock"] = round_clock(context["head"], number)
    return render(request, "rounds/page.html", context)


@require_safe
def board(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The moving part of a round's page; nothing when it is as the browser has ``seen`` it."""
    context = shown(request, slug, number)
    if request.GET.get("seen") == context["state"]:
        return HttpResponse(status=UNCHANGED)
    return render(request, "rounds/_board.html", context)


def shown(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Return what a round's page shows, and one word that changes whenever it does."""
    page = queries.round_page(slug, number, asker(request))
    progress = page.progress
    state = page.round.state
    if progress:
        state = f"{state}-{progress.played}-{progress.running}-{progress.stuck}-{progress.finished}"
    return {"page": page, "head": page.head, "round": page.round, "state": state}


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
        possible=page.may.publish,
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
        possible=page.may.close,
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
