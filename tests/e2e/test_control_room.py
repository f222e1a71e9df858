"""The control room: twenty tables on a laptop without scrolling, and a round run from there."""

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Visitor
from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.director.services import tournaments
from tournaments.director.services.absences import check_in, withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Round, Tournament
from tournaments.results.services.matches import dispute_result
from tournaments.results.services.reports import report_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP = {"width": 1280, "height": 800}
TABLET = {"width": 820, "height": 1180}
FIRST = ("Ana", "Begoña", "Carlos", "Dolores", "Eduardo", "Fátima", "Gonzalo", "Inés", "Jaime")
SECOND = ("Abadía", "Bermúdez", "Castellanos", "Domínguez", "Echeverría", "Ferrández", "Gallego")


def name_of(number: int) -> str:
    return f"{FIRST[number % len(FIRST)]} {SECOND[number % len(SECOND)]} {number}"


def hall(tables: int = 20) -> scenes.Scene:
    """A Swiss of `tables` tables, its first round published, nothing played."""
    club, users = scenes.open_club()
    boss = Actor.for_user(users["organiser"])
    tournament = tournaments.create_tournament(
        boss,
        club,
        "Suizo de otoño",
        NewTournament(
            GameSettings(options={"to": 3}), stages=[{"format": "swiss", "rules": {"rounds": 3}}]
        ),
    )
    numbers = range(1, 4 * tables + 1)
    players = "id,nombre\n" + "".join(f"J{n:03},{name_of(n)}\n" for n in numbers)
    pairs = "pareja,nombre,jugador1,jugador2\n" + "".join(
        f"P{n:03},{name_of(2 * n - 1)} y {name_of(2 * n)},J{2 * n - 1:03},J{2 * n:03}\n"
        for n in numbers[: 2 * tables]
    )
    import_entries(boss, tournament, players, pairs, as_written=True)
    scene = scenes.Scene(club, draw(boss, tournament), users)
    publish_round(scene.organiser, scene.rounds[0])
    return scene


def evening(tables: int = 20) -> scenes.Scene:
    """A hall in which most have come, some have reported and one pair objects."""
    scene = hall(tables)
    matches = scene.matches()
    for match in matches[2:]:
        assert match.away is not None
        check_in(scene.organiser, match.home)
        if match.table % 7:
            check_in(scene.organiser, match.away)
    for match in matches[:6]:
        report_result(scene.organiser, match, score=Score(3, 1, 0, 0))
    for match in matches[6:9]:
        report_result(Actor.for_entry(match.home), match, score=Score(3, 2, 0, 0))
    dispute_result(scene.organiser, matches[3], "Al revés.")
    return scene


def control(
    visitor: Callable[..., Visitor], scene: scenes.Scene, screen: dict[str, int]
) -> Visitor:
    organiser = visitor(screen)
    organiser.sign_in("organiser")
    organiser.go(f"/t/{scene.tournament.slug}/control/")
    return organiser


def shot(page: Page, name: str) -> None:
    """Keep a picture where one is wanted: BAZA_SHOTS names the folder."""
    if folder := os.environ.get("BAZA_SHOTS"):
        page.screenshot(path=f"{folder}/control-{name}.png")


def visible_tables(page: Page) -> list[str]:
    return page.locator("tr[data-table]:visible th").all_inner_texts()


def test_twenty_tables_fit_a_laptop_without_scrolling(visitor: Callable[..., Visitor]) -> None:
    organiser = control(visitor, evening(), LAPTOP)
    page = organiser.page
    assert len(visible_tables(page)) == 20
    for selector in ("tr[data-table='20']", "#step", "[name=table]", "[data-find]"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= LAPTOP["height"], selector
    shot(page, "laptop")
    page.keyboard.press("/")  # typed into the line, where it parts two numbers
    expect(page.locator("[name=table]")).to_have_value("/")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("fatima fernandez")
    assert visible_tables(page) == []
    page.locator("[data-find]").fill("eduardo")
    assert visible_tables(page)[:3] == ["2", "5", "7"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    panel = page.locator("#table-panel")
    expect(panel.get_by_role("heading", name="Mesa 5")).to_be_visible()
    expect(panel).to_be_focused()
    for verb in ("Corregir el resultado", "Alguien no jugó"):
        expect(panel.get_by_role("link", name=verb)).to_be_visible()
    shot(page, "open")
    organiser.look()


@pytest.mark.parametrize("screen", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_control_room_is_of_use_under_a_finger(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    organiser = control(visitor, evening(8), screen)
    page = organiser.page
    page.locator("#table-8").click()
    expect(page.get_by_role("heading", name="Mesa 8")).to_be_in_viewport()
    organiser.look()
    page.evaluate("window.scrollTo(0, 0)")
    shot(page, f"screen-{screen['width']}")


def test_a_round_is_typed_closed_drawn_and_published_without_leaving_the_page(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(4)
    organiser = control(visitor, scene, LAPTOP)
    page = organiser.page
    for table in range(1, 5):
        page.keyboard.type(str(table))  # a result: 5 keys and Enter
        page.keyboard.press("Enter")
        page.keyboard.type("3-1")
        page.keyboard.press("Enter")
    expect(page.locator("#step")).to_contain_text("La ronda 1 está completa.")
    for name in ("Cerrar la ronda 1", "Sortear la ronda 2", "Publicar"):  # three presses
        organiser.press(name)
        assert page.url.endswith("/control/")
    assert Round.objects.get(stage__tournament=scene.tournament, number=2).state == "published"
    expect(page.locator("h1")).to_have_text("Ronda 2")
    expect(page.locator("[name=table]")).to_be_focused()


def test_the_open_table_and_what_is_typed_stay_when_a_phone_reports(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(4)
    organiser = control(visitor, scene, LAPTOP)
    page = organiser.page
    page.locator("#table-2").click()
    expect(page.get_by_role("heading", name="Mesa 2")).to_be_visible()
    page.locator("[name=table]").fill("3")
    report_result(
        Actor.for_entry(scene.matches()[0].home), scene.matches()[0], score=Score(3, 2, 0, 0)
    )
    expect(page.locator("tr[data-table='1']")).to_contain_text("debe confirmar")
    expect(page.locator("[name=table]")).to_have_value("3")
    expect(page.locator("[name=table]")).to_be_focused()
    expect(page.get_by_role("heading", name="Mesa 2")).to_be_visible()


def test_late_entries_and_announcements_are_forms_of_the_page(
    visitor: Callable[..., Visitor],
) -> None:
    scene = hall(4)
    entry = scene.matches()[0].away
    assert entry is not None
    withdraw(scene.organiser, entry)
    organiser = control(visitor, scene, LAPTOP)
    page = organiser.page
    page.get_by_text("Inscribir a quien llega tarde").click()
    fields = page.locator("#late").locator("input:visible, select:visible")
    assert fields.count() <= 4
    page.locator("#late [name=first]").fill("Alba Cano")
    page.locator("#late [name=second]").fill("Berta Ríos")
    page.get_by_role("button", name="Ya están aquí").click()
    expect(page.get_by_text("Alba Cano / Berta Ríos está aquí")).to_be_visible()
    page.get_by_text("Inscribir a quien llega tarde").click()
    page.locator("#late [name=back]").select_option(str(entry.number))
    page.get_by_role("button", name="Ya están aquí").click()
    expect(page.get_by_text(f"{entry.shown_name} está aquí")).to_be_visible()
    page.locator("summary").filter(has_text="Aviso").click()
    page.locator("[name=text]").fill("Pausa de diez minutos.")
    page.get_by_role("button", name="Avisar").click()
    expect(page.locator("[name=text]")).to_have_value("Pausa de diez minutos.")
    assert Tournament.objects.get().announcement == "Pausa de diez minutos."
    organiser.look()
