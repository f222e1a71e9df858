"""Clubs."""

from rest_framework.request import Request

from tournaments.api.doors import reads
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.shapes.people import Club, Clubs
from tournaments.api.tokens import actor_of
from tournaments.queries import people


@reads(Clubs, tag="clubs", name="list_clubs", parameters=PARAMETERS)
def clubs(request: Request) -> Page[people.ClubCard]:
    """All clubs."""
    return cut(request, people.clubs_after, lambda club: club.slug)


@reads(Club, tag="clubs", name="read_club")
def club(request: Request, slug: str) -> people.ClubPage:
    """One club with its players, its pairs and the tournaments that may be seen."""
    return people.club_page(slug, actor_of(request))
