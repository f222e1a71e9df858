"""From finished qualifiers to the drawn final, by the pages alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Counting, Visitor
from tests.signup.oviedo import a_qualifier
from tests.support import scenes
from tests.support.day import the_people
from tournaments.models import Club, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_PRESSES = 12


def test_a_final_is_filled_and_drawn_from_its_finished_sources(
    visitor: Callable[..., Visitor],
) -> None:
    scenes.open_club()
    _, pairs = the_people(12, Club.objects.get())
    for name, some in (("Norte", pairs[:6]), ("Sur", pairs[6:])):
        a_qualifier(pairs[0].club, name, some, margins=(30, 20, 10))
    seat = visitor(PHONE)
    organiser = Counting(seat.page, seat.address)
    organiser.sign_in("organiser")
    organiser.go("/clubs/pena-la-sota/tournaments/new/?plan=liguilla")
    organiser.page.locator("[name=name]").fill("La final")
    organiser.press("Crear el torneo")
    organiser.follow("Solicitudes")
    organiser.follow("Plazas de otros torneos")
    organiser.tick("Norte")
    organiser.tick("Sur")
    organiser.press("Sus primeros vienen aquí")
    organiser.press("Anotar 6 clasificados")
    expect(organiser.page.get_by_text("6 anotados.")).to_be_visible()
    organiser.follow("Solicitudes")
    organiser.follow("Cerrar e inscribir")
    organiser.press("Cerrar e inscribir")
    final = Tournament.objects.get(name="La final")
    assert final.entries.count() == 6
    organiser.follow("Sortear las rondas")
    organiser.press("Sortear")
    assert final.stages.get().rounds.exists()
    assert organiser.presses <= MOST_PRESSES
