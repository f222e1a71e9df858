"""A player looks up their rating, and what the next match would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.clubs import submitted, the_liguilla, the_match
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.quick import long
from tests.support.rating_night import decide_all, withdraw
from tournaments.models import Match
from tournaments.ratings.services import refresh_ratings

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("screen", "scheme"), [(PHONE, "dark"), *long([(DESK, "light")])], ids=str)
def test_a_player_finds_their_rating_its_curve_and_what_a_match_would_change(
    visitor: Callable[..., Visitor], screen: dict[str, int], scheme: str
) -> None:
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    decide_all(tournament)
    ahead = the_match(tournament, 7, 1)
    withdraw(ahead, Match.State.PENDING)
    refresh_ratings(tournament.pk)
    player = visitor(screen, scheme=scheme)
    player.go(f"/clubs/{tournament.club.slug}/")
    player.follow("Niveles")
    expect(player.page.get_by_role("heading", name="Provisionales")).to_be_visible()
    first = the_match(tournament, 1, 1).home.pair
    assert first is not None
    player.follow(first.first.name)
    expect(player.page.get_by_role("img", name="Nivel de")).to_be_visible()
    player.follow("Liguilla de otoño, ronda 1")
    player.page.get_by_text("Suerte y niveles").click()
    expect(player.page.get_by_role("columnheader", name="Después")).to_be_visible()
    player.go(f"/matches/{ahead.pk}/")
    expect(player.page.get_by_text("Lo que esperan los niveles:")).to_be_visible()
    expect(player.page.get_by_role("columnheader", name=f"Gana {ahead.home.name}")).to_be_visible()


def test_a_club_without_matches_says_when_ratings_begin(visitor: Callable[..., Visitor]) -> None:
    tournament = the_liguilla()
    reader = visitor()
    reader.go(f"/clubs/{tournament.club.slug}/ratings/")
    expect(reader.page.get_by_role("heading", name="Todavía nadie tiene nivel")).to_be_visible()
    player = tournament.club.players.order_by("pk")[0]
    reader.go(f"/players/{player.pk}/rating/")
    expect(reader.page.get_by_role("heading", name="Todavía sin nivel")).to_be_visible()
