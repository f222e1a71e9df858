"""A worker that is alive and deaf is found by its silence, and by nothing else (fault 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from tests.support.bot_tables import a_bot_match
from tournaments.management import canaries
from tournaments.management.canaries import Canary
from tournaments.management.processes import Child
from tournaments.operations.services import readiness
from tournaments.operations.tasks import sing
from tournaments.results.services.leases import claim_match, release

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
    monkeypatch.setattr(canaries, "time", clock)
    monkeypatch.setattr(readiness, "time", clock)
    return clock


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the workers that were asked to sing, in place of a broker."""
    names: list[str] = []

    def heard(name: str) -> bool:
        names.append(name)
        return True

    monkeypatch.setattr(canaries, "ask", heard)
    return names


@pytest.fixture
def worker(tmp_path: Path) -> Living:
    return Living("worker", ["celery"], tmp_path / "worker.log")


@pytest.fixture
def watch(
    clock: Clock, asked: list[str], worker: Living, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[float], list[str]]:
    """Give a function that lets seconds pass and tells who has been killed by then."""
    monkeypatch.setattr(settings, "VAR", tmp_path)
    killed: list[str] = []
    listening = Canary(worker, lambda child: killed.append(child.name))

    def passed(seconds: float) -> list[str]:
        for _ in range(int(seconds)):
            clock.now += 1
            listening.look()
        return killed

    return passed


def test_a_worker_that_says_nothing_for_two_minutes_is_killed_and_somebody_is_told(
    watch: Callable[[float], list[str]], asked: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert settings.ENVIRONMENT.deaf_after == 120
    assert watch(119) == []
    assert len(asked) > 2
    assert watch(3) == ["worker"]
    (alarm,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "worker takes no messages" in alarm.getMessage()
    assert watch(110) == ["worker"], "the new one is given as much time"


def test_a_worker_that_sings_is_left_alone(watch: Callable[[float], list[str]]) -> None:
    for _ in range(10):
        sing("worker")
        assert watch(60) == []


def test_a_worker_that_plays_has_no_time_to_sing(watch: Callable[[float], list[str]]) -> None:
    match = a_bot_match()
    lease = claim_match(match.pk)
    assert lease is not None
    assert watch(400) == []
    release(lease, "partly", counts=False)  # type: ignore[arg-type]
    assert watch(60) == ["worker"]


def test_without_a_broker_nobody_is_called_deaf(
    watch: Callable[[float], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(canaries, "ask", lambda _name: False)
    assert watch(400) == []


def test_a_worker_that_has_ended_is_somebody_elses_care(
    watch: Callable[[float], list[str]], worker: Living
) -> None:
    worker.ended = 1
    assert watch(400) == []


def test_each_worker_has_a_queue_that_nobody_else_listens_to() -> None:
    assert readiness.queue_of("worker") != readiness.queue_of("analyst")
    assert readiness.queue_of("worker") == readiness.queue_of("worker")


def test_a_broker_that_is_not_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from celery import Celery

    nowhere = Celery("nowhere", set_as_current=False, broker="redis://127.0.0.1:1/0")
    monkeypatch.setattr(canaries, "app", nowhere)
    assert not canaries.ask("worker")
