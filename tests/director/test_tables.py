"""Tables of three to five: under which ruleset they are offered, and how a round is drawn."""

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from tests.clubs import SYSTEM, a_club, house_bots, text, the_round
from tests.director.test_single_players import players, record
from tests.signup.test_signing_up import surnames
from tests.support.bot_tables import a_bot_round, house_bot
from tests.support.event_tables import counting
from tests.support.refusals import refusal
from tournaments.arena.services.playing import play_matches
from tournaments.core.errors import Reason
from tournaments.director.queries.rows import score_in
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.plan import set_plan
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.scores import Score
from tournaments.models import Record, Result, Round, Tournament
from tournaments.ratings.queries.history import rated_history
from tournaments.results.queries.matches import match_page
from tournaments.results.services.matches import correct_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db


def tables(ruleset: str, **rules: Any) -> Tournament:
    """Create a tournament of tables."""
    stages = [{"format": "tables", "rules": rules}]
    deals = 4 if rules.get("other_size") == 4 else 12
    options = {"deals": deals} if ruleset == "arrastrado" else {}
    new = NewTournament(GameSettings(ruleset=ruleset, options=options), stages=stages)
    return create_tournament(SYSTEM, a_club(), "Mesas", new)


def enter(tournament: Tournament, people: int) -> Tournament:
    names = [f"Ana {surnames(n)}" for n in range(people)]
    enter_newcomers(SYSTEM, tournament, players(tournament.club, names))
    return tournament


def begin(tournament: Tournament) -> Round:
    """Draw and publish the first round."""
    draw(SYSTEM, tournament)
    return publish_round(SYSTEM, the_round(tournament, 1))


@pytest.mark.parametrize(
    ("ruleset", "rules"),
    [("cuatro", {}), ("habanero", {"table_size": 3}), ("arrastrado", {"table_size": 5})],
)
def test_tables_are_played_where_the_ruleset_has_three_seats_and_else_results_are_typed(
    ruleset: str, rules: dict[str, Any]
) -> None:
    with refusal(Reason.WRONG_SEATS):
        tables(ruleset, **rules)
    assert tables(ruleset, **rules, typed_only=True).unit == Tournament.Unit.PLAYER


@pytest.mark.parametrize(
    ("sizes", "deals", "expected"), [((4, 4), 6, 4), ((3, 3), 4, 3), ((4, 3), 8, 12)]
)
def test_everybody_at_a_table_deals_as_often(
    sizes: tuple[int, int], deals: int, expected: int
) -> None:
    rules = dict(zip(("table_size", "other_size"), sizes, strict=True))
    tournament = tables("arrastrado", **rules, typed_only=True)
    new = NewTournament(
        GameSettings(ruleset="arrastrado", options={"deals": deals}),
        stages=[{"format": "tables", "rules": rules}],
    )
    with refusal(Reason.UNEVEN_DEALS) as refused:
        set_plan(SYSTEM, tournament, new)
    assert refused.value.params["expected"] == expected
    even = replace(new, game=replace(new.game, options={"deals": 2 * expected}))
    assert set_plan(SYSTEM, tournament, even).options == {"deals": 2 * expected}


def test_five_do_not_fill_fours_and_threes_before_the_first_round() -> None:
    with refusal(Reason.CANNOT_DRAW):
        draw(SYSTEM, enter(tables("arrastrado"), 5))


def test_thirteen_sit_at_a_four_and_three_threes() -> None:
    round_ = begin(enter(tables("cuatro", typed_only=True, seated_by="lot"), 13))
    assert [len(match.sides) for match in round_.matches.order_by("table")] == [4, 3, 3, 3]
    assert round_.matches.filter(fourth=None).count() == 3


def test_four_play_arrastrado_by_records_and_the_dealer_of_each_deal_sits_out() -> None:
    tournament = enter(tables("arrastrado", rounds=3, other_size=4), 4)
    match = begin(tournament).matches.get()
    seats = [names[0] for names in match.names][::-1]
    hands = [
        {"B": 60, "C": 50, "D": 20},
        {"A": 60, "C": 50, "D": 20},
        {"A": 20, "B": 60, "D": 50},
        {"A": 20, "B": 60, "C": 50},
    ]
    answer = submit_record(SYSTEM, match, record(tournament, seats, *hands))
    assert (answer.outcome, answer.code) == ("accepted", "")
    result = counting(match)
    assert result is not None
    assert (score_in(result).hands, score_in(result).points) == ((0, 0, 3, 1), (90, 150, 180, 100))
    assert result.winner == Result.Winner.THIRD
    (rated,) = rated_history("arrastrado")
    assert rated.marks == (0, 1, 3, 2)  # hands, then points, as the places at the table
    page = match_page(match.pk, SYSTEM)
    assert page.hands[0].points == (20, 50, 60, 0)


def test_a_fault_in_a_record_of_four_is_found_and_its_result_is_corrected() -> None:
    plan = [{"format": "tables", "rules": {"other_size": 4}}]
    bots = [house_bot("random", n) for n in range(1, 5)]
    round_ = a_bot_round(*bots, ruleset="arrastrado", options={"deals": 4}, stages=plan)
    play_matches(round_.matches.get().pk)
    document = json.loads(Record.objects.get(match__round=round_).text)
    tournament = enter(tables("arrastrado", other_size=4), 4)
    match = begin(tournament).matches.get()
    document["seats"] = [names[0] for names in match.names]
    faulty = deepcopy(document)
    play = faulty["hands"][0]["play"].split()
    faulty["hands"][0]["play"] = " ".join(play[::-1])
    answer = submit_record(SYSTEM, match, text(faulty))
    assert (answer.outcome, answer.verdict.faults[0].hand) == ("refused", 1)
    assert submit_record(SYSTEM, match, text(document)).outcome == "accepted"
    correct_result(SYSTEM, match, Score.of((0, 0, 0, 4), (0, 0, 0, 360)), reason="misdeal")
    result = counting(match)
    assert (result and result.winner, result and result.depth) == ("fourth", "ruling")


def test_bots_neither_enter_a_stage_of_typed_results_nor_come_into_one_by_its_plan() -> None:
    tournament = tables("arrastrado")
    enter_newcomers(SYSTEM, tournament, house_bots())
    typed = {"format": "tables", "rules": {"typed_only": True}}
    game = GameSettings(ruleset="arrastrado", options={"deals": 4})
    with refusal(Reason.TYPED_ONLY):
        set_plan(SYSTEM, tournament, NewTournament(game, stages=[typed]))
    with refusal(Reason.TYPED_ONLY):
        enter_newcomers(SYSTEM, tables("cuatro", typed_only=True), house_bots())
    with refusal(Reason.TYPED_ONLY):
        new = NewTournament(replace(game, deal_sets=2), stages=[typed])
        create_tournament(SYSTEM, tournament.club, "Series", new)


@pytest.mark.parametrize(("players", "sets"), [(4, 0), (7, 0), (4, 1)])
def test_bots_play_a_round_of_arrastrado_at_tables_of_three_and_four(
    players: int, sets: int
) -> None:
    bots = [house_bot("simple" if n % 2 else "random", n + 1) for n in range(players)]
    deals, rules = (12, {}) if players == 7 else (4, {"other_size": 4})
    game: dict[str, Any] = {"options": {"deals": deals}, "deal_sets": sets}
    plan = [{"format": "tables", "rules": rules}]
    round_ = a_bot_round(*bots, ruleset="arrastrado", stages=plan, **game)
    matches = list(round_.matches.order_by("table"))
    play_matches(*(match.pk for match in matches))
    scores = [score_in(counting(match) or Result()) for match in matches]
    assert [len(score.hands) for score in scores] == ([4] if players == 4 else [4, 3])
    assert all(score.has_points for score in scores)
    # A deal set is the same four deals for each way of sitting.
    records = Record.objects.filter(match__in=matches, state=Record.State.ACCEPTED)
    assert records.count() == (4 if sets else len(matches))
    assert {len(json.loads(record.text)["hands"]) for record in records} == {deals}
