"""The club night from the lists to the final standings, through the services alone."""

import json

import pytest

from tests.clubs import (
    CLUB_NIGHT,
    NOBODY,
    SYSTEM,
    disputed_lines,
    play_the_club_night,
    the_liguilla,
    the_round,
)
from tests.domain.test_club_night_standings import DECIDED_BY, TABLE
from tournaments.director.services.tournaments import close_round, finish
from tournaments.models import AuditEvent, Hand, Match, Record, Result
from tournaments.results.services.submit import submit_to_tournament
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


def test_the_night_ends_with_the_table_worked_out_by_hand() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    finish(SYSTEM, tournament)
    page = standings_page(tournament.slug, NOBODY)
    assert [
        (
            row.number,
            row.won,
            row.lost,
            row.match_points,
            row.hands_for,
            row.hands_against,
            row.points_for,
            row.points_against,
        )
        for row in page.rows
    ] == list(TABLE)
    assert tuple(row.decided_by for row in page.rows) == DECIDED_BY
    assert page.head.state == "finished"
    assert (page.head.matches, page.head.decided) == (28, 28)


def test_every_match_has_one_record_one_result_and_its_hands() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    assert Match.objects.filter(state=Match.State.ACCEPTED).count() == 28
    assert Record.objects.accepted().count() == Result.objects.live().count() == 28
    lines = (CLUB_NIGHT / "records.ndjson").read_text(encoding="utf-8").splitlines()
    assert Hand.objects.count() == sum(len(json.loads(line)["hands"]) for line in lines)


def test_the_disputed_records_are_refused_and_kept_and_change_nothing() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    tournament.refresh_from_db()
    version = tournament.version
    expected = [
        json.loads(line)
        for line in (CLUB_NIGHT / "disputed.expected.ndjson").read_text("utf-8").splitlines()
    ]
    for line, fault in zip(disputed_lines(), expected, strict=True):
        answer = submit_to_tournament(SYSTEM, tournament, line)
        assert (answer.outcome, answer.status, answer.code) == ("refused", 422, fault["code"])
        assert answer.record is not None
        assert answer.record.state == Record.State.REFUSED
    tournament.refresh_from_db()
    assert tournament.version == version
    assert Result.objects.live().count() == 28


def test_the_history_has_no_gap() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    numbers = AuditEvent.objects.filter(club=tournament.club).values_list("sequence", flat=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))
