"""An organiser draws a Swiss round by round, arranges a draft by hand and takes things back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.clubs import SYSTEM, a_swiss, play_out, the_round
from tests.e2e.conftest import Visitor, screens
from tests.support import scenes
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Match, Membership, Round, Tournament
from tournaments.people.services.clubs import add_member

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def shot(organiser: Visitor, name: str) -> None:
    """Keep a picture where `BAZA_TEST_SHOTS` names a folder."""
    if folder := os.environ.get("BAZA_TEST_SHOTS"):
        organiser.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@screens("desk", "phone")
def test_an_organiser_arranges_a_round_and_takes_it_back(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = a_swiss(7)
    add_member(SYSTEM, tournament.club, scenes.user_named("organiser"), Membership.Role.ORGANISER)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    organiser = visitor(screen)
    organiser.sign_in("organiser")
    draw_the_second(organiser, tournament)
    bring_two_together_again(organiser, tournament)
    take_a_table_apart(organiser)
    publish_and_take_it_back(organiser, tournament)


def draw_the_second(organiser: Visitor, tournament: Tournament) -> None:
    organiser.go(f"/t/{tournament.slug}/rounds/")
    shot(organiser, "rounds")
    organiser.press("Sortear la ronda 2")
    expect(organiser.page.get_by_role("heading", name="Cambiar a mano la ronda 2")).to_be_visible()
    organiser.page.locator("summary").first.click()
    shot(organiser, "draft")


def bring_two_together_again(organiser: Visitor, tournament: Tournament) -> None:
    """Swap so that two who have met would meet again: the page warns, and then does it."""
    matches = Match.objects.filter(round__number=1, away__isnull=False).order_by("table")[0]
    second_matches = Match.objects.filter(round__number=2, away__isnull=False)
    at = second_matches.filter(home=matches.home).first() or second_matches.get(away=matches.home)
    facing = at.away if at.home == matches.home else at.home
    assert facing is not None
    assert matches.away is not None
    organiser.page.get_by_text("Cambiar de sitio", exact=True).click()
    organiser.page.locator("#swap-one").select_option(str(facing.number))
    organiser.page.locator("#swap-other").select_option(str(matches.away.number))
    organiser.press("Intercambiar")
    expect(organiser.page.get_by_role("heading", name="Lo que incumple esta ronda")).to_be_visible()
    shot(organiser, "draft-warned")
    organiser.page.get_by_role("button", name="Sortear de nuevo").click()
    expect(organiser.page.get_by_text("Lo que incumple esta ronda")).to_have_count(0)
    assert tournament.restore_points.filter(verb="draft.swapped").exists()


def take_a_table_apart(organiser: Visitor) -> None:
    organiser.page.locator("#table-1 summary").click()
    with organiser.page.expect_response("**/draft/"):
        organiser.page.locator("#table-1").get_by_role("button", name="Deshacer la mesa").click()
    expect(organiser.page.get_by_role("heading", name="Sin mesa")).to_be_visible()
    expect(organiser.page.get_by_role("button", name="Publicar")).to_have_count(0)
    shot(organiser, "draft-apart")
    organiser.press("Sentarlos juntos")
    expect(organiser.page.get_by_text("imposible")).to_have_count(0)


def publish_and_take_it_back(organiser: Visitor, tournament: Tournament) -> None:
    organiser.press("Publicar la ronda")
    assert the_round(tournament, 2).state == Round.State.PUBLISHED
    organiser.go(f"/t/{tournament.slug}/restore-points/")
    shot(organiser, "undo")
    with organiser.page.expect_navigation():
        organiser.page.get_by_role(
            "link", name="Volver al momento anterior a: la publicación de la ronda 2"
        ).click()
    organiser.look()
    expect(organiser.page.get_by_text("Estas rondas vuelven a ser borradores: 2.")).to_be_visible()
    shot(organiser, "undo-one")
    organiser.press("Volver")
    assert the_round(tournament, 2).state == Round.State.DRAFT
