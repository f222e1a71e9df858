"""An organiser makes a ladder of bots, says when it plays, and begins a round at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, Visitor
from tests.support import scenes
from tournaments.models import Bot, Schedule, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_ladder_of_bots_is_made_scheduled_and_begun(visitor: Callable[..., Visitor]) -> None:
    club, _ = scenes.open_club()
    someone = visitor()
    page = someone.page
    someone.sign_in("organiser")
    someone.go(f"/clubs/{club.slug}/tournaments/new/?plan=escalera")
    page.get_by_label("Nombre").fill("Escalera de noche")
    page.get_by_text("Solo bots: series de repartos").click()
    page.get_by_label("Series de repartos por partida").fill("2")
    someone.look()
    someone.press("Crear el torneo")
    tournament = Tournament.objects.get()
    assert tournament.deal_sets == 2
    element = page.locator("input[name^=bot_]")
    expect(element).to_have_count(Bot.objects.count())
    page.locator("#bots > summary").click()
    for bot in element.all():
        bot.fill("2")
    someone.press("Inscribir los bots")
    someone.follow("Horario")
    page.get_by_label("A las").fill("21:30")
    page.get_by_label("domingo").focus()
    page.keyboard.press("Space")
    someone.press("Poner el horario")
    schedule = Schedule.objects.get()
    assert (schedule.at.isoformat("minutes"), schedule.days) == ("21:30", [0, 1, 2, 3, 4, 5])
    expect(page.get_by_role("listitem").filter(has_text=", 21:30")).to_have_count(3)
    someone.press("Empezar ahora la ronda siguiente")
    expect(page.get_by_text("Ha empezado la ronda 1.")).to_be_visible()
    someone.go(f"/t/{tournament.slug}/schedule/")
    expect(page.get_by_text("empezó la ronda 1")).to_be_visible()
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    someone.look()
    someone.go(f"/t/{tournament.slug}/")
    expect(page.get_by_text("Próxima ronda:")).to_be_visible()
