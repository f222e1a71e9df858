"""An organiser chooses how the draw is made, draws, draws again and shows it to the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.clubs import SYSTEM
from tests.director.test_seeding import entered, stage_of
from tests.e2e.conftest import Visitor, screens
from tests.e2e.test_director import shot
from tests.support import scenes
from tournaments.models import Membership
from tournaments.people.services.clubs import add_member

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@screens("phone", "desk")
def test_a_draw_is_chosen_made_repeated_and_shown_in_the_hall(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = entered(7)
    add_member(SYSTEM, tournament.club, scenes.user_named("organiser"), Membership.Role.ORGANISER)
    organiser, name = visitor(screen), f"draw-{screen['width']}"
    organiser.sign_in("organiser")
    organiser.go(f"/t/{tournament.slug}/draws/")
    shot(organiser, f"{name}-before")
    organiser.page.locator("[name=seeding]").select_option("lot")
    organiser.press("Guardar")
    organiser.follow("Mostrar el sorteo en un proyector")
    shot(organiser, f"{name}-hall-before")
    organiser.go(f"/t/{tournament.slug}/draw/")
    shot(organiser, f"{name}-ask")
    organiser.press("Sortear")
    organiser.go(f"/t/{tournament.slug}/draws/")
    organiser.follow("Repetir el sorteo de esta fase")
    organiser.page.locator("[name=reason]").fill("Faltaba la pareja de Ruiz")
    shot(organiser, f"{name}-again")
    organiser.press("Sortear")
    shot(organiser, f"{name}-after")
    expect(organiser.page.get_by_text("Faltaba la pareja de Ruiz")).to_be_visible()
    organiser.follow("Mostrar el sorteo en un proyector")
    for _ in range(3):  # Enter alone goes on: each page puts the focus on the link to the next name
        expect(organiser.page.get_by_role("link", name="Siguiente nombre")).to_be_focused()
        with organiser.page.expect_navigation():
            organiser.page.keyboard.press("Enter")
    organiser.look()
    shot(organiser, f"{name}-hall")
    third = tournament.entries.get(number=stage_of(tournament).entrants[2])
    expect(organiser.page.locator(".screen__ball")).to_have_text(third.name)
