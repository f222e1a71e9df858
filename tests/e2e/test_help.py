"""From hours to a tournament; a position set up by keyboard and on a phone; the guides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE, Visitor, screens
from tests.support import scenes
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@screens("phone", "desk")
def test_an_organiser_who_does_not_know_the_formats_gets_a_tournament(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    scenes.open_club()
    organiser = visitor(screen)
    page = organiser.page
    organiser.sign_in("organiser")
    organiser.go("/")
    organiser.follow("Peña La Sota")
    organiser.follow("Nuevo torneo")
    page.get_by_label("¿Cuántos esperas?").fill("8")
    organiser.press("Proponer")
    page.get_by_text("Cambiar", exact=True).click()
    expect(page.get_by_text("Es una suposición")).to_be_visible()
    page.get_by_label("Horas disponibles").fill("5")
    organiser.press("Proponer")
    organiser.follow("Elegir: Liguilla")
    page.get_by_label("Nombre", exact=True).fill("Copa de primavera")
    expect(page.get_by_label("¿Cuántos esperas?")).to_have_value("8")
    organiser.press("Crear el torneo")
    tournament = Tournament.objects.get()
    assert (tournament.ruleset, [stage.format for stage in tournament.stages.all()]) == (
        "parejas",
        ["liguilla"],
    )


def test_an_arbiter_sets_a_position_up_on_a_phone_by_tapping(
    visitor: Callable[..., Visitor],
) -> None:
    arbiter = visitor(PHONE)
    page = arbiter.page
    arbiter.go("/rules/try/")
    page.get_by_label("A quién le toca").select_option("B")
    page.get_by_role("radio", name="a B").check()
    for card in ("As de copas", "Dos de copas", "Cuatro de espadas"):
        page.get_by_role("button", name=card, exact=False).click()
    page.get_by_role("radio", name="a la mesa").check()
    page.get_by_role("button", name="Tres de copas").click()
    expect(page.get_by_text("pero debe montar sobre 3c: 1c")).to_be_visible()
    expect(page).to_have_url(re.compile("B=1c"))
    expect(page).not_to_have_url(re.compile("goes="))
    arbiter.look()
    page.reload()
    expect(page.get_by_text("pero debe montar sobre 3c: 1c")).to_be_visible()
    arbiter.follow("R4.2")
    expect(page.locator(":target")).to_contain_text("Se asiste al palo de salida")


def test_an_arbiter_sets_a_position_up_by_keyboard_alone(visitor: Callable[..., Visitor]) -> None:
    arbiter = visitor(DESK, scheme="dark")
    page = arbiter.page
    arbiter.go("/rules/try/?ruleset=cuatro&trump=o&turn=C&trick=Rc+Co&C=So")
    page.get_by_role("radio", name="a C").focus()
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Cinco de espadas").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cinco de espadas")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("heading", name="Le toca a C")).to_be_visible()
    expect(page.locator("#answer")).to_contain_text("Cinco de espadas")
    page.keyboard.press("Space")
    expect(page.locator("#answer .hand li")).to_have_count(1)
    arbiter.look()


@screens("phone", "desk")
def test_the_guides_and_the_rules_can_be_read_by_everybody(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    reader = visitor(screen)
    reader.go("/")
    reader.follow("Ayuda")
    for path in ("/help/organisers/", "/help/players/", "/rules/"):
        reader.go(path)
    reader.go("/help/organisers/#disputes")
    expect(reader.page.get_by_role("heading", name="Resolver reclamaciones")).to_be_in_viewport()
