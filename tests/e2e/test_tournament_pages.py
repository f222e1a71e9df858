"""The pages of a tournament in a browser: the field that finds, the bracket, what moves a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.clubs import SYSTEM, the_match, the_round
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support.day import a_day, entry, next_round, play_round
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.models import Player
from tournaments.results.services.matches import correct_result

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
    }).observe({ type: "layout-shift" });
}"""


def test_the_field_filters_the_page_and_enter_asks_the_tournament_which_marks_who_asked(
    visitor: Callable[..., Visitor],
) -> None:
    tournament = a_day()
    pair = entry(tournament, 2).pair
    assert pair is not None
    Player.objects.filter(pk=pair.first_id).update(name="Íñigo Peña")
    publish_round(SYSTEM, the_round(tournament, 1))
    reader = visitor(PHONE)
    page = reader.page
    reader.go(f"/t/{tournament.slug}/rounds/")
    field = page.get_by_role("searchbox", name="Nombre de un jugador o una pareja")
    field.fill("inigo pena")
    expect(page.locator(".table-line:visible")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="Aquí: 1 de 3")).to_be_visible()
    reader.look()
    field.fill("nadie")
    expect(page.locator(".table-line:visible")).to_have_count(0)
    expect(page.get_by_text("No está en esta página")).to_be_visible()
    field.fill("")
    expect(page.locator(".table-line:visible")).to_have_count(3)
    field.fill("iñigo")
    with page.expect_navigation():
        field.press("Enter")
    expect(page.get_by_role("heading", name="¿Dónde está «iñigo»?")).to_be_visible()
    expect(page.locator(".found__table")).to_have_count(1)
    reader.look()
    reader.go(f"/t/{tournament.slug}/")  # the device remembers who was looked for
    expect(page.locator("thead [data-own]")).to_contain_text("Íñigo Peña")


def test_the_way_of_a_side_through_a_bracket_is_lit(visitor: Callable[..., Visitor]) -> None:
    tournament = a_day(4, format="knockout")
    play_round(tournament, 1)
    next_round(tournament, 1)
    publish_round(SYSTEM, the_round(tournament, 2))
    winner = the_match(tournament, 2, 1).home
    reader = visitor(DESK)
    page = reader.page
    reader.go(f"/t/{tournament.slug}/crosstable/")
    names = page.get_by_role("button", name=winner.shown_name)
    expect(names).to_have_count(2)
    names.first.hover()
    expect(page.locator(".bracket li.is-lit")).to_have_count(2)
    expect(page.locator(".bracket path.is-lit")).to_have_count(1)
    page.mouse.move(0, 0)
    expect(page.locator(".is-lit")).to_have_count(0)
    names.first.focus()
    expect(page.locator(".bracket li.is-lit")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(names.first).to_have_attribute("aria-pressed", "true")
    reader.look()


def test_a_phone_shows_one_round_of_a_bracket_at_a_time(visitor: Callable[..., Visitor]) -> None:
    tournament = a_day(4, format="knockout")
    play_round(tournament, 1)
    next_round(tournament, 1)
    publish_round(SYSTEM, the_round(tournament, 2))
    reader = visitor(PHONE)
    page = reader.page
    reader.go(f"/t/{tournament.slug}/crosstable/")
    matches = page.locator(".bracket__match:visible")
    expect(matches).to_have_count(1)  # the final, which is at play
    page.get_by_text("Semifinales").click()
    expect(matches).to_have_count(2)
    score = Score(3, 1, 300, 200)
    correct_result(SYSTEM, the_match(tournament, 2, 1), score, reason="seen")
    expect(page.locator(".bracket__champion")).not_to_have_text("por jugar")
    expect(matches).to_have_count(2)  # the choice stays when the page follows
    reader.look()


def test_a_result_moves_nothing_on_the_pages_that_follow(visitor: Callable[..., Visitor]) -> None:
    tournament = a_day(6)
    play_round(tournament, 1)
    next_round(tournament, 1)
    publish_round(SYSTEM, the_round(tournament, 2))
    score = Score(3, 1, 300, 200)
    correct_result(SYSTEM, the_match(tournament, 2, 1), score, reason="seen")
    for number, path in enumerate(("", "rounds/", "rounds/2/"), 2):
        reader = visitor(DESK)
        page = reader.page
        reader.go(f"/t/{tournament.slug}/{path}")
        page.wait_for_load_state("networkidle")
        page.evaluate(SHIFTS)
        if number == 2:
            correct_result(SYSTEM, the_match(tournament, 2, 2), score, reason="seen")
            expect(page.locator("#live")).to_contain_text("5 de 6 partidas jugadas")
        else:
            other = Score(3, number - 3, 300, 200)
            correct_result(SYSTEM, the_match(tournament, 2, 3), other, reason="seen")
            expect(page.locator("#table-2-3")).to_contain_text(f"3–{number - 3}")
        page.wait_for_timeout(300)
        shifted = page.evaluate("window.shifted")
        print(f"/{path}: shifted {shifted}")
        assert shifted < 0.01
