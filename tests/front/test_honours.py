"""The honours of a club: champions by year, records, attendance, people by name."""

import pytest
from django.test import Client

from tests.clubs import SYSTEM, a_club, play_out, the_liguilla, the_round
from tests.support.counting import again
from tournaments.director.services.tournaments import finish
from tournaments.front.queries.honours import Honours, club_honours
from tournaments.models import Club, Tournament

pytestmark = pytest.mark.django_db


def finished(club: Club | None = None) -> Tournament:
    tournament = the_liguilla(club)
    for number in range(1, 8):
        play_out(the_round(tournament, number))
    return finish(SYSTEM, tournament)


def test_a_club_shows_who_won_by_year_and_how_many_came() -> None:
    tournament = finished()
    honours = club_honours(tournament.club.slug)
    ((year, (won,)),) = honours.years
    assert (year, won.name, won.entries) == (
        tournament.created_at.year,
        tournament.name,
        8,
    )
    (champion,) = won.champions
    page = Client(headers={"accept-language": "en"}).get(f"/clubs/{tournament.club.slug}/").text
    assert f'href="{champion.address}"><strong>{champion.name}</strong>' in page
    assert "Most entries: 8" in page
    assert "Attendance" in page
    assert "Most titles" not in page  # one title is no record
    assert again(lambda: club_honours(tournament.club.slug)) == 2


def test_the_same_champion_of_two_tournaments_holds_the_record() -> None:
    first = finished()
    finished(first.club)
    honours = club_honours(first.club.slug)
    assert honours.titles == 2
    assert [one.name for one in honours.record] == [honours.won[0].champions[0].name]


def test_private_and_running_tournaments_give_no_honours() -> None:
    tournament = finished()
    Tournament.objects.filter(pk=tournament.pk).update(
        visibility=Tournament.Visibility.PRIVATE, version=tournament.version + 1
    )
    assert club_honours(tournament.club.slug) == Honours()
    assert club_honours(a_club("Peña La Sota").slug) == Honours()


def test_players_are_listed_by_name() -> None:
    tournament = finished()
    text = Client().get(f"/clubs/{tournament.club.slug}/").text
    listed = text[text.index('id="players"') :]
    names = sorted(tournament.club.players.values_list("name", flat=True))
    places = [listed.index(f">{name}<") for name in names if name.isascii()]
    assert places == sorted(places)
