"""Pairs may play under any pairs ruleset, and under the tournament's house rules alone."""

import json
from typing import Any

import pytest

import engine
from tests.clubs import house_bots
from tests.support.bot_tables import a_bot_match, played
from tournaments.arena.services import dispatch, playing
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.services import entries, tournaments
from tournaments.director.services.draws import draw
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.models import Club, Match, Record, Round
from tournaments.people.services import clubs
from tournaments.results.queries.records import replays
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db
SYSTEM = Actor.system()


def club() -> Club:
    return clubs.create_club(SYSTEM, name="Peña de todos")


def bot_match(ruleset: str, options: dict[str, Any]) -> Match:
    league = tournaments.create_tournament(
        SYSTEM, club(), ruleset, NewTournament(GameSettings(ruleset=ruleset, options=options))
    )
    entries.enter_newcomers(SYSTEM, league, house_bots())
    draw(SYSTEM, league)
    round_ = tournaments.publish_round(
        SYSTEM, Round.objects.get(stage__tournament=league, number=1)
    )
    dispatch.play_round(SYSTEM, round_)
    return Match.objects.get(round=round_)


@pytest.mark.parametrize("ruleset", ["parejas", "parejas-online", "cuatro"])
def test_bots_play_every_pairs_ruleset(ruleset: str) -> None:
    match = bot_match(ruleset, {"deals": 5})
    assert playing.play_match(match.pk) == playing.PlayOutcome.ACCEPTED


@pytest.mark.parametrize("ruleset", sorted(engine.RULESETS))
def test_the_stored_hands_of_every_game_are_those_of_its_record(ruleset: str) -> None:
    """R9.2: the first of the two deals of a mano a mano has no winner, unless it ends the hand.

    Of thirty hands one in a million matches of these bots ends all in their first deals.
    """
    options = {"to": 30} if ruleset == "mano-a-mano" else {}
    match = played(a_bot_match(ruleset=ruleset, options=options))
    winners = match.records.get().hands.values_list("winner", flat=True)
    assert ("" in winners) == (ruleset == "mano-a-mano")
    assert [replay.differences for replay in replays()] == [()]


def test_bots_play_by_the_house_rules_of_their_tournament() -> None:
    match = bot_match("cuatro", {"deals": 5, "omitted_is_lost": True})
    assert playing.play_match(match.pk) == playing.PlayOutcome.ACCEPTED
    text = json.loads(Record.objects.get(match=match).text)
    assert text["options"] == {"deals": 5, "omitted_is_lost": True}


def test_a_record_under_other_house_rules_is_not_of_this_tournament() -> None:
    match = bot_match("cuatro", {"deals": 1})
    seats = [*match.home.seat_names, *(match.away.seat_names if match.away else ())]
    rules = engine.RULESETS["cuatro"]
    table = {seat: engine.HOUSE_BOTS["simple"](b"") for seat in rules.seats}
    names = [seats[0], seats[2], seats[1], seats[3]]
    options = {"deals": 1, "must_overtrump": False}
    other = engine.play_match(rules, table, b"seed", "other", names, options)
    assert engine.audit(other).valid
    submitted = submit_record(SYSTEM, match, json.dumps(other))
    assert submitted.code == Reason.OPTIONS_MISMATCH.code
    usual = {"deals": 1, "must_overtrump": True}
    usual_record = engine.play_match(rules, table, b"seed", "same", names, usual)
    assert submit_record(SYSTEM, match, json.dumps(usual_record)).outcome == "accepted"


@pytest.mark.parametrize(
    ("ruleset", "reason"),
    [("arrastrado", Reason.WRONG_SEATS), ("mus", Reason.UNKNOWN_RULESET)],
)
def test_a_liguilla_of_two_at_a_table_needs_rules_for_two_sides(
    ruleset: str, reason: Reason
) -> None:
    with pytest.raises(Refusal) as refused:
        tournaments.create_tournament(
            SYSTEM, club(), "x", NewTournament(GameSettings(ruleset=ruleset))
        )
    assert refused.value.code == reason.code


@pytest.mark.parametrize("ruleset", ["habanero", "mano-a-mano"])
def test_single_players_enter_what_two_play_alone(ruleset: str) -> None:
    league = tournaments.create_tournament(
        SYSTEM, club(), "x", NewTournament(GameSettings(ruleset=ruleset))
    )
    assert league.unit == "player"
