"""A round of bots fills its bar on an open page, without a reload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support import scenes
from tournaments.arena.services import playing
from tournaments.core.permissions import Actor
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.models import Match
from tournaments.people.services import bots

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.conftest import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_bar_of_a_bot_round_fills_while_it_is_watched_and_then_rests(
    visitor: Callable[..., Visitor],
) -> None:
    club, users = scenes.open_club()
    organiser = Actor.for_user(users["organiser"])
    tournament = tournaments.create_tournament(organiser, club, "Noche de bots")
    bot = bots.register_bot(organiser, club, name="Sotero", kind="simple")
    entries.enter_newcomers(organiser, tournament, [bot] * 4)
    draw(organiser, tournament)
    watcher = visitor()
    page = watcher.page
    watcher.sign_in("organiser")
    watcher.go(f"/t/{tournament.slug}/rounds/1/")
    watcher.follow("Publicar")
    watcher.press("Publicar la ronda")
    watcher.press("Que jueguen los bots")
    bar = page.locator("progress")
    expect(bar).to_have_attribute("value", "0")
    for played, match in enumerate(Match.objects.filter(round__number=1), start=1):
        assert playing.play_match(match.pk) == playing.PlayOutcome.ACCEPTED
        expect(bar).to_have_attribute("value", str(played), timeout=10_000)
    expect(page.get_by_text("Los bots han jugado las 2 partidas.")).to_be_visible()
    expect(page.locator("[hx-get]")).to_have_count(0)
    watcher.look()
