"""The service as it is served: granian in a process of its own, on this test's database."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Self

from tests.servers import kill_group
from tournaments.environment import ROOT
from tournaments.management.commands.up import web_command

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

PATIENCE = 60.0  # seconds


class WebServer:
    """granian with one worker, from when it answers until it has stopped."""

    def __init__(
        self,
        environment: dict[str, str],
        log: Path,
        application: str = "tournaments.asgi:application",
    ) -> None:
        self.environment, self.log, self.application = environment, log, application
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [*web_command("127.0.0.1", self.port)[:-1], self.application],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        deadline = time.monotonic() + PATIENCE
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                kill_group(self.process)
                raise AssertionError(f"granian did not start:\n{self.log.read_text()}")
            time.sleep(0.05)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        kill_group(self.process)

    def answers(self) -> bool:
        """Return whether it answers at all."""
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            asking.request("GET", "/api/v1/clubs/")
            return asking.getresponse().status == 200
        except OSError:
            return False
        finally:
            asking.close()

    def stop(self) -> int:
        """Ask it to stop, as a deploy does; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def threads(self) -> int:
        """Count the threads of the worker."""
        process = subprocess.run(
            ["ps", "-o", "nlwp=", "--ppid", str(self.process.pid)],
            check=True,
            capture_output=True,
            text=True,
        )
        return sum(int(count) for count in process.stdout.split())
