"""Bots at play, watched in a browser: figures that move, a pause, the comparison, the room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from tests.arena.test_arena_queries import TEST, with_sets
from tests.clubs import the_match
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.quick import long
from tests.support import scenes
from tests.support.bot_tables import a_bot_round, house_bot
from tournaments.arena.services.playing import play_claimed, play_match
from tournaments.core.permissions import Actor
from tournaments.models import Membership, Round, Tournament
from tournaments.people.services.clubs import add_member
from tournaments.results.services.leases import claim_match

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def bot_round() -> Round:
    """A round of two matches of two deal sets, asked for; ``organiser`` runs it."""
    cache.clear()
    round_ = a_bot_round(*(house_bot("random", n) for n in range(4)), deal_sets=2)
    boss = scenes.user_named("organiser")
    add_member(Actor.system(), round_.stage.tournament.club, boss, Membership.Role.ORGANISER)
    return round_


@pytest.fixture
def bot_tournament() -> Tournament:
    """Three bots: two have met under a test, one has met nobody yet."""
    cache.clear()
    bots = house_bot("simple", 1), house_bot("random", 2), house_bot("random", 3)
    tournament = a_bot_round(*bots, deal_sets=20, stop=TEST).stage.tournament
    points = [(150, 110), (140, 120), (130, 130)] * 4
    with_sets(the_match(tournament, 1, 1), *points)
    return tournament


def test_the_figures_of_a_round_move_without_a_reload_and_stop_at_the_end(
    visitor: Callable[..., Visitor], bot_round: Round
) -> None:
    first, second = bot_round.matches.order_by("table")
    watcher = visitor(PHONE)
    page = watcher.page
    watcher.sign_in("organiser")
    watcher.go(f"/t/{bot_round.stage.tournament.slug}/rounds/1/")
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    figures = page.locator("#progress")
    lease = claim_match(first.pk)
    assert lease is not None
    expect(figures.get_by_text("Trabajando:")).to_be_visible()
    play_claimed(lease)
    expect(page.locator("progress")).to_have_attribute("value", "1")
    score = page.locator("#board .match").first.locator(".match__score")
    expect(score).to_contain_text(re.compile(r"\d–\d"))  # two deal sets may end level
    assert not loads, "nothing was loaded anew"
    watcher.press("Pausar los bots")
    expect(figures.get_by_text("Los bots de esta ronda están en pausa.")).to_be_visible()
    play_match(second.pk)
    second.refresh_from_db()
    assert second.state == "pending", "a paused round is not played"
    watcher.press("Reanudar")
    play_match(second.pk)
    expect(page.get_by_text("Los bots han jugado las 2 partidas.")).to_be_visible()
    expect(page.locator("[hx-get]")).to_have_count(0)
    watcher.look()


@pytest.mark.parametrize(("screen", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_the_comparison_is_read_on_every_screen(
    visitor: Callable[..., Visitor], bot_tournament: Tournament, screen: dict[str, int], scheme: str
) -> None:
    reader = visitor(screen, scheme=scheme)
    reader.go(f"/t/{bot_tournament.slug}/")
    reader.follow("Comparación")
    reader.page.get_by_text("Qué dicen estos números").click()
    expect(reader.page.get_by_text("El intervalo dice", exact=False)).to_be_visible()
    with reader.page.expect_navigation():
        reader.page.locator("td.won a").click()
    reader.look()
    reader.follow("Ronda 1, mesa 1")


@pytest.mark.parametrize(("screen", "scheme"), [(PHONE, "dark"), *long([(DESK, "light")])])
def test_the_staff_pauses_all_bots_from_the_room(
    visitor: Callable[..., Visitor], bot_round: Round, screen: dict[str, int], scheme: str
) -> None:
    lease = claim_match(bot_round.matches.order_by("table")[0].pk)
    assert lease is not None
    scenes.user_named("sara", is_staff=True)
    keeper = visitor(screen, scheme=scheme)
    keeper.sign_in("sara")
    keeper.go("/")
    keeper.follow("Los bots en juego")
    keeper.press("Pausar todos los bots")
    expect(keeper.page.get_by_text("Aún se está acabando 1 partida.")).to_be_visible()
    play_claimed(lease)
    expect(keeper.page.get_by_text("No se está jugando nada.")).to_be_visible()
    keeper.press("Reanudar todos los bots")
    keeper.look()
