"""A reader finds beside the cards which were mistakes, by keyboard and at a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support import scenes
from tournaments.models import HandAnalysis

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> scenes.Scene:
    """A tournament with one match played, its analysis waiting."""
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    return scenes.running()


def with_a_mark(scene: scenes.Scene) -> tuple[str, engine.CardAnalysis]:
    """Find a hand of the match with a marked card."""
    pk = scene.matches()[0].pk
    rows = HandAnalysis.objects.filter(hands__hand__record__match=pk)
    for number, row in rows.order_by("hands__hand__number").values_list(
        "hands__hand__number", "answer"
    ):
        for play in engine.HandAnalysis.from_dict(row).plays:
            if play.mark and play.judgement:  # the page shows the judgement
                return f"/matches/{pk}/hands/{number}/", play
    raise AssertionError("no card of the first match is marked")


@pytest.mark.parametrize(("screen", "scheme"), [(PHONE, "dark"), (DESK, "light")], ids=str)
def test_a_mark_beside_a_card_leads_to_the_step_and_says_what_was_better(
    visitor: Callable[..., Visitor], scene: scenes.Scene, screen: dict[str, int], scheme: str
) -> None:
    analyse_all()
    path, play = with_a_mark(scene)
    reader = visitor(screen, scheme=scheme)
    reader.go(path)
    page = reader.page
    mark = page.locator(f".mark[href='#t={play.token + 1}']")
    mark.focus()
    expect(mark.locator(".mark__words")).to_contain_text("la mejor")
    reader.look()
    page.keyboard.press("Enter")
    expect(page.locator("[data-slider]")).to_have_value(str(play.token + 1))
    expect(page.locator("[data-says]")).to_contain_text("la mejor")
    expect(page.locator(".trick__place .mark__sign")).not_to_have_count(0)
    page.get_by_text("Cada decisión y lo que costó").first.click()
    page.get_by_text("Una forma de jugarla lo mejor posible").click()
    page.get_by_text("¿Qué significa esto?").click()
    reader.look()


def test_the_analysis_comes_while_the_page_is_open_and_its_marks_with_it(
    visitor: Callable[..., Visitor], scene: scenes.Scene
) -> None:
    pk = scene.matches()[0].pk
    reader = visitor()
    reader.go(f"/matches/{pk}/hands/1/")
    page = reader.page
    expect(page.get_by_role("status")).to_contain_text("se está analizando")
    step_to_the_end(page)
    analyse_all()
    expect(page.get_by_role("heading", name="Lo que costaron las cartas")).to_be_visible()
    expect(page.get_by_text("se está analizando")).to_have_count(0)
    marks = page.locator("#tricks .mark")
    expect(marks).to_have_count(page.locator(".marks > li").count())
    expect(page.locator("[data-trick][aria-current=step]")).to_have_count(1)
    reader.look()


def step_to_the_end(page: Page) -> None:
    page.keyboard.press("End")
    expect(page.locator("[data-says]")).to_contain_text("Fin de la mano")


def test_a_reader_goes_from_the_standings_to_the_table_without_luck(
    visitor: Callable[..., Visitor], scene: scenes.Scene
) -> None:
    analyse_all()
    reader = visitor()
    reader.go(f"/t/{scene.tournament.slug}/")
    reader.follow("Sin la suerte de las cartas")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Sin la suerte de las cartas")
    match = scene.matches()[0]
    reader.go(f"/matches/{match.pk}/")
    reader.page.get_by_text("Suerte y niveles").click()
    expect(reader.page.get_by_role("heading", name="Sin la suerte de las cartas")).to_be_visible()
    assert match.home.pair is not None
    reader.go(f"/players/{match.home.pair.first.pk}/rating/")
    expect(reader.page.get_by_role("heading", name="Lo que costaron las cartas")).to_be_visible()


def test_an_arbiter_finds_the_queue_on_the_clubs_page(
    visitor: Callable[..., Visitor], scene: scenes.Scene
) -> None:
    analyse_all()
    arbiter = visitor()
    arbiter.sign_in("arbiter")
    arbiter.go(f"/clubs/{scene.club.slug}/")
    arbiter.follow("Partidas que revisar")
    expect(arbiter.page.get_by_role("heading", name="Nada que revisar")).to_be_visible()
