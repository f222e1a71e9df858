"""An organiser says how a list is read, and who its people are, before it is entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor, screens
from tests.support import scenes
from tournaments.director.services.tournaments import create_tournament

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = "Los Uno;Pilar Martinez;Nieves Otal;1.500\nLos Dos;Eva Mur;Pau Roca;1.450\n"


@screens("phone", "desk")
def test_columns_ratings_and_persons_are_asked_for_and_then_entered(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    scene = scenes.draft()
    tournament = create_tournament(scene.organiser, scene.club, "Copa")
    organiser = visitor(screen)
    organiser.sign_in("organiser")
    organiser.go(f"/t/{tournament.slug}/entries/list/")
    page = organiser.page
    file = {"name": "lista.txt", "mimeType": "text/plain", "buffer": LIST.encode("utf-16")}
    page.locator("[name=list_file]").set_input_files(file)  # type: ignore[arg-type]
    organiser.press("Comprobar la lista")
    expect(page.get_by_text("El archivo se ha leído como UTF-16.")).to_be_visible()
    expect(page.get_by_text("no está claro qué columnas tienen a los jugadores")).to_be_visible()
    for place, field in enumerate(("pair", "first", "second", "rating")):
        page.locator("[name=column]").nth(place).select_option(field)
    organiser.press("Leerla así")
    expect(page.get_by_text("1.500 puede ser de miles")).to_be_visible()
    page.get_by_label("1.500 = 1500").check()
    organiser.press("Leerla así")
    expect(page.get_by_label("Pilar Martínez, del club")).to_be_checked()
    expect(page.get_by_text("Pilar Martínez (en la lista como Pilar Martinez)")).to_be_visible()
    page.locator("[name=column]").nth(0).select_option("")
    organiser.press("Inscribirlos a todos")
    expect(page.get_by_text("Aún no se ha inscrito a nadie")).to_be_visible()
    expect(page.get_by_text("Esta columna no se lee: 1.")).to_be_visible()
    page.locator("[name=column]").nth(0).select_option("pair")
    organiser.press("Leerla así")
    organiser.press("Inscribirlos a todos")
    expect(page.get_by_text("2 inscripciones nuevas.")).to_be_visible()
    entries = tournament.entries.with_players().order_by("number")
    assert [(entry.name, entry.seat_names, entry.rating) for entry in entries] == [
        ("Los Uno", ("Pilar Martínez", "Nieves Otal"), 1500),
        ("Los Dos", ("Eva Mur", "Pau Roca"), 1450),
    ]
