"""A club's page stays short and cheap, however old the club is."""

import re

import pytest
from django.test import Client

from tests.clubs import SYSTEM, a_club, play_out, the_liguilla, the_round
from tests.support.counting import count_queries
from tournaments.director.services.tournaments import finish
from tournaments.models import Club, Player, Tournament
from tournaments.standings.services.seasons import add_tournament, create_season

pytestmark = pytest.mark.django_db


def finished(club: Club) -> Tournament:
    """A liguilla of eight pairs that is over."""
    tournament = the_liguilla(club)
    for number in range(1, 8):
        play_out(the_round(tournament, number))
    return finish(SYSTEM, tournament)


def queries_of(path: str) -> int:
    """The queries of a page, with nothing cached."""
    return count_queries(lambda: Client().get(path))[1]


def test_long_lists_of_people_and_tournaments_come_by_pages() -> None:
    club = a_club()
    people = [
        Player(club=club, code=f"J{n}", name=f"Jugador {n:03}", folded=f"jugador {n:03}")
        for n in range(1, 202)
    ]
    Player.objects.bulk_create(people)
    events = [
        Tournament(club=club, name=f"T{n:02}", slug=f"t{n:02}", ruleset="parejas", state="finished")
        for n in range(1, 26)
    ]
    Tournament.objects.bulk_create(events)
    client, path = Client(), f"/clubs/{club.slug}/"
    first = client.get(path).text
    assert len(re.findall(r">Jugador \d+</a>", first)) == 200
    assert 'href="?players=2#players"' in first
    assert len(re.findall(r'<a class="open" href="/t/t\d+/"><strong>', first)) == 24
    assert 'href="?tournaments=2#tournaments"' in first
    second = client.get(f"{path}?players=2").text
    assert re.findall(r">(Jugador \d+)</a>", second) == ["Jugador 201"]
    (last,) = re.findall(
        r'<a class="open" href="/t/(t\d+)/"><strong>', client.get(f"{path}?tournaments=2").text
    )
    assert last == "t01"


def test_another_tournament_costs_club_and_season_no_query() -> None:
    club = a_club()
    season = create_season(SYSTEM, club, name="Liga", by="entry", ruleset="")
    add_tournament(SYSTEM, season, finished(club), weight=1)
    paths = (f"/clubs/{club.slug}/", f"/clubs/{club.slug}/seasons/{season.slug}/")
    before = [queries_of(path) for path in paths]
    for _ in range(2):
        add_tournament(SYSTEM, season, finished(club), weight=1)
    assert [queries_of(path) for path in paths] == before
