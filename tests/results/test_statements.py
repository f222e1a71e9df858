"""How many statements a record costs: a bound for each way in, however large the tournament is."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.clubs import (
    a_bot_liguilla,
    club_night_lines,
    organiser,
    the_liguilla,
    the_match,
    the_round,
)
from tournaments.arena.services.playing import play_match
from tournaments.core.find import lock_matches
from tournaments.models import Tournament
from tournaments.results.services.submit import submit_lines, submit_record, submit_to_tournament

pytestmark = pytest.mark.django_db

TO_A_MATCH, TO_A_TOURNAMENT, OF_BOTS, A_BATCH = 17, 21, 31, 31


def statements(queries: CaptureQueriesContext) -> int:
    """Count them without those that only mark a transaction."""
    marks = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    return sum(not query["sql"].startswith(marks) for query in queries.captured_queries)


def test_a_record_sent_to_its_match_costs_few_statements() -> None:
    tournament = the_liguilla()
    match, actor = the_match(tournament, 1, 1), organiser(tournament.club)
    with CaptureQueriesContext(connection) as queries:
        assert submit_record(actor, match, club_night_lines()[0]).outcome == "accepted"
    assert statements(queries) <= TO_A_MATCH


def test_a_record_whose_match_has_to_be_found_costs_a_few_more() -> None:
    tournament = the_liguilla()
    tournament = Tournament.objects.select_related("club").get(pk=tournament.pk)
    actor = organiser(tournament.club)
    with CaptureQueriesContext(connection) as queries:
        assert submit_to_tournament(actor, tournament, club_night_lines()[0]).status == 201
    assert statements(queries) <= TO_A_TOURNAMENT


def test_a_match_of_house_bots_costs_few_queries_with_its_claim_and_its_end() -> None:
    round_ = the_round(a_bot_liguilla(), 1)
    type(round_).objects.filter(pk=round_.pk).update(play_requested_at=round_.published_at)
    match = round_.matches.order_by("table")[0]
    with CaptureQueriesContext(connection) as queries:
        assert play_match(match.pk) == "accepted"
    assert statements(queries) <= OF_BOTS


@pytest.mark.parametrize("count", [3, 28])
def test_a_batch_costs_as_many_whether_it_has_three_records_or_a_night(count: int) -> None:
    tournament = the_liguilla()
    lines = [(n, line.encode()) for n, line in enumerate(club_night_lines()[:count], 1)]
    with CaptureQueriesContext(connection) as queries:
        assert submit_lines(organiser(tournament.club), tournament, lines).has_new
    assert statements(queries) <= A_BATCH


def test_the_round_of_matches_locked_together_is_read_once() -> None:
    tournament = the_liguilla()
    keys = list(the_round(tournament, 1).matches.values_list("pk", flat=True))
    locked = lock_matches(tournament, keys)
    assert len(locked) == len(keys) > 1
    assert len({id(match.round) for match in locked.values()}) == 1
