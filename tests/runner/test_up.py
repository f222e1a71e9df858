"""`./baza up`: one foreground group that starts, stays, and leaves nothing behind."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.damage import damaged_file
from tournaments.environment import ROOT

PATIENCE = 90.0  # seconds for the first start: it collects and compresses the static files
PARTS = (
    "tournaments worker",
    "--queues analysis",
    "tournaments beat",
    "granian",
    "orphan_reaper.py",
    "valkey-server",
)


class Service:
    """A running `./baza up`, its output, and the processes that belong to its folder."""

    def __init__(self, var: Path, *options: str, **variables: str) -> None:
        names = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DATABASE_URL", "REDIS_URL"} and not name.startswith("BAZA_")
        }
        self.log = Path(tempfile.mkstemp(prefix="up-", suffix=".txt", dir=var.parent)[1])
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                ["./baza", "up", *options],
                cwd=ROOT,
                env={**names, "BAZA_VAR": str(var), **variables},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,
            )

    @property
    def output(self) -> str:
        return self.log.read_text()

    def wait_for(self, text: str) -> None:
        """Wait until it prints this; its end before that is a failure."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.output:
            if self.process.poll() is not None:
                assert text in self.output, f"it ended without {text!r}:\n{self.output}"
            assert time.monotonic() < deadline, f"no {text!r} in time:\n{self.output}"
            time.sleep(0.02)

    def wait_until_it_runs(self) -> str:
        """Wait for the last line of the start; return the address it prints."""
        self.wait_for("Ctrl-C stops it.\n")
        pattern_match = re.search(r"Baza is running: (\S+)", self.output)
        assert pattern_match
        return pattern_match[1]

    def ends(self) -> int:
        """Wait for its end; return the exit code."""
        return self.process.wait(PATIENCE)


def alive(var: Path) -> dict[int, str]:
    """Find the living processes of this folder: number and command line.

    Children inherit the variable; the broker overwrites its environment, but works in the folder.
    """
    mark = f"BAZA_VAR={var}".encode()
    processes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            is_marked = mark in (folder / "environ").read_bytes().split(b"\0")
            works_here = (folder / "cwd").readlink().is_relative_to(var)
            if state != "Z" and (is_marked or works_here):
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                processes[int(folder.name)] = words.decode().strip()
    return processes


def eventually(is_true: Callable[[], object], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=10) as response:  # noqa: S310
            code: int = response.status
    except urllib.error.HTTPError as error:
        code = error.code
    return code


@dataclass(frozen=True)
class FirstStart:
    """A start in an empty folder, which takes most of a minute of a processor: once for all."""

    var: Path
    kilobytes: int
    """Memory of the supervisor alone, once everything runs."""


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> FirstStart:
    """Start the service once in a folder in which all later starts are the quick ones."""
    folder = tmp_path_factory.mktemp("up")
    service = Service(folder, "--empty", "--port", "0")
    try:
        service.wait_until_it_runs()
        sums = Path(f"/proc/{service.process.pid}/smaps_rollup").read_text()
    finally:
        service.process.send_signal(signal.SIGTERM)
        service.ends()
    pattern_match = re.search(r"^Pss: +(\d+) kB", sums, flags=re.MULTILINE)
    assert pattern_match
    return FirstStart(folder, int(pattern_match[1]))


@pytest.fixture
def var(first_start: FirstStart) -> Path:
    """Give the folder of the service."""
    return first_start.var


@pytest.fixture
def up(var: Path) -> Iterator[Callable[..., Service]]:
    """Give a function that starts the service; what is left of it is killed afterwards."""
    services: list[Service] = []

    def start(*options: str, **variables: str) -> Service:
        service = Service(var, "--empty", *(options or ("--port", "0")), **variables)
        services.append(service)
        return service

    yield start
    for service in services:
        service.process.kill()
        service.process.wait()
    assert eventually(lambda: not alive(var)), alive(var)


@pytest.mark.slow
def test_the_first_start_leaves_the_supervisor_small(first_start: FirstStart) -> None:
    """Migrating takes 60 MiB, which a process that has migrated never gives back."""
    assert first_start.kilobytes < 110 * 1024


def stop(service: Service, var: Path, how: signal.Signals) -> None:
    """Ask it to stop, in one of the ways: it says so and leaves nothing."""
    service.process.send_signal(how)
    assert service.ends() == 0
    assert service.output.endswith("Stopping …\nStopped.\n")
    assert alive(var) == {}


@pytest.mark.slow
def test_it_answers_until_it_is_asked_to_stop_and_leaves_nothing(
    up: Callable[..., Service], var: Path
) -> None:
    service = up()
    address = service.wait_until_it_runs()
    assert status(address) < 500
    assert eventually(lambda: "/accounts/first/" in service.output)
    (link,) = re.findall(r"https?://\S+/accounts/first/\S+", service.output)
    assert status(link) == 200
    running = "\n".join(alive(var).values())
    for part in PARTS:
        assert part in running
    stop(service, var, signal.SIGINT)


@pytest.mark.slow
def test_a_broker_that_cannot_read_its_file_starts_without_it_and_killed_outright_nothing_is_left(
    up: Callable[..., Service], var: Path
) -> None:
    manifest = var / "broker" / "appendonlydir" / "appendonly.aof.manifest"
    manifest.parent.mkdir(parents=True, exist_ok=True)
    manifest.write_text("nonsense\n")
    service = up()
    service.wait_until_it_runs()
    pattern_match = re.search(
        r"cannot start from its file: set aside as (broker-\S+)", service.output
    )
    assert pattern_match
    aside = var / pattern_match[1] / "appendonlydir" / manifest.name
    assert aside.read_text() == "nonsense\n"
    assert len(alive(var)) > 5
    service.process.kill()
    assert eventually(lambda: not alive(var)), alive(var)


@pytest.mark.slow
def test_a_second_one_in_the_same_folder_is_refused_and_a_part_that_dies_is_started_again(
    up: Callable[..., Service], var: Path
) -> None:
    first = up()
    address = first.wait_until_it_runs()
    second = up()
    assert second.ends() == 2
    assert "Baza already runs from" in second.output
    assert f"process {first.process.pid}, {address}" in second.output
    assert "BAZA_VAR=var-2 ./baza up --port 8001" in second.output
    assert status(address) < 500

    log = var / "log" / "worker.log"  # of all starts
    starts = log.read_text().count(" ready.")
    for part, name in (("granian", "web"), ("valkey-server", "broker"), (" worker", "worker")):
        oldest = min(number for number, words in alive(var).items() if part in words)
        os.kill(oldest, signal.SIGKILL)
        first.wait_for(f"{name} ended (killed by signal 9); starting it again in 1 s.")
        first.wait_for(f"{name} is started again.")
    assert eventually(lambda: status_or_none(address))
    assert eventually(lambda: log.read_text().count(" ready.") > starts)
    stop(first, var, signal.SIGHUP)


def status_or_none(address: str) -> int | None:
    try:
        return status(address)
    except OSError:
        return None


@pytest.mark.slow
def test_a_port_that_is_taken_is_named_before_anything_starts(
    up: Callable[..., Service], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        service = up("--port", port, BAZA_VAR=str(tmp_path / "untouched"))
        assert service.ends() == 2
    assert f"cannot listen on 127.0.0.1, port {port}: Address already in use." in service.output
    assert "./baza up --port 8000" in service.output
    names = {path.name for path in (tmp_path / "untouched").iterdir()}
    assert names <= {"audit-key", "push-key", "secret-key", "up.lock"}


@pytest.mark.slow
def test_a_redis_that_does_not_answer_stops_the_start(up: Callable[..., Service]) -> None:
    service = up(REDIS_URL="redis://127.0.0.1:9/0")
    assert service.ends() == 1
    assert "REDIS_URL: no answer from Redis" in service.output
    assert "Traceback" not in service.output


@pytest.mark.slow
def test_a_damaged_file_stops_the_start_and_names_the_page_of_the_runbook(
    up: Callable[..., Service], tmp_path: Path
) -> None:
    damaged_file(tmp_path / "baza.sqlite3")
    service = up(BAZA_VAR=str(tmp_path), BAZA_DEBUG="1")
    assert service.ends() == 1
    assert f"the database {tmp_path / 'baza.sqlite3'} is damaged: " in service.output
    assert "docs/operators/runbook.md, A damaged SQLite file" in service.output
    assert "Traceback" not in service.output


@pytest.mark.slow
def test_a_database_that_does_not_answer_stops_the_start(up: Callable[..., Service]) -> None:
    service = up(
        DATABASE_URL="postgres://127.0.0.1:9/baza",
        BAZA_SECRET_KEY="kluge" * 12,
        BAZA_AUDIT_KEY="7e" * 32,
    )
    assert service.ends() == 1
    assert "the database does not answer" in service.output
    assert "Traceback" not in service.output


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.redis
def test_postgresql_and_redis_take_over_by_their_addresses(
    up: Callable[..., Service], var: Path, postgres_url: str, redis_url: str
) -> None:
    service = up(
        DATABASE_URL=postgres_url,
        REDIS_URL=redis_url,
        BAZA_SECRET_KEY="kluge" * 12,
        BAZA_AUDIT_KEY="7e" * 32,
    )
    assert status(service.wait_until_it_runs()) < 500
    assert "database   postgresql" in service.output
    assert "valkey-server" not in "\n".join(alive(var).values())
    stop(service, var, signal.SIGTERM)
