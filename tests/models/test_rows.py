"""Questions that are written down once: what they answer, to whom, and how fresh it is."""

from __future__ import annotations

import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.clubs import the_liguilla, the_match
from tournaments.models import Match, Membership
from tournaments.models.rows import LARGEST, Question

ABOVE = Question(
    lambda pk: (
        Match.objects.select_related("round__stage__tournament__club")
        .only("lineup", "round__state", "round__stage__id", "round__stage__tournament__club__id")
        .filter(pk=pk)
    ),
    int,
)
AT_A_TABLE = Question(
    lambda state, round_pk, table: Match.objects.filter(round=round_pk, table=table, state=state),
    *(str, int, int),
)


@pytest.mark.django_db
def test_each_value_has_its_own_answer_with_all_that_is_joined() -> None:
    tournament = the_liguilla()
    with CaptureQueriesContext(connection) as seen:
        for table in (1, 2):
            match = the_match(tournament, 1, table)
            found = ABOVE.ask(match.pk)
            assert found == match
            assert found is not None
            asked_so_far = len(seen)
            assert found.lineup == {}
            assert found.round.state == "published"
            assert found.round.stage.tournament.club_id == tournament.club_id
            assert len(seen) == asked_so_far, "all of it was asked for at once"
            assert "state" in found.get_deferred_fields()


@pytest.mark.django_db
def test_values_go_where_the_query_has_them() -> None:
    match = the_match(the_liguilla(), 1, 2)
    assert AT_A_TABLE.ask("pending", match.round_id, 2) == match
    assert AT_A_TABLE.ask("pending", match.round_id, 99) is None
    assert AT_A_TABLE.ask("accepted", match.round_id, 2) is None


@pytest.mark.django_db
@pytest.mark.parametrize("nobody", [0, -1, LARGEST, LARGEST + 1, 10**30])
def test_a_value_that_no_row_has_is_nobodys(nobody: int) -> None:
    the_liguilla()
    assert ABOVE.ask(nobody) is None


@pytest.mark.django_db
def test_the_answer_is_what_is_there_now() -> None:
    match = the_match(the_liguilla(), 1, 1)
    assert AT_A_TABLE.ask("pending", match.round_id, 1) == match
    Match.objects.filter(pk=match.pk).update(state=Match.State.ACCEPTED)
    assert AT_A_TABLE.ask("pending", match.round_id, 1) is None
    again = AT_A_TABLE.ask("accepted", match.round_id, 1)
    assert again is not None
    assert again.state == Match.State.ACCEPTED


@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_on_its_own_connection_and_on_each_that_follows() -> None:
    match = the_match(the_liguilla(), 1, 1)
    heard: list[Match | None] = []

    def ask() -> None:
        for _ in range(2):
            heard.append(ABOVE.ask(match.pk))
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    connection.close()
    assert [*heard, ABOVE.ask(match.pk)] == [match] * 7


@pytest.mark.django_db
def test_what_a_query_says_of_words_is_compared_and_not_carried_out() -> None:
    the_liguilla()
    roles = Question(lambda role: Membership.objects.filter(role=role), str)
    assert roles.ask("' OR '1'='1") is None
    assert roles.ask("%s") is None
