"""A worker that is alive and takes no messages: `./baza up` starts another."""

import os
import signal
from pathlib import Path

import pytest

from tests.drills.conftest import Tell
from tests.runner.test_up import Service, alive, eventually

pytestmark = pytest.mark.slow


def test_a_worker_that_is_alive_and_deaf_is_started_again(tmp_path: Path, tell: Tell) -> None:
    """Fault 6: its consumer is frozen, its processes live; the log reports it."""
    service = Service(
        tmp_path,
        "--empty",
        "--port",
        "0",
        BAZA_DEAF_AFTER="12",
        BAZA_DEBUG="1",
        BAZA_ANALYSIS="off",
    )
    try:
        service.wait_until_it_runs()
        head = min(number for number, words in alive(tmp_path).items() if " worker" in words)
        os.kill(head, signal.SIGSTOP)
        service.wait_for("worker takes no messages")
        service.wait_for("worker is started again.")
        log = tmp_path / "log" / "worker.log"
        assert eventually(lambda: log.read_text().count(" ready.") > 1, 60)
        service.process.send_signal(signal.SIGINT)
        assert service.ends() == 0
    finally:
        service.process.kill()
        service.process.wait()
    assert eventually(lambda: not alive(tmp_path)), alive(tmp_path)
    tell("1 worker frozen, found by its silence, and started again", 0)
