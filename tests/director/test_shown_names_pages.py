"""A pair without a name of its own is called by its players, once, on pages and papers."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from tests.clubs import SYSTEM, user
from tests.sheets.reading import words_of
from tests.support.day import a_day, play_round
from tournaments.director.queries.rows import shown_names
from tournaments.director.services.tournaments import finish, publish_round
from tournaments.domain.names import has_own_name, name_of_two
from tournaments.models import Membership, Round, Tournament
from tournaments.profiles.services.renaming import rename_pair
from tournaments.standings.services.seasons import add_tournament, create_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Four pairs with a drawn round; all but the last have no name of their own."""
    day = a_day(entered=4, late=0)
    for entry in day.entries.with_players().filter(number__lte=3):
        assert entry.pair is not None
        rename_pair(SYSTEM, entry.pair, name_of_two(entry.pair.first.name, entry.pair.second.name))
    return day


@pytest.fixture
def organiser(tournament: Tournament) -> Client:
    client, olga = Client(headers={"accept-language": "es"}), user("olga")
    Membership.objects.create(club=tournament.club, user=olga, role="organiser")
    client.force_login(olga)
    return client


def text(client: Client, path: str) -> str:
    """The text of a page's content between its tags, blanks as one."""
    content = client.get(path).content.decode().partition("<main")[2].partition("</main>")[0]
    content = re.sub(r"<select.*?</select>", "", content, flags=re.DOTALL)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", content)))


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("Ángel Pérez – Mercedes Alcolea", False),
        ("Mercedes Alcolea – Ángel Pérez", False),
        ("angel perez / mercedes alcolea", False),
        ("Ángel – Mercedes", True),
        ("Los Ases – Madrid", True),
    ],
)
def test_a_name_made_of_the_players_names_is_no_name_of_their_own(name: str, own: bool) -> None:
    assert has_own_name(name, ("Ángel Pérez", "Mercedes Alcolea")) is own


def test_the_pairing_editor_shows_each_pair_once_and_no_dash_in_a_name(
    tournament: Tournament, organiser: Client
) -> None:
    page_text = text(organiser, f"/t/{tournament.slug}/rounds/1/draft/")
    names = shown_names(tournament.pk)
    assert names[1] == "Jugador 1 / Jugador 2"
    assert names[4] == "Pareja 4"
    for name in names.values():
        assert name in page_text
    assert "Jugador 1 – " not in page_text


def test_a_screen_shows_the_players_of_a_pair_under_each_other(
    tournament: Tournament, organiser: Client
) -> None:
    publish_round(SYSTEM, Round.objects.get(stage__tournament=tournament, number=1))
    page_text = text(organiser, f"/t/{tournament.slug}/screen/")
    assert re.search("(Mesa . |– )Jugador 1 Jugador 2 ", page_text)
    assert "Jugador 1 / Jugador 2" not in page_text


@pytest.mark.parametrize("path", ["", "rounds/1/", "entries/", "check-in/"])
def test_a_page_shows_the_players_once_and_a_name_of_their_own_above_them(
    tournament: Tournament, organiser: Client, path: str
) -> None:
    publish_round(SYSTEM, Round.objects.get(stage__tournament=tournament, number=1))
    page_text = text(organiser, f"/t/{tournament.slug}/{path}")
    assert "Jugador 1 / Jugador 2" in page_text
    assert "Jugador 1 – Jugador 2" not in page_text
    assert "Jugador 1, Jugador 2" not in page_text
    if path in {"", "rounds/1/", "entries/"}:
        assert re.search("Pareja 4 .*Jugador 7, Jugador 8", page_text)


def test_a_club_and_its_season_show_the_players_once(
    tournament: Tournament, organiser: Client
) -> None:
    play_round(tournament, 1)
    finish(SYSTEM, tournament, early=True)
    season = create_season(SYSTEM, tournament.club, name="Temporada")
    add_tournament(SYSTEM, season, tournament)
    for path in ("", "seasons/temporada/"):
        page_text = text(organiser, f"/clubs/{tournament.club.slug}/{path}")
        assert "Jugador 1 / Jugador 2" in page_text
        assert "Jugador 1 – Jugador 2" not in page_text
        assert "Jugador 1, Jugador 2" not in page_text
        assert re.search("Pareja 4 .*Jugador 7, Jugador 8", page_text)


@pytest.mark.parametrize("paper", ["standings", "diplomas", "rounds/1/tables", "rounds/1/sheets"])
def test_a_paper_shows_the_players_once(
    tournament: Tournament, organiser: Client, paper: str
) -> None:
    play_round(tournament, 1)
    words = " ".join(words_of(organiser.get(f"/t/{tournament.slug}/print/{paper}.pdf").content))
    occurrences = re.findall(r"Jugador 1 . (?:[A-D] )?Jugador 2", words)
    assert len(occurrences) == words.count("Jugador 2") > 0


def test_the_api_has_the_stored_name(tournament: Tournament, client: Client) -> None:
    play_round(tournament, 1)
    rows = client.get(f"/api/v1/tournaments/{tournament.slug}/standings/").json()["rows"]
    assert "Jugador 1 – Jugador 2" in [row["name"] for row in rows]


def test_a_tournament_names_its_ruleset(tournament: Tournament, client: Client) -> None:
    publish_round(SYSTEM, Round.objects.get(stage__tournament=tournament, number=1))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "es"
    assert "Parejas online, a 3 manos" in text(client, f"/t/{tournament.slug}/")


def test_players_are_shown_once_on_draws_in_choices_and_in_headings(
    tournament: Tournament, organiser: Client
) -> None:
    publish_round(SYSTEM, Round.objects.get(stage__tournament=tournament, number=1))
    club, pair = tournament.club, tournament.entries.get(number=1).pair
    assert pair is not None
    for path in (
        f"/t/{tournament.slug}/draws/",
        f"/clubs/{club.slug}/head-to-head/?one=pair-{pair.pk}",
        f"/pairs/{pair.pk}/",
        f"/players/{pair.first_id}/",
    ):
        page = html.unescape(organiser.get(path).content.decode())
        assert "Jugador 1 / Jugador 2" in page, path
        assert "Jugador 1 – Jugador 2" not in page, path
