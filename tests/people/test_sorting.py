"""Lists of people are sorted as readers expect, whatever the database does with accents."""

import pytest

from tests.clubs import NOBODY, SYSTEM, a_club, organiser
from tournaments.accounts.queries import people_page
from tournaments.arena.queries.bots import bots_page
from tournaments.director.queries.cards import home
from tournaments.director.queries.entries import spare_people
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import Bot
from tournaments.people.services.clubs import create_players
from tournaments.profiles.queries.meetings import head_to_head
from tournaments.profiles.queries.person import people_to_erase

pytestmark = pytest.mark.django_db

SORTED = ("ana", "Ángel", "Eva", "Nuria", "Nzo", "Ñito", "Óscar", "Zoe")


def test_accents_do_not_count_and_enye_comes_after_n() -> None:
    club = a_club()
    create_players(SYSTEM, club, reversed(SORTED))
    boss = organiser(club)
    tournament = create_tournament(SYSTEM, club, "Copa")
    assert tuple(person.name for person in spare_people(tournament)) == SORTED
    assert tuple(name for _, name in people_page(club.slug, boss).players) == SORTED
    assert tuple(row.name for row in people_to_erase(club.slug, boss).people) == SORTED


def test_of_a_list_that_is_cut_the_first_stay_as_readers_sort_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for limit in ("director.queries.cards.MAX_CLUBS", "profiles.queries.meetings.MAX_CHOICES"):
        monkeypatch.setattr(f"tournaments.{limit}", 6)
    monkeypatch.setattr("tournaments.arena.queries.bots.MAX_BOTS", 6)
    Bot.objects.all().delete()
    clubs = [a_club(name) for name in reversed(SORTED)]
    create_players(SYSTEM, clubs[0], reversed(SORTED))
    Bot.objects.bulk_create(
        Bot(slug=f"bot-{number}", name=name, kind="simple") for number, name in enumerate(SORTED)
    )
    assert tuple(card.name for card in home(NOBODY).clubs) == SORTED[:6]
    assert tuple(card.name for card in bots_page(NOBODY).bots) == SORTED[:6]
    players = head_to_head(clubs[0].slug).players
    assert tuple(choice.name for choice in players) == SORTED[:6]
