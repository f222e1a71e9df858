"""The pages about ratings as they are read."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.clubs import play_out, submitted, the_liguilla, the_match, the_round
from tests.support.rating_night import decide_all
from tournaments.models import Match, Tournament
from tournaments.ratings.queries.pages import ratings_page
from tournaments.ratings.services import refresh_ratings

CLUB = "casino-de-zaragoza"
ENGLISH = {"accept-language": "en"}
SPANISH = {"accept-language": "es"}


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """Three rounds rated, the first match by its own record."""
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    decide_all(tournament, rounds=3)
    refresh_ratings(tournament.pk)
    return tournament


def read(path: str, headers: dict[str, str] | None = None) -> str:
    response = Client().get(path, headers=headers or ENGLISH)
    assert response.status_code == 200
    return response.content.decode()


def test_a_clubs_page_leads_to_its_ratings(liguilla: Tournament) -> None:
    assert f'href="/clubs/{CLUB}/ratings/"' in read(f"/clubs/{CLUB}/")
    page = read(f"/clubs/{CLUB}/ratings/")
    assert "Provisional" in page
    assert "All start at 1000 ± 667." in page
    assert page.count("/rating/?ruleset=parejas-online") == 16


@pytest.mark.django_db
def test_a_club_whose_results_an_arbiter_set_is_told_why_nobody_is_rated() -> None:
    tournament = the_liguilla(published=1)
    play_out(the_round(tournament, 1))
    page = read(f"/clubs/{tournament.club.slug}/ratings/")
    assert "4 matches count in the standings, but their results were set by an arbiter." in page
    assert ratings_page(tournament.club.slug).unrated == 4


def test_a_curve_is_drawn_with_its_numbers_in_any_language(liguilla: Tournament) -> None:
    """No decimal comma may get into the drawing."""
    player = liguilla.club.players.order_by("pk")[0]
    for headers in (ENGLISH, SPANISH):
        page = read(f"/players/{player.pk}/rating/", headers)
        path = page.partition('class="curve__line" d="')[2].partition('"')[0]
        assert path.startswith("M48.0 ")
        assert "," not in path
        assert 'style="' not in page


def test_a_match_ahead_says_what_each_result_would_change(liguilla: Tournament) -> None:
    match = the_match(liguilla, 4, 1)
    page = read(f"/matches/{match.pk}/", SPANISH)
    assert "Lo que esperan los niveles:" in page
    assert f"Gana {match.home.name}" in page


def test_a_match_played_says_what_it_did(liguilla: Tournament) -> None:
    page = read(f"/matches/{the_match(liguilla, 1, 1).pk}/")
    assert "Before" in page
    assert "What the ratings expect" not in page


def test_a_bye_says_nothing_of_ratings(liguilla: Tournament) -> None:
    match = the_match(liguilla, 4, 1)
    Match.objects.filter(pk=match.pk).update(away=None, state=Match.State.BYE, bye="pairing")
    assert "What the ratings expect" not in read(f"/matches/{match.pk}/")


def test_an_unknown_ruleset_is_not_there(liguilla: Tournament) -> None:
    assert Client().get(f"/clubs/{CLUB}/ratings/?ruleset=mus").status_code == 404
