"""A broker and workers of a drill's own, to be killed, held still, wiped and started again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from celery import Celery
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from tests.servers import kill_group
from tournaments.arena.services.dispatch import wake_due
from tournaments.core.db import is_transient, retry_transaction
from tournaments.environment import ROOT
from tournaments.management import broker
from tournaments.models import Attempt, Match
from tournaments.models.matches import LEASE, MatchQuerySet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LONG = bool(os.environ.get("BAZA_DRILL_LONG"))
"""Whether the drills are to be many: `./baza drill --long`."""

ENDURANCE = 600.0 if LONG else 300.0
"""Seconds that a drill waits for something before it gives up."""


def times(ordinary: int, long: int) -> int:
    """Return how often something is to be done."""
    return long if LONG else ordinary


def wait_until(condition: Callable[[], object], what: str, pause: float = 0.05) -> None:
    """Wait for something; that it never comes fails the drill."""
    deadline = time.monotonic() + ENDURANCE
    while not condition():
        assert time.monotonic() < deadline, f"{what}: not within {ENDURANCE:.0f} s"
        time.sleep(pause)


def is_alive(number: int) -> bool:
    """Return whether a process is there and has not ended."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def is_locked(match: int) -> bool:
    """Return whether another process holds a match, or all of an SQLite file, for writing."""
    try:
        if connection.vendor == "sqlite":
            name = connection.settings_dict["NAME"]
            with contextlib.closing(sqlite3.connect(name, timeout=0.5)) as file:
                file.execute("BEGIN IMMEDIATE")
                file.rollback()
        else:
            with transaction.atomic():
                Match.objects.select_for_update(nowait=True).filter(pk=match).first()
    except (sqlite3.OperationalError, OperationalError):
        return True
    return False


class Broker:
    """A redis-server on a port of its own, which keeps nothing.

    No socket's path would do: kombu keeps one pool for all brokers on sockets.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start it, empty."""
        program = shutil.which("redis-server") or broker.find_server()
        self.process = subprocess.Popen(
            [
                *(program, "--bind", "127.0.0.1", "--port", str(self.port)),
                *("--dir", str(self.folder), "--appendonly", "no", "--save", ""),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            process_group=0,
        )
        wait_until(self._answers, "the broker")

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            return self.say(b"PING").startswith(b"+PONG")
        return False

    def say(self, words: bytes) -> bytes:
        """Send a command and return the beginning of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as line:
            line.sendall(words + b"\r\n")
            return line.recv(4096)

    def wipe(self) -> None:
        """Forget all that it holds."""
        assert self.say(b"FLUSHALL").startswith(b"+OK")

    def kill(self) -> None:
        """Kill it without a word."""
        kill_group(self.process)


class Crew:
    """The workers of a drill, each at the head of a process group, and who wakes them.

    ``tick`` does what the scheduler does every five seconds. ``pass_over`` is what half a minute's
    waiting does to what the dead leave behind, done to the rows; with `--long` it is waited for.
    """

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self.environment = dict(environment)
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self.started = 0
        self.held: set[int] = set()
        self.app = "tournaments"

    def take(self, seconds: float) -> None:
        """Make every record of a new worker take this long, so that it can be found at play."""
        self.app = "tests.drills.strange"
        self.environment["BAZA_DRILL_SLOWNESS"] = str(seconds)

    def hire(self, *options: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start a worker of two processes, and return when it is ready."""
        worker = self.begin(*options, **variables)
        self.wait_for(worker)
        return worker

    def begin(self, *options: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start a worker and do not wait for it."""
        self.started += 1
        log = self.log_of(self.started)
        with log.open("wb") as output:
            worker = subprocess.Popen(
                [
                    *(sys.executable, "-m", "celery", "--skip-checks", "-A", self.app),
                    *("worker", "--hostname", f"drill-{os.getpid()}-{self.started}@localhost"),
                    *("--concurrency", "2", "--queues", "matches,default", "--loglevel", "INFO"),
                    *("--without-gossip", "--without-mingle", *options),
                ],
                cwd=ROOT,
                env=self.environment | variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        worker.args = [str(log)]
        self.workers.append(worker)
        return worker

    def log_of(self, number: int) -> Path:
        """Return where a worker writes, by its number from 1."""
        return self.folder / f"worker-{number}.log"

    def wait_for(self, worker: subprocess.Popen[bytes]) -> None:
        """Wait until a worker is ready."""
        assert isinstance(worker.args, list)
        log = Path(str(worker.args[0]))

        def is_ready() -> bool:
            assert worker.poll() is None, f"the worker ended:\n{log.read_text()}"
            return b" ready." in log.read_bytes()

        wait_until(is_ready, "the worker")

    def processes(self, worker: subprocess.Popen[bytes]) -> list[int]:
        """Name the living processes of a worker that carry out its tasks."""
        children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text()
        return [number for number in map(int, children.split()) if is_alive(number)]

    def players(self) -> list[int]:
        """Name the processes that play a match at this moment, but for those held still."""
        return sorted(set(self.under_way()) - self.held)

    def under_way(self) -> dict[int, int]:
        """Return a match that each living process holds, the last of several, by process."""
        return {number: match for number, match, _ in self._held() if is_alive(number)}

    def _held(self) -> Iterator[tuple[int, int, str]]:
        """Yield the matches that are leased, each with its process, living or dead, and token."""
        attempts = Attempt.objects.filter(outcome="", token=F("match__lease_token"))
        open_ = attempts.filter(match__lease_until__gte=Now())
        for name, match, token in open_.values_list("worker", "match", "token"):
            yield int(name.rpartition(":")[2]), match, token

    def worker_of(self, number: int) -> subprocess.Popen[bytes]:
        """Return the worker of a process that plays, or the first when it has just ended."""
        with contextlib.suppress(ProcessLookupError):
            for worker in self.workers:
                if os.getpgid(number) == worker.pid:
                    return worker
        return self.workers[0]

    def hold(self, number: int, match: int) -> bool:
        """Hold a process still that plays a match; not one that is just writing down what it has.

        A process stopped in the middle of a transaction blocks others until it goes on.
        """
        os.kill(number, signal.SIGSTOP)
        if is_locked(match):
            os.kill(number, signal.SIGCONT)
            return False
        self.held.add(number)
        return True

    def hold_somebody(self) -> int:
        """Wait until a process plays, and hold it still (:meth:`hold`)."""

        def is_held() -> bool:
            return any(self.hold(number, match) for number, match in self.under_way().items())

        wait_until(is_held, "somebody at play", pause=0.01)
        (player,) = self.held
        return player

    def let_go(self, number: int) -> None:
        """Let a process go on that was held still."""
        self.held.discard(number)
        if is_alive(number):
            os.kill(number, signal.SIGCONT)

    def dismiss(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill a worker with all its processes."""
        kill_group(worker)
        self.workers.remove(worker)

    def pass_over(self) -> None:
        """Let the leases of the dead and the held run out, and what was sent be unheard of."""
        if LONG:
            return
        # By their tokens: a match that is claimed meanwhile has another.
        tokens = [
            token
            for number, _, token in self._held()
            if number in self.held or not is_alive(number)
        ]
        left = Match.objects.leased().filter(lease_token__in=tokens)
        left.update(lease_until=F("lease_until") - LEASE)
        waiting = Match.objects.due().filter(woken_at__isnull=False)
        waiting.update(woken_at=F("woken_at") - MatchQuerySet.patience)

    def tick(self) -> None:
        """Do what the scheduler does every few seconds, and as its task does it.

        Where a lock is held, what is left is done the next time.
        """
        try:
            retry_transaction(wake_due)
        except OperationalError as error:
            if not is_transient(error):
                raise

    def go(self) -> None:
        """Kill everybody who is left."""
        for number in list(self.held):
            self.let_go(number)
        for worker in list(self.workers):
            self.dismiss(worker)


def messenger(url: str) -> Celery:
    """Return an application that sends the service's messages to another broker."""
    app = Celery("drill", set_as_current=False, broker=url)
    app.conf.update(
        task_routes=settings.CELERY_TASK_ROUTES,
        task_default_queue=settings.CELERY_TASK_DEFAULT_QUEUE,
        broker_transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS,
    )
    return app


@contextlib.contextmanager
def crew_of(environment: Mapping[str, str], folder: Path) -> Iterator[Crew]:
    """Give a crew, all of it gone afterwards."""
    crew = Crew(environment, folder)
    try:
        yield crew
    finally:
        crew.go()
