"""What people write is text wherever it is shown: in pages, feeds, calendars, tables, papers."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from icalendar import Calendar

from tests.clubs import SYSTEM, a_bot_liguilla, the_match
from tests.support.scenes import FOUR_PAIRS, PLAYERS, Scene, draft, first_lines
from tournaments.arena import views as arena_views
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Tournament
from tournaments.results.services.matches import correct_result, dispute_result

pytestmark = pytest.mark.django_db

MARKUP = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(1)</script>"


@pytest.fixture
def scene(db: None) -> Scene:
    """A tournament whose name, players and remarks are all markup."""
    players = first_lines(PLAYERS, 8).replace("Martínez", MARKUP)
    assert MARKUP in players
    scene = draft(FOUR_PAIRS, players)
    scene.tournament = draw(scene.organiser, scene.tournament)
    Tournament.objects.update(name=f"Copa {MARKUP}")
    publish_round(scene.organiser, scene.rounds[0])
    first, second, *_ = scene.matches()
    correct_result(SYSTEM, first, Score(3, 0, 0, 0), reason=f"{SCRIPT} {MARKUP}")
    correct_result(SYSTEM, second, Score(0, 3, 0, 0), reason="acta")
    dispute_result(scene.organiser, first, f"{MARKUP} {SCRIPT}")
    return scene


def pages(scene: Scene) -> list[str]:
    slug = scene.tournament.slug
    match = scene.matches()[0].pk
    player = scene.club.players.get(name__contains="<").pk
    return [
        *("/", f"/clubs/{scene.club.slug}/", f"/players/{player}/", f"/matches/{match}/"),
        *(f"/t/{slug}/", f"/t/{slug}/rounds/1/", f"/t/{slug}/history/"),
        *(f"/t/{slug}/desk/", f"/embed/t/{slug}/standings/"),
    ]


def test_input_46_markup_is_text_on_every_page(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.users["organiser"])
    number = 0
    for address in pages(scene):
        response = client.get(address)
        assert response.status_code == 200, address
        body = response.content.decode()
        assert "<img src=x" not in body, address
        assert "<script>alert" not in body, address
        number += "&lt;img src=x" in body
    assert number >= 8


def test_input_46_markup_is_text_in_feeds_and_calendars(scene: Scene) -> None:
    slug = scene.tournament.slug
    feed = Client().get(f"/t/{slug}/feed/").content
    assert b"<img src=x" not in feed
    words = "".join(ET.fromstring(feed).itertext())  # noqa: S314 - our own
    assert MARKUP in words
    # a summary of a feed is HTML: there it is escaped once more
    summaries = [part.text or "" for part in ET.fromstring(feed).iter() if "summary" in part.tag]  # noqa: S314
    assert not any("<img" in summary for summary in summaries), summaries
    calendar = Calendar.from_ical(Client().get(f"/t/{slug}/calendar.ics").content)
    assert MARKUP in str(calendar.to_ical())


def test_input_46_markup_is_text_in_the_api(scene: Scene) -> None:
    slug = scene.tournament.slug
    response = Client().get(f"/api/v1/tournaments/{slug}/")
    assert response["Content-Type"] == "application/json"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert json.loads(response.content)["name"].endswith(MARKUP)


def test_input_46_markup_is_text_on_paper(scene: Scene) -> None:
    response = Client().get(f"/t/{scene.tournament.slug}/print/standings.pdf")
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_input_46_no_cell_of_a_table_is_a_formula(start: str) -> None:
    tournament = a_bot_liguilla()
    name = f"{start}cmd()|'/C calc'!A0"
    tournament.entries.update(name=name)
    correct_result(SYSTEM, the_match(tournament, 1, 1), Score(1, 0, 80, 50), reason="acta")
    for part in arena_views.TABLES:
        text = Client().get(f"/t/{tournament.slug}/arena/{part}.csv").content.decode()
        head, *rows = csv.reader(io.StringIO(text, newline=""))
        names = [row[head.index(column)] for row in rows for column in head if "name" in column]
        assert names
        assert all(cell.startswith("'") for cell in names), names
