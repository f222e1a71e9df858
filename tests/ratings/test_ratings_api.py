"""Ratings through the API, every answer checked against the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clubs import the_liguilla
from tests.support.caller import Caller, problem
from tests.support.rating_night import decide_all
from tournaments.ratings.services import refresh_ratings

if TYPE_CHECKING:
    from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

RATINGS = "clubs/casino-de-zaragoza/ratings/"


@pytest.fixture
def liguilla(db: None) -> Tournament:
    tournament = the_liguilla()
    decide_all(tournament)
    refresh_ratings(tournament.pk)
    return tournament


def test_a_clubs_ratings_lead_to_each_players_curve(liguilla: Tournament) -> None:
    body = Caller().read(RATINGS)
    assert (body["ruleset"], body["rulesets"]) == ("parejas-online", ["parejas-online"])
    best = body["ratings"][0]
    assert (best["rank"], best["provisional"], best["matches"]) == (None, True, 7)
    his = Caller().read(f"players/{best['player']}/rating/")
    assert his["rating"] == {**best, "rank": None}
    assert [point["number"] for point in his["curve"]] == [1, 2, 3, 4, 5, 6, 7]
    assert his["curve"][-1]["rating"] == best["rating"]
    assert [row["round"] for row in his["changes"]] == [7, 6, 5, 4, 3, 2, 1]


def test_the_ruleset_can_be_chosen(liguilla: Tournament) -> None:
    assert Caller().read(f"{RATINGS}?ruleset=parejas-online")["ratings"]
    assert Caller().get(f"{RATINGS}?ruleset=habanero").status_code == 404  # nobody plays it there
    problem(Caller().get(f"{RATINGS}?ruleset=mus"), 404, "not_found")
    assert Caller().get(f"{RATINGS}?order=name").status_code == 400


def test_who_has_not_played_has_no_rating() -> None:
    tournament = the_liguilla()
    assert Caller().read(RATINGS)["ratings"] == []
    player = tournament.club.players.order_by("pk")[0]
    assert Caller().read(f"players/{player.pk}/rating/")["rating"] is None
    assert Caller().read("bots/azar/rating/")["curve"] == []
