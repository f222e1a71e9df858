"""Supervises child processes: starts, watches, restarts and finally stops them.

Each child leads a process group of its own, so that Ctrl-C reaches only the supervisor, which then
stops them in order. A reaper (see `orphan_reaper`) kills the rest if the supervisor itself is
killed.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tournaments.management import orphan_reaper

GRACE = 15.0  # seconds a child has to end by itself; a worker may be finishing a match
FIRST_WAIT = 1.0  # seconds before a dead child is restarted
MAX_WAIT = 30.0  # seconds; chosen: bounds how long a mended program stays down
SETTLED = 30.0  # seconds a child must have run for the next wait to be short again
MAX_LOG_BYTES = 5_000_000  # bytes; a larger log is renamed when the child starts


class Child:
    """One long-lived process with its log file."""

    def __init__(
        self, name: str, command: Sequence[str], log: Path, *, stops_last: bool = False
    ) -> None:
        """Describe the process; nothing is started yet."""
        self.name = name
        self.stops_last = stops_last
        self.command = command
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.wait = FIRST_WAIT / 2  # doubled at each death
        self.due_at: float | None = None

    @property
    def exit_code(self) -> int | None:
        """Return its exit code, or None while it runs."""
        return self.process.poll() if self.process else None

    def ending(self) -> str:
        """Return how it ended, as text."""
        code = self.exit_code
        return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"

    def last_lines(self) -> str:
        """Return the last fifteen lines of its log."""
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join(lines[-15:])


class Supervisor:
    """All the processes of one service."""

    def __init__(
        self, folder: Path, environment: Mapping[str, str], say: Callable[[str], None]
    ) -> None:
        """Write logs to `folder`; start the reaper before anything else."""
        self.folder = folder
        self.environment = dict(environment)
        self.say = say
        self.children: list[Child] = []
        reading, writing = os.pipe()
        self.reaper = subprocess.Popen(  # noqa: S603  (our own program)
            [sys.executable, "-I", "-S", orphan_reaper.__file__, str(GRACE)],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reading)
        self.registry = writing

    def add(self, name: str, command: Sequence[str], *, stops_last: bool = False) -> Child:
        """Start a child that runs as long as the service does."""
        child = Child(name, command, self.folder / f"{name}.log", stops_last=stops_last)
        self.children.append(child)
        self.start(child)
        return child

    def start(self, child: Child) -> None:
        """Start it, appending its output to its log."""
        rotate_log(child.log)
        with child.log.open("ab") as log:
            child.process = self.spawn(child.command, log.fileno())
        child.started_at = time.monotonic()
        child.due_at = None

    def spawn(self, command: Sequence[str], output: int | None) -> subprocess.Popen[bytes]:
        """Start a process as leader of its own group, registered with the reaper."""
        registry = self.registry

        def enter() -> None:
            os.setpgid(0, 0)
            os.write(registry, b"+%d\n" % os.getpid())

        return subprocess.Popen(  # noqa: S603  (the commands are our own)
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output is not None else None,
            env=self.environment,
            preexec_fn=enter,  # noqa: PLW1509  (one thread only)
        )

    def run(self, command: Sequence[str]) -> int:
        """Run a short command to its end, with our output; return its exit code."""
        process = self.spawn(command, output=None)
        try:
            return process.wait()
        finally:
            ask_to_stop(process)
            self.wait_or_kill(process, grace=5.0)

    def dead_children(self) -> Iterator[Child]:
        """Yield the children that have ended and do not wait for a restart."""
        return (
            child for child in self.children if child.exit_code is not None and not child.due_at
        )

    def restart_dead(self) -> None:
        """Restart the dead children, each time after a longer wait."""
        now = time.monotonic()
        for child in self.dead_children():
            self.clear_group(child)
            lived = now - child.started_at
            child.wait = FIRST_WAIT if lived > SETTLED else min(child.wait * 2, MAX_WAIT)
            child.due_at = now + child.wait
            self.say(
                f"{child.name} ended ({child.ending()}); starting it again in {child.wait:.0f} s."
                f" Its log: {child.log}"
            )
        for child in self.children:
            if child.due_at and now >= child.due_at:
                self.start(child)
                self.say(f"{child.name} is started again.")

    def clear_group(self, child: Child) -> None:
        """Kill the rest of a dead child's group, and remove it from the reaper's list."""
        if child.process:
            kill_group(child.process.pid, signal.SIGKILL)
            self.unregister(child.process.pid)

    def kill_child(self, child: Child) -> None:
        """Kill a child that hangs; it is restarted like one that died."""
        if child.process:
            kill_group(child.process.pid, signal.SIGKILL)

    def unregister(self, group: int) -> None:
        """Remove a group from the reaper's list; its number may soon be reused."""
        with contextlib.suppress(BrokenPipeError):  # the reaper itself was killed
            os.write(self.registry, b"-%d\n" % group)

    def stop_all(self) -> None:
        """Stop all: first those that use the broker, then the broker, then the reaper."""
        for stops_last in (False, True):
            processes = [
                child.process
                for child in self.children
                if child.process and child.stops_last is stops_last
            ]
            for process in processes:
                ask_to_stop(process)
            for process in processes:
                self.wait_or_kill(process, GRACE)
        self.children.clear()
        os.close(self.registry)
        self.reaper.wait()

    def kill(self) -> None:
        """Kill all at once."""
        for child in self.children:
            if child.process:
                kill_group(child.process.pid, signal.SIGKILL)

    def wait_or_kill(self, process: subprocess.Popen[bytes], grace: float) -> None:
        """Wait for a process that was asked to stop, and kill the rest of its group."""
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            self.say(f"Process {process.pid} did not stop in {grace:.0f} s and is killed.")
        kill_group(process.pid, signal.SIGKILL)
        process.wait()
        self.unregister(process.pid)


def ask_to_stop(process: subprocess.Popen[bytes]) -> None:
    """Send SIGTERM, once: a second one would make a worker drop its matches."""
    if process.poll() is None:
        process.terminate()


def kill_group(group: int, number: int) -> None:
    """Send a signal to a process group, if it has a process left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, number)


def rotate_log(log: Path) -> None:
    """Keep one older log beside the new one, so that logs never fill a disk."""
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
