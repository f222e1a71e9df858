"""How many statements a record costs: a bound for each way in, however large the tournament is."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.clubs import (
    SYSTEM,
    a_bot_liguilla,
    club_night_lines,
    organiser,
    the_liguilla,
    the_match,
    the_round,
)
from tournaments.models import Analysis, Match, Record, Tournament
from tournaments.models.rows import FEW, write_rows
from tournaments.services.bulk import submit_lines
from tournaments.services.playing import play_match
from tournaments.services.records import submit_record, submit_to_tournament

pytestmark = pytest.mark.django_db

TO_A_MATCH, TO_A_TOURNAMENT, OF_BOTS, A_BATCH = 15, 18, 25, 30


def statements(seen: CaptureQueriesContext) -> int:
    """Count them without those that only mark a transaction."""
    marks = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(marks) for query in seen.captured_queries)


def test_a_record_sent_to_its_match_costs_so_many_statements() -> None:
    tournament = the_liguilla()
    match, actor = the_match(tournament, 1, 1), organiser(tournament.club)
    with CaptureQueriesContext(connection) as seen:
        assert submit_record(actor, match, club_night_lines()[0]).outcome == "accepted"
    assert statements(seen) <= TO_A_MATCH


def test_a_record_whose_match_has_to_be_found_costs_a_few_more() -> None:
    tournament = the_liguilla()
    tournament = Tournament.objects.select_related("club").get(pk=tournament.pk)
    actor = organiser(tournament.club)
    with CaptureQueriesContext(connection) as seen:
        assert submit_to_tournament(actor, tournament, club_night_lines()[0]).status == 201
    assert statements(seen) <= TO_A_TOURNAMENT


def test_a_match_of_house_bots_costs_so_many_with_its_claim_and_its_end() -> None:
    round_ = the_round(a_bot_liguilla(), 1)
    type(round_).objects.filter(pk=round_.pk).update(play_requested_at=round_.published_at)
    match = round_.matches.order_by("table")[0]
    with CaptureQueriesContext(connection) as seen:
        assert play_match(match.pk) == "accepted"
    assert statements(seen) <= OF_BOTS


@pytest.mark.parametrize("count", [3, 28])
def test_a_batch_costs_as_many_whether_it_has_three_records_or_a_night(count: int) -> None:
    tournament = the_liguilla()
    lines = [(n, line.encode()) for n, line in enumerate(club_night_lines()[:count], 1)]
    with CaptureQueriesContext(connection) as seen:
        assert submit_lines(organiser(tournament.club), tournament, lines).has_new
    assert statements(seen) <= A_BATCH


def test_rows_written_at_once_are_whole_and_know_their_keys() -> None:
    tournament = the_liguilla()
    assert submit_record(SYSTEM, the_match(tournament, 1, 1), club_night_lines()[0]).record
    old = Record.objects.get()
    matches = Match.objects.order_by("pk")[1 : FEW + 1]
    rows = [_copy(old, match) for match in matches]
    write_rows(rows)
    for row, kept in zip(rows, Record.objects.exclude(pk=old.pk).order_by("pk"), strict=True):
        assert _facts(row) == _facts(kept)
        assert not row._state.adding


def test_rows_that_break_a_constraint_are_refused_all_of_them() -> None:
    tournament = the_liguilla()
    assert submit_record(SYSTEM, the_match(tournament, 1, 1), club_night_lines()[0]).record
    old = Record.objects.get()
    matches = list(Match.objects.order_by("pk")[:FEW])
    with pytest.raises(IntegrityError), transaction.atomic():
        write_rows([_copy(old, match) for match in matches])
    assert Record.objects.count() == 1


def test_no_rows_are_written_without_a_statement() -> None:
    with CaptureQueriesContext(connection) as seen:
        write_rows(list[Analysis]())
    assert not seen.captured_queries


def _copy(record: Record, match: Match) -> Record:
    row = Record.objects.get(pk=record.pk)
    row.pk, row.match = None, match
    row.text += 'ñ \t "\\"\n'
    return row


def _facts(row: Record) -> dict[str, object]:
    return {field.name: getattr(row, field.attname) for field in Record._meta.concrete_fields}
