"""From an installation without accounts to a published round of twelve names, press by press."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import PHONE, Visitor
from tests.support import scenes
from tournaments.accounts.services.accounts import first_account_proof
from tournaments.models import Round, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_PRESSES: Final = 8
MOST_PIXELS: Final = 900
"""Height of each step of a new tournament on a phone."""
NAMES: Final = """\
Ana Gil, Luis Lahoz
Pepe Bielsa, Carmen Pérez
Rosa Pardo, Paco Gil
Nuria Trigo, Diego Cebrián
Elena Vela, Miguel Ibáñez
Inés Pérez, Juan Marín
"""
PASSWORD: Final = "una baza tras otra"


@pytest.fixture
def no_script(browser: Browser, live_server: LiveServer) -> Iterator[Visitor]:
    """Give a visitor at a phone whose browser runs no script."""
    context = browser.new_context(locale="es-ES", viewport=PHONE, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield Visitor(page, live_server.url)
    context.close()


def test_the_first_round_of_an_empty_service_takes_eight_presses(
    visitor: Callable[..., Visitor],
) -> None:
    organiser = visitor(PHONE)
    page = organiser.page
    presses = 0

    def press(name: str, *, role: str = "button") -> None:
        nonlocal presses
        organiser.press(name, role=role)
        presses += 1

    organiser.go(reverse("first-account", args=[first_account_proof()]))
    page.locator("[name=username]").fill("manolo")
    for field in page.locator("[type=password]").all():
        field.fill(PASSWORD)
    press("Crear la cuenta")
    page.get_by_label("Nombre").fill("Peña La Sota")
    press("Crear el club")
    page.get_by_label("¿Cuántos esperas?").fill("6")
    press("Proponer")
    press("Elegir: Liguilla", role="link")
    page.get_by_label("Nombre", exact=True).fill("Torneo de San Andrés")
    press("Crear el torneo")
    page.locator("[name=list_text]").fill(NAMES)
    press("Inscribirlos a todos")
    expect(page.get_by_role("link", name="Ana Gil").first).to_be_visible()
    press("Sortear las rondas", role="link")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Sortear y publicar la ronda 1")).to_be_focused()
    assert not Round.objects.exists()
    page.keyboard.press("Enter")
    presses += 1
    expect(page.get_by_text("La ronda 1 está publicada")).to_be_visible()
    assert Round.objects.get(number=1).state == Round.State.PUBLISHED
    assert Tournament.objects.get().entries.count() == 6
    assert presses <= MOST_PRESSES


def test_without_scripts_each_step_of_a_new_tournament_fits_a_phone(no_script: Visitor) -> None:
    scenes.open_club()
    page = no_script.page

    def fits_a_step() -> None:
        box = page.locator("body").bounding_box()
        assert box
        assert box["height"] <= MOST_PIXELS, page.url

    page.goto(f"{no_script.address}/accounts/login/")
    page.locator("[name=username]").fill("organiser")
    page.locator("[name=password]").fill(scenes.PASSWORD)
    page.locator("main form button[type=submit]").click()
    page.goto(f"{no_script.address}/clubs/pena-la-sota/tournaments/propose/")
    fits_a_step()
    page.get_by_role("link", name="Elegir yo el formato").click()
    fits_a_step()
    page.go_back()
    page.get_by_label("¿Cuántos esperas?").fill("24")
    page.get_by_role("button", name="Proponer").click()
    fits_a_step()
    page.get_by_role("link", name="Elegir: Suizo").click()
    fits_a_step()
    page.get_by_label("Nombre", exact=True).fill("Torneo de San Andrés")
    page.get_by_role("button", name="Crear el torneo").click()
    page.locator("[name=list_text]").fill(NAMES)
    page.get_by_role("button", name="Inscribirlos a todos").click()
    expect(page.get_by_role("link", name="Ana Gil").first).to_be_visible()
    assert Tournament.objects.get().entries.count() == 6
