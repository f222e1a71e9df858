"""Pages that compose several features: the front page and a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.core.permissions import may_act_as_staff
from tournaments.core.views import actor_from
from tournaments.director.queries import cards
from tournaments.ratings.pages import ratings_page
from tournaments.standings.queries.standings import standings_page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page: clubs, tournaments in play and finished; all clubs with `?clubs=all`."""
    actor = actor_from(request)
    page = cards.home(actor, all_clubs=request.GET.get("clubs") == "all")
    context = {"page": page, "may_create_club": may_act_as_staff(actor)}
    return render(request, "front/home.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: what is played and who leads, then its tournaments, pairs and players."""
    actor = actor_from(request)
    page = cards.club_page(slug, actor)
    finished_card = next((card for card in page.tournaments if card.state == "finished"), None)
    context = {
        "page": page,
        "running": [card for card in page.tournaments if card.state == "running"],
        "ended": finished_card,
        "podium": () if finished_card is None else standings_page(finished_card.slug, actor).podium,
        "ratings": ratings_page(slug),
    }
    return render(request, "front/club.html", context)
