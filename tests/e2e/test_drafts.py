"""An organiser arranges a draft by dragging, keys and taps, warned of what a move breaks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from tests.clubs import SYSTEM, a_swiss, play_out, the_round
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.e2e.test_director import shot
from tests.support import scenes
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Match, Membership, Round, Tournament
from tournaments.people.services.clubs import add_member

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MET = "ya se enfrentaron (ronda 1)"


@pytest.fixture
def swiss(transactional_db: None) -> Tournament:
    """Eight entries, one round played, the second a draft."""
    tournament = a_swiss(8)
    add_member(SYSTEM, tournament.club, scenes.user_named("organiser"), Membership.Role.ORGANISER)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    return tournament


def opened(visitor: Callable[..., Visitor], swiss: Tournament, screen: dict[str, int]) -> Visitor:
    organiser = visitor(screen)
    organiser.sign_in("organiser")
    organiser.go(f"/t/{swiss.slug}/rounds/2/draft/")
    return organiser


def pairings(number: int = 2) -> set[frozenset[int]]:
    rows = Match.objects.filter(round__number=number).values_list("home__number", "away__number")
    return {frozenset(two) for two in rows}


def entries_that_met() -> tuple[int, int]:
    """Return an entry, and the one to move it onto so that it meets its first opponent again."""
    first, second = (
        {
            entry: other
            for two in pairings(number)
            for entry, other in (tuple(two), tuple(two)[::-1])
        }
        for number in (1, 2)
    )
    lowest_number = min(first)
    return first[lowest_number], second[lowest_number]


def seat(organiser: Visitor, number: int) -> Locator:
    return organiser.page.locator(f"#seat-{number}")


def test_a_move_is_dragged_its_breach_named_before_taken_back_and_published(
    visitor: Callable[..., Visitor], swiss: Tournament
) -> None:
    organiser, before = opened(visitor, swiss, DESK), pairings()
    page, (moved, target) = organiser.page, entries_that_met()
    line = page.locator("#draft-line")
    seat(organiser, moved).hover()
    page.mouse.down()
    seat(organiser, target).hover()
    expect(line).to_contain_text(MET)
    expect(page.locator(".draft__ghost")).to_contain_text(MET)
    expect(page.locator("#draft-said")).to_contain_text(MET)
    expect(seat(organiser, target)).to_have_class(re.compile("movable--breaks"))
    assert pairings() == before
    shot(organiser, "draft-dragged")
    page.mouse.up()
    expect(page.locator("[data-breaks]").filter(has_text=MET).first).to_be_visible()
    expect(seat(organiser, moved)).to_be_focused()
    assert len(pairings() & before) == 2
    organiser.look()
    page.get_by_role("button", name="Deshacer el último cambio").click()
    expect(page.locator("#draft-said")).to_have_text("Deshecho el último cambio.")
    expect(page.get_by_text(MET)).to_have_count(0)
    assert pairings() == before
    expect(page.locator("#undo")).to_have_count(0)
    seat(organiser, moved).drag_to(seat(organiser, target))
    expect(page.locator("[data-breaks]").filter(has_text=MET).first).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("Publicar con . aviso")).click()
    organiser.look()
    assert the_round(swiss, 2).state == Round.State.PUBLISHED


def test_moves_by_keyboard_are_announced_and_undone_one_by_one(
    visitor: Callable[..., Visitor], swiss: Tournament
) -> None:
    organiser, before = opened(visitor, swiss, DESK), pairings()
    page, element = organiser.page, organiser.page.locator("#draft-said")
    first, second, third = (
        page.locator(f"[data-table='{table}'] .movable").first for table in (1, 2, 3)
    )
    names = [movable.locator(".movable__name").inner_text() for movable in (first, second, third)]
    first.focus()
    page.keyboard.press("Space")
    expect(element).to_have_text(f"Has cogido {names[0]}.")
    page.keyboard.press("ArrowDown")
    expect(element).to_contain_text(f"{names[0]} y {names[1]} cambian de sitio.")
    page.keyboard.press("Escape")
    expect(element).to_have_text("Todo sigue como estaba.")
    assert pairings() == before
    first.focus()
    for key in ("Space", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(first.locator(".movable__name")).to_have_text(names[1])
    expect(second).to_be_focused()
    once = pairings()
    assert once != before
    for key in ("Space", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(third.locator(".movable__name")).to_have_text(names[0])
    page.keyboard.press("Control+z")
    expect(second.locator(".movable__name")).to_have_text(names[0])
    assert pairings() == once
    page.keyboard.press("Control+z")
    expect(first.locator(".movable__name")).to_have_text(names[0])
    assert pairings() == before
    organiser.look()


def test_who_has_no_table_is_seated_or_rests(
    visitor: Callable[..., Visitor], swiss: Tournament
) -> None:
    organiser, before = opened(visitor, swiss, PHONE), pairings()
    page = organiser.page
    page.locator("#table-1 summary").click()
    page.locator("#table-1").get_by_role("button", name="Deshacer la mesa").click()
    idle = page.locator("[data-idle-seats] .movable:visible")
    expect(idle).to_have_count(2)
    organiser.look()
    idle.first.click()
    expect(page.locator("#seat-rest")).to_be_visible()
    idle.nth(1).click()
    expect(page.locator("[data-idle-seats]")).to_have_count(0)
    assert pairings() == before
    page.locator("#undo").click()
    expect(idle).to_have_count(2)
    idle.first.click()
    page.locator("#seat-rest").click()
    expect(page.locator("[data-idle-seats] [data-entry]")).to_have_count(1)
    assert Match.objects.filter(round__number=2, away=None).count() == 1


def test_without_a_script_the_forms_do_it(
    visitor: Callable[..., Visitor], swiss: Tournament
) -> None:
    organiser = visitor(PHONE)
    organiser.page.route("**/*.js", lambda route: route.abort())
    organiser.complaints.clear()
    before = pairings()
    organiser.page.goto(organiser.address + "/accounts/login/")
    organiser.page.locator("[name=username]").fill("organiser")
    organiser.page.locator("[name=password]").fill(scenes.PASSWORD)
    organiser.page.locator("main form button[type=submit]").click()
    organiser.page.goto(f"{organiser.address}/t/{swiss.slug}/rounds/2/draft/")
    entry, other = entries_that_met()
    organiser.page.get_by_text("Cambiar de sitio", exact=True).click()
    organiser.page.locator("#swap-one").select_option(str(entry))
    organiser.page.locator("#swap-other").select_option(str(other))
    organiser.page.get_by_role("button", name="Intercambiar").click()
    expect(organiser.page.locator("[data-breaks]").filter(has_text=MET).first).to_be_visible()
    organiser.page.get_by_role("button", name="Deshacer el último cambio").click()
    expect(organiser.page.get_by_text(MET)).to_have_count(0)
    assert pairings() == before
