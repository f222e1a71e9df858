"""Rows changed with SQL by the owner of the database: both audits find every one of them."""

import io
import json
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

import engine
from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, arbiter, club_night_lines, submitted, the_liguilla, the_match
from tests.flushing import without_guards
from tests.support.day import entry
from tests.support.scene_rows import reuse_rows
from tournaments.core.audit import write_event
from tournaments.director.services.absences import penalise
from tournaments.domain.scores import Score, score_of
from tournaments.exchange.queries.trails import check_rows
from tournaments.models import AuditCounter, AuditEvent, Match, Record, Result, Tournament
from tournaments.results.queries.records import replays
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import winner_of
from tournaments.results.services.write import write_hands

pytestmark = pytest.mark.django_db

OTHER = {"home": "away", "away": "home"}


@pytest.fixture
def night() -> Tournament:
    return two_rounds_recorded()


@reuse_rows()
def two_rounds_recorded() -> Tournament:
    """A round with records and a reported score, a ruling, a correction and a penalty."""
    tournament = the_liguilla(published=2)
    for index in range(3):
        submitted(tournament, index)
    report_result(SYSTEM, the_match(tournament, 1, 4), score=Score(3, 1, 360, 210))
    judge = arbiter(tournament.club)
    dispute = dispute_result(SYSTEM, the_match(tournament, 1, 2), "Faltó una baza.")
    rule_on_dispute(judge, dispute, "uphold", reason="La baza está.")
    correct_result(judge, the_match(tournament, 1, 3), Score(3, 0, 300, 90), reason="mal sumado")
    penalise(judge, entry(tournament, 5), round_number=1, points=40, reason="renuncio")
    assert_history_is_complete()
    return tournament


def sql(statement: str, *values: str | int | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount > 0


def replace_record_hands_and_result(tournament: Tournament) -> None:
    """Put a valid record that the other side wins in the place of the accepted one."""
    record = Record.objects.get(match=the_match(tournament, 1, 1))
    result, seats = record.results.get(), json.loads(record.text)["seats"]
    texts = [
        json.dumps(json.loads(line) | {"seats": seats}, ensure_ascii=False)
        for line in club_night_lines()
    ]
    read = [(text, engine.parse_record(text)) for text in texts]
    text, parsed, verdict, score = next(
        (text, parsed, verdict, score)
        for text, parsed in read
        if (verdict := engine.audit(parsed)).valid
        and winner_of(score := score_of(verdict, record.home_side)) == OTHER[result.winner]
    )
    record.hands.all().delete()
    write_hands(record, parsed, verdict)
    sql(
        "UPDATE tournaments_record SET text = %s, digest = %s WHERE id = %s",
        *(text, verdict.digest, record.pk),
    )
    sql(
        "UPDATE tournaments_result SET winner = %s, home_hands = %s, away_hands = %s,"
        " home_points = %s, away_points = %s WHERE id = %s",
        *(OTHER[result.winner], score.home_hands, score.away_hands),
        *(score.home_points, score.away_points, result.pk),
    )
    replayed = {replay.record_pk: replay.differences for replay in replays()}
    assert replayed[record.pk] == ()


def delete_record_and_result(tournament: Tournament) -> None:
    match = the_match(tournament, 1, 1)
    record = match.records.get()
    sql("DELETE FROM tournaments_result WHERE match_id = %s", match.pk)
    sql("DELETE FROM tournaments_hand WHERE record_id = %s", record.pk)
    sql("DELETE FROM tournaments_analysis WHERE record_id = %s", record.pk)
    sql("DELETE FROM tournaments_record WHERE id = %s", record.pk)


def insert_a_result(tournament: Tournament) -> None:
    result = Result.objects.get(match=the_match(tournament, 1, 4))
    result.pk, result.match, result.record = None, the_match(tournament, 2, 1), None
    result.save(force_insert=True)


def of_table(table: int, change: str) -> Callable[[Tournament], None]:
    """Return what changes the live result of a table."""

    def forge(tournament: Tournament) -> None:
        key = the_match(tournament, 1, table).pk
        sql(f"UPDATE tournaments_result SET {change} WHERE match_id = %s AND live", key)  # noqa: S608

    return forge


def anywhere(table: str, change: str) -> Callable[[Tournament], None]:
    """Return what changes rows of a table."""
    return lambda _: sql(f"UPDATE tournaments_{table} SET {change}")  # noqa: S608


def swap_two_names(tournament: Tournament) -> None:
    first, two = entry(tournament, 1), entry(tournament, 2)
    for key, name in ((first.pk, two.name), (two.pk, first.name)):
        sql("UPDATE tournaments_entry SET name = %s WHERE id = %s", name, key)


def swap_the_sides(tournament: Tournament) -> None:
    key = the_match(tournament, 1, 4).pk
    sql("UPDATE tournaments_match SET home_id = away_id, away_id = home_id WHERE id = %s", key)


FORGED: dict[str, tuple[Callable[[Tournament], None], str, str]] = {
    "record, hands and result": (replace_record_hands_and_result, "row_changed", "record"),
    "record and result gone": (delete_record_and_result, "row_missing", "record"),
    "result out of the standings": (of_table(1, "live = false"), "row_changed", "result"),
    "result that ceased": (of_table(1, "counts_until = counts_from"), "row_changed", "result"),
    "score without a record": (of_table(4, "home_points = 399"), "row_changed", "result"),
    "score of a ruling": (of_table(3, "away_points = 10"), "row_changed", "result"),
    "words of a correction": (of_table(3, "reason = 'otra'"), "row_changed", "result"),
    "result of nobody": (insert_a_result, "row_unknown", "result"),
    "ruling": (anywhere("dispute", "state = 'voided'"), "row_changed", "dispute"),
    "words of a ruling": (anywhere("dispute", "ruling = 'No está.'"), "row_changed", "dispute"),
    "penalty": (anywhere("penalty", "points = 4"), "row_changed", "penalty"),
    "words of a penalty": (anywhere("penalty", "reason = 'nada'"), "row_changed", "penalty"),
    "entry of others": (anywhere("entry", "joined_round = 2"), "row_changed", "entry"),
    "names exchanged": (swap_two_names, "row_changed", "entry"),
    "sides exchanged": (swap_the_sides, "row_changed", "result"),
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_row_is_found_by_both_audits_and_named(night: Tournament, forged: str) -> None:
    forge, code, kind = FORGED[forged]
    forge(night)
    faults = check_rows(night)
    assert (code, kind) in {(fault.code, fault.kind) for fault in faults}
    for command in ("audit", "audit_verify"):
        output = io.StringIO()
        with pytest.raises(CommandError):
            call_command(command, stdout=output)
        assert faults[0].words() in output.getvalue()


def test_the_first_row_is_named_with_its_event(night: Tournament) -> None:
    delete_record_and_result(night)
    event = AuditEvent.objects.filter(verb="record.accepted").earliest("sequence")
    first = check_rows(night)[0]
    assert (first.code, first.kind, first.key, first.sequence) == (
        *("row_missing", "record", event.subject_pk, event.sequence),
    )
    assert first.words() == f"event {event.sequence} left record {event.subject_pk}, which is gone"


def test_a_forged_row_is_not_made_right_by_what_is_done_after_it(night: Tournament) -> None:
    """A later event about the same row says something else than the first did."""
    of_table(4, "home_points = 399")(night)
    dispute_result(SYSTEM, the_match(night, 1, 4), "Se contó mal.")
    assert [fault.code for fault in check_rows(night)] == ["row_changed"]


def test_a_deletion_of_events_too_is_found_by_the_chain(night: Tournament) -> None:
    delete_record_and_result(night)
    key = AuditEvent.objects.filter(verb="record.accepted").earliest("sequence").pk
    with without_guards(connection):
        sql("DELETE FROM tournaments_auditevent WHERE id = %s", key)
    with pytest.raises(CommandError):
        call_command("audit_verify", stdout=io.StringIO())


def test_a_ruling_for_now_is_reported_and_a_forged_one_found(night: Tournament) -> None:
    match, judge = the_match(night, 1, 4), arbiter(night.club, "otro")
    dispute = dispute_result(SYSTEM, match, "Se contó mal.")
    rule_on_dispute(judge, dispute, "interim", reason="De momento vale.")
    assert_history_is_complete()
    sql("UPDATE tournaments_dispute SET state = 'upheld' WHERE id = %s", dispute.pk)
    assert [(fault.kind, fault.key) for fault in check_rows(night)] == [("dispute", dispute.pk)]
    sql("UPDATE tournaments_dispute SET state = 'interim' WHERE id = %s", dispute.pk)
    correct_result(judge, match, Score(1, 3, 210, 360), reason="era al revés")
    assert_history_is_complete()


def test_rows_of_a_release_before_get_a_baseline_with_the_next_event(night: Tournament) -> None:
    """It writes events without digests, and without their rows."""
    counter = AuditCounter.objects.get(club=night.club)
    insert_a_result(night)
    Match.objects.filter(pk=the_match(night, 2, 1).pk).update(state="accepted")
    AuditEvent.objects.create(
        club=night.club,
        tournament=night,
        sequence=counter.last + 1,
        verb="result.reported",
        actor="system",
        subject_type="tournament",
        subject_pk=night.pk,
        subject=night.name,
    )
    AuditCounter.objects.update(last=counter.last + 1)
    assert [fault.code for fault in check_rows(night)] == ["row_unknown"]
    write_event(SYSTEM, "test.done", night, club=night.club)
    assert AuditEvent.objects.filter(verb="audit.baseline", tournament=night).count() == 1
    assert_history_is_complete()


def test_a_large_tournament_is_compared_by_a_handful_of_queries(
    night: Tournament, django_assert_num_queries: Callable[..., object]
) -> None:
    assert len(club_night_lines()) > len(check_rows(night)) == 0
    with django_assert_num_queries(15):  # type: ignore[attr-defined]
        check_rows(night)
