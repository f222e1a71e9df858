"""What the pages of players, pairs and bots show, and how many queries that takes."""

from __future__ import annotations

import pytest

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    organiser,
    play_the_club_night,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.counting import again, count_queries
from tests.support.rating_night import decide_all, decide_table, withdraw
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.core.errors import Reason
from tournaments.director.services.tournaments import close_round, finish
from tournaments.models import Match, Pair, Player, Tournament
from tournaments.profiles.queries.meetings import find_competitor, matches_of
from tournaments.profiles.queries.players import bot_page, pair_page, player_page
from tournaments.ratings.services import refresh_ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def liguilla(db: None) -> Tournament:
    return all_decided()


@reuse_rows()
def all_decided() -> Tournament:
    """The club night, every match decided: the lower number wins."""
    tournament = the_liguilla()
    decide_all(tournament)
    return tournament


def the_pair(tournament: Tournament, number: int = 1) -> Pair:
    pair = tournament.entries.get(number=number).pair
    assert pair is not None
    return pair


def the_player(tournament: Tournament, number: int = 1) -> Player:
    return the_pair(tournament, number).first


def test_a_player_has_won_what_their_pair_has_won(liguilla: Tournament) -> None:
    tally = player_page(the_player(liguilla).pk, NOBODY).history.tally
    assert (tally.matches, tally.won, tally.tied, tally.lost) == (7, 7, 0, 0)
    assert (tally.hands_for, tally.percent) == (21, 100)
    last = player_page(the_player(liguilla, 8).pk, NOBODY).history.tally
    assert (last.won, last.lost) == (0, 7)
    assert (tally.hands_for - tally.hands_against) == tally.hand_difference > 0


def test_a_pair_and_its_players_lead_to_each_other(liguilla: Tournament) -> None:
    pair = the_pair(liguilla)
    page = pair_page(pair.pk, NOBODY)
    assert page.members == (
        (pair.first_id, pair.first.name),
        (pair.second_id, pair.second.name),
    )
    assert page.rating is None
    assert player_page(pair.second_id, NOBODY).pairs == ((pair.pk, pair.name),)
    assert page.history.tally == player_page(pair.first_id, NOBODY).history.tally


def test_a_player_has_one_partner_and_two_opponents_a_match(liguilla: Tournament) -> None:
    pair = the_pair(liguilla)
    history = player_page(pair.first_id, NOBODY).history
    (partner,) = history.partners
    assert (partner.person.pk, partner.tally.matches) == (pair.second_id, 7)
    assert len(history.opponents) == 14
    assert {opponent.tally.won for opponent in history.opponents} == {1}


def test_one_who_stood_in_has_played_and_whom_they_replaced_has_not(liguilla: Tournament) -> None:
    pair, other = the_pair(liguilla, 1), the_pair(liguilla, 5)
    match = Match.objects.get(round__number=1, home__pair=pair)
    comes = other.first
    match.lineup = {
        "home": {"names": [comes.name, pair.second.name], "players": [comes.pk, pair.second_id]}
    }
    match.save(update_fields=["lineup"])
    entry = liguilla.entries.get(number=1)
    entry.substitutions.create(leaves=pair.first, comes=comes, from_round=1, until_round=2)
    assert len(matches_of(find_competitor(f"player-{pair.first_id}"))) == 6
    played = matches_of(find_competitor(f"player-{comes.pk}"))
    stood_in = [row for row in played if row.name == entry.name]
    assert [(row.match_pk, row.partners[0].pk) for row in stood_in] == [(match.pk, pair.second_id)]


def test_a_result_that_does_not_count_is_not_reported(liguilla: Tournament) -> None:
    pair = the_pair(liguilla)
    withdraw(the_match(liguilla, 1, 1), Match.State.POSTPONED)
    matches = {row.match_pk for row in matches_of(find_competitor(f"pair-{pair.pk}"))}
    assert the_match(liguilla, 1, 1).pk not in matches


def test_a_finished_tournament_shows_the_place_a_running_one_does_not(
    liguilla: Tournament,
) -> None:
    pk = the_player(liguilla).pk
    (event,) = player_page(pk, NOBODY).history.events
    assert (event.rank, event.state, event.number) == (None, "running", 1)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(liguilla, number))
    finish(SYSTEM, liguilla)
    page = player_page(pk, NOBODY)
    (event,) = page.history.events
    assert (event.rank, event.state) == (1, "finished")
    assert page.ahead == ()


def test_a_tournament_that_is_still_a_draft_is_shown_to_the_club_alone() -> None:
    tournament = the_liguilla()
    Tournament.objects.filter(pk=tournament.pk).update(state="draft")
    pk = the_player(tournament).pk
    assert player_page(pk, NOBODY).ahead == ()
    (ahead,) = player_page(pk, organiser(tournament.club)).ahead
    assert (ahead.slug, ahead.state) == (tournament.slug, "draft")


def test_what_a_player_sings_is_counted_at_their_own_seat() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    sung = []
    for number in range(1, 9):
        pair = the_pair(tournament, number)
        whole = pair_page(pair.pk, NOBODY).history.sung
        halves = [player_page(pk, NOBODY).history.sung for pk in (pair.first_id, pair.second_id)]
        assert whole is not None
        assert whole.hands == sum(half.hands for half in halves if half) / 2
        assert whole.forties == sum(half.forties for half in halves if half)
        assert whole.twenties == sum(half.twenties for half in halves if half)
        sung.append(whole)
    assert sum(tally.forties for tally in sung) > 0
    assert sum(tally.twenties for tally in sung) > sum(tally.forties for tally in sung)
    assert sung[0].forty.mean == sung[0].forties / sung[0].hands


def test_hands_without_their_cards_say_nothing_of_what_was_sung(liguilla: Tournament) -> None:
    assert player_page(the_player(liguilla).pk, NOBODY).history.sung is None


def test_a_bot_has_its_results_too() -> None:
    tournament = a_bot_liguilla(entries=2)
    decide_table(tournament, 1, 1, 1, 0)
    refresh_ratings(tournament.pk)
    page = bot_page("azar", NOBODY)
    assert (page.history.tally.won, page.history.tally.matches) == (1, 1)
    assert [opponent.person.slug for opponent in page.history.opponents] == ["sencillo"]
    assert page.history.partners == ()
    assert page.rating is not None
    assert page.rating.rating is not None


def test_a_bot_that_met_itself_has_neither_won_nor_lost() -> None:
    tournament = a_bot_liguilla(entries=4)
    for number in (1, 2, 3):
        Tournament.objects.filter(pk=tournament.pk).update(version=number + 100)
    mirror_matches = [
        match
        for match in Match.objects.with_names().filter(round__stage__tournament=tournament)
        if match.away is not None and match.home.bot_id == match.away.bot_id
    ]
    assert mirror_matches
    for match in mirror_matches:
        match.state = Match.State.ACCEPTED
        match.save(update_fields=["state"])
    assert bot_page("azar", NOBODY).history.tally.matches == 0


def test_who_is_not_there_is_not_found() -> None:
    for read in (player_page, pair_page):
        with refusal(Reason.NOT_FOUND):
            read(10**6, NOBODY)
    with refusal(Reason.NOT_FOUND):
        bot_page("nadie", NOBODY)
    for word in ("", "nobody", "player-", "player-x", "team-1", "pair-99999999999999", "bot-"):
        with refusal(Reason.NOT_FOUND):
            find_competitor(word)


def test_a_page_takes_a_few_queries_and_fewer_when_nothing_has_changed() -> None:
    tournament = the_liguilla()
    assert submitted(tournament, 0).outcome == "accepted"
    refresh_ratings(tournament.pk)
    pk = the_player(tournament).pk
    assert count_queries(lambda: player_page(pk, NOBODY))[1] == 18
    assert again(lambda: player_page(pk, NOBODY)) == 11
    pair = the_pair(tournament)
    assert count_queries(lambda: pair_page(pair.pk, NOBODY))[1] == 11
    assert again(lambda: pair_page(pair.pk, NOBODY)) == 5
    bot_page("azar", NOBODY)
    assert count_queries(lambda: bot_page("azar", NOBODY))[1] <= 11
