"""The web server is replaced or loses a worker while people ask."""

from __future__ import annotations

import http.client
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.clubs import the_liguilla
from tests.drills.crew import is_alive, times, wait_until
from tests.drills.site import folder_with_files
from tests.servers import kill_group
from tournaments.environment import ROOT
from tournaments.management.commands.up import web_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.drills.conftest import Tell

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ASKED = ("/", "/rules/", "/healthz", "/healthz")
POSTED = "/accounts/login/"  # without a cookie of ours: 403, by the whole service
FAILED = range(500, 600)
CRASH_LOOP = 6.0  # seconds; a worker that dies within 5.5 of its start makes granian give up


class Line(http.client.HTTPConnection):
    """A connection over a unix socket, as the proxy makes one for each request."""

    def __init__(self, path: Path) -> None:
        super().__init__("127.0.0.1", timeout=60)
        self.path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(60)
        self.sock.connect(str(self.path))


class Web:
    """granian on a unix socket, as the units in `deploy/` start it."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment | {
            "BAZA_VAR": str(folder_with_files()),
            "BAZA_ALLOWED_HOSTS": "127.0.0.1",
        }
        self.path, self.log = folder / "web.sock", folder / "web.log"

    def start(self, unit: str) -> None:
        """Start it as a unit or `./baza up` does, and return when it answers."""
        words = self._words_of(unit)
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, *words[1:-1], "tests.drills.reloaded_site:application"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        wait_until(self._answers, "the web server")

    def _words_of(self, unit: str) -> list[str]:
        """Return the command of a unit, or of `./baza up`, on the socket of the drill."""
        if unit == "up":
            words = web_command("host", 1)
            place = words.index("--host")
            return [*words[:place], "--uds", str(self.path), *words[place + 4 :]]
        text = (ROOT / "deploy" / "systemd" / f"{unit}.service").read_text()
        words = shlex.split(text.partition("ExecStart=")[2].partition("\n")[0])
        words[words.index("--uds") + 1] = str(self.path)
        words[words.index("--respawn-interval") + 1] = "5"
        return words

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return self.ask("/healthz") == 200

    def ask(self, path: str, method: str = "GET") -> int:
        """Make a request; return its status, 0 when no whole answer came."""
        return self.read(path, method)[0]

    def read(self, path: str, method: str = "GET") -> tuple[int, bytes]:
        """Make a request; return its status and body."""
        line = Line(self.path)
        try:
            body = b"{}" if method == "POST" else None
            line.request(method, path, body, {"Content-Type": "application/json"})
            answer = line.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            line.close()

    def workers(self) -> list[int]:
        """Return the numbers of its worker processes."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [number for number in map(int, path.read_text().split()) if is_alive(number)]

    def lose_worker(self, number: int) -> None:
        """Kill one of its workers, and wait for another in its place."""
        before = self.workers()
        os.kill(before[number % len(before)], signal.SIGKILL)
        wait_until(lambda: len(set(self.workers()) - set(before)) == 1, "another worker")

    def reload(self) -> None:
        """Have a new worker take over, and wait until it has and the old one has gone.

        One that is stopped while it still starts misses the signal, and is killed.
        """
        before = self.log.read_text()
        self.process.send_signal(signal.SIGHUP)
        for text in ("Stopped old worker", "Started worker"):
            wait_until(lambda line=text: self._says(line) > before.count(line), "the reload")  # type: ignore[misc]

    def _says(self, words: str) -> int:
        return self.log.read_text().count(words)


@pytest.fixture
def web(child_environment: dict[str, str]) -> Iterator[Web]:
    with tempfile.TemporaryDirectory(prefix="baza-web-") as folder:
        web = Web(child_environment, Path(folder))
        try:
            yield web
        finally:
            kill_group(web.process)


def test_a_reload_under_load_fails_no_request_and_ends_streams_whole(web: Web, tell: Tell) -> None:
    """Fault 24: a steady load while the web server is replaced; what is under way is finished."""
    web.start("baza-stream")
    tournament = the_liguilla()
    statuses: Counter[int] = Counter()
    counting = threading.Lock()
    stop = threading.Event()

    def look(number: int) -> None:
        while not stop.wait(0.05):
            responses = [web.ask(ASKED[number])]
            if number == 0:
                responses.append(web.ask(POSTED, "POST"))
            with counting:
                statuses.update(responses)

    stream = f"/api/v1/tournaments/{tournament.slug}/events/stream/"
    reloads = times(2, 20)
    whole = 0
    with ThreadPoolExecutor(6) as pool:
        looking = [pool.submit(look, number) for number in range(4)]
        try:
            for _ in range(reloads):
                slow, followed = pool.submit(web.read, "/slowly/"), pool.submit(web.read, stream)
                web.reload()
                assert slow.result()[1].startswith(b"begun ")
                whole += slow.result()[1] != b"begun "
                status, body = followed.result()
                assert (status, body[-1:]) == (200, b"\n"), web.log.read_text()
        finally:
            stop.set()
        for future in looking:
            future.result()
    failed = sum(count for status, count in statuses.items() if not status or status in FAILED)
    assert set(statuses) == {200, 403}, statuses
    assert whole == reloads
    tell(
        f"{reloads} reloads under {statuses.total()} requests, each with a slow one and a stream",
        failed,
    )


@pytest.mark.parametrize("unit", ["baza-web", "baza-stream", "up"])
def test_a_killed_web_worker_is_replaced_and_the_others_answer(
    unit: str, web: Web, tell: Tell
) -> None:
    """Fault 45: SIGKILL to one worker of the web server after the other; the server stays."""
    web.start(unit)
    kills = times(2, 20)
    answered: list[float] = [time.monotonic()]
    stop = threading.Event()

    def has_answered_since(moment: float) -> bool:
        return answered[-1] > moment

    def look() -> None:
        while not stop.wait(0.02):
            if web.ask("/healthz") == 200:
                answered.append(time.monotonic())

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        try:
            for kill in range(kills):
                web.lose_worker(kill)
                wait_until(partial(has_answered_since, time.monotonic()), "an answer")
                time.sleep(CRASH_LOOP)
        finally:
            stop.set()
        looking.result()
    assert web.process.poll() is None, web.log.read_text()
    longest = max(later - before for before, later in pairwise(answered))
    tell(f"{kills} workers of {unit} killed, longest time without an answer {longest:.1f} s", 0)
