"""Pages of analysis: of a hand, of a match, luck in a tournament, review queue for arbiters."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.analysis.queries.analyses import hand_analysis, match_analysis
from tournaments.analysis.queries.play import luck_page, review_page, review_row
from tournaments.analysis.services import note_review, request_analysis
from tournaments.core import find
from tournaments.core.views import NO_CONTENT, actor_at_match, actor_from, unchanged_response
from tournaments.results.queries.matches import hand_page, match_page

WAITING = "waiting"


@require_safe
def hand_board(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Return the analysis of a hand to a page that polls for it; UNCHANGED while it is pending."""
    page = hand_page(pk, number, actor_from(request))
    analysis = hand_analysis(page)
    if analysis.state == WAITING:
        return HttpResponse(status=NO_CONTENT)
    context = {"page": page, "match": page.match, "analysis": analysis, "oob": True}
    return render(request, "results/hands/_analysis.html", context)


@require_safe
def match_board(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the luck of a match to a page that polls for it; UNCHANGED if it was ``seen``."""
    page = match_page(pk, actor_at_match(request, pk))
    analysis = match_analysis(page)
    if analysis is not None and request.GET.get("seen") == f"{analysis.state}-{analysis.done}":
        return HttpResponse(status=NO_CONTENT)
    context = {"page": page, "match": page.match, "analysis": analysis}
    return render(request, "results/matches/_luck.html", context)


@require_POST
def analyse(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue the analysis of a match's records."""
    actor = actor_from(request)
    if request_analysis(actor, find.find_match(pk, actor)):
        messages.success(request, _("The match is being analysed."))
    return redirect("match", pk)


@require_safe
def luck(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a tournament adjusted for the luck of the deals."""
    page = luck_page(slug, actor_from(request))
    if response := unchanged_response(request, page.version):
        return response
    return render(request, "analysis/luck/page.html", {"page": page, "head": page.head})


@require_safe
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """Show players whose play fits hidden cards better than chance, to arbiters."""
    return render(
        request, "analysis/review/page.html", {"page": review_page(slug, actor_from(request))}
    )


@require_POST
def note(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Note that a player in the queue has been reviewed."""
    actor = actor_from(request)
    row = review_row(slug, pk, actor)
    club, player = find.find_club(slug), find.find_player(pk)
    note_review(actor, club, player, hands=row.hands, note=request.POST.get("note", ""))
    messages.success(request, _("Noted. Nothing of it is public."))
    return redirect("review", slug)
