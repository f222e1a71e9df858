"""A round's results by the keyboard alone: how many keys each takes, and where the focus is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, Visitor
from tests.support import scenes
from tournaments.director.services import tournaments
from tournaments.domain.scores import Score
from tournaments.models import Result
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUS = "document.activeElement.name || document.activeElement.tagName"
IN_ORDER, IN_ANY_ORDER = 4, 5
"""Keys a result: Enter 3 1 Enter; with the number of its table one more."""


class Keyboard:
    """Fingers that count, and notice when the focus is lost."""

    def __init__(self, page: Page) -> None:
        self.page, self.struck = page, 0

    def strike(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.struck += 1
            assert self.page.evaluate(FOCUS) != "BODY", key

    def count(self) -> int:
        struck, self.struck = self.struck, 0
        return struck


def test_a_round_is_entered_by_the_keyboard_alone(visitor: Callable[..., Visitor]) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    user = visitor(DESK)
    page, keys = user.page, Keyboard(user.page)
    element, table = page.locator("#line-errors"), page.locator("[name=table]")
    user.sign_in("arbiter")
    user.go(f"/t/{scene.tournament.slug}/desk/")
    expect(table).to_be_focused()

    # A slip: Escape begins again; the keys are shown
    keys.strike("9", "Enter", "7", "Escape")
    expect(table).to_be_focused()
    expect(table).to_have_value("")
    keys.strike("?")
    expect(page.get_by_text("vacía la línea")).to_be_visible()
    user.look()
    keys.strike("?")
    expect(page.get_by_text("vacía la línea")).to_be_hidden()
    keys.count()

    # By its number, with a space after it or Enter
    first, second = scene.matches()
    keys.strike("2", " ")
    expect(page.locator("[data-who]")).to_contain_text(second.home.name)
    keys.strike("3", "1", "Enter")
    expect(element).to_contain_text("Mesa 2: 3–1 vale.")
    expect(table).to_be_focused()
    assert keys.count() == IN_ANY_ORDER

    # The next that waits, without its number
    keys.strike("Enter")
    expect(page.locator("[data-who]")).to_contain_text(first.home.name)
    keys.strike("0", "3", "Enter")
    expect(element).to_contain_text("Mesa 1: 0–3 vale.")
    expect(table).to_be_focused()
    assert keys.count() == IN_ORDER
    expect(page.get_by_text("La ronda 1 está completa.")).to_be_visible()
    assert page.evaluate(FOCUS) == "table"
    assert Result.objects.counting().count() == 2

    # Hands that cannot be wait in the list, the line is free
    keys.strike("1", "Enter", "9", "Enter")
    expect(page.locator(".desk__sent--refused")).to_contain_text("Escribe las manos")
    expect(table).to_be_focused()
    user.look()

    # Another score for a finished table: its correction opens with that score, and the line is gone
    page.get_by_role("button", name="Descartarlo").click()
    table.focus()
    keys.strike("2", " ", *"13 210-360", "Enter")
    refused = page.locator(".desk__sent--refused")
    expect(refused).to_contain_text("2 · 1-3 210-360")
    user.look()
    refused.get_by_role("link", name="Corregir").click()
    expect(page.get_by_role("heading", name="Corregir el resultado")).to_be_visible()
    expect(page.locator("[name=home_hands]")).to_have_value("1")
    expect(page.locator("[name=away_points]")).to_have_value("360")
    user.look()
    page.get_by_role("link", name="Cancelar").click()
    expect(table).to_be_focused()
    expect(refused).to_have_count(0)


def test_the_focus_stays_on_a_table_while_the_board_looks_again(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    user = visitor(DESK)
    page = user.page
    user.sign_in("arbiter")
    user.go(f"/t/{scene.tournament.slug}/desk/")
    page.locator("#table-2").focus()
    report_result(scene.organiser, scene.matches()[0], score=Score(3, 1, 0, 0))
    expect(page.get_by_text("Falta 1 resultado:")).to_be_visible()
    expect(page.locator("#table-2")).to_be_focused()

    # A link without a name of its own
    tab = page.get_by_role("link", name="Acabada")
    tab.focus()
    report_result(scene.organiser, scene.matches()[1], score=Score(3, 1, 0, 0))
    expect(page.get_by_text("La ronda 1 está completa.")).to_be_visible()
    expect(tab).to_be_focused()
