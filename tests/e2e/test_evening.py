"""An evening of sixty at the organiser's laptop, with every press counted.

A press is a click on a link, a button, a row or a box, and the first click into a form: from there
Tab leads on. What is typed does not count. The bounds are the presses that each took before.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect

from tests.e2e.conftest import DESK, Visitor
from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament
from tournaments.domain.scores import Score
from tournaments.models import Entry, Match, Result, Round
from tournaments.results.services.matches import dispute_result
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PAIRS: Final = 30
TYPED: Final = 13
KEYS: Final = "\n31\n"
"""A result of the table that is offered: Enter, both sides' hands, Enter."""
FIRST: Final = (
    "Ana",
    "Begoña",
    "Carlos",
    "Dolores",
    "Eduardo",
    "Fátima",
    "Inés",
    "Jaime",
    "Teresa",
    "Zoe",
)
SECOND: Final = ["Abadía", "Bermúdez", "Castellanos", "Gallego", "Lahoz", "Vela"]


class Organiser:
    """The organiser's hands on the pages of one tournament."""

    def __init__(self, who: Visitor, slug: str) -> None:
        self.who, self.page, self.slug = who, who.page, slug
        self.presses = 0

    def count(self) -> int:
        """Return the presses since the last count."""
        presses, self.presses = self.presses, 0
        return presses

    def touch(self, place: Locator) -> None:
        """Press what leads to no other page."""
        place.click()
        self.presses += 1

    def press(self, name: str, *, role: str = "button", within: str = "main") -> None:
        """Press what leads to another page."""
        place = self.page.locator(within).get_by_role(role, name=name)  # type: ignore[arg-type]
        with self.page.expect_navigation():
            place.first.click()
        self.presses += 1
        self.who.look()

    def write(self, name: str, text: str, *then: str) -> None:
        """Press a field, write into it, and by Tab into those after it."""
        self.touch(self.page.locator(f"main [name={name}]:visible").first)
        for number, words in enumerate((text, *then)):
            if number:
                self.page.keyboard.press("Tab")
            self.page.keyboard.press("ControlOrMeta+a")
            self.page.keyboard.insert_text(words)

    def open_table(self, table: int) -> None:
        self.touch(self.page.locator(f"#table-{table}"))
        expect(self.page.get_by_role("heading", name=f"Mesa {table}")).to_be_visible()


def test_an_evening_of_sixty_takes_no_more_presses_than_before(
    visitor: Callable[..., Visitor],
) -> None:
    club, users = scenes.open_club()
    boss = Actor.for_user(users["organiser"])
    rules = {"format": "swiss", "rules": {"rounds": 4}}
    settings = NewTournament(GameSettings(options={"to": 3}), stages=[rules])
    tournament = create_tournament(boss, club, "Suizo de otoño", settings)
    who = visitor(DESK)
    who.sign_in("organiser")
    organiser = Organiser(who, tournament.slug)
    presses = {
        "names": names(organiser),
        "draw": draw(organiser),
        "correction": type_results_and_correct_one(organiser),
        "no-show": no_show(organiser, 14),
        "dispute": dispute(organiser, boss, 15),
        "latecomer": latecomer(organiser),
    }
    print(presses)
    assert presses["names"] <= 3
    assert presses["draw"] <= 2
    assert presses["correction"] <= 5
    assert presses["no-show"] <= 4
    assert presses["dispute"] <= 6
    assert presses["latecomer"] <= 4


def names(organiser: Organiser) -> int:
    """Paste thirty pairs, from the page of the tournament."""
    people = [f"{first} {second}" for second in SECOND for first in FIRST]
    organiser.who.go(f"/t/{organiser.slug}/")
    organiser.press("Inscritos", role="link")
    lines = [f"{one}, {other}" for one, other in zip(people[::2], people[1::2], strict=True)]
    organiser.write("list_text", "\n".join(lines))
    organiser.press("Inscribirlos a todos")
    assert Entry.objects.count() == PAIRS
    return organiser.count()


def draw(organiser: Organiser) -> int:
    organiser.press("Sortear las rondas", role="link")
    organiser.press("Sortear y publicar la ronda 1")
    return organiser.count()


def type_results_and_correct_one(organiser: Organiser) -> int:
    """Type thirteen results by the keyboard alone, and correct one of them."""
    page = organiser.page
    organiser.who.go(f"/t/{organiser.slug}/control/")
    expect(page.locator("[name=table]")).to_be_focused()
    expect(page.locator("[data-find]")).to_be_visible()  # its script runs
    began = time.monotonic()
    for _ in range(TYPED):
        page.keyboard.type(KEYS, delay=20)
    expect(page.get_by_text(f"{PAIRS // 2 - TYPED} resultados", exact=False)).to_be_visible()
    expect(page.locator(".desk__sent--pending")).to_have_count(0)
    print(f"{TYPED} results in {time.monotonic() - began:.1f} s")
    assert Result.objects.counting().count() == TYPED
    organiser.open_table(2)
    organiser.press("Corregir el resultado", role="link", within="#table-panel")
    organiser.write("home_hands", "2", "3")
    page.locator("[name=reason]").fill("Se apuntó al revés.")
    organiser.press("Ver el efecto")
    organiser.press("Corregir el resultado")
    score = Result.objects.counting().get(match__table=2)
    assert (score.home_hands, score.away_hands) == (2, 3)
    return organiser.count()


def no_show(organiser: Organiser, table: int) -> int:
    waited = timezone.now() - timedelta(hours=1)
    Round.objects.update(published_at=waited)
    organiser.open_table(table)
    organiser.press("Alguien no jugó", role="link", within="#table-panel")
    organiser.touch(organiser.page.locator("main [type=checkbox]").first)
    organiser.press("Dar la partida por perdida")
    assert Match.objects.get(table=table).state == Match.State.ACCEPTED
    return organiser.count()


def dispute(organiser: Organiser, boss: Actor, table: int) -> int:
    """Rule on what a pair objects to by a third result, the longest of the ways."""
    match = Match.objects.with_names().get(table=table)
    report_result(boss, match, score=Score(3, 1, 0, 0))
    dispute_result(boss, match, "Fue 3–2 para los otros.")
    organiser.who.go(f"/t/{organiser.slug}/control/")
    organiser.press("Resolver", role="link")
    organiser.touch(organiser.page.locator("[name=ruling][value=amend]"))
    organiser.write("home_hands", "2", "3")
    organiser.page.locator("[name=reason]").fill("Así lo cuentan los cuatro.")
    organiser.press("Resolver")
    organiser.press("Sí, resolver así")
    assert Result.objects.counting().get(match__table=table).away_hands == 3
    return organiser.count()


def latecomer(organiser: Organiser) -> int:
    page = organiser.page
    organiser.who.go(f"/t/{organiser.slug}/control/")
    organiser.touch(page.locator("#late > summary"))
    organiser.write("first", "Alba Cano", "Berta Ríos")
    organiser.press("Ya están aquí")
    assert Entry.objects.count() == PAIRS + 1
    return organiser.count()
