"""A player at a phone submits the record of their own match, reads it, and disputes the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support import scenes
from tournaments.director.services import tournaments
from tournaments.results.services.reports import confirm_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.conftest import Visitor
    from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_player_hands_in_their_record_reads_the_hand_and_disputes_the_result(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.drawn()
    tournaments.publish_round(scene.organiser, scene.rounds[0])
    match = next(m for m in scene.matches() if "Pilar Martínez" in m.home.seat_names + away(m))
    good = scenes.record_between(match, scenes.records_of("records"))
    player = visitor()
    page = player.page
    player.sign_in("player")
    player.go("/")
    player.follow("Liguilla de otoño")
    player.follow("Rondas")
    player.follow("Ronda 1")
    with page.expect_navigation():
        page.locator(".match a").nth(match.table - 1).click()
    player.look()
    expect(page.get_by_role("link", name="Corregir el resultado")).to_have_count(0)
    player.follow("Comunicar el resultado")
    player.follow("Acta")
    wrong = scenes.spoiled(good)
    page.locator("[name=text]").fill(wrong.text)
    player.press("Comprobar y entregar")
    expect(page.locator(f".playing-card--bad[data-card='{wrong.card}']").first).to_be_visible()
    page.locator("[name=text]").fill(good)
    player.press("Comprobar y entregar")
    expect(page.get_by_text("Pendiente de que confirme")).to_be_visible()
    player.follow("Mano 1")
    page.get_by_role("button", name="Un paso adelante").click()
    confirm_result(scene.organiser, match)
    player.follow(f"Mesa {match.table}")
    player.follow("Reclamar el resultado")
    page.locator("[name=reason]").fill("Las diez de últimas de la mano 2 eran nuestras.")
    player.press("Reclamar el resultado")
    expect(page.get_by_text("La reclamación está abierta.")).to_be_visible()
    expect(page.get_by_text("Las diez de últimas de la mano 2 eran nuestras.")).to_be_visible()
    expect(page.get_by_role("link", name="Resolver la reclamación")).to_have_count(0)


def away(match: Match) -> tuple[str, ...]:
    return match.away.seat_names if match.away else ()
