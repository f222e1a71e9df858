"""What the pages about ratings read, and how many queries that takes."""

from __future__ import annotations

import pytest

from tests.clubs import (
    NOBODY,
    a_bot_liguilla,
    a_club,
    the_liguilla,
    the_match,
)
from tests.support.counting import count_queries
from tests.support.rating_night import decide, decide_all, decide_table, withdraw
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.find import find_match
from tournaments.domain.ratings import PROVISIONAL_ABOVE
from tournaments.models import Entry, Match, Player, Rating, Tournament
from tournaments.ratings.queries import pages as ratings_pages
from tournaments.ratings.queries.history import rated_history, seats_of
from tournaments.ratings.queries.pages import bot_rating, match_ratings, player_rating, ratings_page
from tournaments.ratings.services import rebuild_ratings, refresh_ratings

pytestmark = pytest.mark.django_db

CLUB = "casino-de-zaragoza"


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night, every match decided and rated."""
    tournament = the_liguilla()
    decide_all(tournament)
    refresh_ratings(tournament.pk)
    return tournament


def the_player(tournament: Tournament, number: int = 1) -> Player:
    pair = Entry.objects.get(tournament=tournament, number=number).pair
    assert pair is not None
    return pair.first


# --- A club's list -------------------------------------------------------------------------------


def test_a_club_lists_its_ratings_the_best_first(liguilla: Tournament) -> None:
    page = ratings_page(CLUB)
    assert (page.club, page.ruleset, page.rulesets) == (
        "Casino de Zaragoza",
        "parejas-online",
        ("parejas-online",),
    )
    assert len(page.ratings) == 16
    ratings = [row.rating for row in page.ratings]
    assert ratings == sorted(ratings, reverse=True)
    assert page.ratings[0].rating == round(40 * page.ratings[0].mu)
    assert page.ratings[0].margin == round(80 * page.ratings[0].sigma)
    assert {row.matches for row in page.ratings} == {7}


def test_nobody_has_a_place_while_their_rating_is_provisional(liguilla: Tournament) -> None:
    page = ratings_page(CLUB)
    assert page.established == ()
    assert {row.rank for row in page.provisional} == {None}
    best, level = page.ratings[0].player, page.ratings[1].player
    sure = (PROVISIONAL_ABOVE - 1) ** 2
    Rating.objects.filter(player__in=[best, level]).update(variance=sure)
    last = page.ratings[-1].player
    Rating.objects.filter(player=last).update(variance=sure)
    page = ratings_page(CLUB)
    assert [(row.player, row.rank) for row in page.established] == [
        (best, 1),
        (level, 1),
        (last, 3),
    ]
    assert len(page.provisional) == 13


def test_a_club_lists_the_bots_that_entered_its_tournaments() -> None:
    club = a_club()
    tournament = a_bot_liguilla(club, entries=2)
    decide_table(tournament, 1, 1, 1, 0)
    refresh_ratings(tournament.pk)
    assert {(row.bot, row.is_bot) for row in ratings_page(CLUB).ratings} == {
        ("azar", True),
        ("sencillo", True),
    }
    elsewhere = a_club("Peña La Baraja")
    assert ratings_page(elsewhere.slug).ratings == ()


def test_a_club_without_matches_has_no_ruleset_and_no_ratings() -> None:
    page = ratings_page(a_club().slug)
    assert (page.ruleset, page.rulesets, page.ratings) == ("", (), ())


def test_a_ruleset_under_which_nobody_is_rated_is_not_there(liguilla: Tournament) -> None:
    rebuild_ratings("cuatro")
    with refusal(Reason.NOT_FOUND):
        ratings_page(CLUB, "cuatro")
    player = the_player(liguilla)
    with refusal(Reason.NOT_FOUND):
        player_rating(player.pk, "mus")
    assert ratings_page(CLUB, "parejas-online").ratings


def test_a_page_of_the_list_has_the_places_of_the_whole_list(liguilla: Tournament) -> None:
    everybody = ratings_page(CLUB)
    second = ratings_page(CLUB, number="2", size=3)
    assert second.ratings == everybody.ratings[3:6]
    assert (second.pager.has_next(), everybody.pager.has_next()) == (True, False)


def test_a_clubs_list_takes_three_queries(liguilla: Tournament) -> None:
    assert count_queries(lambda: ratings_page(CLUB))[1] == 3


# --- The curve of a player ------------------------------------------------------------------------


def test_a_curve_goes_match_by_match_to_the_rating_of_today(liguilla: Tournament) -> None:
    page = player_rating(the_player(liguilla).pk)
    assert page.rating is not None
    assert [point.number for point in page.curve] == [1, 2, 3, 4, 5, 6, 7]
    assert (page.curve[-1].rating, page.curve[-1].margin) == (
        page.rating.rating,
        page.rating.margin,
    )
    assert [point.margin for point in page.curve] == sorted(
        (point.margin for point in page.curve), reverse=True
    )
    newest = page.changes[0]
    assert (newest.round, newest.after) == (7, page.rating.rating)
    assert newest.change == newest.after - page.changes[1].after
    assert (page.club_slug, page.player, page.bot) == (CLUB, the_player(liguilla).pk, "")


def test_a_bot_has_a_curve_too() -> None:
    tournament = a_bot_liguilla(entries=2)
    decide_table(tournament, 1, 1, 1, 0)
    refresh_ratings(tournament.pk)
    page = bot_rating("azar")
    assert (page.name, page.club_slug, page.bot, len(page.curve)) == ("Azar", "", "azar", 1)


def test_a_long_curve_is_thinned_and_ends_with_the_last_match(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings_pages, "MAX_POINTS", 3)
    monkeypatch.setattr(ratings_pages, "MAX_CHANGES", 2)
    page = player_rating(the_player(liguilla).pk)
    assert [point.number for point in page.curve] == [1, 4, 7]
    assert [row.round for row in page.changes] == [7, 6]


def test_a_person_without_a_match_has_no_curve() -> None:
    page = player_rating(the_player(the_liguilla()).pk)
    assert (page.rating, page.curve, page.changes, page.ruleset) == (None, (), (), "")


def test_a_person_who_is_not_there_is_not_found() -> None:
    with refusal(Reason.NOT_FOUND):
        player_rating(10**6)
    with refusal(Reason.NOT_FOUND):
        bot_rating("nadie")


def test_a_curve_takes_four_queries_however_long_it_is(liguilla: Tournament) -> None:
    player = the_player(liguilla)
    assert count_queries(lambda: player_rating(player.pk))[1] == 4


# --- A match -------------------------------------------------------------------------------------


def test_before_a_match_each_result_says_what_it_would_change_and_then_it_does() -> None:
    tournament = the_liguilla()
    decide_all(tournament, rounds=3)
    refresh_ratings(tournament.pk)
    match = the_match(tournament, 4, 2)
    ratings = match_ratings(find_match(match.pk, NOBODY))
    assert ratings is not None
    assert ratings.is_of_two
    assert [side.name for side in ratings.expect] == [
        match.home.name,
        str(match.away).split(". ")[1],
    ]
    assert sum(side.percent for side in ratings.expect) == 100
    assert [ending.winner for ending in ratings.endings] == [side.name for side in ratings.expect]
    decide(match, 0, 3)
    refresh_ratings(tournament.pk)
    came = match_ratings(find_match(match.pk, NOBODY))
    assert came is not None
    assert came.endings == ()
    assert [effect.after for effect in came.moved] == [
        effect.after for effect in ratings.endings[1].effects
    ]
    assert [effect.change for effect in came.moved] == [
        effect.change for effect in ratings.endings[1].effects
    ]


def test_a_match_of_a_fixed_number_of_hands_can_be_a_tie() -> None:
    tournament = the_liguilla()
    match = the_match(tournament, 1, 1)
    assert [ending.marks for ending in match_ratings(find_match(match.pk, NOBODY)).endings] == [  # type: ignore[union-attr]
        (1, 0),
        (0, 1),
    ]
    Tournament.objects.filter(pk=tournament.pk).update(options={"deals": 4})
    tied = match_ratings(find_match(match.pk, NOBODY)).endings[1]  # type: ignore[union-attr]
    assert (tied.marks, tied.percent, tied.winner) == ((0, 0), None, "")


def test_three_at_a_table_have_an_ending_for_each_order() -> None:
    tournament = the_liguilla()
    match = the_match(tournament, 1, 1)
    singles = [_single(tournament, number) for number in (21, 22, 23)]
    Match.objects.filter(pk=match.pk).update(home=singles[0], away=singles[1], third=singles[2])
    ratings = match_ratings(find_match(match.pk, NOBODY))
    assert ratings is not None
    assert not ratings.is_of_two
    assert len(ratings.endings) == 6
    assert len({ending.order for ending in ratings.endings}) == 6
    assert {ending.percent for ending in ratings.endings} == {17}
    assert {effect.name for effect in ratings.people} == {"S21", "S22", "S23"}
    assert sum(side.percent for side in ratings.expect) == 100


def test_four_at_a_table_have_a_line_for_each_place() -> None:
    tournament = the_liguilla()
    match = the_match(tournament, 1, 1)
    four = [_single(tournament, number) for number in (21, 22, 23, 24)]
    seats = dict(zip(("home", "away", "third", "fourth"), four, strict=True))
    Match.objects.filter(pk=match.pk).update(**seats)
    ratings = match_ratings(find_match(match.pk, NOBODY))
    assert ratings is not None
    assert [row.place for row in ratings.places] == [1, 2, 3, 4, 0]
    changes = [[effect.change for effect in row.effects] for row in ratings.places]
    first, second, *_, last, level = changes
    assert len(set(first)) == 1
    assert first[0] > second[0] > 0 > last[0]
    assert level == [0, 0, 0, 0]


def test_single_players_who_play_in_pairs_are_rated_by_who_sat_with_whom() -> None:
    tournament = the_liguilla()
    match = the_match(tournament, 1, 1)
    four = [_single(tournament, number) for number in (21, 22, 23, 24)]
    places = dict(zip(("home", "away", "home_partner", "away_partner"), four, strict=True))
    Match.objects.filter(pk=match.pk).update(**places)
    match = the_match(tournament, 1, 1)
    keys = [f"p{entry.player_id}" for entry in four]
    assert seats_of(match) == ((keys[0], keys[2]), (keys[1], keys[3]))
    decide(match, 3, 1)
    refresh_ratings(tournament.pk)
    ratings_by_name = {row.name: row.rating for row in ratings_page(CLUB).ratings}
    assert (
        ratings_by_name["S21"]
        == ratings_by_name["S23"]
        > 1000
        > ratings_by_name["S22"]
        == ratings_by_name["S24"]
    )


def _single(tournament: Tournament, number: int) -> Entry:
    name = f"S{number}"
    player = tournament.club.players.create(code=name, name=name, folded=name.lower())
    return Entry.objects.create(
        tournament=tournament, number=number, name=name, folded=name.lower(), player=player, seats=1
    )


def test_a_bot_at_both_seats_is_one_line() -> None:
    tournament = a_bot_liguilla(entries=2)
    match = the_match(tournament, 1, 1)
    ratings = match_ratings(find_match(match.pk, NOBODY))
    assert ratings is not None
    assert sorted(effect.name for effect in ratings.people) == ["Azar", "Sencillo"]


def test_a_match_that_cannot_be_rated_says_nothing(liguilla: Tournament) -> None:
    match = the_match(liguilla, 1, 1)
    decide(match, 3, 0, depth="ruling")
    refresh_ratings(liguilla.pk)
    assert match_ratings(find_match(match.pk, NOBODY)) is None
    withdraw(match, Match.State.PENDING)
    Match.objects.filter(pk=match.pk).update(
        lineup={"home": {"names": ["?", "??"], "players": [None, None]}}
    )
    assert match_ratings(find_match(match.pk, NOBODY)) is None


def test_ratings_on_a_matchs_page_take_four_queries(liguilla: Tournament) -> None:
    played = the_match(liguilla, 1, 1)
    assert count_queries(lambda: match_ratings(find_match(played.pk, NOBODY)))[1] == 4
    ahead = the_match(liguilla, 7, 1)
    withdraw(ahead, Match.State.PENDING)
    assert count_queries(lambda: match_ratings(find_match(ahead.pk, NOBODY)))[1] == 4


def test_the_history_takes_three_queries(liguilla: Tournament) -> None:
    assert count_queries(lambda: rated_history("parejas-online"))[1] == 3
