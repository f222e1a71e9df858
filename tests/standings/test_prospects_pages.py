"""What is certain of a place in the next stage, on every page that shows the standings."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.clubs import NOBODY, SYSTEM, the_round
from tests.standings.test_standings_queries import groups_and_final
from tests.support.day import next_round
from tests.support.scene_rows import reuse_rows
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Tournament
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


@reuse_rows()
def before_the_last_round() -> Tournament:
    """Two groups of four after two rounds, with the last one published; two of each go on."""
    tournament = groups_and_final(played=2)
    publish_round(SYSTEM, the_round(tournament, 3))
    tournament.refresh_from_db()
    return tournament


def test_the_table_says_who_is_through_and_who_is_out(client: Client) -> None:
    tournament = before_the_last_round()
    text = client.get(f"/t/{tournament.slug}/", headers={"accept-language": "en"}).content.decode()
    assert text.count('<span class="badge badge--good">through</span>') == 4
    assert text.count('<span class="badge badge--idle">out</span>') == 4
    assert "are said of Knock-out board" in text
    sums = client.get(f"/t/{tournament.slug}/standings/1/").content.decode()
    assert "Cuadro eliminatorio: dentro, pase lo que pase en las partidas que quedan." in sums


def test_the_screen_of_the_hall_says_it_too(client: Client) -> None:
    tournament = before_the_last_round()
    text = client.get(f"/t/{tournament.slug}/screen/?slide=3").content.decode()
    assert '<span class="badge badge--good">dentro</span>' in text


def test_the_page_of_the_own_table_says_what_decides(client: Client) -> None:
    tournament = before_the_last_round()
    code = tournament.entries.get(number=5).code
    client.post(f"/t/{tournament.slug}/come/code/", {"code": code})
    text = client.get(f"/t/{tournament.slug}/table/").content.decode()
    assert "Cuadro eliminatorio: fuera, pase lo que pase en las partidas que quedan." in text
    assert "Lo deciden los puntos de partida." in text


def test_programs_read_it() -> None:
    tournament = before_the_last_round()
    rows = Client().get(f"/api/v1/tournaments/{tournament.slug}/standings/").json()["rows"]
    assert rows[0]["prospect"] == {
        "stage": 2,
        "verdict": "through",
        "decided_by": "match_points",
        "match": {"round": 3, "table": 1},
        "tables": [],
    }


def test_nothing_is_said_once_the_next_stage_is_played() -> None:
    tournament = groups_and_final()
    assert all(row.prospect for row in standings_page(tournament.slug, NOBODY, 1).rows)
    next_round(tournament, 3)
    publish_round(SYSTEM, the_round(tournament, 4))
    assert not any(row.prospect for row in standings_page(tournament.slug, NOBODY, 1).rows)
