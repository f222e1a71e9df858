"""A worker that is alive and deaf is found by its silence, and by nothing else (fault 6)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.models import F

from tests.support.bot_tables import a_bot_match
from tournaments.management import worker_watch
from tournaments.management.processes import Child
from tournaments.management.worker_watch import WorkerWatch
from tournaments.models import Heartbeat
from tournaments.operations.services.readiness import worker_queue
from tournaments.operations.tasks import store_heartbeat
from tournaments.results.services.leases import claim_match, release_lease

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)


class Clock:
    """The monotonic clock, set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Living(Child):
    """A worker whose process is there."""

    @property
    def exit_code(self) -> int | None:
        return self.ended

    ended: int | None = None


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(worker_watch, "time", clock)
    return clock


@pytest.fixture
def checked_workers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the workers that were sent a heartbeat task, in place of a broker."""
    names: list[str] = []

    def has_beaten(name: str) -> bool:
        names.append(name)
        return True

    monkeypatch.setattr(worker_watch, "send_heartbeat", has_beaten)
    return names


@pytest.fixture
def worker(tmp_path: Path) -> Living:
    return Living("worker", ["celery"], tmp_path / "worker.log")


@pytest.fixture
def watch(
    clock: Clock,
    checked_workers: list[str],
    worker: Living,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[float], list[str]]:
    """Give a function that lets seconds pass and returns who has been killed by then."""
    monkeypatch.setattr(settings, "VAR", tmp_path)
    killed: list[str] = []
    watching = WorkerWatch([worker], lambda child: killed.append(child.name))

    def passed(seconds: float) -> list[str]:
        for _ in range(int(seconds)):
            clock.now += 1
            watching.check()
        return killed

    return passed


def test_a_worker_that_says_nothing_for_two_minutes_is_killed_and_reported(
    watch: Callable[[float], list[str]],
    checked_workers: list[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert settings.ENVIRONMENT.deaf_after == 120
    assert watch(119) == []
    assert len(checked_workers) == 3
    assert watch(6) == ["worker"]
    (alarm,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "worker takes no messages" in alarm.getMessage()
    assert watch(110) == ["worker"], "the new one is given as much time"


def test_a_worker_that_answers_is_left_alone(watch: Callable[[float], list[str]]) -> None:
    for _ in range(10):
        store_heartbeat(worker_queue("worker"))
        assert watch(60) == []


def test_the_answer_of_another_worker_does_not_count(watch: Callable[[float], list[str]]) -> None:
    store_heartbeat(worker_queue("analyst"))
    assert watch(90) == []
    store_heartbeat(worker_queue("analyst"))
    assert watch(40) == ["worker"]


def test_a_clock_that_is_set_forward_kills_no_worker(watch: Callable[[float], list[str]]) -> None:
    """Fault 27: the row looks as if the worker had been silent for an hour."""
    store_heartbeat(worker_queue("worker"))
    assert watch(30) == []
    Heartbeat.objects.update(at=F("at") - timedelta(hours=1))
    assert watch(60) == []


def test_without_a_database_nobody_is_called_deaf(
    watch: Callable[[float], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def away() -> None:
        raise OperationalError

    monkeypatch.setattr(worker_watch, "heartbeats", away)
    assert watch(400) == []
    assert "Heartbeats cannot be read" in caplog.text


def test_a_worker_that_plays_has_no_time_to_answer(watch: Callable[[float], list[str]]) -> None:
    match = a_bot_match()
    lease = claim_match(match.pk)
    assert lease is not None
    assert watch(400) == []
    release_lease(lease, "partly", counts=False)  # type: ignore[arg-type]
    assert watch(60) == ["worker"]


def test_without_a_broker_nobody_is_called_deaf(
    watch: Callable[[float], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_watch, "send_heartbeat", lambda _name: False)
    assert watch(400) == []


def test_a_worker_that_has_ended_is_left_to_others(
    watch: Callable[[float], list[str]], worker: Living
) -> None:
    worker.ended = 1
    assert watch(400) == []


def test_each_worker_has_a_queue_that_nobody_else_listens_to() -> None:
    assert worker_queue("worker") != worker_queue("analyst")
    assert worker_queue("worker") == worker_queue("worker")


def test_a_broker_that_is_not_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from celery import Celery

    nowhere = Celery("nowhere", set_as_current=False, broker="redis://127.0.0.1:1/0")
    monkeypatch.setattr(worker_watch, "app", nowhere)
    assert not worker_watch.send_heartbeat("worker")
