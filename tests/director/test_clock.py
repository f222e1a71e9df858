"""The clock of a round starts, stands still and goes on."""

from datetime import timedelta

import pytest

from tests.clubs import SYSTEM, a_swiss, stranger, the_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.rounds import resume_clock, start_clock, stop_clock
from tournaments.director.services.tournaments import publish_round
from tournaments.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(db: None) -> Round:
    """A round that is being played."""
    return publish_round(SYSTEM, the_round(a_swiss(4), 1))


def test_a_clock_that_stood_still_has_lost_no_time(round_: Round) -> None:
    started = start_clock(SYSTEM, round_, 40)
    assert started.clock_started_at is not None
    Round.objects.filter(pk=round_.pk).update(
        clock_started_at=started.clock_started_at - timedelta(minutes=10)
    )
    stopped = stop_clock(SYSTEM, round_)
    assert stopped.clock_stopped_at is not None
    Round.objects.filter(pk=round_.pk).update(
        clock_stopped_at=stopped.clock_stopped_at - timedelta(minutes=3)
    )
    resumed = resume_clock(SYSTEM, round_)
    assert resumed.clock_started_at is not None
    elapsed = stopped.clock_stopped_at - timedelta(minutes=3) - stopped.clock_started_at  # type: ignore[operator]
    assert elapsed >= timedelta(minutes=7)
    moved = resumed.clock_started_at - stopped.clock_started_at  # type: ignore[operator]
    assert moved >= timedelta(minutes=3)


def test_only_a_clock_that_runs_is_stopped(round_: Round) -> None:
    with refusal(Reason.CLOCK_NOT_RUNNING):
        stop_clock(SYSTEM, round_)
    start_clock(SYSTEM, round_, 40)
    with refusal(Reason.CLOCK_NOT_RUNNING):
        resume_clock(SYSTEM, round_)


@pytest.mark.parametrize("minutes", [0, -1, 1441])
def test_a_round_lasts_between_a_minute_and_a_day(round_: Round, minutes: int) -> None:
    with refusal(Reason.BAD_MINUTES):
        start_clock(SYSTEM, round_, minutes)


def test_a_draft_has_no_clock() -> None:
    with refusal(Reason.ROUND_NOT_OPEN):
        start_clock(SYSTEM, the_round(a_swiss(4), 1), 40)


def test_a_stranger_leaves_the_clock_alone(round_: Round) -> None:
    with refusal(Reason.FORBIDDEN):
        start_clock(stranger(), round_, 40)
