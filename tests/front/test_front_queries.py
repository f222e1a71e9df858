"""The front page: live panels, places left, winners, the hand of the week; the search."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    organiser,
    play_out,
    play_the_club_night,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.signup.test_signing_up import a_posted, pairs
from tests.support.counting import again, count_queries
from tournaments.director.services.rounds import start_clock
from tournaments.director.services.tournaments import (
    close_round,
    finish,
    set_visibility,
)
from tournaments.domain.scores import Score
from tournaments.front.queries.home import front_page
from tournaments.front.queries.search import search_page
from tournaments.front.queries.week import hand_of_the_week, week_choice
from tournaments.models import Player, Tournament
from tournaments.profiles.services.erasing import erase_player
from tournaments.profiles.services.merging import merge_player
from tournaments.results.services.matches import correct_result
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db

PRIVATE = Tournament.Visibility.PRIVATE


def test_a_live_panel_has_the_leader_the_tables_done_and_the_clock() -> None:
    tournament = the_liguilla(published=2)
    play_out(the_round(tournament, 1))
    start_clock(SYSTEM, the_round(tournament, 2), 40)
    correct_result(SYSTEM, the_match(tournament, 2, 1), Score(3, 0, 300, 90), reason="acta")
    (panel,) = front_page(NOBODY).live
    assert panel.standing is not None
    assert (panel.standing.played, panel.standing.total) == (1, 4)
    assert panel.standing.leaders == standings_page(tournament.slug, NOBODY).podium
    assert panel.standing.leaders[0].rank == 1
    assert panel.clock is not None
    assert (panel.clock.round, panel.clock.minutes) == (2, 40)


def test_what_is_coming_says_how_many_places_are_left() -> None:
    tournament = a_posted(places=4)
    pairs(tournament, 3)
    (panel,) = front_page(NOBODY).coming
    assert panel.left is not None
    assert (panel.left.free, panel.left.waiting) == (1, 0)
    pairs(tournament, 3, first=4)
    left = front_page(NOBODY).coming[0].left
    assert left is not None
    assert (left.free, left.waiting) == (0, 2)


def test_a_finished_tournament_names_its_winners(client: Client) -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    finish(SYSTEM, tournament)
    page = front_page(NOBODY)
    assert page.finished[0].podium[0].name == "Torrero"
    assert page.is_single
    assert page.only_club is not None
    text = client.get("/").content.decode()
    assert "Torrero" in text
    assert f"<h1>{tournament.club.name}</h1>" in text


def test_a_private_tournament_shows_its_club_the_card_alone() -> None:
    tournament = the_liguilla(published=1)
    play_out(the_round(tournament, 1))
    set_visibility(SYSTEM, tournament, PRIVATE)
    assert front_page(NOBODY).live == ()
    (panel,) = front_page(organiser(tournament.club)).live
    assert panel.standing is None
    assert panel.clock is None


def test_once_cached_more_tournaments_cost_the_front_page_no_query() -> None:
    the_liguilla(published=1)
    count_queries(lambda: front_page(NOBODY))
    one = again(lambda: front_page(NOBODY))
    second = the_liguilla(a_club("Otro"), published=2)
    play_out(the_round(second, 1))
    front_page(NOBODY)
    assert again(lambda: front_page(NOBODY)) == one


def test_the_hand_of_the_week_is_of_a_public_closed_round(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand)
    tournament = the_liguilla(published=1)
    for index in range(4):
        submitted(tournament, index)
    analyse_all()
    assert week_choice() is None, "the round is open"
    close_round(SYSTEM, the_round(tournament, 1))
    cache.clear()  # the choice is cached for some minutes
    choice = week_choice()
    assert choice is not None
    hand = hand_of_the_week(choice)
    assert hand.turn is not None
    shown = [card for trick in hand.tricks if trick.is_turn for card in trick.cards]
    assert [card.name for card in shown if card.decides] == [hand.turn.name]
    assert f"{hand.turn.name}: " in client.get("/").content.decode()
    set_visibility(SYSTEM, tournament, PRIVATE)
    assert week_choice() is None


# --- Search ---------------------------------------------------------------------------------------


def found(words: str) -> list[str]:
    page = search_page(words, NOBODY)
    return [row.name for rows in (page.clubs, page.tournaments, page.people) for row in rows]


def first_player(tournament: Tournament) -> Player:
    player = tournament.club.players.order_by("pk").first()
    assert player is not None
    return player


def test_a_search_needs_no_accents_and_all_its_words(client: Client) -> None:
    the_liguilla(published=1)
    assert found("martinez pil") == ["Pilar Martínez"]
    assert found("liguilla") == ["Liguilla de otoño"]
    assert found("casino zaragoza") == ["Casino de Zaragoza"]
    assert found("martínez sanz") == []
    assert search_page("m", NOBODY).is_short
    assert "Pilar Martínez" in client.get("/search/", {"q": "martinez"}).content.decode()


def test_a_search_finds_what_is_coming() -> None:
    tournament = a_posted()
    assert found(tournament.name) == [tournament.name]


def test_a_search_finds_who_was_merged_under_the_main_name() -> None:
    tournament = the_liguilla(published=1)
    entered = first_player(tournament)
    main = Player.objects.create(club=tournament.club, code="J99", name="Pilar Martínez Otal")
    merge_player(SYSTEM, entered, main)
    assert found("martinez") == ["Pilar Martínez Otal"]


def test_a_search_finds_no_one_of_private_tournaments_and_no_erased_name() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    finish(SYSTEM, tournament)
    erased = erase_player(SYSTEM, first_player(tournament))
    assert found("martinez") == found(erased.name) == []
    assert found("jesus ibanez") == ["Jesús Ibáñez"]
    set_visibility(SYSTEM, tournament, PRIVATE)
    assert found("jesus ibanez") == found("liguilla") == []
