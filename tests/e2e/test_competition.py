"""From poster to prize: an organiser and two phones, by the pages alone.

A phone in Spanish and a desk in English walk the whole way, and every page is checked by
`Visitor.look`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from django.utils import translation
from django.utils.translation import gettext, pgettext
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.quick import long
from tests.support import scenes
from tournaments.models import CashEntry, Tournament
from tournaments.signup.forms import FEWEST_SECONDS
from tournaments.signup.queries.texts import euros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ViewportSize
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LOCALES: Final = {"es": "es-ES", "en": "en-GB"}
MOST_PRESSES_TO_POST: Final = 6
MOST_FIELDS_TO_SIGN_UP: Final = 4
FEE: Final = 20_00
TIMEOUT: Final = 30_000


class Guest(Visitor):
    """A visitor who names buttons in English and sees them in their own language."""

    presses = 0

    def press(self, name: str, *, role: Any = "button") -> None:
        """Press a button or link of this name, which is translated, and count it."""
        text = gettext(name)
        element = self.page.get_by_role(role, name=text, exact=True)
        self.presses += 1 if element.count() else 2  # what is seldom used is in a menu
        super().press(text, role=role)

    def sees(self, text: str, **facts: Any) -> None:
        """Expect a text, which is translated, on the page."""
        expect(self.page.get_by_text(gettext(text) % facts).first).to_be_visible()


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Set the language in which names of buttons and texts are looked up."""
    with translation.override(request.param):
        yield request.param


@pytest.fixture
def guest(
    screen: ViewportSize,
    language: str,
    browser: Browser,
    live_server: LiveServer,
) -> Iterator[Callable[[], Guest]]:
    """Give a function that opens a browser of its own."""

    contexts = []

    def make() -> Guest:
        context = browser.new_context(
            locale=LOCALES[language],
            viewport=screen,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        return Guest(page, live_server.url)

    yield make
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("screen", "language"),
    [(PHONE, "es"), (DESK, "en"), *long([(PHONE, "en"), (DESK, "es")])],
    indirect=["language"],
    ids=["phone-es", "desk-en", "phone-en", "desk-es"],
)
def test_a_competition_goes_from_its_poster_to_its_prizes(guest: Callable[[], Guest]) -> None:
    scenes.open_club()
    organiser, first, second = guest(), guest(), guest()
    organiser.sign_in("organiser")
    post(organiser)
    sign_up(first, "Ana Gil", "Luis Sanz")
    first.sees("You are in: place %(rank)s of %(places)s.", rank=1, places=2)
    note_by_hand(organiser, "Eva Ruiz", "Pepe Cano")
    sign_up(second, "Rosa Vela", "Julio Mir", call="Join the waiting list")
    second.sees(
        "You wait: number %(number)s on the waiting list. This page says when you are in.", number=1
    )
    leave(first)
    second.go(f"{at()}/sign-up/mine/")
    second.sees("You are in: place %(rank)s of %(places)s.", rank=2, places=2)
    set_prizes(organiser)
    pay(organiser)
    close_and_enter(organiser)
    draw_and_publish(organiser)
    report(second)
    finish(organiser)
    hand_out(organiser)


def at() -> str:
    """Return the address of the only tournament."""
    return f"/t/{Tournament.objects.get().slug}"


def post(organiser: Guest) -> None:
    """Create a tournament, say how people sign up, and post it."""
    page = organiser.page
    organiser.go("/clubs/pena-la-sota/tournaments/new/?plan=liguilla")
    page.locator("[name=name]").fill("Torneo de feria")
    page.locator("details.fold > summary").last.click()
    page.locator("[name=place]").fill("Casino de Zaragoza")
    organiser.presses = 0
    organiser.press("Create the tournament")
    organiser.press("Sign-ups", role="link")
    organiser.press("Set the sign-up", role="link")
    page.locator("[name=places]").fill("2")
    page.locator("[name=fee_cents]").fill(f"{FEE // 100}")
    organiser.press("Save")
    organiser.press("Poster", role="link")
    organiser.press("Post it")
    organiser.sees("Everybody sees the poster.")
    assert organiser.presses <= MOST_PRESSES_TO_POST


def sign_up(player: Guest, *names: str, call: str = "Sign up") -> None:
    """Find the poster on the front page and sign up by its button."""
    page = player.page
    player.go("/")
    with page.expect_navigation():
        page.get_by_role("link", name="Torneo de feria").first.click()
    player.look()
    player.press(call, role="link")
    fields = page.locator("main form .field:visible")
    assert fields.count() <= MOST_FIELDS_TO_SIGN_UP
    page.locator("[name=first]").fill(names[0])
    page.locator("[name=second]").fill(names[1])
    page.locator("[name=contact]").fill("600 100 200")
    page.wait_for_timeout(1000 * FEWEST_SECONDS)  # who is faster is taken for a robot
    player.presses = 0
    player.press(call)
    assert player.presses == 1
    player.sees("My place")


def note_by_hand(organiser: Guest, *names: str) -> None:
    """Note a pair that called."""
    organiser.go(f"{at()}/sign-ups/")
    organiser.page.locator("#add > summary").click()
    organiser.page.locator("[name=first]").fill(names[0])
    organiser.page.locator("[name=second]").fill(names[1])
    organiser.press("Record it")
    organiser.sees("Noted with ticket %(ticket)s.", ticket=2)


def leave(player: Guest) -> None:
    """Give the place back."""
    player.page.get_by_text(gettext("We do not come")).click()
    player.press("Give the place back")
    player.sees("You are off the list.")


def set_prizes(organiser: Guest) -> None:
    """Promise half of what is taken to the first and a ham to the second."""
    page = organiser.page
    organiser.go(f"{at()}/prizes/")
    for row, (places, money, text) in enumerate((("1", "50 %", ""), ("2", "", "Jamón"))):
        page.locator("[name$=places]").nth(row).fill(places)
        page.locator("[name$=money]").nth(row).fill(money)
        page.locator("[name$=text]").nth(row).fill(text)
    organiser.press("Save")


def pay(organiser: Guest) -> None:
    """Note by one press that those with the third ticket have paid what they owe."""
    page = organiser.page
    organiser.go(f"{at()}/money/")
    with page.expect_navigation():
        page.get_by_role("button", name="Rosa Vela").click()
    organiser.look()
    organiser.sees("The payment is noted.")
    assert sum(CashEntry.objects.values_list("cents", flat=True)) == FEE


def close_and_enter(organiser: Guest) -> None:
    """See who has moved up, and enter those who are in."""
    organiser.go(f"{at()}/sign-ups/")
    organiser.sees("has moved up")
    organiser.press("Close and enter", role="link")
    organiser.press("Close and enter")
    expect(organiser.page.get_by_role("link", name="Rosa Vela").first).to_be_visible()
    expect(organiser.page.get_by_text("Ana Gil")).to_have_count(0)


def draw_and_publish(organiser: Guest) -> None:
    """Draw the only round and publish it."""
    organiser.go(f"{at()}/draw/")
    organiser.press(pgettext("button", "Draw"))
    organiser.go(f"{at()}/rounds/1/publish/")
    organiser.press("Publish the round")


def report(player: Guest) -> None:
    """The page of the place has become that of the table, where the result is reported."""
    page: Page = player.page
    player.go(f"{at()}/sign-up/mine/")
    assert page.url.endswith("/table/")
    page.locator("[name=home_hands][value='3']").click()
    page.locator("[name=away_hands][value='1']").click()
    page.get_by_role("button", name=gettext("Report the result"), exact=True).click()
    expect(page.locator(".queue__line--saved")).to_be_visible()


def finish(organiser: Guest) -> None:
    """Confirm the result, close the round and finish."""
    organiser.go(f"{at()}/desk/confirm/")
    organiser.press("Confirm them")
    organiser.go(f"{at()}/rounds/1/close/")
    organiser.press("Close the round")
    organiser.go(f"{at()}/finish/")
    organiser.press("Finish the tournament")
    assert Tournament.objects.get().state == Tournament.State.FINISHED
    organiser.go(f"{at()}/")


def hand_out(organiser: Guest) -> None:
    """Call the second and the first, and note what they got."""
    page = organiser.page
    organiser.go(f"{at()}/prizes/ceremony/")
    expect(page.get_by_text("Jamón")).to_be_visible()
    expect(page.get_by_text(euros(FEE // 2))).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name=gettext("Hand out")).first.click()
    organiser.look()
    organiser.sees("Take back")
