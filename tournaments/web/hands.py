"""One hand, card by card."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.queries.analyses import hand_analysis
from tournaments.queries.matches import hand_page
from tournaments.web.answers import asker


@require_safe
def hand(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The deal, every trick, the declarations, the points and the verdict."""
    page = hand_page(pk, number, asker(request))
    analysis = hand_analysis(page)
    context = {"page": page, "head": page.head, "match": page.match, "analysis": analysis}
    return render(request, "hands/page.html", context)
