"""Those with a place owe; what holds for a fee is said alike on pages, papers and in the API."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.clubs import SYSTEM
from tests.sheets.reading import words_of
from tests.signup.test_entries_and_tickets import regulars
from tests.signup.test_money_pages import desk, read
from tests.signup.test_signing_up import a_posted, own, pairs
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.posting import cancel_tournament
from tournaments.models import SignUp, SignUpRequest, Tournament
from tournaments.signup.queries.money import money_page
from tournaments.signup.queries.places import balance_of, request_rows
from tournaments.signup.services.closing import close_sign_up, entering_plan
from tournaments.signup.services.money import pay, refund, waive
from tournaments.signup.services.requests import leave

pytestmark = pytest.mark.django_db

FEE = 3000


def own_page(request: SignUpRequest) -> str:
    client = Client(headers={"accept-language": "es"})
    slug = request.signup.tournament.slug
    client.post(f"/t/{slug}/come/code/", {"code": request.code})
    return read(client, f"/t/{slug}/sign-up/mine/")


ACTS: dict[str, Callable[[SignUpRequest], object]] = {
    "pay": lambda request: pay(SYSTEM, request),
    "part": lambda request: pay(SYSTEM, request, 2400),
    "waive": lambda request: waive(SYSTEM, request, "Organizan"),
    "leave": lambda request: leave(own(request), request),
    "refund": lambda request: refund(SYSTEM, request),
    "cancel": lambda request: cancel_tournament(SYSTEM, request.signup.tournament, "Sin sala"),
}


@pytest.mark.parametrize(
    ("acts", "text"),
    [
        ("", "por pagar: 30,00\u00a0€"),
        ("part", "pagado en parte: faltan 6,00\u00a0€"),
        ("pay", "pagado"),
        ("waive", "exento"),
        ("leave", "nada que pagar"),
        ("waive leave", "nada que pagar"),
        ("cancel", "nada que pagar"),
        ("pay leave", "por devolver: 30,00\u00a0€"),
        ("pay cancel", "por devolver: 30,00\u00a0€"),
        ("pay leave refund", "devuelto"),
    ],
)
def test_the_own_page_says_what_holds_for_the_fee(acts: str, text: str) -> None:
    tournament = a_posted(fee_cents=FEE)
    (request,) = pairs(tournament, 1)
    for act in acts.split():
        ACTS[act](request)
    assert f"<dd>30,00\u00a0€ · {text}</dd>" in own_page(request)


def six_for_four(**settings: bool) -> tuple[Tournament, list[SignUpRequest]]:
    tournament = a_posted(places=4, fee_cents=FEE, **settings)
    return tournament, regulars(tournament, 6)


def test_who_waits_owes_nothing_on_page_and_paper() -> None:
    tournament, requests = six_for_four()
    page = money_page(tournament.slug, SYSTEM)
    assert (page.owed, [row.ticket for row in page.owing]) == (4 * FEE, [1, 2, 3, 4])
    assert [row.ticket for row in page.without_place] == [5, 6]
    client = desk(tournament, "es")
    shown = read(client, f"/t/{tournament.slug}/money/")
    assert "2 sin plaza" in shown
    assert shown.count("Ha pagado 30,00\u00a0€") == 4
    (paper,) = words_of(client.get(f"/t/{tournament.slug}/print/money.pdf").content)
    assert "120,00\N{NO-BREAK SPACE}€" in paper
    assert "Sin plaza" in paper
    leave(own(requests[0]), requests[0])
    assert [row.ticket for row in money_page(tournament.slug, SYSTEM).owing] == [2, 3, 4, 5]


def test_who_waits_may_pay_where_only_those_who_paid_are_entered() -> None:
    tournament, requests = six_for_four(only_paid=True)
    client, at = desk(tournament, "es"), f"/t/{tournament.slug}/money/"
    assert read(client, at).count("Ha pagado 30,00\u00a0€") == 6
    client.post(f"{at}ticket/6/pay-all/", {"shown": str(FEE)})
    assert balance_of(requests[5]).state == "paid"
    plan = entering_plan(SignUp.objects.get())
    assert [one.request.ticket for one in plan.entering] == [6]


def test_what_was_paid_for_a_place_that_never_came_is_to_be_returned_once_it_is_drawn() -> None:
    tournament, requests = six_for_four()
    pay(SYSTEM, requests[5])
    close_sign_up(SYSTEM, tournament)
    withdraw(SYSTEM, tournament.entries.get(number=1))
    assert [row.ticket for row in money_page(tournament.slug, SYSTEM).owing] == [2, 3, 4, 5]
    draw(SYSTEM, tournament)
    page = money_page(tournament.slug, SYSTEM)
    assert [row.ticket for row in page.owing] == [2, 3, 4]
    assert [row.ticket for row in page.to_be_paid_back] == [6]
    by_ticket = {row.ticket: row.balance for row in request_rows(SignUp.objects.get())}
    assert by_ticket == {one.ticket: balance_of(one) for one in SignUpRequest.objects.all()}
