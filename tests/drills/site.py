"""The service as a web server of its own, to be asked, killed and started again."""

from __future__ import annotations

import atexit
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass
from email.message import Message
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tests.drills.crew import wait_until
from tests.servers import kill_group
from tournaments.environment import ROOT
from tournaments.management.commands.up import web_command

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

LOST = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back of a request; status 0 when nothing did."""

    status: int
    headers: Message
    body: bytes

    def json(self) -> Any:
        """Return what it says."""
        return json.loads(self.body)


class Site:
    """A granian as `./baza up` starts it, on a port of its own."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        overrides = {"BAZA_VAR": str(folder_with_files()), "BAZA_ALLOWED_HOSTS": "127.0.0.1"}
        self.environment = {**environment, **overrides}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "site.log"
        self.statuses: Counter[int] = Counter()
        self.counting = threading.Lock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self, app: str = "tournaments.asgi:application", **variables: str) -> None:
        """Start it, and return when it answers."""
        command = [*web_command("127.0.0.1", self.port)[:-1], app]
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**self.environment, **variables},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        wait_until(self._answers, "the web server")

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return self.ask("/", count=False).status == 200

    def kill(self) -> None:
        """Kill it without a word."""
        kill_group(self.process)

    def ask(
        self,
        path: str,
        body: bytes | None = None,
        *,
        url: str = "",
        count: bool = True,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Make a request, at another address than its own if one is given."""
        address = (url or self.url) + path
        request = urllib.request.Request(address, data=body, headers=dict(headers or {}))  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - ours
                answer = Answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            with error:
                answer = Answer(error.code, error.headers, error.read())
        except LOST:
            answer = Answer(0, Message(), b"")
        if count:
            with self.counting:
                self.statuses[answer.status] += 1
        return answer

    def submit(self, path: str, text: str, token: str, key: str, url: str = "") -> Answer:
        """Submit a record under an idempotency key."""
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        return self.ask(path, text.encode(), url=url, headers=headers)


@cache
def folder_with_files() -> Path:
    """Return a `BAZA_VAR` in which the static files are collected, once for all drills."""
    folder = Path(tempfile.mkdtemp(prefix="baza-site-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run_in({"BAZA_VAR": str(folder)}, "manage.py", "collectstatic", "--noinput")
    return folder


def run_in(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a Python program with this environment; return what it prints last."""
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip().rpartition("\n")[2]
