"""An organiser runs a liguilla of four pairs, from its name to its end, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, Visitor
from tests.support import scenes
from tournaments.models import Match, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_organiser_runs_a_tournament_from_its_name_to_its_end(
    visitor: Callable[..., Visitor],
) -> None:
    scenes.open_club()
    organiser = visitor(DESK)
    organiser.sign_in("organiser")
    organiser.go("/")
    create(organiser)
    import_lists(organiser)
    draw_and_publish(organiser)
    hand_in_a_faulty_record_then_the_right_one(organiser)
    play_the_rest_and_close(organiser)
    correct_a_result(organiser)
    finish(organiser)


def create(organiser: Visitor) -> None:
    organiser.follow("Peña La Sota")
    organiser.follow("Nuevo torneo")
    organiser.follow("Elegir yo el formato")
    organiser.follow("Liguilla")
    organiser.page.get_by_label("Nombre").fill("Liguilla de otoño")
    organiser.page.get_by_text("Partida y rondas").click()
    organiser.page.locator("[name=ruleset]").select_option("parejas-online")
    organiser.press("Crear el torneo")


def import_lists(organiser: Visitor) -> None:
    page = organiser.page
    page.get_by_text("Dos listas con códigos").click()
    players, pairs = page.locator("[name=players]"), page.locator("[name=pairs]").first
    players.fill(scenes.EIGHT_PLAYERS)
    pairs.fill(scenes.FOUR_PAIRS.replace("J08", "J99"))
    organiser.press("Importar")
    expect(page.get_by_text("línea 5: ningún jugador tiene el código J99")).to_be_visible()
    expect(pairs).to_have_value(re.compile("J99"))
    players.fill("")
    page.locator("[name=players_file]").set_input_files(
        {"name": "players.csv", "mimeType": "text/csv", "buffer": scenes.EIGHT_PLAYERS.encode()}
    )
    pairs.fill(scenes.FOUR_PAIRS)
    organiser.press("Importar")
    expect(page.get_by_role("link", name="La Magdalena").first).to_be_visible()


def draw_and_publish(organiser: Visitor) -> None:
    organiser.follow("Sortear las rondas")
    organiser.press("Sortear")
    organiser.follow("Ronda 1")
    organiser.follow("Publicar")
    organiser.press("Publicar la ronda")
    expect(organiser.page.get_by_role("heading", name="Ronda 1")).to_contain_text("Publicada")


def hand_in_a_faulty_record_then_the_right_one(organiser: Visitor) -> None:
    page, match = organiser.page, first_match()
    good = scenes.record_between(match, scenes.records_of("records"))
    wrong = scenes.spoiled(good)
    organiser.go(f"/matches/{match.pk}/")
    organiser.follow("Comunicar el resultado")
    organiser.follow("Acta")
    page.locator("[name=text]").fill(wrong.text)
    organiser.press("Comprobar y entregar")
    expect(page.get_by_role("heading", name="El acta no es válida")).to_be_visible()
    expect(page.locator(f".playing-card--bad[data-card='{wrong.card}']").first).to_be_visible()
    for card in wrong.legal:
        expect(page.locator(f".playing-card--legal[data-card='{card}']").first).to_be_visible()
    expect(page.locator("[name=text]")).to_have_value(wrong.text)
    page.locator("[name=text]").fill(good)
    organiser.press("Comprobar y entregar")
    expect(page.get_by_text("Aceptada: el resultado vale.")).to_be_visible()
    expect(page.get_by_role("link", name="Mano 1")).to_be_visible()


def play_the_rest_and_close(organiser: Visitor) -> None:
    page, slug = organiser.page, Tournament.objects.get().slug
    second = Match.objects.with_names().get(round__number=1, table=2)
    organiser.go(f"/t/{slug}/")
    before = standings(page)
    organiser.follow("Entregar un acta")
    record = scenes.record_between(second, scenes.records_of("records"))
    page.locator("[name=file]").set_input_files(
        {"name": "acta.json", "mimeType": "application/json", "buffer": record.encode()}
    )
    organiser.press("Comprobar y entregar")
    organiser.go(f"/t/{slug}/")
    assert standings(page) != before
    for number in (1, 2, 3):
        if number > 1:
            publish_and_play(organiser, slug, number)
        organiser.go(f"/t/{slug}/rounds/{number}/")
        organiser.follow("Cerrar la ronda")
        organiser.press("Cerrar la ronda")
        expect(page.get_by_role("heading", name=f"Ronda {number}")).to_contain_text("Cerrada")


def publish_and_play(organiser: Visitor, slug: str, number: int) -> None:
    organiser.go(f"/t/{slug}/rounds/{number}/publish/")
    organiser.press("Publicar la ronda")
    for match in Match.objects.with_names().filter(round__number=number):
        organiser.go(f"/matches/{match.pk}/submit/")
        record = scenes.record_between(match, scenes.records_of("records"))
        organiser.page.locator("[name=text]").fill(record)
        organiser.press("Comprobar y entregar")


def correct_a_result(organiser: Visitor) -> None:
    page, slug = organiser.page, Tournament.objects.get().slug
    organiser.go(f"/t/{slug}/")
    before, match = standings(page), first_match()
    live = match.results.get(live=True)
    organiser.go(f"/matches/{match.pk}/")
    organiser.follow("Corregir el resultado")
    for side, hands, points in (
        ("home", live.away_hands, live.away_points),
        ("away", live.home_hands, live.home_points),
    ):
        page.locator(f"[name={side}_hands]").fill(str(hands))
        page.locator(f"[name={side}_points]").fill(str(points))
    page.locator("[name=reason]").fill("El acta se apuntó con los asientos cambiados.")
    organiser.press("Ver el efecto")
    expect(page.get_by_text("Aún no se ha corregido nada")).to_be_visible()
    organiser.press("Corregir el resultado")
    expect(page.get_by_text("El acta se apuntó con los asientos cambiados.")).to_be_visible()
    organiser.go(f"/t/{slug}/")
    assert standings(page) != before


def finish(organiser: Visitor) -> None:
    page = organiser.page
    organiser.follow("Terminar")
    organiser.press("Terminar el torneo")
    expect(page.get_by_text("La clasificación es definitiva.")).to_be_visible()
    organiser.follow("Historial")
    expect(page.get_by_text("El acta se apuntó con los asientos cambiados.")).to_be_visible()
    organiser.follow("Tabla cruzada")
    organiser.follow("Inscritos")


def first_match() -> Match:
    return Match.objects.with_names().get(round__number=1, table=1)


def standings(page: Page) -> list[str]:
    """Read the table on the page."""
    return page.locator(".standings tbody tr").all_inner_texts()
