"""Results reported at three depths, confirmed by the other side, by the club, or by time."""

from typing import Any

import pytest

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    arbiter,
    club_night_lines,
    organiser,
    program,
    record,
    stranger,
    submitted,
    text,
    the_match,
    the_round,
)
from tests.support.event_tables import (
    LOST,
    WON,
    age,
    away,
    by_code,
    compared_table,
    counting,
    home,
    lines_of,
    now,
    table_1,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.tournaments import close_round
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Dispute, Match, Record, Result, Tournament
from tournaments.results import tasks as results_tasks
from tournaments.results.services.matches import correct_result, rule_on_dispute
from tournaments.results.services.reports import confirm_due, confirm_result, report_result
from tournaments.results.services.submit import submit_record

pytestmark = pytest.mark.django_db


def state(match: Match) -> str:
    return now(match).state


def hand(home_points: int, away_points: int, **more: Any) -> dict[str, Any]:
    return {"home": home_points, "away": away_points, **more}


HANDS = [hand(90, 40), hand(130, 20), hand(40, 90), hand(100, 30)]


# --- Waiting, and not counting ------------------------------------------------------------------


def test_what_a_side_reports_waits_and_counts_nowhere(match: Match) -> None:
    version = match.tournament.version
    answer = report_result(home(match), match, score=WON)
    assert (answer.outcome, answer.status, answer.refusal) == ("reported", 201, None)
    assert (state(match), counting(match)) == ("reported", None)
    assert answer.result.live
    assert (answer.result.reported_for, answer.result.made_by) == ("home", "pilar")
    assert Tournament.objects.get().version == version
    assert all(line.played == 0 for line in lines_of(match.tournament))
    assert all(
        table.marks is None
        for stage in rows_of(match.tournament).stages
        for _, table in stage.tables()
    )


def test_a_round_does_not_close_over_what_is_not_confirmed(liguilla: Tournament) -> None:
    for index in range(1, 4):
        submitted(liguilla, index)
    report_result(home(table_1(liguilla)), table_1(liguilla), score=WON)
    with refusal(Reason.ROUND_UNFINISHED):
        close_round(SYSTEM, the_round(liguilla, 1))
    confirm_result(SYSTEM, table_1(liguilla))
    assert close_round(SYSTEM, the_round(liguilla, 1)).state == "closed"


def test_the_clubs_report_counts_at_once(match: Match) -> None:
    answer = report_result(arbiter(match.tournament.club), match, score=WON)
    assert (answer.outcome, answer.status) == ("accepted", 201)
    assert (state(match), counting(match)) == ("accepted", answer.result)
    assert answer.result.reported_for == ""


def test_without_confirmation_a_sides_report_counts_at_once(match: Match) -> None:
    Tournament.objects.update(confirmation=False)
    assert report_result(away(match), match, score=LOST).outcome == "accepted"
    result = counting(match)
    assert result is not None
    assert (result.winner, result.reported_for) == ("away", "away")


def test_an_organiser_at_their_own_table_is_a_player_like_the_others(match: Match) -> None:
    home(match)
    assert report_result(organiser(match.tournament.club, "pilar"), match, score=WON).outcome == (
        "reported"
    )
    with refusal(Reason.OWN_REPORT):
        confirm_result(organiser(match.tournament.club, "pilar"), match)


def test_an_entry_reports_by_its_code_without_an_account(match: Match) -> None:
    answer = report_result(by_code(match, "home"), match, score=WON)
    assert answer.result.made_by == f"entry {match.home.number} · Las Cuarenta"
    assert confirm_result(by_code(match, "away"), match).live
    assert state(match) == "accepted"
    event = AuditEvent.objects.get(verb="result.confirmed")
    assert event.actor == "entry 8 · Las Fuentes"
    assert event.user is None


# --- Confirmed ----------------------------------------------------------------------------------


def test_the_other_side_confirms_and_then_it_counts(match: Match) -> None:
    report_result(home(match), match, score=WON)
    result = confirm_result(away(match), match)
    assert (state(match), counting(match)) == ("accepted", result)
    assert (result.version, result.made_by, result.confirmed_by) == (1, "pilar", "teresa")
    assert result.counts_from == Tournament.objects.get().version
    assert lines_of(match.tournament)[0].match_points == 2


def test_one_side_does_not_confirm_its_own_report(match: Match) -> None:
    report_result(home(match), match, score=WON)
    for reporter in (home(match), by_code(match, "home")):
        with refusal(Reason.OWN_REPORT):
            confirm_result(reporter, match)
    assert counting(match) is None


@pytest.mark.parametrize("actor", [arbiter, organiser, lambda club: program(club, "games:submit")])
def test_the_club_confirms_too(match: Match, actor: Any) -> None:
    report_result(home(match), match, score=WON)
    confirm_result(actor(match.tournament.club), match)
    assert state(match) == "accepted"


def test_strangers_neither_report_nor_confirm(match: Match) -> None:
    other = the_match(match.tournament, 1, 2)
    report_result(home(match), match, score=WON)
    for actor, reason in (
        (NOBODY, Reason.SIGN_IN),
        (stranger(), Reason.FORBIDDEN),
        (by_code(other, "home"), Reason.FORBIDDEN),
        (arbiter(a_club("Otro"), "otto"), Reason.FORBIDDEN),
        (program(match.tournament.club, "games:read", of="pepa"), Reason.FORBIDDEN),
    ):
        with refusal(reason):
            report_result(actor, match, score=WON)
        with refusal(reason):
            confirm_result(actor, match)
    assert counting(match) is None


def test_there_is_nothing_to_confirm_before_a_report(match: Match) -> None:
    with refusal(Reason.NOTHING_TO_CONFIRM):
        confirm_result(SYSTEM, match)


def test_confirmed_twice_is_confirmed_once(match: Match) -> None:
    report_result(home(match), match, score=WON)
    first = confirm_result(away(match), match)
    version = Tournament.objects.get().version
    assert confirm_result(away(match), match) == first
    assert Tournament.objects.get().version == version
    assert AuditEvent.objects.filter(verb="result.confirmed").count() == 1


def test_the_same_report_by_the_other_side_confirms(match: Match) -> None:
    report_result(home(match), match, score=WON)
    answer = report_result(away(match), match, score=WON)
    assert (answer.outcome, answer.status) == ("confirmed", 200)
    assert counting(match) == answer.result
    assert answer.result.confirmed_by == "teresa"
    second_answer = report_result(home(match), match, score=WON)
    assert (second_answer.outcome, second_answer.result.pk) == ("duplicate", answer.result.pk)
    assert Result.objects.count() == 1


def test_a_score_with_points_confirms_the_hands_alone_and_says_more(match: Match) -> None:
    report_result(home(match), match, score=Score(3, 1, 0, 0))
    answer = report_result(away(match), match, hand_scores=HANDS)
    assert answer.outcome == "confirmed"
    assert (answer.result.depth, answer.result.made_by) == ("hands", "teresa")
    assert answer.result.confirmed_by == "pilar"
    assert (answer.result.home_points, answer.result.away_points) == (360, 180)


def test_after_the_hours_to_object_a_report_is_confirmed_by_time(match: Match) -> None:
    Tournament.objects.update(confirm_after=24, confirm_minutes=None)
    report_result(home(match), match, score=WON)
    age(match, 23)
    assert confirm_due() == 0
    age(match, 25)
    results_tasks.confirm()
    result = counting(match)
    assert result is not None
    assert (result.confirmed_by, state(match)) == ("system", "accepted")
    assert AuditEvent.objects.get(verb="result.confirmed").facts["after_minutes"] == 24 * 60
    assert confirm_due() == 0


def test_on_an_evening_silence_confirms_a_report_within_minutes(match: Match) -> None:
    report_result(home(match), match, score=WON)
    age(match, 9 / 60)
    assert confirm_due() == 0
    age(match, 11 / 60)
    assert confirm_due() == 1
    assert state(match) == "accepted"


def test_time_confirms_nothing_that_is_disputed(match: Match) -> None:
    report_result(home(match), match, score=WON)
    report_result(away(match), match, score=LOST)
    age(match, 1000)
    assert confirm_due() == 0
    assert counting(match) is None


# --- Contradicted -------------------------------------------------------------------------------


def test_another_report_opens_a_dispute_and_both_are_kept(match: Match) -> None:
    report_result(home(match), match, score=WON)
    answer = report_result(away(match), match, score=LOST)
    assert (answer.outcome, answer.status) == ("contested", 409)
    assert answer.refusal is not None
    assert answer.refusal.code == "conflicting_report"
    dispute = Dispute.objects.get()
    assert (dispute.result, dispute.record, dispute.opened_by) == (answer.result, None, "teresa")
    assert (state(match), counting(match)) == ("disputed", None)
    rows = match.results.order_by("version").values_list("reported_for", "live", "winner")
    assert list(rows) == [("home", True, "home"), ("away", False, "away")]


def test_the_arbiter_lets_the_other_report_count(match: Match) -> None:
    report_result(home(match), match, score=WON)
    other = report_result(away(match), match, score=LOST).result
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "amend", reason="Firmado.", result=other)
    result = counting(match)
    assert result is not None
    assert (result.version, result.winner, result.reported_for) == (3, "away", "away")
    assert (result.depth, result.reason) == ("score", "Firmado.")


def test_only_what_contradicts_can_be_made_to_count(match: Match) -> None:
    live = report_result(home(match), match, score=WON).result
    report_result(away(match), match, score=LOST)
    with refusal(Reason.AMENDMENT_MISSING):
        rule_on_dispute(SYSTEM, Dispute.objects.get(), "amend", reason="Sí.", result=live)


def test_what_the_arbiter_ruled_on_stays_ruled(match: Match) -> None:
    report_result(home(match), match, score=WON)
    first = report_result(away(match), match, score=LOST)
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "uphold", reason="Vale la primera.")
    second = report_result(away(match), match, score=LOST)
    assert (second.outcome, second.result) == ("contested", first.result)
    assert (state(match), Dispute.objects.count()) == ("accepted", 1)


def test_a_side_puts_its_own_report_right_until_it_is_confirmed(match: Match) -> None:
    report_result(home(match), match, score=WON)
    answer = report_result(home(match), match, score=LOST)
    assert (answer.outcome, answer.result.version) == ("reported", 2)
    assert report_result(home(match), match, score=LOST).outcome == "duplicate"
    assert not Dispute.objects.exists()
    confirm_result(away(match), match)
    assert report_result(home(match), match, score=WON).outcome == "contested"
    assert (state(match), counting(match)) == ("disputed", answer.result)


# --- Records of players -------------------------------------------------------------------------


def test_a_players_record_is_replayed_and_waits(match: Match) -> None:
    answer = submit_record(home(match), match, club_night_lines()[0])
    assert (answer.outcome, answer.status) == ("reported", 201)
    assert (state(match), counting(match)) == ("reported", None)
    assert Record.objects.get().hands.count() == 3
    assert match.results.get().depth == "record"
    assert AuditEvent.objects.filter(verb="record.reported").count() == 1


def test_the_same_record_from_the_other_side_confirms_it(match: Match) -> None:
    first = submit_record(home(match), match, club_night_lines()[0])
    assert submit_record(home(match), match, club_night_lines()[0]).outcome == "duplicate"
    answer = submit_record(away(match), match, club_night_lines()[0])
    assert (answer.outcome, answer.status, answer.record) == ("confirmed", 200, first.record)
    assert state(match) == "accepted"
    assert submit_record(away(match), match, club_night_lines()[0]).outcome == "duplicate"


def test_a_record_that_says_what_was_reported_confirms_it_and_is_deeper(match: Match) -> None:
    report_result(home(match), match, score=Score(0, 3, 129, 301))
    answer = submit_record(away(match), match, club_night_lines()[0])
    assert (answer.outcome, answer.status) == ("confirmed", 200)
    result = counting(match)
    assert result is not None
    assert (result.version, result.depth, result.record) == (2, "record", answer.record)
    assert (result.made_by, result.confirmed_by) == ("teresa", "pilar")


def test_a_record_deepens_a_score_that_counts(match: Match) -> None:
    report_result(SYSTEM, match, score=Score(0, 3, 0, 0))
    assert submit_record(away(match), match, club_night_lines()[0]).outcome == "accepted"
    result = counting(match)
    assert result is not None
    assert (result.depth, result.home_points) == ("record", 129)


def test_a_score_that_says_what_the_record_says_confirms_it(match: Match) -> None:
    submit_record(home(match), match, club_night_lines()[0])
    assert report_result(away(match), match, score=Score(0, 3, 0, 0)).outcome == "confirmed"
    result = counting(match)
    assert result is not None
    assert (result.version, result.depth) == (1, "record")


def test_a_record_that_says_something_else_opens_a_dispute(match: Match) -> None:
    report_result(home(match), match, score=WON)
    answer = submit_record(away(match), match, club_night_lines()[0])
    assert (answer.outcome, answer.status) == ("contested", 409)
    assert (state(match), counting(match)) == ("disputed", None)
    rule_on_dispute(
        SYSTEM, Dispute.objects.get(), "amend", reason="Consta en acta.", record=answer.record
    )
    result = counting(match)
    assert result is not None
    assert (result.depth, result.away_hands) == ("record", 3)


def test_a_side_puts_its_own_record_right(match: Match) -> None:
    first = submit_record(home(match), match, club_night_lines()[0]).record
    other = record(3)
    other["seats"] = record(0)["seats"]
    answer = submit_record(home(match), match, text(other))
    assert answer.outcome == "reported"
    assert first is not None
    assert Record.objects.get(pk=first.pk).state == "superseded"
    assert Record.objects.accepted().get() == answer.record


def test_what_the_arbiter_has_given_takes_no_reports(match: Match) -> None:
    correct_result(SYSTEM, match, WON, reason="Consta en el acta.")
    with refusal(Reason.SETTLED):
        report_result(away(match), match, score=LOST)


# --- When ---------------------------------------------------------------------------------------


def test_reports_are_taken_while_the_round_is_played(liguilla: Tournament) -> None:
    with refusal(Reason.ROUND_CLOSED):
        report_result(SYSTEM, the_match(liguilla, 2, 1), score=WON)
    for table in range(1, 5):
        report_result(SYSTEM, the_match(liguilla, 1, table), score=WON)
    close_round(SYSTEM, the_round(liguilla, 1))
    assert report_result(SYSTEM, table_1(liguilla), score=WON).outcome == "duplicate"
    with refusal(Reason.ROUND_CLOSED):
        report_result(SYSTEM, table_1(liguilla), score=LOST)


def test_a_bye_has_no_result_to_report() -> None:
    bots = a_bot_liguilla(entries=3)
    bye = Match.objects.with_names().get(state="bye", round__number=1)
    with refusal(Reason.NOTHING_TO_PLAY):
        report_result(SYSTEM, bye, score=WON)
    assert bots.state == "running"


# --- The score ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        (Score(4, 0, 0, 0), Reason.IMPOSSIBLE_SCORE),
        (Score(3, 3, 0, 0), Reason.IMPOSSIBLE_SCORE),
        (Score(3, -1, 0, 0), Reason.IMPOSSIBLE_SCORE),
        (Score(3, 0, 600, 200), Reason.IMPOSSIBLE_SCORE),
        (Score(3, 0, 0, 0, 1, 0), Reason.IMPOSSIBLE_SCORE),
        (Score(2, 1, 0, 0), Reason.SCORE_UNFINISHED),
        (Score(0, 0, 0, 0), Reason.SCORE_UNFINISHED),
    ],
)
def test_a_score_fits_the_length_of_the_match(match: Match, score: Score, reason: Reason) -> None:
    with refusal(reason):
        report_result(SYSTEM, match, score=score)
    assert not match.results.exists()


def test_a_fixed_number_of_deals_is_played_to_the_last(match: Match) -> None:
    Tournament.objects.update(options={"deals": 4})
    with refusal(Reason.SCORE_UNFINISHED):
        report_result(SYSTEM, match, score=Score(2, 1, 0, 0))
    with refusal(Reason.IMPOSSIBLE_SCORE):
        report_result(SYSTEM, match, score=Score(3, 2, 0, 0))
    assert report_result(SYSTEM, match, score=Score(2, 2, 0, 0)).result.winner == "tie"


def test_a_report_is_a_score_or_hands(match: Match) -> None:
    with refusal(Reason.SCORE_MISSING):
        report_result(SYSTEM, match)
    with refusal(Reason.SCORE_MISSING):
        report_result(SYSTEM, match, score=WON, hand_scores=HANDS)


# --- The hands ----------------------------------------------------------------------------------


def test_hands_are_added_up(match: Match) -> None:
    result = report_result(SYSTEM, match, hand_scores=HANDS).result
    assert (result.home_hands, result.away_hands) == (3, 1)
    assert (result.home_points, result.away_points) == (360, 180)
    assert (result.depth, result.winner) == ("hands", "home")
    assert result.hand_scores[2] == {"home": 40, "away": 90, "winner": "away"}


@pytest.mark.parametrize("board", [0, 3, 2**60])
def test_the_number_of_a_deal_is_not_noted_where_all_deal_for_themselves(
    match: Match, board: int
) -> None:
    report_result(home(match), match, hand_scores=[row | {"board": board} for row in HANDS])
    assert all("board" not in row for row in Result.objects.get().hand_scores)


def test_a_hand_put_right_is_a_new_report(match: Match) -> None:
    report_result(home(match), match, hand_scores=HANDS)
    swapped = [HANDS[1], HANDS[0], *HANDS[2:]]
    assert report_result(home(match), match, hand_scores=swapped).outcome == "reported"
    assert report_result(home(match), match, hand_scores=swapped).outcome == "duplicate"
    assert match.results.count() == 2


@pytest.mark.parametrize(
    ("hands", "reason", "number"),
    [
        ([hand(70, 61)], Reason.IMPOSSIBLE_HAND, 1),
        ([hand(90, 40), hand(300, 0)], Reason.IMPOSSIBLE_HAND, 2),
        ([hand(90, 40, winner="away")], Reason.IMPOSSIBLE_HAND, 1),
        ([hand(65, 65)], Reason.HAND_WINNER_MISSING, 1),
        ([*[hand(90, 40)] * 3, hand(90, 40)], Reason.HAND_TOO_MANY, 4),
        ([{"home": 90}], Reason.BAD_HAND, 1),
        ([hand(90, 40), {"home": True, "away": 40}], Reason.BAD_HAND, 2),
        ([{"home": "90", "away": 40}], Reason.BAD_HAND, 1),
    ],
)
def test_a_hand_that_cannot_be_is_named(
    match: Match, hands: list[dict[str, Any]], reason: Reason, number: int
) -> None:
    with refusal(reason) as raised:
        report_result(SYSTEM, match, hand_scores=hands)
    assert raised.value.params["hand"] == number
    assert not match.results.exists()


def test_hands_that_end_before_the_match_does_are_not_enough(match: Match) -> None:
    with refusal(Reason.SCORE_UNFINISHED):
        report_result(SYSTEM, match, hand_scores=HANDS[:2])


def test_a_level_hand_goes_to_whom_it_is_given(match: Match) -> None:
    hands = [hand(65, 65, winner="away"), *HANDS[:2], hand(100, 30)]
    assert report_result(SYSTEM, match, hand_scores=hands).result.away_hands == 1
    with refusal(Reason.UNKNOWN_SIDE):
        report_result(SYSTEM, match, hand_scores=[hand(65, 65, winner="third")])


def test_a_duplicate_table_reports_each_of_its_deals_once(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(boards=[5, 2])
    with refusal(Reason.BAD_HAND):
        report_result(SYSTEM, match, hand_scores=[hand(90, 40, board=5)] * 2)
    with refusal(Reason.BAD_HAND):
        report_result(SYSTEM, match, hand_scores=[hand(90, 40, board=5), hand(90, 40, board=3)])
    with refusal(Reason.SCORE_UNFINISHED):
        report_result(SYSTEM, match, hand_scores=[hand(90, 40, board=5)])
    hands = [hand(40, 90, board=2), hand(100, 30, board=5)]
    result = report_result(SYSTEM, match, hand_scores=hands).result
    assert [hand_score["board"] for hand_score in result.hand_scores] == [5, 2]
    tables = [table for stage in rows_of(match.tournament).stages for _, table in stage.tables()]
    assert next(table.board_points for table in tables if table.boards) == ((100, 30), (40, 90))


# --- Deals that are compared --------------------------------------------------------------------


@pytest.fixture
def compared_match(db: None) -> Match:
    return compared_table()


def test_where_deals_are_compared_a_mere_score_is_not_enough(compared_match: Match) -> None:
    for give in (
        lambda: report_result(SYSTEM, compared_match, score=Score(1, 1, 0, 0)),
        lambda: correct_result(SYSTEM, compared_match, Score(1, 1, 0, 0), reason="Consta así."),
    ):
        with refusal(Reason.DEALS_MISSING):
            give()
    hand_scores = [hand(90, 40, board=compared_match.boards[0])]
    with refusal(Reason.SCORE_UNFINISHED):
        correct_result(SYSTEM, compared_match, reason="Consta así.", hand_scores=hand_scores)


def test_the_deals_of_a_table_are_compared_and_corrected_one_by_one(compared_match: Match) -> None:
    hands = [hand(90, 40, board=board) for board in compared_match.boards]
    report_result(SYSTEM, compared_match, hand_scores=hands)
    corrected_hands = [hand(130, 20, board=compared_match.boards[0]), hands[1]]
    correct_result(SYSTEM, compared_match, reason="La primera, mal.", hand_scores=corrected_hands)
    tables = [t for stage in rows_of(compared_match.tournament).stages for _, t in stage.tables()]
    assert {t.number: t.board_points for t in tables if t.marks} == {
        1: ((130, 20), (90, 40)),
        2: ((90, 40), (90, 40)),
    }
    assert len(lines_of(compared_match.tournament)) == 4


def test_who_confirms_what_they_have_not_seen_is_asked_to_look(match: Match) -> None:
    report_result(home(match), match, score=WON)
    report_result(home(match), match, score=Score(3, 2, 0, 0))
    with refusal(Reason.REPORT_CHANGED):
        confirm_result(away(match), match, version=1)
    assert state(match) == "reported"
    confirm_result(away(match), match, version=2)
    assert state(match) == "accepted"
