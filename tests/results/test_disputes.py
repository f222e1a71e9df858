"""Disputes from their opening to the ruling, and who goes on from a level match."""

import pytest

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_swiss,
    arbiter,
    organiser,
    play_out,
    stranger,
    submitted,
    the_liguilla,
    the_match,
    the_round,
)
from tests.support.event_tables import (
    LOST,
    WON,
    away,
    by_code,
    counting,
    home,
    lines_of,
    now,
    table_1,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.draws import draw_next
from tournaments.director.services.tournaments import close_round, finish, publish_round
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Dispute, Match, Round, Stage, Tournament
from tournaments.results.queries.effects import correction_effect
from tournaments.results.services.matches import (
    correct_result,
    decide,
    dispute_result,
    rule_on_dispute,
    take_up,
)
from tournaments.results.services.reports import confirm_result, report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(db: None) -> Match:
    """Las Cuarenta – Las Fuentes, decided 0-3 by the club's record."""
    tournament = the_liguilla(published=1)
    submitted(tournament, 0)
    return table_1(tournament)


# --- From submitted to final --------------------------------------------------------------------


def test_a_result_goes_from_reported_through_a_dispute_to_a_ruling() -> None:
    match = table_1(the_liguilla(published=1))
    report_result(home(match), match, score=WON)
    assert now(match).state == "reported"
    confirm_result(away(match), match)
    assert now(match).state == "accepted"
    dispute = dispute_result(away(match), match, "Se contó mal.")
    assert (dispute.state, now(match).state) == ("open", "disputed")
    assert counting(match) == match.results.live().get()
    judge = arbiter(match.tournament.club)
    assert take_up(judge, dispute).state == "review"
    ruled = rule_on_dispute(judge, dispute, "amend", reason="Es así.", score=LOST)
    assert (ruled.state, ruled.reviewed_by, ruled.ruled_by) == ("amended", "alberto", "alberto")
    assert now(match).state == "accepted"
    verbs = AuditEvent.objects.filter(facts__match=match.label).order_by("sequence")
    assert list(verbs.values_list("verb", flat=True)) == [
        "result.reported",
        "result.confirmed",
        "dispute.opened",
        "dispute.taken_up",
        "dispute.ruled",
    ]


def test_what_is_not_confirmed_yet_can_be_objected_to(match: Match) -> None:
    other = the_match(match.tournament, 1, 2)
    code = by_code(other, "home")
    report_result(code, other, score=WON)
    dispute = dispute_result(by_code(other, "away"), other, "No terminó así.")
    assert dispute.opened_by.startswith("entry ")
    with refusal(Reason.ALREADY_DISPUTED):
        confirm_result(by_code(other, "away"), other)
    rule_on_dispute(SYSTEM, dispute, "uphold", reason="Terminó así.")
    result = counting(other)
    assert result is not None
    assert (result.version, result.reported_for, result.winner) == (2, "home", "home")


def test_no_objection_takes_a_result_out_of_the_standings_before_the_ruling(match: Match) -> None:
    before, version = lines_of(match.tournament), Tournament.objects.get().version
    answer = report_result(home(match), match, score=Score(3, 2, 0, 0))
    assert (answer.outcome, now(match).state) == ("contested", "disputed")
    assert lines_of(match.tournament) == before
    assert Tournament.objects.get().version == version
    with refusal(Reason.ROUND_UNFINISHED):
        close_round(SYSTEM, match.round)
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "amend", reason="Así fue.", result=answer.result)
    result = counting(match)
    assert result is not None
    assert (result.home_hands, result.away_hands) == (3, 2)
    assert [old.counts for old in match.results.order_by("version")] == [False, False, True]


def test_a_report_that_nobody_confirmed_does_not_begin_to_count_by_an_objection() -> None:
    match = table_1(the_liguilla(published=1))
    report_result(home(match), match, score=WON)
    dispute_result(away(match), match, "No terminó así.")
    assert (now(match).state, counting(match)) == ("disputed", None)


def test_a_dispute_taken_up_is_one_arbiters(match: Match) -> None:
    dispute = dispute_result(SYSTEM, match, "Mal.")
    club = match.tournament.club
    for actor, reason in ((NOBODY, Reason.SIGN_IN), (stranger(), Reason.FORBIDDEN)):
        with refusal(reason):
            take_up(actor, dispute)
    home(match)
    with refusal(Reason.OWN_TABLE):
        take_up(organiser(club, "pilar"), dispute)
    take_up(arbiter(club), dispute)
    with refusal(Reason.ALREADY_TAKEN_UP) as raised:
        take_up(organiser(club), dispute)
    assert raised.value.params["text"] == "alberto"
    rule_on_dispute(organiser(club), dispute, "uphold", reason="Vale.")
    with refusal(Reason.ALREADY_RULED):
        take_up(arbiter(club), dispute)


def test_under_review_it_is_still_in_dispute(match: Match) -> None:
    take_up(SYSTEM, dispute_result(SYSTEM, match, "Mal."))
    with refusal(Reason.ALREADY_DISPUTED):
        dispute_result(SYSTEM, match, "Otra vez.")
    assert Dispute.objects.open().count() == 1
    assert sum(line.played for line in lines_of(match.tournament)) == 2


def test_after_the_round_players_may_dispute_and_after_the_end_nobody() -> None:
    tournament = the_liguilla()
    for number in range(1, 8):
        for table in range(1, 5):
            report_result(SYSTEM, the_match(tournament, number, table), score=WON)
        close_round(SYSTEM, the_round(tournament, number))
    match = table_1(tournament)
    rule_on_dispute(SYSTEM, dispute_result(home(match), match, "Mal."), "uphold", reason="Vale.")
    finish(SYSTEM, tournament)
    for actor in (home(match), arbiter(tournament.club)):
        with refusal(Reason.NOT_RUNNING):
            dispute_result(actor, match, "Mal.")
    assert correct_result(arbiter(tournament.club), match, LOST, reason="Mal.").version == 3


def test_each_ruling_that_lets_a_result_count_is_a_version_of_its_own(match: Match) -> None:
    for ruling in ("uphold", "uphold", "void"):
        dispute = dispute_result(SYSTEM, match, "Mal.")
        rule_on_dispute(SYSTEM, dispute, ruling, reason="Ya.")
    assert [r.version for r in match.results.order_by("version")] == [1, 2, 3]
    assert (now(match).state, counting(match)) == ("pending", None)
    assert report_result(SYSTEM, match, score=WON).result.version == 4


# --- What a correction does to the table --------------------------------------------------------


def a_table_that_turns() -> Tournament:
    """A Swiss of four, one round played: 1 beat 3, 2 beat 4, or as the draw has it."""
    tournament = a_swiss(4, rounds=2)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    tournament.refresh_from_db()
    return tournament


def test_the_effect_of_a_correction_is_reported_before_it_is_made() -> None:
    tournament = a_table_that_turns()
    match = table_1(tournament)
    before = rows_of(tournament)
    effect = correction_effect(tournament, match, Score(0, 3, 100, 300))
    moved = {move.entrant: (move.before, move.after) for move in effect.moves}
    assert match.away is not None
    assert moved[match.home.number][0] < moved[match.home.number][1]
    assert moved[match.away.number][0] > moved[match.away.number][1]
    assert rows_of(tournament) == before


def test_the_event_of_a_correction_shows_who_changed_places() -> None:
    tournament = a_table_that_turns()
    match = table_1(tournament)
    score = Score(0, 3, 100, 300)
    effect = correction_effect(tournament, match, score)
    correct_result(SYSTEM, match, score, reason="Acta del revés.")
    facts = AuditEvent.objects.filter(verb="result.corrected").latest("sequence").facts
    assert facts["effect"]["moves"] == [
        {"entry": move.entrant, "before": move.before, "after": move.after} for move in effect.moves
    ]
    assert facts["before"]["winner"] == "home"
    assert facts["after"]["winner"] == "away"


def test_the_effect_shows_who_would_no_longer_go_on() -> None:
    final = {"format": "knockout", "rules": {"take": 2}}
    tournament = a_swiss(4, rounds=2, then=(final,))
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    match = table_1(tournament)
    assert match.away is not None
    effect = correction_effect(tournament, match, Score(0, 3, 100, 300))
    assert effect.comes_in == (match.away.number,)
    assert effect.drops_out == (match.home.number,)


def test_a_correction_never_pairs_a_drawn_round_again() -> None:
    tournament = a_table_that_turns()
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1))
    pairings = list(Match.objects.values_list("round", "table", "home", "away"))
    correct_result(SYSTEM, table_1(tournament), Score(0, 3, 100, 300), reason="Acta del revés.")
    assert list(Match.objects.values_list("round", "table", "home", "away")) == pairings
    assert Round.objects.filter(stage__tournament=tournament).count() == 2


def test_an_arbiter_corrects_hand_by_hand(match: Match) -> None:
    hands = [{"home": 90, "away": 40}, {"home": 100, "away": 30}]
    result = correct_result(SYSTEM, match, reason="Se fue la luz.", hand_scores=hands)
    assert (result.depth, result.home_hands, result.home_points) == ("ruling", 2, 190)
    assert len(result.hand_scores) == 2
    with refusal(Reason.SCORE_MISSING):
        correct_result(SYSTEM, match, reason="Sin más.")


# --- Rulings for now ----------------------------------------------------------------------------


def test_a_result_that_stands_for_now_counts_and_the_next_round_can_be_drawn() -> None:
    tournament = a_swiss(6)
    publish_round(SYSTEM, the_round(tournament, 1))
    for table in (1, 2, 3):
        correct_result(SYSTEM, the_match(tournament, 1, table), WON, reason="Así quedó.")
    match, judge = the_match(tournament, 1, 1), arbiter(tournament.club)
    dispute = dispute_result(judge, match, "Se contó mal.")
    with refusal(Reason.ROUND_UNFINISHED):
        close_round(SYSTEM, the_round(tournament, 1))
    ruled = rule_on_dispute(judge, dispute, "interim", reason="Se mira al final.")
    assert (ruled.state, now(match).state, ruled.ruled_by) == ("interim", "accepted", judge.label)
    assert counting(match) is not None
    close_round(SYSTEM, the_round(tournament, 1))
    assert draw_next(SYSTEM, tournament, after=1).number == 2
    facts = AuditEvent.objects.get(verb="dispute.ruled").facts
    assert (facts["ruling"], facts["reason"]) == ("interim", "Se mira al final.")
    assert facts["before"]["home_hands"] == facts["after"]["home_hands"]


def test_who_objects_a_second_time_does_not_take_a_result_that_stands_for_now_away(
    match: Match,
) -> None:
    dispute = dispute_result(home(match), match, "Mal.")
    rule_on_dispute(SYSTEM, dispute, "interim", reason="Por ahora.")
    result = counting(match)
    with refusal(Reason.ALREADY_DISPUTED):
        dispute_result(home(match), match, "Sigue mal.")
    other = Score(3, 2, 0, 0)
    answer = report_result(home(match), match, score=other)
    assert (answer.outcome, counting(match)) == ("contested", result)
    assert match.disputes.count() == 1
    with refusal(Reason.ALREADY_RULED):
        rule_on_dispute(SYSTEM, dispute, "interim", reason="Otra vez.")
    with refusal(Reason.ALREADY_RULED):
        take_up(SYSTEM, dispute)


def test_a_result_that_stood_for_now_is_upheld_as_it_is(match: Match) -> None:
    dispute = dispute_result(home(match), match, "Mal.")
    rule_on_dispute(SYSTEM, dispute, "interim", reason="Por ahora.")
    result = counting(match)
    ruled = rule_on_dispute(SYSTEM, dispute, "uphold", reason="Estaba bien.")
    assert (ruled.state, ruled.ruling, counting(match)) == ("upheld", "Estaba bien.", result)
    with refusal(Reason.ALREADY_RULED):
        rule_on_dispute(SYSTEM, dispute, "uphold", reason="Otra vez.")


def test_a_correction_of_what_stood_for_now_settles_its_dispute(match: Match) -> None:
    dispute = dispute_result(home(match), match, "Mal.")
    rule_on_dispute(SYSTEM, dispute, "interim", reason="Por ahora.")
    result = correct_result(SYSTEM, match, Score(3, 0, 0, 0), reason="Era al revés.")
    dispute.refresh_from_db()
    assert (dispute.state, dispute.ruling) == ("amended", "Era al revés.")
    assert counting(match) == result
    last = AuditEvent.objects.filter(verb="dispute.ruled").order_by("sequence").last()
    assert last is not None
    assert (last.facts["ruling"], last.facts["after"]["home_hands"]) == ("amend", 3)
    assert AuditEvent.objects.filter(verb="result.corrected").count() == 1


def test_without_a_result_nothing_stands_for_now() -> None:
    tournament = the_liguilla(published=1)
    Tournament.objects.update(cotos=2)
    submitted(tournament, 0)
    match = table_1(tournament)
    dispute = dispute_result(SYSTEM, match, "Mal.")
    with refusal(Reason.NOTHING_TO_DISPUTE):
        rule_on_dispute(SYSTEM, dispute, "interim", reason="Por ahora.")


# --- Level matches ------------------------------------------------------------------------------


def test_of_a_level_match_the_arbiter_says_who_goes_on(match: Match) -> None:
    Tournament.objects.update(options={"deals": 4})
    correct_result(SYSTEM, match, Score(2, 2, 300, 300), reason="Cuatro manos.")
    with refusal(Reason.NOT_LEVEL):  # both may share the points of a liguilla
        decide(SYSTEM, match, "away", reason="Mano de desempate.")
    Stage.objects.update(format="knockout")
    result = decide(arbiter(match.tournament.club), match, "away", reason="Mano de desempate.")
    assert (result.decided, result.winner, result.home_hands) == ("away", "away", 2)
    assert counting(match) == result
    table = next(table for stage in rows_of(match.tournament).stages for _, table in stage.tables())
    assert (table.decided, table.winner) == (1, 1)
    facts = AuditEvent.objects.get(verb="match.decided").facts
    assert (facts["before"]["winner"], facts["after"]["winner"]) == ("tie", "away")


def test_only_a_level_match_is_decided_and_for_one_of_its_sides(match: Match) -> None:
    with refusal(Reason.NOT_LEVEL):
        decide(SYSTEM, match, "home", reason="Porque sí.")
    with refusal(Reason.UNKNOWN_SIDE):
        decide(SYSTEM, match, "third", reason="Porque sí.")
    with refusal(Reason.REASON_MISSING):
        decide(SYSTEM, match, "home", reason=" ")
    with refusal(Reason.FORBIDDEN):
        decide(home(match), match, "home", reason="Porque sí.")
