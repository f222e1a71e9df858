"""Pages of analysis: of a hand, of a match, luck in a tournament, review queue for arbiters."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.analysis.queries.own_plays import costly_cards_of_club, own_costly_cards
from tournaments.analysis.queries.play import luck_page, review_page, review_row
from tournaments.analysis.services import note_review, request_analysis
from tournaments.core import find
from tournaments.core.views import actor_from, unchanged_response


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
def own_plays(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own costly cards, to try each again."""
    page = own_costly_cards(actor_from(request))
    return render(request, "analysis/plays/page.html", {"page": page})


@require_safe
def club_plays(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the costly cards of a club's last week, without names."""
    return render(request, "analysis/plays/page.html", {"page": costly_cards_of_club(slug)})


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
