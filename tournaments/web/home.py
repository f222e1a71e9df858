"""The front page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.permissions import may_create_club
from tournaments.queries.people import home as front_page
from tournaments.web.answers import asker


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Clubs, what is being played, what is over; every club where `?clubs=all` is asked for."""
    who = asker(request)
    page = front_page(who, all_clubs=request.GET.get("clubs") == "all")
    context = {"page": page, "may_create_club": may_create_club(who)}
    return render(request, "home/page.html", context)
