"""Runs a program as a bot: one process for one seat and one match.

The process runs only while a question is open and is stopped in between, so that no bot thinks in
the time of another. A fault ends it at once with a
:class:`~engine.bots.failures.BotFailure`; later questions to a failed bot raise the same failure
until it is started again.
"""

import math
import os
import select
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from engine.bots import commands, sandbox
from engine.bots.failures import (
    CRASH,
    DIED_AT_START,
    HANG,
    INFRASTRUCTURE,
    MEMORY,
    OUTPUT_FLOOD,
    SLOW_START,
    THREADS,
    TIMEOUT_CPU,
    BotFailure,
)
from engine.bots.limits import MIN_CPU_SHARE, TABLE_SECONDS, Limits
from engine.bots.program import Ending, Program, StartError
from engine.bots.protocol import Conversation, Message
from engine.rulesets import Ruleset
from engine.view import View

_CHUNK: Final = 1 << 16  # the size of a pipe's buffer on Linux
_POLL_INTERVAL: Final = 0.05
"""Seconds between two looks at a thinking bot's CPU time and threads, at most."""

_EXIT_GRACE: Final = 0.5
"""Seconds in which a program that closed its output may still end by itself."""

_NEARLY_FULL_SHARE: Final = 0.9
"""Of its memory, from which on a program that ends is taken to have wanted more."""

_OUT_OF_MEMORY: Final = ("MemoryError", "bad_alloc", "out of memory", "annot allocate memory")

_HOST_DEPENDENT_CODES: Final = frozenset({DIED_AT_START, SLOW_START, HANG})


class ProcessBot:
    """A bot (:class:`engine.bots.base.Bot`) that is a program.

    ``words`` are the command. A bot that is not ``trusted`` runs in the sandbox, and
    :class:`~engine.bots.sandbox.SandboxError` refuses it where there is none. ``reference`` asks
    whether a bot known to be good runs here, now; when it does not, the machine is at fault and
    the failure is an infrastructure fault. It is asked about what a machine can cause, no more.
    ``waited`` are the seconds for which those before it at the seat were waited for.
    The process ends with the thread that started it.
    """

    def __init__(
        self,
        words: Sequence[str],
        rules: Ruleset,
        seat: str,
        *,
        folder: Path | None = None,
        options: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        trusted: bool = False,
        reference: Callable[[], bool] | None = None,
        conversation: type[Conversation] = Conversation,
        waited: float = 0.0,
    ) -> None:
        self.limits = limits or Limits(record_wall=TABLE_SECONDS / rules.seat_count)
        self.seat = seat
        self.failure: BotFailure | None = None
        self.name = ""
        self.dearest = 0.0
        """CPU seconds of the dearest answer."""
        self.waited = waited
        """Seconds for which the seat has been waited for in this record."""
        self.ending: Ending | None = None
        """How the program ended the last time that it did."""
        self._rules = rules
        self._options = dict(options or {})
        self._trusted = trusted
        self._reference = reference
        self._speaks = conversation
        self._command = commands.find_command(words, folder)
        self._program: Program | None = None
        self._talk = self._conversation()
        self._clear()

    def _conversation(self) -> Conversation:
        return self._speaks(self._rules, self.seat, self._options, self.limits)

    def _clear(self) -> None:
        self._outbox = b""
        self._inbox = b""
        self._stdout_size = 0
        self._stderr = b""
        self._bank = self.limits.bank_cpu
        self._charged = 0.0

    # --- what a table does with it ---------------------------------------------------------------

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def stderr(self) -> str:
        """The end of what it wrote to standard error."""
        return self._stderr.decode(errors="replace")[-self.limits.stderr_chars :]

    def start(self) -> None:
        """Start the program and wait for its ``ready``; raises :class:`BotFailure`."""
        self.restart()

    def restart(self) -> None:
        """End the program if it runs and start it again, without memory of the past."""
        self.close()
        self.failure = None
        self._talk = self._conversation()
        self._clear()
        start = time.monotonic()
        try:
            self._program = Program(self._spec(), self.limits.start_wall)
        except StartError as error:
            raise self._start_failure(error) from error
        time_left = self.limits.start_wall - (time.monotonic() - start)
        line = self._exchange([self._talk.hello()], max(0.0, time_left), SLOW_START)
        self.name = str(self._parse_answer(self._talk.ready, line).get("name", ""))
        self._charged = self._program.cpu()

    def choose(self, view: View) -> str:
        """Ask the bot; starts it if it has not been. Raises :class:`BotFailure`."""
        if self.failure is not None:
            raise self.failure
        start = time.monotonic()
        try:
            return self._await_answer(view, self.limits.record_wall - self.waited)
        finally:
            self.waited += time.monotonic() - start

    def _await_answer(self, view: View, time_left: float) -> str:
        """Return the bot's answer; waits ``time_left`` seconds at most."""
        if time_left <= 0:
            raise self._timeout_failure(HANG, in_all=True)
        if self._program is None:
            self.start()
        if self._talk.is_new_deal(view):
            self._bank = self.limits.bank_cpu
        line = self._exchange(self._talk.question(view), self.limits.hang_wall, HANG, time_left)
        self._charge()
        return str(self._parse_answer(self._talk.answer, line))

    def end(self, points: Mapping[str, int], winner: str | None, since: Sequence[Any] = ()) -> None:
        """Tell the result of a hand; the bot reads it when it runs next."""
        if self._program is not None and self.failure is None:
            self._outbox += self._talk.line(self._talk.end(points, winner, since))

    def read_unsolicited_output(self, within: float) -> bytes:
        """Runs the bot without a question and returns its output, which should be empty."""
        program = self._running_program()
        program.resume()
        ends = time.monotonic() + within
        while time.monotonic() < ends and self._transfer(program, 0.01):
            pass
        program.pause()
        return self._inbox

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._program is not None

    def close(self) -> None:
        """Send ``bye`` and end the program, by force if it stays; never raises for the bot.

        Takes at most twice ``end_wall``.
        """
        program = self._program
        if program is None:
            return
        self._program = None
        if self.failure is None:
            self._send_bye(program)
        self.ending = program.kill()

    # --- inside -----------------------------------------------------------------------------------

    def _spec(self) -> dict[str, Any]:
        if self._trusted:
            return sandbox.trusted_spec(self._command, self.limits, os.environ)
        return sandbox.untrusted_spec(self._command, self.limits, sandbox.capabilities())

    def _start_failure(self, error: StartError) -> BotFailure:
        if error.step == "start":  # the kernel would not start this very file
            self.failure = BotFailure(DIED_AT_START, ending=error.reason)
            return self._check_host(self.failure)
        self.failure = BotFailure(INFRASTRUCTURE, detail=str(error))
        return self.failure

    def _exchange(
        self,
        messages: Sequence[Message],
        wall: float,
        timeout_code: str,
        time_left: float = math.inf,
    ) -> bytes:
        """Send messages and wait for a line; the program runs meanwhile, and only then.

        A program that is to answer a question is waited for ``time_left`` seconds in all, and for
        ``wall`` seconds in which it computes nothing.
        """
        program = self._running_program()
        self._outbox += b"".join(self._talk.line(message) for message in messages)
        allowed = None if timeout_code == SLOW_START else self.limits.move_cpu + self._bank
        now, thought = time.monotonic(), program.cpu()
        over, ends = now + time_left, now + wall
        program.resume()
        while b"\n" not in self._inbox:
            now = time.monotonic()
            # On a busy machine a bot gets little CPU time and still thinks: that is no hang.
            if timeout_code == HANG and program.cpu() - thought >= wall * MIN_CPU_SHARE:
                ends, thought = now + wall, program.cpu()
            if now >= min(over, ends):
                raise self._timeout_failure(timeout_code, in_all=over <= now)
            self._check_usage(program, allowed)
            if not self._transfer(program, min(over - now, ends - now, _POLL_INTERVAL)):
                raise self._exit_failure(timeout_code)
        program.pause()
        line, _, self._inbox = self._inbox.partition(b"\n")
        if len(line) >= self.limits.line:
            raise self._fail(OUTPUT_FLOOD, limit=self.limits.line, what="line")
        return line

    def _running_program(self) -> Program:
        if self._program is None:
            raise RuntimeError("the bot has not been started")
        return self._program

    def _check_usage(self, program: Program, allowed: float | None) -> None:
        """Raise when the program exceeds its CPU time or its number of threads."""
        used = program.cpu() - self._charged
        if allowed is not None and used > allowed:
            raise self._fail(TIMEOUT_CPU, used=used, allowed=allowed)
        threads = program.threads()
        if threads > self.limits.threads:
            raise self._fail(THREADS, said=threads, limit=self.limits.threads)

    def _transfer(self, program: Program, wait: float) -> bool:
        """Read and write what the streams are ready for; ``False`` at the end of the output."""
        watch = select.poll()
        watch.register(program.stdout, select.POLLIN)
        watch.register(program.stderr, select.POLLIN)
        if self._outbox:
            watch.register(program.stdin, select.POLLOUT)
        open_still = True
        ready = dict(watch.poll(wait * 1000))
        if program.stderr in ready:
            self._read_errors(program, pause=set(ready) == {program.stderr})
        if program.stdin in ready:
            self._write(program)
        if program.stdout in ready:
            open_still = self._read(program)
        return open_still

    def _write(self, program: Program) -> None:
        try:
            count = os.write(program.stdin, self._outbox[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:  # it reads no more; whether it still answers is seen on its output
            count = len(self._outbox)
        self._outbox = self._outbox[count:]

    def _read(self, program: Program) -> bool:
        piece = os.read(program.stdout, _CHUNK)
        self._stdout_size += len(piece)
        self._inbox += piece
        if self._stdout_size > self.limits.stdout:
            raise self._fail(OUTPUT_FLOOD, limit=self.limits.stdout, what="stdout")
        if len(self._inbox) > self.limits.line and b"\n" not in self._inbox:
            raise self._fail(OUTPUT_FLOOD, limit=self.limits.line, what="line")
        return bool(piece)

    def _read_errors(self, program: Program, *, pause: bool) -> None:
        piece = b""
        with suppress(OSError):
            piece = os.read(program.stderr, _CHUNK)
        self._store_stderr(piece)
        if pause and not piece:
            time.sleep(_POLL_INTERVAL)  # closed, and therefore ready for ever

    def _charge(self) -> None:
        """Charges the answer's CPU time to the move, and what is beyond to the bank."""
        now = self._running_program().cpu()
        used, self._charged = now - self._charged, now
        self.dearest = max(self.dearest, used)
        allowed = self.limits.move_cpu + self._bank
        self._bank -= max(0.0, used - self.limits.move_cpu)
        if self._bank < 0:
            raise self._fail(TIMEOUT_CPU, used=used, allowed=allowed)

    def _parse_answer(self, judge: Callable[[bytes], Any], line: bytes) -> Any:
        try:
            return judge(line)
        except BotFailure as failure:
            self._finish(failure)
            raise

    # --- failing ----------------------------------------------------------------------------------

    def _fail(self, code: str, **facts: Any) -> BotFailure:
        return self._check_host(self._finish(BotFailure(code, **facts)))

    def _timeout_failure(self, timeout_code: str, *, in_all: bool) -> BotFailure:
        if timeout_code == SLOW_START:
            return self._fail(timeout_code, limit=self.limits.start_wall)
        if in_all:
            return self._fail(timeout_code, limit=self.limits.record_wall, in_all=True)
        return self._fail(timeout_code, limit=self.limits.hang_wall)

    def _exit_failure(self, timeout_code: str) -> BotFailure:
        """Return the failure of a program whose output ended: a crash, or a limit of the kernel."""
        program = self._running_program()
        program.has_ended(_EXIT_GRACE)
        self._drain(program)
        ending = program.kill()
        ending_text = _describe_ending(ending)
        if ending.signal == signal.SIGXCPU:
            allowed = float(self.limits.match_cpu)
            failure = BotFailure(TIMEOUT_CPU, used=max(program.cpu(), allowed), allowed=allowed)
        elif self._ran_out_of_memory(ending):
            failure = BotFailure(MEMORY, limit=self.limits.memory, ending=ending_text)
        elif timeout_code == SLOW_START:
            failure = BotFailure(DIED_AT_START, ending=ending_text)
        else:
            failure = BotFailure(CRASH, ending=ending_text)
        return self._check_host(self._finish(failure))

    def _drain(self, program: Program) -> None:
        with suppress(OSError):
            while piece := os.read(program.stderr, _CHUNK):
                self._store_stderr(piece)

    def _store_stderr(self, piece: bytes) -> None:
        limit = 4 * self.limits.stderr_chars  # bytes that hold as many characters for certain
        self._stderr = (self._stderr + piece)[-limit:]

    def _ran_out_of_memory(self, ending: Ending) -> bool:
        if ending.code == 0:
            return False
        full = ending.memory >= _NEARLY_FULL_SHARE * self.limits.memory
        return full or any(words in self.stderr for words in _OUT_OF_MEMORY)

    def _finish(self, failure: BotFailure) -> BotFailure:
        """End the program: nothing of a bot that failed runs on."""
        if self._program is not None:
            self.ending = self._program.kill()
            self._program = None
        failure.stderr = self.stderr
        failure.evidence = failure.evidence or self._inbox[:500].decode(errors="replace")
        self.failure = failure
        return failure

    def _check_host(self, failure: BotFailure) -> BotFailure:
        """Return the failure, or an infrastructure fault when the reference bot fails here too."""
        if self._reference is None or failure.code not in _HOST_DEPENDENT_CODES:
            return failure
        if self._reference():
            return failure
        fault = BotFailure(INFRASTRUCTURE, detail=f"the reference bot failed too: {failure.code}")
        fault.stderr = failure.stderr
        self.failure = fault
        return fault

    def _send_bye(self, program: Program) -> None:
        self._outbox += self._talk.line(self._talk.bye())
        program.resume()
        self._wait_for_exit(program, close=True)
        if not program.has_ended():
            program.terminate()
            self._wait_for_exit(program, close=False)

    def _wait_for_exit(self, program: Program, *, close: bool) -> None:
        ends = time.monotonic() + self.limits.end_wall
        while time.monotonic() < ends and not program.has_ended():
            if close and not self._outbox:
                program.close_stdin()
                close = False
            with suppress(BotFailure):
                if not self._transfer(program, 0.01):
                    program.has_ended(max(0.0, ends - time.monotonic()))


def _describe_ending(ending: Ending) -> str:
    if ending.signal is not None:
        return f"signal {signal.Signals(ending.signal).name}"
    return "closed" if ending.code is None else f"code {ending.code}"
