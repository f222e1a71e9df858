"""The page of the deals: printed by organisers before, compared by everybody afterwards."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, arbiter, organiser, the_match, the_round, user
from tests.director.test_boards import a_duplicate, play
from tests.support.counting import count_queries
from tests.support.day import the_people
from tournaments.core.permissions import Actor
from tournaments.director.queries.boards import boards_page
from tournaments.director.queries.tournaments import open_tournament
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_late, enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def page(client: Client, tournament: Tournament) -> str:
    response = client.get(reverse("boards", args=[tournament.slug]))
    assert response.status_code == 200
    return response.content.decode()


def test_an_organiser_prints_the_deals_before_they_are_played() -> None:
    tournament = a_duplicate(bots=6)
    organiser(tournament.club)
    arbiter(tournament.club)
    publish_round(SYSTEM, the_round(tournament, 1))
    client = Client()
    client.force_login(user("olga"))
    text = page(client, tournament)
    assert text.count('class="panel deal"') == 10
    assert text.count("data-card=") == 10 * 40
    for name in ("", "alberto", "elena"):
        other = Client()
        if name:
            other.force_login(user(name))
        hidden = page(other, tournament)
        assert "data-card=" not in hidden
        assert "Compromiso" in hidden


def test_everybody_compares_the_tables_once_all_have_played() -> None:
    tournament = a_duplicate(bots=6)
    play(tournament, 1)
    match = the_match(tournament, 1, 1)
    html = Client().get(reverse("match", args=[match.pk])).content.decode()
    assert "Otras mesas tienen que jugar aún estos repartos" in html
    assert Client().get(reverse("hand", args=[match.pk, 1])).status_code == 404
    for number in range(2, 6):
        play(tournament, number)
    html = page(Client(), tournament)
    assert html.count("data-card=") == 10 * 40
    assert html.count(reverse("match", args=[match.pk])) == 2
    assert Client().get(reverse("hand", args=[match.pk, 1])).status_code == 200
    _page, queries = count_queries(lambda: boards_page(tournament.slug, Actor.anonymous()))
    assert queries <= 22


@pytest.mark.parametrize("began", [8, 30])
def test_a_late_pair_leaves_the_movement_of_a_duplicate_as_it_is(began: int) -> None:
    club, pairs = the_people(began + 1)
    howell = {"format": "duplicate", "rules": {"movement": "howell"}}
    tournament = create_tournament(
        SYSTEM,
        club,
        "Duplicada",
        NewTournament(GameSettings(options={"deals": 2}), stages=[howell]),
    )
    enter_newcomers(SYSTEM, tournament, pairs[:began])
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    enter_late(SYSTEM, tournament, pairs[-1])
    assert Client().get(reverse("tournament", args=[tournament.slug])).status_code == 200
    head = open_tournament(tournament.slug, Actor.system()).head
    assert (head.rounds, head.rounds_known) == (began - 1, True)
