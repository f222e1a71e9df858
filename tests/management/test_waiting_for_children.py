"""`./baza up` waits for a process that is slow to answer, and takes one answer for enough."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError

from tournaments.management.commands import up


def child(started_at: float = 0.0, exit_code: int | None = None) -> Any:
    return SimpleNamespace(
        name="web",
        started_at=started_at,
        exit_code=exit_code,
        log="web.log",
        ending=lambda: "exit code 1",
        last_lines=lambda: "",
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give a clock that goes on by what is slept, and as each test says."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", sleep)
    return now


def test_a_process_that_answers_once_is_ready_however_slow_it_is(clock: list[float]) -> None:
    """Under load each question takes 15 s, and the one after the first answer gets none."""
    answers = iter([False, False, True, False])

    def is_ready() -> bool:
        clock[0] += 15
        return next(answers)

    up.Command().wait("web", "http://localhost", child(), is_ready)
    assert next(answers) is False  # it was not asked again


def test_it_is_given_up_at_the_deadline_and_not_before(clock: list[float]) -> None:
    with pytest.raises(CommandError, match="web is not ready after 180 s"):
        up.Command().wait("web", "", child(), lambda: False)
    assert 180 <= clock[0] < 181


def test_a_process_that_ended_is_not_waited_for(clock: list[float]) -> None:
    with pytest.raises(CommandError, match=r"web ended while starting \(exit code 1\)"):
        up.Command().wait("web", "", child(exit_code=1), lambda: False)
    assert clock[0] == 0
