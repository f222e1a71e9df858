"""The money at the desk: pages, check-in, the treasurer's PDF, and the API."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from tests.clubs import SYSTEM, arbiter, organiser, user
from tests.sheets.reading import words_of
from tests.signup.test_signing_up import a_posted, pairs
from tests.support.caller import Caller
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.permissions import Scope
from tournaments.director.services.entries import enter_list
from tournaments.domain.roster import ListedEntrant
from tournaments.models import CashEntry, SignUpRequest, Tournament
from tournaments.signup.queries.texts import euros
from tournaments.signup.services.money import pay, waive
from tournaments.signup.services.requests import take_off
from tournaments.signup.templatetags import phones_of, whatsapp_of

pytestmark = pytest.mark.django_db


def desk(tournament: Tournament, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    arbiter(tournament.club)
    client.force_login(user("alberto"))
    return client


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, response.content.decode()[:2000]
    return response.content.decode()


def cash() -> list[tuple[str, int]]:
    return list(CashEntry.objects.order_by("pk").values_list("kind", "cents"))


@pytest.mark.parametrize(
    ("language", "text"),
    [("es", "−1\u00a0234,50\u00a0€"), ("de", "−1.234,50\u00a0€"), ("en", "−1,234.50\u00a0€")],
)
def test_an_amount_has_two_decimals_as_the_language_writes_them(language: str, text: str) -> None:
    with override(language):
        assert euros(-123450) == text


def test_the_page_says_who_owes_and_one_press_notes_it() -> None:
    tournament = a_posted(fee_cents=2000)
    pairs(tournament, 2)
    client, at = desk(tournament), f"/t/{tournament.slug}/money/"
    page = read(client, at)
    assert "2 owe" in page
    assert "Paid 20.00\u00a0€" in page
    assert client.post(f"{at}ticket/1/pay-all/", {"shown": "2000"}).status_code == 302
    client.post(f"{at}ticket/1/pay-all/", {"shown": "2000"})
    assert "Nothing is owed here." in read(client, at)
    assert cash() == [("paid", 2000)]
    (line,) = CashEntry.objects.all()
    client.post(f"{at}{line.pk}/reverse/")
    assert cash() == [("paid", 2000), ("paid", -2000)]


def test_another_amount_a_return_and_a_waiver_are_noted_on_the_page_of_the_payer() -> None:
    tournament = a_posted(fee_cents=2000)
    pairs(tournament, 1)
    client, at = desk(tournament, "es"), f"/t/{tournament.slug}/money/ticket/1/"
    client.post(f"{at}pay/", {"pay-cents": "25,50", "pay-note": "dos billetes"})
    assert "Por devolver" in read(client, at)
    client.post(f"{at}refund/", {"refund-cents": "15.50", "refund-note": ""})
    response = client.post(f"{at}waive/", {"waive-cents": "12", "waive-note": "Socios"})
    assert response.status_code == 422
    client.post(f"{at}waive/", {"waive-cents": "10", "waive-note": "Socios"})
    assert cash() == [("paid", 2550), ("refund", -1550), ("waived", 1000)]
    assert client.post(f"{at}waive/", {"waive-cents": "1", "waive-note": ""}).status_code == 422


def test_two_desks_that_type_the_same_payment_note_it_once() -> None:
    tournament = a_posted(fee_cents=2000)
    pairs(tournament, 1)
    client, at = desk(tournament), f"/t/{tournament.slug}/money/ticket/1/"
    assert 'name="pay-shown" value="2000"' in read(client, at)
    typed = {"pay-cents": "20,- €", "pay-note": "", "pay-shown": "2000"}
    assert client.post(f"{at}pay/", typed).status_code == 302
    again = client.post(f"{at}pay/", typed)
    assert again.status_code == 409
    assert 'name="pay-shown" value="0"' in again.content.decode()
    assert cash() == [("paid", 2000)]


@pytest.mark.parametrize(
    ("contact", "phones", "whatsapp"),
    [
        ("600 11 22 33", ["600112233"], "34600112233"),
        ("600112233 / 611 22 33 44", ["600112233", "611223344"], "34600112233"),
        ("600112233 611223344", ["600112233", "611223344"], "34600112233"),
        ("600 11 22 33 o 611.22.33.44", ["600112233", "611223344"], "34600112233"),
        ("0034 600 112 233", ["+34600112233"], "34600112233"),
        ("+49 (0) 170-1234567", ["+4901701234567"], "4901701234567"),
        ("976/123456", ["976123456"], "34976123456"),
        ("ana@example.org", [], ""),
    ],
)
def test_the_telephones_of_a_contact_are_called(
    contact: str, phones: list[str], whatsapp: str
) -> None:
    assert phones_of(contact) == phones
    assert not phones or whatsapp_of(phones[0]) == whatsapp


def test_what_is_owed_is_paid_at_the_check_in_beside_who_has_come() -> None:
    tournament = a_posted(fee_cents=1250)
    enter_list(SYSTEM, tournament, [ListedEntrant(("Eva Gil", "Pepe Ruiz"))])
    client, at = desk(tournament), f"/t/{tournament.slug}/check-in/"
    assert "Paid 12.50\u00a0€" in read(client, at)
    sent = {"shown": "1250", "at": "check-in", "name": "Eva"}
    response = client.post(f"/t/{tournament.slug}/money/entry/1/pay-all/", sent)
    assert response.headers["Location"] == f"{at}?name=Eva#entry-1"
    assert "12.50" not in read(client, at)
    assert cash() == [("paid", 1250)]
    assert SignUpRequest.objects.get().ticket == 1


def test_the_treasurers_paper_is_for_the_staff() -> None:
    tournament = a_posted(fee_cents=2000)
    requests = pairs(tournament, 3)
    pay(SYSTEM, requests[0])
    waive(SYSTEM, requests[1], "Organizan")
    take_off(SYSTEM, requests[0], "No vienen")
    path = f"/t/{tournament.slug}/print/money.pdf"
    response = desk(tournament).get(path)
    assert response.headers["Content-Type"] == "application/pdf"
    (page,) = words_of(response.content)
    for text in ("Takings", "20.00\N{NO-BREAK SPACE}€", "1. Ana Albiac – Luis Albiac", "Organizan"):
        assert text in page
    assert Client().get(path).status_code == 404


def test_a_program_reads_and_notes_money_once_for_each_key() -> None:
    tournament = a_posted(fee_cents=2000)
    pairs(tournament, 2)
    enter_list(SYSTEM, tournament, [ListedEntrant(("Eva Gil", "Pepe Ruiz"))])
    organiser(tournament.club)
    _token, secret = issue_token(
        SYSTEM, tournament.club, user("olga"), name="caja", scopes=[Scope.READ, Scope.MANAGE]
    )
    caller, at = Caller(secret), f"tournaments/{tournament.slug}/money/"

    def send(verb: str, key: str, **body: Any) -> int:
        return caller.submit(f"{at}{verb}/", json.dumps(body), key).status_code

    assert send("pay", "1", ticket=1) == 201
    assert send("pay", "1", ticket=1) == 201
    assert send("pay", "2", ticket=1) == 409
    assert send("pay", "3", entry=1, cents=2500) == 201
    assert send("refund", "4", ticket=3) == 201
    assert send("waive", "5", ticket=2, note="Organizan") == 201
    assert send("waive", "6", ticket=2) == 400
    assert send("pay", "7", ticket=99) == 404
    assert send("pay", "8", cents=5) == 404
    assert send("pay", "10", ticket=1, entry=1, cents=5) == 400
    assert send("pay", "11", ticket=2, cents=5, shown=1999) == 409
    line = CashEntry.objects.get(kind="waived")
    assert send(f"{line.pk}/reverse", "9") == 201
    money = caller.read(at)
    assert money["totals"] == {
        "paid": 4500,
        "returned": 500,
        "takings": 4000,
        "waived": 0,
        "prizes": 0,
    }
    assert (money["owed"], money["to_return"]) == (2000, 0)
    assert [row["ticket"] for row in money["payers"]] == [1, 2, 3]
    assert money["lines"][0]["reverses"] == line.pk
    assert cash() == [
        *(("paid", 2000), ("paid", 2500), ("refund", -500)),
        *(("waived", 2000), ("waived", -2000)),
    ]
    assert Caller().get(at).status_code == 404
