"""Clubs."""

from rest_framework.request import Request

from tournaments.api.doors import reads
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.shapes.people import Clubs
from tournaments.queries import people


@reads(Clubs, tag="clubs", name="list_clubs", parameters=PARAMETERS)
def clubs(request: Request) -> Page[people.ClubCard]:
    """All clubs."""
    return cut(request, people.clubs_after, lambda club: club.slug)
