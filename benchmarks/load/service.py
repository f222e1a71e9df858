"""The service as it runs on a day: web server, workers, scheduler, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.error import URLError
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
PATIENCE = 180.0  # seconds until everybody is ready
BEHIND_A_PROXY = {"X-Forwarded-Proto": "https"}


class Service:
    """The processes of `./baza up`, with `workers` web workers, on the database of this process.

    It is configured to run behind a proxy with TLS, as a public service does; with the program of
    ``nginx`` that is there too, without TLS.
    """

    def __init__(self, folder: Path, database: str, workers: int, nginx: str | None = None) -> None:
        from tests.servers import NginxServer

        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.proxy = NginxServer(nginx, self.port) if nginx else None
        self.workers = workers
        self.environment = {
            **os.environ,
            "BAZA_VAR": str(folder),
            "DATABASE_URL": database,
            "BAZA_ALLOWED_HOSTS": "127.0.0.1",
            "BAZA_PUBLIC_URL": "https://127.0.0.1",
        }
        self.children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput"],
            cwd=ROOT,
            env=self.environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        from tournaments.management.commands import up

        up.raise_file_limit()
        self.start("web", with_workers(up.web_command("127.0.0.1", self.port), self.workers))
        self.start("worker", up.worker_command("load-worker@localhost"))
        self.start("analyst", up.analyst_command("load-analyst@localhost"))
        self.start("courier", up.courier_command("load-courier@localhost"))
        self.start("scheduler", up.scheduler_command())
        try:
            self.wait()
            if self.proxy:
                self.proxy.__enter__()
                self.children["proxy"] = self.proxy.process
                self.url = f"http://127.0.0.1:{self.proxy.port}"
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start a part, its output in a file of the run's folder."""
        with (self.folder / f"{name}.log").open("wb") as log:
            self.children[name] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
            )

    def wait(self) -> None:
        """Return when the pages answer and the workers are ready; raises SystemExit if not."""
        deadline = time.monotonic() + PATIENCE
        while not (self.answers() and all(map(self.is_ready, ("worker", "analyst", "courier")))):
            for name, child in self.children.items():
                if child.poll() is not None or time.monotonic() > deadline:
                    log = (self.folder / f"{name}.log").read_text(errors="replace")
                    raise SystemExit(f"{name} is not ready:\n{log[-2000:]}")
            time.sleep(0.2)

    def answers(self) -> bool:
        """Return whether the front page is there."""
        with contextlib.suppress(URLError, ConnectionError, TimeoutError):
            front = Request(f"{self.url}/", headers=BEHIND_A_PROXY)  # noqa: S310 - ours
            with urlopen(front, timeout=20) as response:  # noqa: S310 - ours
                return bool(response.status == 200)
        return False

    def is_ready(self, name: str) -> bool:
        """Return whether a worker takes messages."""
        return b" ready." in (self.folder / f"{name}.log").read_bytes()

    def processor_seconds(self) -> dict[str, float]:
        """Return the processor time of each part, those of its children included."""
        return {
            name: sum(_seconds(number) for number in _group(child.pid))
            for name, child in self.children.items()
        }

    def __exit__(self, *_: object) -> None:
        if self.proxy:
            self.proxy.__exit__()
        for child in self.children.values():
            if child.poll() is None:
                child.terminate()
        for child in self.children.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(15)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, 9)
            child.wait()


def with_workers(command: Sequence[str], count: int) -> list[str]:
    """Return the web server's command with another number of workers."""
    words = list(command)
    words[words.index("--workers") + 1] = str(count)
    return words


def load_tool(folder: Path) -> str:
    """Install Locust, locked, into an environment of its own, and return its interpreter.

    Not among what tests need: it brings a plugin for pytest that changes sockets and threads.
    """
    lock = str(ROOT / "requirements" / "load.txt")
    python = str(folder / "locust" / "bin" / "python")
    options = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", lock)
    if uv := shutil.which("uv"):
        make = [uv, "venv", "-q", "--python", sys.executable, str(folder / "locust")]
        install = [uv, "pip", "install", "-q", "--python", python, *options]
    else:
        make = [sys.executable, "-m", "venv", str(folder / "locust")]
        install = [python, "-m", "pip", "install", "-q", *options]
    for command in (make, install):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return python


def _group(leader: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                if os.getpgid(int(entry.name)) == leader:
                    yield int(entry.name)


def _seconds(process: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # ended children's too
    return 0.0
