"""The card to share: a picture for everybody, drawn once a version, of public tournaments alone."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from tests.clubs import SYSTEM, submitted, the_liguilla
from tournaments.director.services.tournaments import set_visibility
from tournaments.models import Tournament
from tournaments.printing import views
from tournaments.printing.queries.share_cards import share_card
from tournaments.sheets import draw_share_card
from tournaments.sheets.rows import CardRow, ShareCard

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    tournament.refresh_from_db()
    return tournament


def test_the_card_is_a_picture_of_the_size_that_messengers_show(tournament: Tournament) -> None:
    response = Client().get(f"/t/{tournament.slug}/card.png")
    assert response["Content-Type"] == "image/png"
    assert Image.open(BytesIO(response.content)).size == (1200, 630)
    assert response["Cache-Control"] == "public, max-age=60"
    second_response = Client(headers={"if-none-match": response["ETag"]}).get(
        f"/t/{tournament.slug}/card.png"
    )
    assert second_response.status_code == 304


def test_the_page_names_the_card_by_its_whole_address(tournament: Tournament) -> None:
    page = Client().get(f"/t/{tournament.slug}/").content.decode()
    pattern_match = re.search(r'property="og:image" content="http://testserver([^"]+)"', page)
    assert pattern_match
    assert Client().get(pattern_match[1]).status_code == 200
    assert f'property="og:title" content="{tournament.name}"' in page


def test_the_card_has_the_leaders_and_how_far_it_is(tournament: Tournament) -> None:
    card = share_card(tournament.slug)
    assert card.title == tournament.name
    assert [row.place for row in card.rows[:2]] == [1, 2]
    assert card.rows[0].points == "2"
    assert "7" in card.state


def test_it_is_drawn_once_a_version(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards: list[ShareCard] = []

    def draw(card: ShareCard) -> bytes:
        cards.append(card)
        return draw_share_card(card)

    monkeypatch.setattr(views, "draw_share_card", draw)
    path = f"/t/{tournament.slug}/card.png"
    assert Client().get(path).content == Client().get(path).content
    assert len(cards) == 1
    submitted(tournament, 1)
    Client().get(path)
    assert len(cards) == 2


def test_a_private_tournament_has_no_card(tournament: Tournament) -> None:
    set_visibility(SYSTEM, tournament, "private")
    assert Client().get(f"/t/{tournament.slug}/card.png").status_code == 404


def test_a_card_holds_names_of_any_length_and_any_script() -> None:
    rows = tuple(CardRow(n, "张伟 / Nguyễn Łukasz " * n, "½") for n in range(1, 9))
    card = ShareCard("Un torneo con un nombre larguísimo " * 3, "x" * 300, rows, "y" * 300)
    assert draw_share_card(card) == draw_share_card(card)
