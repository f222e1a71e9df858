"""Two who met: every meeting, the sums, tournament by tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.clubs import a_bot_liguilla, a_club, the_liguilla
from tests.support.caller import Caller
from tests.support.counting import count_queries
from tests.support.rating_night import decide_all, decide_table
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.profiles.queries.meetings import head_to_head

if TYPE_CHECKING:
    from tournaments.models import Pair, Tournament

pytestmark = pytest.mark.django_db

CLUB = "casino-de-zaragoza"


def the_pair(tournament: Tournament, number: int) -> Pair:
    pair = tournament.entries.get(number=number).pair
    assert pair is not None
    return pair


def test_two_pairs_have_met_once_in_a_liguilla_and_both_sides_tell_the_same() -> None:
    tournament = the_liguilla()
    decide_all(tournament)
    pair, other = the_pair(tournament, 1), the_pair(tournament, 2)
    page = head_to_head(CLUB, f"pair-{pair.pk}", f"pair-{other.pk}")
    back = head_to_head(CLUB, f"pair-{other.pk}", f"pair-{pair.pk}")
    assert (page.tally.won, page.tally.lost) == (back.tally.lost, back.tally.won) == (1, 0)
    assert (page.tally.hands_for, page.tally.hands_against) == (
        back.tally.hands_against,
        back.tally.hands_for,
    )
    (event,) = page.tournaments
    (match,) = event.matches
    assert (event.slug, match.against) == (tournament.slug, other.name)


def test_a_player_meets_a_player_wherever_their_pairs_meet() -> None:
    tournament = the_liguilla()
    decide_all(tournament)
    player, other = the_pair(tournament, 3).second, the_pair(tournament, 5).first
    page = head_to_head(CLUB, f"player-{player.pk}", f"player-{other.pk}")
    assert (page.tally.matches, page.tally.won) == (1, 1)


def test_bots_meet_in_the_tournaments_of_the_club_alone() -> None:
    tournament = a_bot_liguilla(entries=2)
    decide_table(tournament, 1, 1, 1, 0)
    assert head_to_head(CLUB, "bot-azar", "bot-sencillo").tally.won == 1
    elsewhere = a_club("Peña La Baraja")
    assert head_to_head(elsewhere.slug, "bot-azar", "bot-sencillo").tally.matches == 0


def test_partners_cannot_have_met() -> None:
    pair = the_pair(the_liguilla(), 1)
    page = head_to_head(CLUB, f"pair-{pair.pk}", f"player-{pair.first_id}")
    assert page.is_same
    assert page.tournaments == ()


def test_until_two_are_chosen_the_lists_alone_are_shown() -> None:
    tournament = the_liguilla()
    page = head_to_head(CLUB)
    assert (page.one, page.other, page.is_same, page.tournaments) == (None, None, False, ())
    assert (len(page.players), len(page.pairs), page.bots) == (
        tournament.club.players.count(),
        tournament.club.pairs.count(),
        (),
    )
    with refusal(Reason.NOT_FOUND):
        head_to_head(CLUB, "pair-1000000", "")


def test_a_comparison_takes_ten_queries_however_often_they_met() -> None:
    tournament = the_liguilla()
    decide_all(tournament)
    pair, other = the_pair(tournament, 1), the_pair(tournament, 2)
    read = lambda: head_to_head(CLUB, f"pair-{pair.pk}", f"pair-{other.pk}")  # noqa: E731
    assert count_queries(read)[1] == 10


def test_over_the_api_two_have_their_meetings_and_the_club_its_statistics() -> None:
    tournament = the_liguilla()
    decide_all(tournament)
    one, other = (f"pair-{the_pair(tournament, number).pk}" for number in (1, 2))
    place = f"clubs/{CLUB}/"
    told = Caller().read(f"{place}head-to-head/?one={one}&other={other}")
    assert (told["one"]["ref"], told["other"]["ref"]) == (one, other)
    assert (told["sums"]["matches"], told["sums"]["won"]) == (1, 1)
    assert told["tournaments"][0]["matches"][0]["outcome"] == "won"
    assert Caller().read(f"{place}head-to-head/")["one"] is None
    played = Caller().read(f"{place}statistics/")
    assert played["matches"] == 28
    assert sum(month["count"] for month in played["months"]) == played["matches"]
