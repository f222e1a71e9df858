"""The papers of a duplicate: travelling slips, all deals on a page, slips of seats, own sheets."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.clubs import SYSTEM, a_club, house_bots, organiser, user
from tests.sheets.reading import words_of
from tests.support.caller import Caller
from tests.support.duplicates import a_duplicate, play_deals
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PRINT = "/t/duplicada/print/"


def a_client(account: str = "") -> Client:
    client = Client(headers={"accept-language": "es"})
    if account:
        client.force_login(user(account))
    return client


def a_night(pairs: int = 6, rounds: int = 5) -> Tournament:
    """Return a Howell with deals of the service, so many rounds of it played."""
    tournament = a_duplicate(pairs, movement="howell", dealt_by="baza", deals=3)
    organiser(tournament.club)
    for number in range(1, rounds + 1):
        play_deals(tournament, number)
    cache.clear()
    return tournament


def test_a_travelling_slip_names_the_tables_of_its_deal_in_their_order() -> None:
    a_night(rounds=1)
    seen = "\n".join(words_of(a_client().get(f"{PRINT}slips.pdf").content))
    assert "Reparto\n1\nda A" in seen
    assert "Reparto\n15\n" not in seen, "its round is a draft"
    own = words_of(a_client("olga").get(f"{PRINT}slips.pdf").content)
    assert sum(page.count("Tantos A-C") for page in own) == 15
    assert len(own) == 2, "eight slips of three tables on a page"


def test_all_deals_are_on_one_page_and_secret_until_they_are_played() -> None:
    tournament = a_night(rounds=4)
    for paper in ("deals", "seats", "personal"):
        assert a_client().get(f"{PRINT}{paper}.pdf").status_code == 404
    record = words_of(a_client("olga").get(f"{PRINT}deals.pdf").content)
    assert len(record) == 1
    assert "secreto hasta que todos hayan jugado" in record[0]
    seats = words_of(a_client("olga").get(f"{PRINT}seats.pdf").content)
    assert len(seats) == 3, "seven of fifteen deals on a page"
    assert all(f"Reparto {number}" in seats[0] for number in range(1, 8))
    play_deals(tournament, 5)
    cache.clear()
    record = words_of(a_client().get(f"{PRINT}deals.pdf").content)
    assert "secreto" not in record[0]


def test_a_personal_sheet_adds_up_to_the_line_of_the_standings() -> None:
    a_night()
    rows = Caller().read("tournaments/duplicada/standings/")["rows"]
    sheets = words_of(a_client().get(f"{PRINT}personal.pdf").content)
    assert len(sheets) == 6
    for row in rows:
        page = a_client().get(f"/t/duplicada/boards/{row['number']}/")
        own = page.context["own"]
        assert (own.total, own.percentage) == (row["match_points"], row["percentage"])
        assert len(own.deals) == 15
        for deal in own.deals:
            lower = sum(other < deal.difference for other in deal.differences)
            equal = deal.differences.count(deal.difference) - 1
            assert deal.award == 2 * lower + equal
            assert deal.points[0] - deal.points[1] == deal.difference
        (sheet,) = words_of(a_client().get(f"{PRINT}personal.pdf?entry={row['number']}").content)
        assert f"{row['percentage']:g}".replace(".", ",") in sheet


def test_a_stock_is_printed_in_its_order_and_seats_alone_do_not_make_up_such_a_deal() -> None:
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Duplicada",
        NewTournament(
            GameSettings(ruleset="habanero", options={"deals": 2}),
            stages=[{"format": "duplicate", "rules": {"movement": "howell", "dealt_by": "baza"}}],
        ),
        slug="duplicada",
    )
    organiser(tournament.club)
    enter_newcomers(SYSTEM, tournament, house_bots() * 3)
    draw(SYSTEM, tournament)
    page = a_client("olga").get("/t/duplicada/boards/")
    assert f"{PRINT}deals.pdf?stage=1" in page.content.decode()
    assert f"{PRINT}seats.pdf" not in page.content.decode()
    assert a_client("olga").get(f"{PRINT}seats.pdf").status_code == 404
    (record,) = words_of(a_client("olga").get(f"{PRINT}deals.pdf").content)
    for board in page.context["page"].boards:
        assert "\n".join(card[0] for card in board.stock) in record


def test_pages_lead_to_the_papers() -> None:
    a_night(rounds=1)
    printed = a_client().get(PRINT).content.decode()
    assert f"{PRINT}slips.pdf?stage=1" in printed
    boards = a_client("olga").get("/t/duplicada/boards/").content.decode()
    for paper in ("slips", "deals", "seats"):
        assert f"{PRINT}{paper}.pdf?stage=1" in boards
    assert "/t/duplicada/boards/3/?stage=1" in boards
    assert "aparecerán aquí cuando" in a_client().get("/t/duplicada/boards/3/").content.decode()
    assert a_client().get("/t/duplicada/boards/99/").status_code == 404
