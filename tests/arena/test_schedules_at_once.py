"""Many ticks at once, of two beats or of sixteen workers, begin and close one round."""

from collections import Counter

import pytest

from tests.arena.test_schedules import (
    AT_THREE,
    a_ladder,
    decide,
    make_due,
    rounds,
    scheduled,
    the_schedule,
)
from tests.clubs import SYSTEM, the_round
from tests.results.test_concurrency import assert_the_history_has_no_gap, at_once
from tournaments.arena.services.arena import close_played, run_due, run_now, set_schedule
from tournaments.arena.tasks import tick
from tournaments.domain.scores import Score
from tournaments.models import AuditEvent, Match
from tournaments.results.services.matches import correct_result

pytestmark = pytest.mark.django_db(transaction=True)

SIXTEEN = 16


def test_sixteen_ticks_at_once_begin_one_round() -> None:
    tournament = a_ladder(6)
    scheduled(tournament)
    begun = at_once(*[run_due] * SIXTEEN)
    assert Counter(begun) == {1: 1, 0: SIXTEEN - 1}
    assert rounds(tournament) == [(1, "published")]
    assert Match.objects.count() == 3
    for verb in ("tournament.drawn", "round.published", "round.play_requested", "schedule.ran"):
        assert AuditEvent.objects.filter(verb=verb).count() == 1, verb
    assert_the_history_has_no_gap()


def test_sixteen_ticks_at_once_close_one_round_and_begin_the_next() -> None:
    tournament = a_ladder(6)
    scheduled(tournament)
    run_due()
    decide(tournament, 1)
    make_due(tournament)
    at_once(*[tick] * SIXTEEN)
    assert rounds(tournament) == [(1, "closed"), (2, "published")]
    assert AuditEvent.objects.filter(verb="round.closed").count() == 1
    assert AuditEvent.objects.filter(verb="schedule.ran").count() == 2
    assert the_schedule(tournament).last_facts["round"] == 2
    assert_the_history_has_no_gap()


def test_the_last_results_at_once_with_messages_and_ticks_close_the_round_once() -> None:
    tournament = a_ladder(8)
    scheduled(tournament)
    run_due()
    round_ = the_round(tournament, 1)
    results = [
        lambda match=match: str(
            correct_result(SYSTEM, match, Score(1, 0, 90, 40), reason="as it was").version
        )
        for match in round_.matches.with_names()
    ]
    closing = [lambda: str(close_played(round_.pk))] * 4
    at_once(*results, *closing, *[lambda: str(run_due())] * 4)
    run_due()
    assert rounds(tournament) == [(1, "closed")]
    assert AuditEvent.objects.filter(verb="round.closed").count() == 1
    assert_the_history_has_no_gap()


def test_a_click_and_the_tick_at_once_begin_one_round() -> None:
    tournament = a_ladder(4)
    scheduled(tournament)
    by_click = [lambda: str(run_now(SYSTEM, tournament).number)] * 4
    at_once(*by_click, *[lambda: str(run_due())] * 4)
    assert rounds(tournament) == [(1, "published")]
    assert_the_history_has_no_gap()


def test_a_schedule_set_by_many_at_once_is_one() -> None:
    tournament = a_ladder(2)
    keys = at_once(*[lambda: str(set_schedule(SYSTEM, tournament, **AT_THREE).pk)] * 8)
    assert len(set(keys)) == 1
    assert AuditEvent.objects.filter(verb="schedule.set").count() == 1
