"""Matches of several cotos: the first side to win enough of them has won."""

from fractions import Fraction
from typing import Any

import pytest

import engine
from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    a_club,
    arbiter,
    house_bots,
    new_tournament,
    text,
    the_match,
    the_round,
)
from tests.support.coto_matches import best_of_three, played, submit_coto
from tests.support.event_tables import away, counting, home, lines_of, now, table_1
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import PlayOutcome, play_match
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.match_parts import coto_of
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Dispute, Match, Record, Result, Tournament
from tournaments.results.queries.own_table import own_table_version
from tournaments.results.queries.records import replays
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.results import score_so_far
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(db: None) -> Match:
    return two_cotos_win()


@reuse_rows()
def two_cotos_win() -> Match:
    """Round 1, table 1: two cotos win it."""
    return table_1(best_of_three())


def won(match: Match) -> tuple[int, ...] | None:
    score = score_so_far(match)
    return None if score is None else score.hands


# --- Until a side has won enough ----------------------------------------------------------------


def test_a_match_has_no_result_before_a_side_has_won_two_cotos(match: Match) -> None:
    answer = submit_coto(SYSTEM, match, "home")
    assert (answer.outcome, answer.status, now(match).state) == ("accepted", 201, "pending")
    assert (won(match), match.results.count()) == ((1, 0), 0)
    submit_coto(SYSTEM, match, "away")
    assert (won(match), match.results.count(), now(match).state) == ((1, 1), 0, "pending")
    last = submit_coto(SYSTEM, match, "home", 2)
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands, result.winner) == (2, 1, "home")
    assert (result.record, now(match).state) == (last.record, "accepted")


def test_the_page_of_ones_own_table_is_informed_of_each_coto(match: Match) -> None:
    assert match.away is not None
    before = own_table_version(match.away)
    submit_coto(SYSTEM, match, "home")
    assert own_table_version(match.away) != before


def test_the_points_of_a_match_are_those_of_all_its_cotos(match: Match) -> None:
    answers = [submit_coto(SYSTEM, match, "away"), submit_coto(SYSTEM, match, "away", 2)]
    cotos = [coto_of(response.parsed.verdict_json, "AC") for response in answers]
    result = counting(match)
    assert result is not None
    assert result.home_points == sum(coto.points[0] for coto in cotos)
    assert result.away_points == sum(coto.points[1] for coto in cotos)
    assert [row["winner"] for row in result.hand_scores] == ["away", "away"]
    assert [row["home"] for row in result.hand_scores] == [coto.points[0] for coto in cotos]


def test_the_table_counts_cotos(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    submit_coto(SYSTEM, match, "home", 2)
    first = lines_of(match.tournament)[0]
    assert (first.entrant, first.match_points) == (match.home.number, Fraction(2))


def test_no_coto_is_taken_once_the_match_is_decided(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    submit_coto(SYSTEM, match, "home", 2)
    answer = submit_coto(SYSTEM, match, "away")
    assert (answer.outcome, answer.code, answer.status) == ("refused", "match_decided", 409)
    assert (match.records.accepted().count(), now(match).state) == (2, "accepted")


def test_cotos_come_in_their_order(match: Match) -> None:
    answer = submit_coto(SYSTEM, match, "home", tag=2)
    assert (answer.code, answer.refusal and answer.refusal.params) == (
        "other_coto",
        {"expected": 1, "found": 2},
    )
    submit_coto(SYSTEM, match, "home", tag=1)
    assert submit_coto(SYSTEM, match, "away", tag=2).outcome == "accepted"
    assert [record.coto for record in match.records.accepted().order_by("coto")] == [1, 2]


def test_the_same_coto_sent_again_is_known(match: Match) -> None:
    first = submit_coto(SYSTEM, match, "home")
    second = submit_coto(SYSTEM, match, "home", tag=1)
    assert (second.outcome, second.record) == ("duplicate", first.record)
    assert won(match) == (1, 0)


def test_a_match_in_play_keeps_its_round_open(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    with refusal(Reason.ROUND_UNFINISHED):
        close_round(SYSTEM, match.round)


# --- Confirmed by the other side ----------------------------------------------------------------


def test_what_one_side_sends_waits_until_the_other_confirms_the_match(match: Match) -> None:
    assert submit_coto(home(match), match, "home").outcome == "reported"
    assert submit_coto(home(match), match, "home", 2).outcome == "reported"
    assert (now(match).state, counting(match)) == ("reported", None)
    with refusal(Reason.OWN_REPORT):
        confirm_result(home(match), match)
    assert confirm_result(away(match), match).home_hands == 2
    assert now(match).state == "accepted"


def test_the_other_side_confirms_by_sending_every_coto(match: Match) -> None:
    submit_coto(home(match), match, "home")
    submit_coto(home(match), match, "home", 2)
    assert submit_coto(away(match), match, "home", 2).outcome == "duplicate"
    assert now(match).state == "reported"
    assert submit_coto(away(match), match, "home").outcome == "confirmed"
    assert now(match).state == "accepted"


def test_a_match_whose_cotos_both_sides_have_sent_counts_at_once(match: Match) -> None:
    for side in (home(match), away(match)):
        submit_coto(side, match, "away")
    submit_coto(away(match), match, "home")
    submit_coto(home(match), match, "home")
    submit_coto(home(match), match, "away", 2)
    assert now(match).state == "reported"
    submit_coto(away(match), match, "away", 2)
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (1, 2)


def test_a_side_puts_its_own_coto_right(match: Match) -> None:
    submit_coto(home(match), match, "home")
    assert submit_coto(home(match), match, "away", tag=1).outcome == "reported"
    assert (won(match), match.records.filter(state="superseded").count()) == ((0, 1), 1)
    submit_coto(home(match), match, "away", 2)
    assert now(match).state == "reported"
    assert submit_coto(home(match), match, "home", tag=2).outcome == "reported"
    assert (now(match).state, won(match), match.results.live().exists()) == (
        "pending",
        (1, 1),
        False,
    )


# --- Contradicted -------------------------------------------------------------------------------


def contradicted(match: Match) -> Dispute:
    submit_coto(home(match), match, "home")
    answer = submit_coto(away(match), match, "away", tag=1)
    assert (answer.outcome, answer.status, now(match).state) == ("contested", 409, "disputed")
    return match.disputes.get()


def test_another_record_of_a_coto_opens_a_dispute(match: Match) -> None:
    contradicted(match)
    answer = submit_coto(SYSTEM, match, "home", 2)
    assert (answer.code, now(match).state) == ("already_disputed", "disputed")


def test_a_match_goes_on_when_its_coto_is_upheld(match: Match) -> None:
    dispute = contradicted(match)
    rule_on_dispute(SYSTEM, dispute, "uphold", reason="Así fue.")
    assert (now(match).state, won(match)) == ("pending", (1, 0))
    assert submit_coto(away(match), match, "away", tag=1).outcome == "contested"
    assert now(match).state == "pending", "what was ruled on stays ruled"
    submit_coto(SYSTEM, match, "home", 2)
    assert now(match).state == "accepted"


def test_a_match_goes_on_from_the_coto_that_the_arbiter_puts_in_its_place(match: Match) -> None:
    dispute = contradicted(match)
    rule_on_dispute(SYSTEM, dispute, "amend", reason="Ganó visitante.", record=dispute.record)
    assert (now(match).state, won(match)) == ("pending", (0, 1))
    submit_coto(SYSTEM, match, "away", 2)
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (0, 2)


def test_a_voided_match_begins_again(match: Match) -> None:
    dispute = contradicted(match)
    rule_on_dispute(SYSTEM, dispute, "void", reason="Baraja incompleta.")
    assert (now(match).state, won(match)) == ("pending", None)
    assert submit_coto(SYSTEM, match, "away", tag=1).outcome == "accepted"


def test_a_coto_amended_can_take_its_result_from_a_match(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    submit_coto(SYSTEM, match, "home", 2)
    answer = submit_coto(away(match), match, "away", tag=2)
    assert (answer.outcome, now(match).state, won(match)) == ("contested", "disputed", (2, 0))
    assert counting(match) is not None
    dispute = match.disputes.get()
    rule_on_dispute(SYSTEM, dispute, "amend", reason="Se revisó.", record=dispute.record)
    assert (now(match).state, won(match), counting(match)) == ("pending", (1, 1), None)


def test_cotos_after_the_one_that_decides_are_superseded(match: Match) -> None:
    for winner, number in (("home", 1), ("away", 1), ("home", 2)):
        submit_coto(SYSTEM, match, winner, number)
    answer = submit_coto(away(match), match, "home", 3, tag=2)
    assert answer.outcome == "contested"
    rule_on_dispute(SYSTEM, match.disputes.get(), "amend", reason="2-0.", record=answer.record)
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (2, 0)
    assert [record.coto for record in match.records.accepted()] == [2, 1]


def test_a_match_in_play_can_be_objected_to(match: Match) -> None:
    with refusal(Reason.NOTHING_TO_DISPUTE):
        dispute_result(away(match), match, "Faltaba un siete.")
    submit_coto(home(match), match, "home")
    dispute = dispute_result(away(match), match, "Faltaba un siete.")
    assert now(match).state == "disputed"
    rule_on_dispute(arbiter(match.tournament.club), dispute, "uphold", reason="No faltaba.")
    assert now(match).state == "pending"


# --- Reported without records -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        (Score(1, 1, 0, 0), Reason.SCORE_UNFINISHED),
        (Score(3, 1, 0, 0), Reason.IMPOSSIBLE_SCORE),
        (Score(2, 2, 0, 0), Reason.IMPOSSIBLE_SCORE),
        (Score(2, 0, 900, 100), Reason.IMPOSSIBLE_SCORE),
    ],
)
def test_a_score_is_of_cotos(match: Match, score: Score, reason: Reason) -> None:
    with refusal(reason):
        report_result(SYSTEM, match, score=score)
    assert report_result(SYSTEM, match, score=Score(2, 1, 0, 0)).outcome == "accepted"


def row(home_points: int, away_points: int, winner: str = "") -> dict[str, Any]:
    fields = {"home": home_points, "away": away_points}
    return {**fields, "winner": winner} if winner else fields


HOME, AWAY = row(110, 20, "home"), row(30, 100, "away")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([row(110, 20)], Reason.COTO_WINNER_MISSING),
        ([HOME, HOME, AWAY], Reason.COTO_TOO_MANY),
        ([HOME, row(110, 500, "away")], Reason.IMPOSSIBLE_COTO),
        ([HOME, AWAY], Reason.SCORE_UNFINISHED),
        ([HOME, {"home": 3}], Reason.BAD_HAND),
    ],
)
def test_cotos_are_reported_with_points_and_winner(
    match: Match, rows: list[dict[str, Any]], reason: Reason
) -> None:
    with refusal(reason):
        report_result(SYSTEM, match, hand_scores=rows)
    result = report_result(SYSTEM, match, hand_scores=[HOME, AWAY, HOME]).result
    assert (result.home_hands, result.away_hands, result.home_points) == (2, 1, 250)
    assert result.hand_scores == [HOME, AWAY, HOME]


def test_a_report_has_to_follow_from_the_cotos_that_are_there(match: Match) -> None:
    submit_coto(SYSTEM, match, "away")
    with refusal(Reason.COTOS_DIFFER):
        report_result(SYSTEM, match, score=Score(2, 0, 0, 0))
    assert report_result(SYSTEM, match, score=Score(2, 1, 0, 0)).outcome == "accepted"


def test_no_report_goes_past_the_dispute_about_a_coto(match: Match) -> None:
    contradicted(match)
    for actor in (home(match), SYSTEM):
        with refusal(Reason.ALREADY_DISPUTED):
            report_result(actor, match, score=Score(2, 0, 0, 0))
    assert (now(match).state, match.results.count()) == ("disputed", 0)


def test_records_that_come_to_the_score_reported_take_its_place(match: Match) -> None:
    report_result(home(match), match, score=Score(2, 0, 0, 0))
    submit_coto(away(match), match, "home")
    assert now(match).state == "reported"
    assert submit_coto(away(match), match, "home", 2).outcome == "confirmed"
    result = counting(match)
    assert result is not None
    assert (result.depth, result.home_hands) == (Result.Depth.RECORD, 2)


def test_a_coto_that_contradicts_the_score_reported_opens_a_dispute(match: Match) -> None:
    report_result(home(match), match, score=Score(2, 0, 0, 0))
    assert submit_coto(away(match), match, "away").outcome == "contested"
    assert now(match).state == "disputed"


def test_a_side_puts_the_score_right_that_it_reported_by_a_coto(match: Match) -> None:
    report_result(home(match), match, score=Score(2, 0, 0, 0))
    assert submit_coto(home(match), match, "away").outcome == "reported"
    assert (now(match).state, won(match)) == ("pending", (0, 1))


def test_what_the_arbiter_gave_takes_no_cotos(match: Match) -> None:
    submit_coto(SYSTEM, match, "home")
    correct_result(SYSTEM, match, Score(1, 0, 110, 20), reason="Se fueron.")
    assert submit_coto(SYSTEM, match, "home", 2).code == "settled"


# --- Played by bots -----------------------------------------------------------------------------


def of_bots(cotos: int) -> Tournament:
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Bots",
        NewTournament(GameSettings(options={"to": 1}, cotos=cotos)),
        slug="bots",
    )
    enter_newcomers(SYSTEM, tournament, house_bots() * 2)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_round(SYSTEM, the_round(tournament, 1))
    return tournament


def test_bots_play_every_coto_of_their_match() -> None:
    tournament = of_bots(cotos=3)
    for match in the_round(tournament, 1).matches.all():
        assert play_match(match.pk) is PlayOutcome.ACCEPTED
    for match in the_round(tournament, 1).matches.with_names():
        result = counting(match)
        assert result is not None
        assert max(result.home_hands, result.away_hands) == 3
        assert result.home_hands + result.away_hands == match.records.count()
        for record in match.records.all():
            parsed = engine.parse_record(record.text)
            label = f"{match.label}/{record.coto}"
            dealt = engine.deal(parsed.ruleset, bytes.fromhex(match.round.seed), label, 1)
            assert (parsed.tags["coto"], parsed.hands[0].deal) == (str(record.coto), dealt.hands)


def test_bots_take_a_match_up_where_another_attempt_left_it() -> None:
    tournament = of_bots(cotos=2)
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    played = list(match.records.accepted().order_by("coto").values_list("text", flat=True))
    match.results.all().delete()
    Record.objects.exclude(match=match, coto=1).delete()
    Match.objects.filter(pk=match.pk).update(state="pending")
    assert play_match(match.pk) is PlayOutcome.ACCEPTED
    accepted_records = match.records.accepted().order_by("coto")
    assert list(accepted_records.values_list("text", flat=True)) == played


def test_bots_of_a_single_coto_play_under_the_label_of_their_match() -> None:
    tournament = a_bot_liguilla()
    play_round(SYSTEM, the_round(tournament, 1))
    match = the_match(tournament, 1, 1)
    play_match(match.pk)
    parsed = engine.parse_record(match.records.get().text)
    dealt = engine.deal(parsed.ruleset, bytes.fromhex(match.round.seed), match.label, 1)
    assert (parsed.hands[0].deal, "coto" in parsed.tags) == (dealt.hands, False)


def test_every_hand_of_every_coto_replays() -> None:
    tournament = of_bots(cotos=2)
    for match in the_round(tournament, 1).matches.all():
        play_match(match.pk)
    hands = list(replays(tournament.slug))
    assert len(hands) == Record.objects.accepted().count() >= 4
    assert not [replay for replay in hands if replay.differences]
    result = Result.objects.live().earliest("pk")
    result.hand_scores[0]["home"] += 1
    result.save()
    assert [replay.differences for replay in replays(tournament.slug) if replay.differences]


# --- Agreed -------------------------------------------------------------------------------------


def test_cotos_are_agreed_when_a_tournament_is_created(match: Match) -> None:
    audit_event = AuditEvent.objects.get(verb="tournament.created", tournament=match.tournament)
    assert audit_event.facts["cotos"] == match.tournament.cotos == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"cotos": 0},
        {"cotos": 11},
        {"cotos": 2, "options": {"deals": 4}},
        {"cotos": 2, "stages": [{"format": "duplicate"}]},
    ],
)
def test_cotos_that_cannot_be_are_refused(db: None, fields: dict[str, Any]) -> None:
    with refusal(Reason.BAD_OPTIONS):
        create_tournament(SYSTEM, a_club(), "Liga", new_tournament(**fields))


def test_each_coto_is_as_long_as_agreed(match: Match) -> None:
    (first, third), (second, fourth) = match.names_at(0), match.names_at(1)
    longer = played((first, second, third, fourth), "AC", to=2)
    assert submit_record(SYSTEM, match, text(longer)).code == "options_mismatch"
