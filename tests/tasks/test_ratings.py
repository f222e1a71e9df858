"""A worker rates what was accepted, without anybody asking it to."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

import pytest

from tests.clubs import submitted, the_liguilla
from tests.services.rating_night import table_of
from tournaments.jobs import Job, post
from tournaments.models import Rating
from tournaments.services.ratings import rebuild_ratings

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PATIENCE = 60.0  # seconds


def test_a_worker_brings_the_ratings_up_to_date(
    start_worker: Callable[[], subprocess.Popen[bytes]],
) -> None:
    start_worker()
    tournament = the_liguilla()
    for index in range(4):
        assert submitted(tournament, index).outcome == "accepted"
    post(Job.SWEEP_RATINGS)  # as the scheduler does every few seconds
    deadline = time.monotonic() + PATIENCE
    while Rating.objects.count() < 16:
        assert time.monotonic() < deadline, "nobody rated the matches"
        time.sleep(0.1)
    rated = table_of()
    rebuild_ratings(tournament.ruleset)
    assert rated == table_of()
