"""Records and results of single players: two at a table, three, or two pairs for one round."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.clubs import (
    SYSTEM,
    a_club,
    link_player,
    submitted,
    text,
    the_liguilla,
    the_match,
    the_round,
    user,
)
from tests.support.event_tables import counting, now
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor, may_submit_to, side_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.names import fold_name
from tournaments.domain.scores import Score
from tournaments.models import Club, Match, Player, Tournament
from tournaments.results.services.matches import correct_result, forfeit
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.submit import submit_record, submit_to_tournament

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bea", "Carlos", "Diego", "Eva", "Félix")


def players(club: Club, names: Sequence[str] = NAMES) -> list[Player]:
    return [
        Player.objects.create(club=club, code=f"S{n}", name=name, folded=fold_name(name))
        for n, name in enumerate(names)
    ]


def event(ruleset: str, format_: str, entries: int, **options: Any) -> Tournament:
    """A tournament of single players, its first round published."""
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Individual",
        NewTournament(GameSettings(ruleset=ruleset, options=options), stages=[{"format": format_}]),
    )
    enter_newcomers(SYSTEM, tournament, players(tournament.club)[:entries])
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    tournament.refresh_from_db()
    return tournament


def record(tournament: Tournament, seats: Sequence[str], *hands: dict[str, int]) -> str:
    """A record whose hands give their results only; the side with most points wins each."""
    lines = [
        {
            "dealer": "ABCD"[n % len(seats)],
            "play": None,
            "points": points,
            "winner": max(points, key=lambda side: points[side]),
        }
        for n, points in enumerate(hands)
    ]
    return text(
        {
            "format": "baza/1",
            "ruleset": tournament.ruleset,
            "options": tournament.options,
            "seats": list(seats),
            "hands": lines,
        }
    )


def account(match: Match, name: str) -> Actor:
    link_player(SYSTEM, match.tournament.club.players.get(name=name), user(fold_name(name)))
    return Actor.for_user(user(fold_name(name)))


# --- Two ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_players_either_may_sit_at_a(turned: bool) -> None:
    tournament = event("habanero", "liguilla", 4, to=2)
    match = the_match(tournament, 1, 1)
    seats = [match.names_at(0)[0], match.names_at(1)[0]]
    home_seat, away_seat = ("B", "A") if turned else ("A", "B")
    hands = [{"A": 0, "B": 0} | {home_seat: 90, away_seat: 40}] * 2
    body = record(tournament, seats[::-1] if turned else seats, *hands)
    answer = submit_to_tournament(SYSTEM, tournament, body)
    assert (answer.outcome, answer.code, answer.match) == ("accepted", "", match)
    assert answer.record is not None
    assert answer.record.home_side == home_seat
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands, result.home_points) == (2, 0, 180)


def test_single_players_report_and_confirm_by_account() -> None:
    match = the_match(event("habanero", "liguilla", 4, to=2), 1, 1)
    home_actor, away_actor = (account(match, match.names_at(n)[0]) for n in (0, 1))
    assert (side_of(home_actor, match), side_of(away_actor, match)) == ("home", "away")
    hands = [{"home": 90, "away": 40}, {"home": 70, "away": 60}]
    assert report_result(home_actor, match, hand_scores=hands).outcome == "reported"
    assert confirm_result(away_actor, match).home_hands == 2


def test_a_race_is_counted_in_games_of_one_or_two_deals() -> None:
    match = the_match(event("mano-a-mano", "liguilla", 2, to=1), 1, 1)
    hands: list[dict[str, Any]] = [
        {"home": 70, "away": 60},
        {"home": 60, "away": 50, "winner": "home"},
    ]
    result = report_result(SYSTEM, match, hand_scores=hands).result
    assert (result.home_hands, result.away_hands, result.home_points) == (1, 0, 130)


# --- Three --------------------------------------------------------------------------------------


def three() -> Match:
    return the_match(event("arrastrado", "threes", 3, to=2), 1, 1)


def test_three_players_sit_down_in_any_order() -> None:
    match = three()
    (home,), (away,), (third,) = (match.names_at(n) for n in range(3))
    body = record(
        match.tournament,
        [third, home, away],
        {"A": 30, "B": 70, "C": 30},
        {"A": 80, "B": 30, "C": 20},
        {"A": 30, "B": 30, "C": 70},
        {"A": 90, "B": 20, "C": 20},
    )
    answer = submit_to_tournament(SYSTEM, match.tournament, body)
    assert (answer.outcome, answer.code) == ("accepted", "")
    assert answer.record is not None
    assert answer.record.home_side == "BCA"
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands, result.third_hands) == (1, 1, 2)
    assert (result.home_points, result.away_points, result.third_points) == (150, 140, 230)
    assert result.winner == "third"


def test_any_of_the_others_confirms_what_one_of_three_reported() -> None:
    match = three()
    score = Score(1, 0, 0, 0, 2, 0)
    report_result(account(match, match.names_at(0)[0]), match, score=score)
    with refusal(Reason.OWN_REPORT):
        confirm_result(account(match, match.names_at(0)[0]), match)
    result = confirm_result(account(match, match.names_at(2)[0]), match)
    assert (result.winner, now(match).state) == ("third", "accepted")
    stage = rows_of(match.tournament).stages[0]
    (marks,) = (table.marks for _, table in stage.tables() if table.marks)
    assert [mark.hands for mark in marks] == [1, 0, 2]


def test_a_score_of_three_needs_three() -> None:
    match = three()
    with refusal(Reason.IMPOSSIBLE_SCORE):
        report_result(SYSTEM, match, score=Score(2, 0, 0, 0))
    assert correct_result(SYSTEM, match, Score(1, 1, 0, 0, 1, 0), reason="Luz.").winner == "tie"


def test_of_three_one_may_stay_away_or_two() -> None:
    match = three()
    assert forfeit(SYSTEM, match, ["third"], reason="No vino.").winner == "tie"
    assert forfeit(SYSTEM, match, ["home", "third"], reason="No vinieron.").winner == "away"


def test_a_record_with_a_fourth_at_the_table_is_not_of_a_match_of_three() -> None:
    match = three()
    names = [match.names_at(n)[0] for n in range(3)]
    hands = [{"B": 30, "C": 70, "D": 30}, {"A": 30, "C": 70, "D": 30}]
    body = record(match.tournament, [*names, "Gema"], *hands)
    answer = submit_record(SYSTEM, match, body)
    assert (answer.status, answer.code) == (422, "wrong_table")
    assert answer.refusal is not None
    assert answer.refusal.params == {"expected": 3, "found": 4}


# --- Two pairs for one round --------------------------------------------------------------------


def four() -> Match:
    return the_match(event("parejas-online", "individual", 4, to=1), 1, 1)


def test_partners_for_a_round_sit_opposite_each_other() -> None:
    match = four()
    (a, c), (b, d) = match.names_at(0), match.names_at(1)
    body = record(match.tournament, [d, c, b, a], {"AC": 90, "BD": 40})
    answer = submit_to_tournament(SYSTEM, match.tournament, body)
    assert (answer.outcome, answer.code) == ("accepted", "")
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (0, 1)
    mixed = record(match.tournament, [a, c, b, d], {"AC": 90, "BD": 40})
    assert submit_record(SYSTEM, match, mixed).code == "pairing_mismatch"


def test_both_partners_are_one_side() -> None:
    match = four()
    first, partner = (account(match, name) for name in match.names_at(0))
    assert side_of(first, match) == side_of(partner, match) == "home"
    report_result(first, match, score=Score(1, 0, 0, 0))
    with refusal(Reason.OWN_REPORT):
        confirm_result(partner, match)
    assert confirm_result(account(match, match.names_at(1)[1]), match).live
    assert match.home_partner is not None
    assert side_of(Actor.for_entry(match.home_partner), match) == "home"


# --- Who stands in ------------------------------------------------------------------------------


def test_one_who_stands_in_plays_reports_and_is_found_at_the_table() -> None:
    tournament = the_liguilla(published=1)
    match = the_match(tournament, 1, 1)
    (gema,) = players(tournament.club, ["Gema"])
    leaves = tournament.club.players.get(name="Pilar Martínez")
    substitute(SYSTEM, match.home, leaves=leaves, comes=gema, from_round=1)
    match = now(match)
    actor = account(match, "Gema")
    assert side_of(actor, match) == "home"
    assert may_submit_to(actor, tournament)
    seats = ["Gema", "Teresa Beltrán", "Jesús Ibáñez", "Julián Cortés"]
    hands = [{"AC": 90, "BD": 40}] * 3
    answer = submit_to_tournament(SYSTEM, tournament, record(tournament, seats, *hands))
    assert (answer.outcome, answer.code, answer.match) == ("accepted", "", match)
    assert submitted(tournament, 0).code == "pairing_mismatch"
