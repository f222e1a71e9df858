"""From a poster with twenty places to the draw of 24, on a phone, by the pages of the organiser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.director.test_set_plan import SURNAMES
from tests.e2e.conftest import PHONE, Counting, Visitor
from tests.signup.test_signing_up import ask
from tests.support import scenes
from tournaments.director.services.tournaments import create_tournament
from tournaments.models import CashEntry, SignUpRequest, Tournament

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_PRESSES = 11
"""Of buttons and of two links; pages are opened by their addresses."""


def test_twenty_places_become_groups_for_twenty_four_and_are_drawn(
    visitor: Callable[..., Visitor],
) -> None:
    scene = scenes.draft()
    tournament = create_tournament(scene.organiser, scene.club, "Copa")
    at = f"/t/{tournament.slug}/"
    seat = visitor(PHONE)
    organiser = Counting(seat.page, seat.address)
    page = organiser.page
    organiser.sign_in("organiser")
    set_sign_up(organiser, at, places=20, fee="10")
    organiser.go(f"{at}post/")
    organiser.press("Publicar el cartel")
    for name in SURNAMES.split():
        ask(tournament, f"Ana {name}", f"Luis {name}", contact="600 111 222")
    rows = SignUpRequest.objects.order_by("ticket")
    before = list(rows.values_list("ticket", "code", "due_cents"))
    assert len(before) == 27
    organiser.go(f"{at}money/")
    organiser.presses += 1
    with page.expect_navigation():
        page.get_by_role("button", name="Pagado").first.click()
    set_sign_up(organiser, at, places=24)
    organiser.go(f"{at}plan/?plan=grupos_final&groups=6&take_of_each=2")
    organiser.press("Poner este plan")
    formats = tournament.stages.order_by("number").values_list("format", flat=True)
    assert list(formats) == ["groups", "knockout"]
    organiser.go(f"{at}sign-ups/")
    organiser.follow("Cerrar e inscribir")
    organiser.press("Cerrar e inscribir")
    assert tournament.entries.count() == 24
    number = tournament.entries.get(request__ticket=5).number
    organiser.go(f"{at}entries/{number}/")
    page.locator("summary", has_text="Quitar de la lista").click()
    organiser.press("Quitar")
    organiser.go(f"{at}draw/")
    organiser.follow("Cerrar e inscribir")
    organiser.press("Cerrar e inscribir")
    assert tournament.entries.filter(request__ticket=25).exists()
    organiser.go(f"{at}draw/")
    organiser.press("Sortear")
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert list(rows.values_list("ticket", "code", "due_cents")) == before
    paid = CashEntry.objects.get()
    assert paid.cents == 1000
    assert paid.request is not None
    assert tournament.entries.get(request=paid.request).code == paid.request.code
    assert organiser.presses <= MOST_PRESSES


def set_sign_up(organiser: Counting, at: str, *, places: int, fee: str = "") -> None:
    organiser.go(f"{at}sign-ups/settings/")
    organiser.page.locator("[name=places]").fill(str(places))
    if fee:
        organiser.page.locator("[name=fee_cents]").fill(fee)
    organiser.press("Guardar")
