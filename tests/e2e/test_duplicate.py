"""Duplicates by Howell and Mitchell and an individual: an organiser, a phone, and every paper.

What is specific is done on pages, all of them checked by `Visitor.look`: the movement and the
scoring are chosen, rounds are drawn and published, papers are opened. To keep it short the results
of the deals, and the rounds after the first, come through the services (`play_deals`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from tests.clubs import SYSTEM, the_round
from tests.director.test_replanning import seated
from tests.director.test_single_substitutes import names_with
from tests.e2e.conftest import PHONE, Visitor
from tests.sheets.reading import words_of
from tests.signup.test_signing_up import surnames
from tests.standings.test_percentages import counted
from tests.support import scenes
from tests.support.day import entry
from tests.support.draft_scenes import played_out
from tests.support.duplicates import play_deals
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.messages import message
from tournaments.models import Match, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PROPOSE = "/clubs/pena-la-sota/tournaments/propose/"
NEW = "/clubs/pena-la-sota/tournaments/new/"
PERCENTAGES = """
[...document.querySelectorAll("table.standings")].flatMap((table) => {
  const names = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
  return [...table.querySelectorAll("tbody tr")].map((row) =>
    [row.querySelector("th a").textContent.trim(), row.cells[names.indexOf("%")].textContent]);
})
"""
"""The names and the percentages in all tables of a page."""


@pytest.mark.long
def test_twelve_pairs_by_howell(visitor: Callable[..., Visitor]) -> None:
    organiser = sign_in(visitor)
    choose_a_proposal(organiser, 12, aim="same_deals", name="Howell")
    create(organiser, "Duplicada de doce")
    tournament = enter(organiser, pairs(12))
    draw(organiser)
    guides = paper(organiser, "guides")
    assert all(any(f"Ana {surnames(n)}" in page for page in guides) for n in range(12))
    assert guide_of(organiser, 1).count("contra ") == 11, "printed before a round is published"
    publish(organiser, tournament, 1)
    assert len(paper(organiser, "deals")) == 1, "22 deals"
    seats = paper(organiser, "seats")
    assert all(f"Reparto {n}\n" in "\n".join(seats) for n in range(1, 23))
    play(tournament, range(1, 12))
    slips = paper(organiser, "slips")
    assert sum(page.count("Tantos A-C") for page in slips) == 22
    shown = percentages(organiser)
    assert shown == pytest.approx(expected(tournament), abs=0.06)
    assert sum(shown.values()) == pytest.approx(600, abs=0.6)
    organiser.go(f"/t/{tournament.slug}/boards/")
    personal_sheet(organiser, tournament, 1)
    assert len(paper(organiser, "personal")) == 12


def test_seventeen_pairs_by_mitchell_in_two_lists(visitor: Callable[..., Visitor]) -> None:
    organiser = sign_in(visitor)
    choose_movement(organiser, "two_lines", rounds=6, entrants=17)
    create(organiser, "Duplicada de diecisiete")
    tournament = enter(organiser, pairs(17))
    draw(organiser)
    publish(organiser, tournament, 1)
    play(tournament, range(1, 7))
    assert percentages(organiser) == pytest.approx(expected(tournament), abs=0.06)
    page = organiser.page
    expect(page.locator("#line-1, #line-2")).to_have_count(2)
    lists = page.locator("table.standings").all()
    assert sorted(rows.locator("tbody tr").count() for rows in lists) == [8, 9]
    for rows in lists:
        expect(rows.locator("tbody .place").first).to_contain_text("1")
    (sheet,) = paper(organiser, "standings")
    assert "Línea A-C" in sheet
    assert "Línea B-D" in sheet
    assert len(paper(organiser, "deals")) == 1
    assert paper(organiser, "slips")
    personal_sheet(organiser, tournament, 17)


def test_an_individual_with_a_latecomer_a_leaver_and_a_substitute(
    visitor: Callable[..., Visitor],
) -> None:
    organiser = sign_in(visitor)
    choose_a_proposal(organiser, 18, who="single", name="Individual")
    create(organiser, "Individual de dieciocho", rounds=6)
    tournament = enter(organiser, [f"Rosa {surnames(n)}" for n in range(18)])
    draw(organiser)
    publish(organiser, tournament, 1)
    for number in range(2, 7):
        publish_round(SYSTEM, the_round(tournament, number))
    for number in (1, 2):
        played_out(the_round(tournament, number))
    assert len(paper(organiser, "guides")) == 3, "eight cards on a page"
    card = guide_of(organiser, 7)
    leave(organiser, 5)
    come_late(organiser, "Nueva Vecina")
    put_in(organiser, 7, "Suplente Amable")
    organiser.go(f"/t/{tournament.slug}/control/")
    organiser.press("Planificar de nuevo las rondas 3 a 6")
    for number in range(3, 7):
        seats = set().union(*seated(tournament, number))
        assert (5 in seats, 7 in seats, 19 in seats) == (False, True, True)
    sides = [names_with(tournament, 7, number) for number in range(3, 7)]
    assert all("Suplente Amable" in side for side in sides if len(side) == 2), "but for byes"
    kept = guide_of(organiser, 7)
    assert until_round(kept, 3) == until_round(card, 3), "name, number and rounds played stay"
    organiser.go(f"/t/{tournament.slug}/print/")
    changed = organiser.page.get_by_role("link", name="Solo las guías que han cambiado")
    expect(changed).to_contain_text("19")
    query = str(changed.get_attribute("href")).partition("?")[2]
    assert paper(organiser, "guides", f"?{query}")
    for number in range(3, 7):
        played_out(the_round(tournament, number))
    organiser.go(f"/t/{tournament.slug}/")
    expect(organiser.page.locator(".standings tbody tr")).to_have_count(19)
    assert paper(organiser, "standings")


# --- What the organiser does ----------------------------------------------------------------------


def sign_in(visitor: Callable[..., Visitor]) -> Visitor:
    scenes.open_club()
    organiser = visitor(PHONE)
    organiser.sign_in("organiser")
    return organiser


def at() -> str:
    """Return the address of the only tournament."""
    return f"/t/{Tournament.objects.get().slug}"


def pairs(count: int) -> list[str]:
    return [f"Ana {surnames(n)}, Luis {surnames(n)}" for n in range(count)]


def choose_a_proposal(
    organiser: Visitor, entrants: int, *, name: str, who: str = "sides", aim: str = ""
) -> None:
    """Say in the wizard who comes and what matters, and take the proposal of a name."""
    page = organiser.page
    organiser.go(PROPOSE)
    page.locator(f"[name=who][value={who}]").check()
    page.get_by_label("¿Cuántos esperas?").fill(str(entrants))
    organiser.press("Proponer")
    if aim:
        page.locator("summary", has_text="Cambiar").click()
        page.locator(f"[name=aim][value={aim}]").check()
        organiser.press("Proponer")
    panel = page.locator("details.proposal", has_text=name).first
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    with page.expect_navigation():
        panel.get_by_role("link").click()
    organiser.look()


def choose_movement(organiser: Visitor, movement: str, *, rounds: int, entrants: int) -> None:
    """Choose the duplicate, its movement and scoring in the form, and see what it comes to."""
    page = organiser.page
    organiser.go(NEW)
    organiser.follow("Duplicado")
    page.get_by_text("Partida y rondas").click()
    page.locator("[name=movement]").select_option(movement)
    page.locator("[name=counted_by]").select_option("matchpoints")
    page.locator("[name=rounds]").fill(str(rounds))
    page.locator("[name=expected]").fill(str(entrants))
    page.get_by_label("Nombre", exact=True).fill("Duplicada")
    organiser.press("Vista previa")
    expect(page.get_by_text(message("es", "movement.two_lines"))).to_be_visible()


def create(organiser: Visitor, name: str, **numbers: int) -> None:
    page = organiser.page
    page.get_by_label("Nombre", exact=True).fill(name)
    for field, number in numbers.items():
        page.get_by_text("Partida y rondas").click()
        page.locator(f"[name={field}]").fill(str(number))
    organiser.press("Crear el torneo")


def enter(organiser: Visitor, lines: list[str]) -> Tournament:
    organiser.page.locator("[name=list_text]").fill("\n".join(lines))
    organiser.press("Inscribirlos a todos")
    tournament = Tournament.objects.get()
    assert tournament.entries.count() == len(lines)
    return tournament


def draw(organiser: Visitor) -> None:
    organiser.go(f"{at()}/draw/")
    organiser.press("Sortear")


def publish(organiser: Visitor, tournament: Tournament, number: int) -> None:
    organiser.go(f"/t/{tournament.slug}/rounds/{number}/publish/")
    organiser.press("Publicar la ronda")


def play(tournament: Tournament, numbers: Iterable[int]) -> None:
    for number in numbers:
        play_deals(tournament, number)
    cache.clear()


def leave(organiser: Visitor, number: int) -> None:
    organiser.go(f"{at()}/entries/{number}/")
    organiser.page.locator("summary", has_text="Retirada").click()
    organiser.press("Retirar")
    expect(organiser.page.get_by_text("Planificar de nuevo las rondas 3 a 6")).to_be_visible()


def come_late(organiser: Visitor, name: str) -> None:
    organiser.go(f"{at()}/entries/")
    organiser.page.locator("#late > summary").click()
    organiser.page.get_by_label("Jugador", exact=True).fill(name)
    organiser.press("Inscribir ahora")


def put_in(organiser: Visitor, number: int, name: str) -> None:
    organiser.go(f"{at()}/entries/{number}/")
    page = organiser.page
    page.locator("summary", has_text="Poner un suplente").click()
    page.locator("[name=comes]").fill(name)
    organiser.press("Poner")


# --- Papers and figures ---------------------------------------------------------------------------


def paper(organiser: Visitor, name: str, query: str = "") -> list[str]:
    """Fetch a paper, and return the text of each of its pages."""
    answer = organiser.page.request.get(f"{organiser.address}{at()}/print/{name}.pdf{query}")
    assert answer.status == 200
    pages = words_of(answer.body())
    assert pages
    return pages


def until_round(guide: str, number: int) -> str:
    """Return the text of a guide card before the line of a round."""
    return guide.split(f"\n{number}\n", maxsplit=1)[0]


def guide_of(organiser: Visitor, number: int) -> str:
    (page,) = paper(organiser, "guides", f"?entries={number}")
    return page


def personal_sheet(organiser: Visitor, tournament: Tournament, number: int) -> None:
    """Look at the sheet of an entry on its page and as a paper; it may have had a bye."""
    own = entry(tournament, number)
    matches = Match.objects.with_names().filter(round__stage__tournament=tournament, bye="")
    deals = sum(len(match.boards) for match in matches if own in (match.home, match.away))
    organiser.go(f"{at()}/boards/{number}/")
    expect(organiser.page.locator("main tbody tr")).to_have_count(deals)
    (sheet,) = paper(organiser, "personal", f"?entry={number}")
    assert own.shown_name in sheet


def percentages(organiser: Visitor) -> dict[str, float]:
    """Read the percentages from the page of the standings, by name."""
    organiser.go(f"{at()}/")
    rows = organiser.page.evaluate(PERCENTAGES)
    return {name: float(percent.replace(",", ".")) for name, percent in rows}


def expected(tournament: Tournament) -> dict[str, float]:
    """Return the percentages of a count of the results, by name."""
    return {
        entry(tournament, number).shown_name: float(100 * got / possible)
        for number, (got, possible) in counted(tournament).items()
    }
