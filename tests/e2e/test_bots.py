"""A user brings a bot, watches it being checked and reads what its page says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.arena.test_bots_pages import a_forfeit
from tests.clubs import SYSTEM, a_bot_liguilla, link_player, the_match
from tests.e2e.conftest import DESK, PHONE, Visitor, screens
from tests.quick import long
from tests.support.scenes import open_club
from tournaments.models import Bot, BotVersion
from tournaments.people.services import programs
from tournaments.people.services.clubs import import_players
from tournaments.people.services.programs import CheckOutcome, check_version

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST_STEPS = Path(__file__).parents[2] / "examples/bots/first_steps.py"


def check(version: BotVersion) -> CheckOutcome:
    """Do what a worker does until the check is over."""
    while (outcome := check_version(version.pk)) is CheckOutcome.PARTLY:
        pass
    return outcome


def test_an_author_brings_a_program_and_sees_it_become_ready(
    visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "DEALS", 1)
    club, _users = open_club()
    author = visitor(PHONE)
    author.sign_in("organiser")
    author.go(f"/clubs/{club.slug}/")
    author.follow("Bots")
    author.follow("Traer un bot")
    page = author.page
    page.get_by_label("Nombre").fill("Primeros pasos")
    author.press("Traerlo")
    expect(page.get_by_text("Pega el texto o elige su archivo.")).to_be_visible()
    page.get_by_label("Un archivo").set_input_files(FIRST_STEPS)
    author.press("Traerlo")
    expect(page.get_by_text("Espera su prueba.")).to_be_visible()
    assert check(BotVersion.objects.get()) is CheckOutcome.READY
    expect(page.get_by_role("heading", level=1).get_by_text("Listo")).to_be_visible()
    expect(page.get_by_role("article").get_by_text("Listo", exact=True)).to_be_visible()
    page.get_by_text("El informe,").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("juega parejas-online en el asiento D")).to_be_visible()
    author.look()


@pytest.mark.parametrize(
    ("screen", "scheme"), [(PHONE, "dark"), *long([(DESK, "light")])], ids=["phone", "desk"]
)
def test_everybody_reads_what_a_bot_did_wrong(
    visitor: Callable[..., Visitor], screen: dict[str, int], scheme: str
) -> None:
    tournament = a_bot_liguilla()
    match = the_match(tournament, 1, 1)
    bot = Bot.objects.get(slug="azar")
    a_forfeit(match, bot)
    reason = {"match": match.pk, "round": 1, "table": 1, "code": "illegal_play"}
    Bot.objects.filter(pk=bot.pk).update(benched_at="2026-01-01T00:00Z", benched_for=reason)
    reader = visitor(screen, scheme=scheme)
    reader.go("/bots/")
    expect(reader.page.get_by_role("cell", name="En el banquillo")).to_be_visible()
    reader.follow("Azar")
    expect(reader.page.get_by_text("En el banquillo desde")).to_be_visible()
    reader.page.locator("summary").filter(has_text="Jugada ilegal").click()
    expect(reader.page.get_by_text("lo permitido era 2o 3o")).to_be_visible()
    reader.look()
    reader.go(f"/t/{tournament.slug}/rounds/1/")
    expect(reader.page.get_by_text("1 mano perdida por un bot")).to_be_visible()
    reader.go(f"/matches/{match.pk}/")
    expect(reader.page.get_by_role("heading", name="Manos perdidas")).to_be_visible()


@screens("desk", "phone")
def test_a_player_connects_a_bot_that_runs_elsewhere(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    club, users = open_club()
    import_players(SYSTEM, club, "id,nombre\nJ01,Pilar Otal\n")
    link_player(SYSTEM, club.players.get(code="J01"), users["player"])
    author = visitor(screen)
    author.sign_in("player")
    author.go(f"/clubs/{club.slug}/bots/new/")
    author.page.get_by_label("Nombre").fill("De lejos")
    author.page.locator("[name=kind][value=remote]").check()
    author.press("Traerlo")
    author.follow("Conectarlo")
    author.press("Crear el token")
    expect(author.page.locator("#token")).to_contain_text("baza_")
    author.follow("Anular: De lejos")
    author.press("Anular")
    expect(author.page.get_by_text("El token ya no funciona.")).to_be_visible()
