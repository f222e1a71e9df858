"""A spectator at a phone goes from the front page to a hand, and through it card by card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, Visitor
from tests.quick import long
from tests.support import scenes
from tournaments.director.services.rounds import resume_clock, start_clock, stop_clock
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.scores import Score
from tournaments.results.services.reports import report_result

if TYPE_CHECKING:
    from collections.abc import Callable

SOON = 30_000
"""Milliseconds within which a page that follows has certainly looked again."""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scheme", ["light", *long(["dark"])])
def test_a_spectator_reaches_a_hand_by_links_and_steps_through_it(
    visitor: Callable[..., Visitor], scheme: str
) -> None:
    scene = scenes.running()
    match = scene.matches()[0]
    spectator = visitor(scheme=scheme)
    page = spectator.page
    spectator.go("/")
    spectator.follow("Liguilla de otoño")
    spectator.follow("Tabla cruzada")
    spectator.follow("Rondas")
    spectator.follow("Ronda 1")
    spectator.go(f"/matches/{match.pk}/")
    spectator.follow("Mano 1")
    step_by_buttons(page)
    step_by_keys(page)
    spectator.look()
    spectator.follow("Mano 2")
    expect(page).to_have_url(spectator.address + f"/matches/{match.pk}/hands/2/")


def step_by_buttons(page: Page) -> None:
    says = page.locator("[data-says]")
    opening = says.inner_text()
    page.get_by_role("button", name="Un paso adelante").click()
    expect(says).not_to_have_text(opening)
    page.get_by_role("button", name="Un paso atrás").click()
    expect(says).to_have_text(opening)


def step_by_keys(page: Page) -> None:
    says = page.locator("[data-says]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-slider]")).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-slider]")).to_have_value("1")
    page.keyboard.press("End")
    expect(says).to_contain_text("Fin de la mano")


def test_a_link_with_a_step_opens_the_hand_at_that_step(visitor: Callable[..., Visitor]) -> None:
    scene = scenes.running()
    spectator = visitor(DESK)
    spectator.go(f"/matches/{scene.matches()[0].pk}/hands/1/#t=7")
    expect(spectator.page.locator("[data-slider]")).to_have_value("7")


def test_the_language_is_switched_on_the_page_one_is_reading(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.running()
    spectator = visitor()
    path = f"/t/{scene.tournament.slug}/"
    spectator.go(path)
    expect(spectator.page.locator("html")).to_have_attribute("lang", "es")
    spectator.follow("English")
    expect(spectator.page).to_have_url(spectator.address + path)
    expect(spectator.page.locator("html")).to_have_attribute("lang", "en")
    expect(spectator.page.get_by_role("link", name="Standings")).to_be_visible()


def test_a_wrong_address_leads_back_to_the_front_page(visitor: Callable[..., Visitor]) -> None:
    spectator = visitor()
    spectator.go("/t/no-existe/")
    spectator.follow("Ir a la portada")


def test_one_who_goes_by_the_keyboard_stays_where_they_are_while_the_standings_change(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    first = scene.matches()[0]
    spectator = visitor(DESK)
    page = spectator.page
    spectator.go(f"/t/{scene.tournament.slug}/")
    name, points = first.home.name, page.locator("tr").filter(has_text=first.home.name)
    link = points.get_by_role("link", name=name, exact=True)
    link.focus()
    report_result(scene.organiser, first, score=Score(3, 1, 0, 0))
    expect(points.locator(".total")).to_have_text("2", timeout=SOON)
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_page_that_is_open_follows_the_clock_of_its_round(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.drawn()
    round_ = publish_round(scene.organiser, scene.rounds[0])
    spectator = visitor(DESK)
    page = spectator.page
    page.clock.install()
    spectator.go(f"/t/{scene.tournament.slug}/rounds/1/")
    left = page.locator("[data-ends]")
    expect(left).to_have_count(0)
    start_clock(scene.organiser, round_, 40)
    expect(left).to_have_text(re.compile(r"^\d\d:\d\d$"), timeout=SOON)
    stop_clock(scene.organiser, round_)
    expect(page.get_by_text("El reloj está parado")).to_be_visible(timeout=SOON)
    resume_clock(scene.organiser, round_)
    expect(left).to_be_visible(timeout=SOON)
    page.clock.fast_forward("41:00")
    expect(page.get_by_text("Se acabó el tiempo.")).to_be_visible()
    expect(left).to_be_hidden()
    spectator.look()
