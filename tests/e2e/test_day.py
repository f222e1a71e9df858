"""A Swiss on its day: people arrive, one pair by its phone, a round is drawn, one comes late."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support import scenes
from tests.support.day import the_people
from tournaments.models import Entry, Pair, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer) -> Iterator[Visitor]:
    """Give a second visitor, without an account, at another phone."""
    context = browser.new_context(locale="es-ES", viewport=PHONE, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield Visitor(page, live_server.url)
    context.close()


def test_a_swiss_on_its_day(visitor: Callable[..., Visitor], phone: Visitor) -> None:
    club, _users = scenes.open_club()
    the_people(7, club)
    organiser = visitor(DESK)
    organiser.sign_in("organiser")
    organiser.go("/")
    create_a_swiss(organiser)
    enter_six_pairs(organiser)
    tournament = Tournament.objects.get()
    check_four_in(organiser, tournament)
    come_by_code(phone, tournament)
    close_the_check_in(organiser, tournament)
    draw_and_publish(organiser, tournament)
    let_the_clock_run(organiser, phone, tournament)
    let_one_come_late(organiser, tournament)
    rest_by_code(phone, tournament)


def create_a_swiss(organiser: Visitor) -> None:
    page = organiser.page
    organiser.follow("Peña La Sota")
    organiser.follow("Nuevo torneo")
    organiser.follow("Elegir yo el formato")
    organiser.follow("Suizo")
    page.get_by_label("Nombre", exact=True).fill("Suizo de invierno")
    page.get_by_text("Partida y rondas").click()
    page.locator("[name=rounds]").fill("3")
    page.get_by_label("¿Cuántos esperas?").fill("6")
    organiser.press("Vista previa")
    expect(page.get_by_text("Juegan 6: suizo, 3 rondas.")).to_be_visible()
    organiser.press("Crear el torneo")


def enter_six_pairs(organiser: Visitor) -> None:
    page = organiser.page
    page.get_by_text("Parejas del club").click()
    for number in range(1, 7):
        page.get_by_label(f"Pareja {number}", exact=True).check()
    organiser.press("Inscribir estas parejas")
    expect(page.get_by_role("link", name="Pareja 6").first).to_be_visible()


def check_four_in(organiser: Visitor, tournament: Tournament) -> None:
    page = organiser.page
    organiser.follow("Llegadas")
    for number in range(1, 5):
        page.get_by_role("button", name=f"Ha venido Pareja {number}").click()
        expect(page.get_by_text(f"Faltan {6 - number}")).to_be_visible()
    organiser.look()
    page.get_by_label("Nombre o número").fill("pareja 5")
    organiser.press("Buscar")
    expect(page.get_by_role("button", name="Ha venido Pareja 5")).to_be_visible()
    expect(page.get_by_role("link", name="Pareja 1")).not_to_be_visible()


def come_by_code(phone: Visitor, tournament: Tournament) -> None:
    code = Entry.objects.get(tournament=tournament, number=5).code
    phone.go(f"/t/{tournament.slug}/come/")
    phone.page.get_by_label("Código").fill("ABCDEFGH")
    phone.press("Seguir")
    expect(phone.page.get_by_text("Ningún inscrito tiene este código.")).to_be_visible()
    phone.page.get_by_label("Código").fill(code.lower())
    phone.press("Seguir")
    assert code not in phone.page.url
    phone.page.get_by_role("button", name="Estamos aquí").click()
    expect(phone.page.get_by_text("ha venido")).to_be_visible()


def close_the_check_in(organiser: Visitor, tournament: Tournament) -> None:
    page = organiser.page
    organiser.go(f"/t/{tournament.slug}/check-in/")
    expect(page.get_by_text("Han venido 5")).to_be_visible()
    organiser.follow("Cerrar las llegadas")
    expect(page.get_by_text("Pareja 6")).to_be_visible()
    organiser.press("Cerrar las llegadas")
    expect(page.get_by_text("no se presentó")).to_be_visible()


def draw_and_publish(organiser: Visitor, tournament: Tournament) -> None:
    organiser.go(f"/t/{tournament.slug}/draw/")
    organiser.press("Sortear")
    organiser.go(f"/t/{tournament.slug}/rounds/1/publish/")
    organiser.press("Publicar la ronda")


def let_the_clock_run(organiser: Visitor, phone: Visitor, tournament: Tournament) -> None:
    organiser.page.get_by_label("Minutos").fill("40")
    organiser.press("Iniciar el reloj")
    phone.go(f"/t/{tournament.slug}/rounds/1/")
    expect(phone.page.locator("[data-ends]")).to_contain_text("39:")
    organiser.press("Parar el reloj")
    expect(organiser.page.get_by_text("El reloj está parado y quedan 40 minutos.")).to_be_visible()
    organiser.press("Reanudar")


def let_one_come_late(organiser: Visitor, tournament: Tournament) -> None:
    page = organiser.page
    organiser.go(f"/t/{tournament.slug}/entries/")
    pair = Pair.objects.get(club=tournament.club_id, name="Pareja 7")
    page.locator("#late > summary").click()
    page.get_by_label("Primer jugador").fill(pair.first.name)
    page.get_by_label("Segundo jugador").fill(pair.second.name)
    organiser.press("Inscribir ahora")
    expect(
        page.get_by_text("Pareja 7 entra en el torneo y juega desde la ronda 1.")
    ).to_be_visible()
    organiser.follow("Pareja 7")
    expect(page.get_by_text(Entry.objects.get(number=7).code)).to_be_visible()
    organiser.go(f"/t/{tournament.slug}/entries/6/")
    organiser.press("Vuelve a jugar desde la ronda 2")


def rest_by_code(phone: Visitor, tournament: Tournament) -> None:
    phone.go(f"/t/{tournament.slug}/come/")
    phone.page.get_by_text("Descansar una ronda").click()
    phone.look()
    phone.page.get_by_role("button", name="Pedir el descanso").click()
    expect(phone.page.get_by_text("descansa en la ronda 2")).to_be_visible()
    phone.page.get_by_role("button", name="Al final jugamos (Ronda 2)").click()
    expect(phone.page.get_by_text("descansa en la ronda 2")).to_be_hidden()
    phone.page.locator("summary", has_text="Retirarse del torneo").click()
    phone.look()
