"""A worker rates what was accepted, without a request."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.clubs import submitted, the_liguilla
from tests.support.rating_night import table_of
from tournaments.core.jobs import Job, post
from tournaments.models import Rating
from tournaments.ratings.services import rebuild_ratings

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

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
