"""The page of all rounds: what is at play first, folded what is over, one's own table marked."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import NOBODY, SYSTEM, the_liguilla, the_round
from tests.support.day import a_day, entry, next_round, play_round
from tournaments.core.permissions import Actor
from tournaments.director.queries.rounds import rounds_page
from tournaments.director.services.tournaments import publish_round

pytestmark = pytest.mark.django_db


def test_the_round_at_play_comes_first_and_the_others_from_the_last_on(client: Client) -> None:
    tournament = a_day(rounds=3)
    for number in (1, 2):
        play_round(tournament, number)
        next_round(tournament, number)
    publish_round(SYSTEM, the_round(tournament, 3))
    page = rounds_page(tournament.slug, NOBODY)
    assert [round_.number for round_ in page.newest_first] == [3, 2, 1]
    html = client.get(reverse("rounds", args=[tournament.slug])).content.decode()
    assert re.findall(r'id="tables-(\d)"( open)?', html) == [("3", " open"), ("2", ""), ("1", "")]


def test_of_many_published_rounds_the_first_is_at_play() -> None:
    page = rounds_page(the_liguilla(published=3).slug, NOBODY)
    assert [round_.number for round_ in page.newest_first] == [1, 3, 2]
    assert page.at_play == (1,)


def test_before_any_is_published_the_draft_that_comes_next_is_first_for_its_organiser() -> None:
    page = rounds_page(the_liguilla(published=0).slug, Actor.system())
    assert [round_.number for round_ in page.newest_first] == [1, 7, 6, 5, 4, 3, 2]


def test_the_draft_to_be_published_next_has_the_buttons() -> None:
    page = rounds_page(the_liguilla(published=2).slug, Actor.system())
    assert [round_.number for round_ in page.rounds if round_.is_next] == [3]


def test_the_table_of_the_code_in_the_session_is_marked(client: Client) -> None:
    tournament = a_day()
    publish_round(SYSTEM, the_round(tournament, 1))
    own = entry(tournament, 3)
    addresses = (
        reverse("rounds", args=[tournament.slug]),
        reverse("round", args=[tournament.slug, 1]),
    )
    for address in addresses:
        assert "table-line--own" not in client.get(address).content.decode()
    client.post(reverse("give-code", args=[tournament.slug]), {"code": own.code})
    for address in addresses:
        html = client.get(address).content.decode()
        (line,) = re.findall(r'<li class="match [^"]*table-line--own".*?</li>', html)
        assert own.shown_name in line
        assert "Tu mesa" in line
