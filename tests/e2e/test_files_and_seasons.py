"""A user downloads a proof, enters a list, and follows a season's numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.clubs import SYSTEM, play_the_club_night, the_liguilla, the_round, user
from tests.e2e.conftest import Visitor, screens
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, finish
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.verification import all_hold, verify
from tournaments.standings.services.seasons import add_tournament, create_season

if TYPE_CHECKING:
    from collections.abc import Callable

    from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def played() -> Tournament:
    """The club night, played to its end."""
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    return finish(SYSTEM, tournament)


def the_boss() -> str:
    boss = user("jefa")
    boss.is_superuser = True
    boss.save()
    return "jefa"


@screens("phone", "desk")
def test_a_spectator_takes_the_proof_and_it_holds(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = played()
    reader = visitor(screen)
    reader.go(f"/t/{tournament.slug}/")
    reader.follow("Archivos")
    with reader.page.expect_download() as download:
        reader.page.get_by_role("link", name="Descargar la prueba").click()
    assert download.value.suggested_filename == f"{tournament.slug}.proof.json"
    assert all_hold(verify(bundle_from_bytes(Path(download.value.path()).read_bytes())))


@screens("phone", "desk")
def test_an_organiser_opens_a_season_and_its_numbers_open_to_their_tournaments(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = played()
    boss = visitor(screen)
    boss.sign_in(the_boss())
    boss.go(f"/clubs/{tournament.club.slug}/")
    boss.follow("Temporadas")
    boss.follow("Nueva temporada")
    boss.page.get_by_label("Nombre").fill("Temporada 2026")
    boss.press("Abrir la temporada")
    boss.page.get_by_label("Torneo", exact=True).select_option(tournament.slug)
    boss.press("Añadirlo")
    expect(boss.page.get_by_role("row").nth(1)).to_contain_text("18 puesto 1")
    boss.look()
    boss.follow("Cómo cuenta")
    boss.page.get_by_label("Puntos propios").fill("25, 18, 15")
    boss.page.get_by_label("Motivo").fill("Lo votó la asamblea.")
    boss.press("Ver qué cambia")
    expect(boss.page.get_by_role("row").nth(1)).to_contain_text("25")
    boss.look()
    boss.press("Cambiar las reglas")
    expect(boss.page.get_by_text("25, 18, 15")).to_be_visible()
    boss.follow("Cerrar la temporada")
    boss.press("Cerrarla")
    expect(boss.page.get_by_text("La temporada está cerrada.")).to_be_visible()


@screens("phone", "desk")
def test_an_organiser_sees_what_a_list_would_do_before_it_does(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    club = played().club
    tournament = create_tournament(
        SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3}))
    )
    boss = visitor(screen)
    boss.sign_in(the_boss())
    boss.go(f"/t/{tournament.slug}/entries/list/")
    text = boss.page.get_by_label("o pega aquí la lista")
    text.fill("pareja;jugador1;jugador2\nLos Reyes;Ana Ruiz;Ana Ruiz\n")
    boss.press("Comprobar la lista")
    expect(boss.page.get_by_text("Ana Ruiz sale dos veces", exact=False)).to_be_visible()
    boss.go(f"/t/{tournament.slug}/entries/list/")
    text.fill("pareja;jugador1;jugador2;club;rating\nLos Reyes;Ana Ruiz;Leo Gil;La Sota;1500\n")
    boss.press("Comprobar la lista")
    expect(boss.page.get_by_text("2 jugadores son nuevos en el club.", exact=False)).to_be_visible()
    boss.press("Inscribirlos a todos")
    assert tournament.entries.get().seat_names == ("Ana Ruiz", "Leo Gil")


@screens("phone", "desk")
def test_the_other_pages_are_readable_too(
    visitor: Callable[..., Visitor], screen: dict[str, int]
) -> None:
    tournament = played()
    season = create_season(SYSTEM, tournament.club, name="Temporada", best=1)
    add_tournament(SYSTEM, season, tournament, weight="1.5")
    boss = visitor(screen)
    boss.sign_in(the_boss())
    for path in ("seasons/", "tournaments/import/"):
        boss.go(f"/clubs/{tournament.club.slug}/{path}")
    boss.go(f"/t/{tournament.slug}/files/")
    expect(boss.page.get_by_role("link", name="Exportarlo todo")).to_be_visible()
