"""Pages of the ratings of a club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.domain.ratings import NEWCOMER
from tournaments.ratings.queries import pages


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ratings of a club, the best first."""
    parameter = request.GET.get
    page = pages.ratings_page(
        slug, parameter("ruleset", ""), number=parameter("page"), size=pages.MAX_ROWS
    )
    return render(request, "ratings/list.html", {"page": page, "newcomer": NEWCOMER})
