"""Head to head: two players, pairs or bots and every match in which they met."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.queries.heads_up import head_to_head
from tournaments.web.answers import asker


@require_safe
def meetings(request: HttpRequest, slug: str) -> HttpResponse:
    """Every meeting of the two that are chosen, and the lists to choose them from."""
    asked = request.GET.get
    page = head_to_head(slug, asker(request), asked("one", ""), asked("other", ""))
    return render(request, "players/head_to_head.html", {"page": page})
