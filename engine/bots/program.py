"""A program in a process group of its own: started, held still, measured, ended whole."""

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
_CPU_OF_PROCESS: Final = 2  # CPUCLOCK_SCHED, linux/posix-timers.h
_POLL_INTERVAL: Final = 0.005  # seconds between two looks at a process that is ending
_GROUP_TIMEOUT: Final = 1.0  # seconds to wait until a killed group is gone
_SIGNALLED: Final = 128  # exit code of a shell whose program a signal ended: 128 + signal


class StartError(Exception):
    """The launcher did not get as far as the program: ``step`` says where, ``reason`` why."""

    def __init__(self, step: str, reason: str) -> None:
        super().__init__(f"{step}: {reason}")
        self.step = step
        self.reason = reason


class Ending(NamedTuple):
    """The end of a program: by ``code`` or by ``signal``; neither where it had to be killed.

    ``memory`` is the most it had in main memory, in bytes; 0 where that is not known.
    """

    code: int | None
    signal: int | None
    memory: int


class Program:
    """One started program. Held still (``pause``) it uses no CPU time and reads nothing."""

    def __init__(self, spec: dict[str, Any], start_wall: float) -> None:
        with contextlib.ExitStack() as stack:
            try:
                report = self._launch(spec, stack)
            except OSError as error:  # no process, descriptor or memory to be had
                raise StartError("launcher", str(error)) from error
            self._own_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            self.group = self.pid = self._popen.pid
            self._cpu = 0.0
            self._ending: Ending | None = None
            try:
                self._read_report(report, start_wall)
            except StartError:
                self.kill()
                raise
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            os.set_blocking(stream.fileno(), False)  # type: ignore[union-attr]

    def _launch(self, spec: dict[str, Any], stack: contextlib.ExitStack) -> int:
        """Start the launcher; the descriptor of its report, which ``stack`` closes."""
        report, writer = os.pipe()
        stack.callback(os.close, report)
        wrap = spec.get("wrap", [])
        spec = {**spec, "report": writer, "wrap": []}
        self._wrapped = bool(wrap)
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - the launcher holds it
                [*wrap, sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(spec)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(writer,),
                env={},
                start_new_session=True,
            )
        finally:
            os.close(writer)
        return report

    def _read_report(self, report: int, start_wall: float) -> None:
        """Read the launcher's report until it has become the program."""
        heard = b""
        ends = time.monotonic() + start_wall
        watch = select.poll()
        watch.register(report, select.POLLIN)
        while watch.poll(max(0.0, ends - time.monotonic()) * 1000):
            piece = os.read(report, 4096)
            if not piece:
                break
            heard += piece
        else:
            raise StartError("launcher", f"took longer than {start_wall:g} s")
        lines = heard.decode(errors="replace").splitlines()
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "failed":
                raise StartError(*rest.split(" ", 2)[::2])
            self.pid = int(rest)
        if not lines:
            raise StartError("launcher", "did not start")

    @property
    def stdin(self) -> int:
        """The descriptor that the program reads from; -1 once it is closed."""
        stream = self._popen.stdin
        return -1 if stream is None or stream.closed else stream.fileno()

    @property
    def stdout(self) -> int:
        """The descriptor of its standard output."""
        return self._popen.stdout.fileno()  # type: ignore[union-attr]

    @property
    def stderr(self) -> int:
        """The descriptor of its standard error."""
        return self._popen.stderr.fileno()  # type: ignore[union-attr]

    def cpu(self) -> float:
        """CPU time used so far by all its threads, in seconds.

        Where the system has no clock of other processes (macOS) it is wall time: trusted bots only.
        """
        if sys.platform != "linux":
            return time.monotonic()
        with contextlib.suppress(OSError):
            self._cpu = time.clock_gettime((~self.pid << 3) | _CPU_OF_PROCESS)
        return self._cpu

    def threads(self) -> int:
        """Threads that run at this moment; 0 where nobody can tell."""
        try:
            return len(os.listdir(f"/proc/{self.pid}/task"))  # noqa: PTH208 - no paths needed
        except OSError:
            return 0

    def resume(self) -> None:
        """Let it run (SIGCONT)."""
        self._signal(signal.SIGCONT)

    def pause(self) -> None:
        """Stop it (SIGSTOP), so that it uses no CPU time."""
        self._signal(signal.SIGSTOP)

    def terminate(self) -> None:
        """Ask it to end (SIGTERM)."""
        self._signal(signal.SIGTERM)

    def close_stdin(self) -> None:
        """Close its standard input."""
        if self._popen.stdin is not None:
            with contextlib.suppress(OSError):
                self._popen.stdin.close()

    def _signal(self, number: int) -> None:
        if self._ending is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.group, number)

    def has_ended(self, within: float = 0.0) -> bool:
        """Whether the program ended by itself, waiting a moment if asked to."""
        ends = time.monotonic() + within
        while self._ending is None:
            if self._is_zombie():
                return True
            if time.monotonic() >= ends:
                return False
            time.sleep(_POLL_INTERVAL)
        return True

    def _wait_for_group(self) -> None:
        """Wait until the killed process group is empty, `_GROUP_TIMEOUT` seconds at most."""
        ends = time.monotonic() + _GROUP_TIMEOUT
        with contextlib.suppress(ProcessLookupError, PermissionError):
            while time.monotonic() < ends:
                os.killpg(self.group, 0)
                time.sleep(_POLL_INTERVAL)

    def _is_zombie(self) -> bool:
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._popen.poll() is not None
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._popen.pid, flags) is not None

    def _reap(self) -> tuple[int, int]:
        """Reap the process: exit code, negative for a signal, and peak memory in bytes.

        The system counts what the child was before it became the program, which is this process:
        a figure that is no larger than our own says nothing, and is 0.
        """
        if self._popen.returncode is not None:
            return self._popen.returncode, 0
        _pid, status, usage = os.wait4(self._popen.pid, 0)
        self._popen.returncode = os.waitstatus_to_exitcode(status)
        unit = 1024 if sys.platform == "linux" else 1
        peak = usage.ru_maxrss if usage.ru_maxrss > self._own_memory else 0
        return self._popen.returncode, peak * unit

    def kill(self) -> Ending:
        """End the whole group, in any state; returns how the program itself had ended."""
        if self._ending is not None:
            return self._ending
        by_itself = self.has_ended()
        self._signal(signal.SIGKILL)  # before the wait: until then the number is still the group's
        code, memory = self._reap()
        self._wait_for_group()
        if (
            self._wrapped and code > _SIGNALLED
        ):  # bubblewrap reports a signal as a shell does: 128 + its number
            code = _SIGNALLED - code
        self._ending = Ending(
            code if by_itself and code >= 0 else None,
            -code if by_itself and code < 0 else None,
            memory,
        )
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        return self._ending
