"""The deals of a duplicate stage: printed before it is played, compared when it is over."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.queries.boards import boards_page
from tournaments.web.answers import asker
from tournaments.web.standings import stage_asked


@require_safe
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    """A deal on each card, with what the tables made of it."""
    page = boards_page(slug, asker(request), stage_asked(request))
    return render(request, "boards/page.html", {"page": page, "head": page.head, "tab": "boards"})
