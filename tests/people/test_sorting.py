"""Lists of people are sorted as readers expect, whatever the database does with accents."""

import pytest

from tests.clubs import SYSTEM, a_club, organiser
from tournaments.accounts.queries import people_page
from tournaments.director.queries.entries import spare_people
from tournaments.director.services.tournaments import create_tournament
from tournaments.people.services.clubs import make_players
from tournaments.profiles.queries.person import people_to_erase

pytestmark = pytest.mark.django_db

SORTED = ("ana", "Ángel", "Eva", "Nuria", "Nzo", "Ñito", "Óscar", "Zoe")


def test_accents_do_not_count_and_enye_comes_after_n() -> None:
    club = a_club()
    make_players(SYSTEM, club, reversed(SORTED))
    boss = organiser(club)
    tournament = create_tournament(SYSTEM, club, name="Copa")
    assert tuple(person.name for person in spare_people(tournament)) == SORTED
    assert tuple(name for _, name in people_page(club.slug, boss).players) == SORTED
    assert tuple(row.name for row in people_to_erase(club.slug, boss).people) == SORTED
