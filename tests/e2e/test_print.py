"""An organiser prints a round, the codes and diplomas; every link of the page answers a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla, the_round, user
from tests.e2e.conftest import PHONE, Visitor, screens
from tests.sheets.reading import words_of
from tournaments.director.services.tournaments import close_round

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@screens("desk", "phone")
def test_every_link_of_the_print_page_answers_a_pdf(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    close_round(SYSTEM, the_round(tournament, 1))
    boss = user("jefa")
    boss.is_superuser = True
    boss.save()
    organiser = visitor(screen)
    organiser.sign_in("jefa")
    organiser.go(f"/t/{tournament.slug}/")
    organiser.follow("Imprimir")
    page = organiser.page
    for summary in page.locator("main details:not(nav details) > summary").all():
        summary.click()
    organiser.look()
    links = page.locator("main a[href*='.pdf']")
    paths = [str(link.get_attribute("href")) for link in links.all()]
    assert len(paths) == 7 * 5 + 2 + 1
    addresses = [path for path in paths if "/rounds/" not in path or "/rounds/7/" in path]
    addresses.append(f"/t/{tournament.slug}/print/diplomas.pdf?stage=1&places=1%2C+2%2C+3")
    for path in addresses:
        answer = page.request.get(organiser.address + path)
        assert answer.status == 200
        assert words_of(answer.body())


def test_the_place_for_diplomas_is_asked_for_in_words(visitor: Callable[..., Visitor]) -> None:
    tournament = the_liguilla(published=1)
    reader = visitor(PHONE, scheme="dark")
    reader.go(f"/t/{tournament.slug}/print/")
    assert reader.page.get_by_label("Diplomas para los puestos").count() == 0
    assert reader.page.get_by_role("link", name="Imprimir la ronda 1").count() == 1
