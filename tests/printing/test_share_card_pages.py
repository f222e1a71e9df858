"""Pictures to share: for everybody, drawn once for what they say, of what is public alone."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from django.utils import translation
from PIL import Image

from tests.clubs import SYSTEM, submitted, the_liguilla, the_match
from tests.director.test_boards import a_duplicate, play
from tests.signup.test_signing_up import a_posted
from tests.support.day import a_day, next_round, play_round
from tournaments.director.services.tournaments import change_tournament, set_visibility
from tournaments.models import Tournament
from tournaments.printing import views
from tournaments.printing.queries.share_cards import (
    bracket_card,
    match_card,
    poster_card,
    share_card,
)
from tournaments.profiles.services.renaming import rename_pair
from tournaments.sheets import draw_share_card
from tournaments.sheets.rows import CardRow, ShareCard
from tournaments.standings.services.seasons import create_season

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
    assert [(row.place, row.leads) for row in card.rows[:2]] == [("1", True), ("2", False)]
    assert card.rows[0].points == "2"
    assert "7" in card.state


def test_it_is_drawn_once_for_what_it_says(
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


def picture_of(page: str) -> str:
    """The address of the picture that messengers show beside a page."""
    text = Client(headers={"accept-language": "en"}).get(page).content.decode()
    found = re.search(r'property="og:image" content="http://testserver([^"]+)"', text)
    assert found
    return found[1]


def test_pages_have_pictures_of_their_own_while_the_tournament_is_public(
    tournament: Tournament,
) -> None:
    match, slug = the_match(tournament, 1, 1).pk, tournament.slug
    season = create_season(SYSTEM, tournament.club, name="Temporada")
    pages = [
        f"/t/{slug}/rounds/1/",
        f"/t/{slug}/crosstable/",
        f"/matches/{match}/",
        f"/matches/{match}/hands/1/",
    ]
    own = [*pages, f"/t/{slug}/poster/", f"/clubs/{tournament.club.slug}/seasons/{season.slug}/"]
    for page in own:
        assert picture_of(page).partition("?")[0] == f"{page}card.png"
        assert Client().get(picture_of(page))["Content-Type"] == "image/png"
    assert "/icons/share" in picture_of("/")
    set_visibility(SYSTEM, tournament, "private")
    for page in [*pages, f"/t/{slug}/", f"/t/{slug}/poster/"]:
        assert Client().get(f"{page}card.png").status_code == 404


def test_a_match_is_called_by_its_result_and_a_corrected_name_is_drawn(
    tournament: Tournament,
) -> None:
    match = the_match(tournament, 1, 1)
    page = Client().get(f"/matches/{match.pk}/").content.decode()
    home, away = match.sides
    title = f"{home[0].shown_name} {match.results.get().home_hands}–"
    assert f'property="og:title" content="{title}' in page
    path = f"/matches/{match.pk}/card.png"
    first = Client().get(path)
    assert [row.leads for row in match_card(match.pk).rows].count(True) == 1
    assert away[0].pair
    rename_pair(SYSTEM, away[0].pair, "Los de la esquina")
    assert match_card(match.pk).rows[1].name == "Los de la esquina"
    assert Client().get(path)["ETag"] != first["ETag"]


def test_a_bracket_shows_its_latest_meetings_and_a_poster_its_places() -> None:
    knockout = a_day(4, format="knockout")
    play_round(knockout, 1)
    next_round(knockout, 1)
    card = bracket_card(knockout.slug)
    assert [bool(row.points) for row in card.rows] == [False, True, True]
    posted = a_posted(places=4)
    change_tournament(SYSTEM, posted, {"place": "Casino"})
    with translation.override("en"):
        card = poster_card(posted.slug)
    assert (card.line, card.note) == ("Casino", "4 of 4 are free")


def test_secret_deals_have_the_general_picture() -> None:
    tournament = a_duplicate(bots=6)
    play(tournament, 1)
    page = f"/matches/{the_match(tournament, 1, 1).pk}/"
    assert "/icons/share" in picture_of(page)
    assert Client().get(f"{page}card.png").status_code == 404


def test_a_card_holds_names_of_any_length_and_any_script() -> None:
    rows = tuple(CardRow(str(n), "张伟 / Nguyễn Łukasz " * n, "½") for n in range(1, 9))
    card = ShareCard("Un torneo con un nombre larguísimo " * 3, "x" * 300, rows, "y" * 300)
    assert draw_share_card(card) == draw_share_card(card)
