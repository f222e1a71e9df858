"""Pages of the sign-up's staff: nobody else reads them, and no press of others changes a row."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, a_club, organiser, user
from tests.signup.test_signing_up import a_posted, pairs
from tests.signup.test_signup_pages import desk, form, phone
from tournaments.director.services.draws import draw
from tournaments.director.services.tournaments import publish_round
from tournaments.models import (
    CashEntry,
    Entry,
    Round,
    SignUp,
    SignUpLink,
    SignUpRequest,
    Tournament,
)
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.links import make_link
from tournaments.signup.services.money import pay

pytestmark = pytest.mark.django_db

PAGES = (
    *("sign-ups/", "sign-ups/settings/", "sign-ups/links/", "sign-ups/enter/", "sign-ups/1/"),
    *("personal-data/1/", "money/", "money/ticket/1/", "print/money.pdf"),
)
PRESSES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sign-ups/", {"first": "Eva Ruiz", "second": "Pepe Gil"}),
    ("sign-ups/4/off/", {"reason": "No vienen"}),
    ("sign-ups/1/code/", {}),
    ("sign-ups/links/", {"origin": "Bar", "quota": "3"}),
    ("money/ticket/1/pay-all/", {"shown": "2000"}),
    ("money/ticket/2/pay/", {"pay-cents": "5", "pay-note": ""}),
    ("money/ticket/1/refund/", {"refund-cents": "5", "refund-note": ""}),
    ("sign-ups/enter/", {}),
)


@pytest.fixture(autouse=True)
def no_limits() -> None:
    cache.clear()


@pytest.fixture
def tournament() -> Tournament:
    """Four tickets on the list; the first has paid a part of the fee."""
    posted = a_posted(places=None, fee_cents=2000)
    first, *_others = pairs(posted, 4)
    pay(SYSTEM, first, 1500)
    return posted


def anonymous(_tournament: Tournament) -> Client:
    """A browser without an account."""
    return phone()


def stranger(_tournament: Tournament) -> Client:
    client = phone()
    client.force_login(user("elena"))
    return client


def organiser_elsewhere(_tournament: Tournament) -> Client:
    client = phone()
    organiser(a_club("Círculo de Huesca"), "hugo")
    client.force_login(user("hugo"))
    return client


def bar(tournament: Tournament) -> Client:
    """The browser of a bar that has signed up a pair by its link."""
    _link, secret = make_link(SYSTEM, tournament, "Bar La Sota", 3)
    client = phone()
    path = f"/t/{tournament.slug}/sign-up/link/{secret}/"
    client.post(path, form())
    assert "Ana Gil" in client.get(path).content.decode()
    return client


def own_request(tournament: Tournament) -> Client:
    """The browser of the first ticket, which has given its code."""
    request = SignUpRequest.objects.get(signup__tournament=tournament, ticket=1)
    client, at = phone(), f"/t/{tournament.slug}"
    client.post(f"{at}/come/code/", {"code": request.code})
    assert client.get(f"{at}/sign-up/mine/").status_code == 200
    return client


def begin(tournament: Tournament) -> None:
    """Enter who is on the list, and publish the first round."""
    close_sign_up(SYSTEM, tournament)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, Round.objects.get(stage__tournament=tournament, number=1))


def reversal() -> tuple[str, dict[str, Any]]:
    """The press that reverses the one payment."""
    return (f"money/{CashEntry.objects.get().pk}/reverse/", {})


def stored() -> list[list[Any]]:
    models: tuple[Any, ...] = (SignUp, SignUpRequest, SignUpLink, CashEntry, Entry)
    return [list(model.objects.order_by("pk").values()) for model in models]


def assert_refused(response: Any) -> None:
    """Assert that there is nothing here, that it is forbidden, or that one has to sign in."""
    is_to_login = response.headers.get("Location", "").startswith(reverse("login"))
    assert is_to_login or response.status_code in (403, 404), response.status_code


@pytest.mark.parametrize("browser", [anonymous, stranger, organiser_elsewhere, bar, own_request])
@pytest.mark.parametrize("begun", [False, True], ids=["posted", "begun"])
def test_others_read_no_page_of_the_staff_and_change_no_row(
    tournament: Tournament, browser: Callable[[Tournament], Client], begun: bool
) -> None:
    """Of what is posted others see the poster alone; once it has begun, they see its pages."""
    client, at = browser(tournament), f"/t/{tournament.slug}"
    if begun:
        begin(tournament)
        assert client.get(f"{at}/rounds/").status_code == 200
    before = stored()
    for path in PAGES:
        assert_refused(client.get(f"{at}/{path}"))
    for path, fields in (*PRESSES, reversal()):
        assert_refused(client.post(f"{at}/{path}", fields))
    assert stored() == before


def test_the_organiser_reads_each_of_these_pages_and_each_press_changes_rows(
    tournament: Tournament,
) -> None:
    client, at = desk(tournament), f"/t/{tournament.slug}"
    statuses = {path: client.get(f"{at}/{path}").status_code for path in PAGES}
    assert statuses == dict.fromkeys(PAGES, 200)
    for path, fields in (reversal(), *PRESSES):
        before = stored()
        client.post(f"{at}/{path}", fields)
        assert stored() != before, path
