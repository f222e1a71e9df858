"""The resource limits of bots, as the table enforces them and as ``hello`` announces them."""

from dataclasses import dataclass
from typing import Final

TABLE_SECONDS: Final = 180.0
"""Seconds for which one record may wait for its programs, in equal shares of the seats."""

MIN_CPU_SHARE: Final = 0.002
"""The part of ``hang_wall`` that a bot must use as CPU time to count as one that thinks. A bot gets
as much on a machine with hundreds of busy processes; one that sleeps does not use it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one bot in one match; times in seconds, sizes in bytes where nothing is said.

    CPU time is charged. Wall time only distinguishes a bot that thinks from one that hangs, or that
    never ends its line, so that a busy machine costs no bot a deal.
    """

    start_wall: float = 5.0
    """From the start of the program to its ``ready``."""
    move_cpu: float = 1.0
    """For each answer; what goes beyond is taken from the bank."""
    bank_cpu: float = 10.0
    """For each deal, beyond ``move_cpu``."""
    hang_wall: float = 10.0
    """For which a bot that was asked may neither answer nor compute (`MIN_CPU_SHARE`)."""
    record_wall: float = TABLE_SECONDS / 2
    """From its questions to its answers in one record, all of them together, its starts too."""
    end_wall: float = 1.0
    """From ``bye`` to the end of the program, and again from SIGTERM to SIGKILL."""
    match_cpu: int = 900
    """Of one process, from its start on: what the kernel itself holds the program to."""
    memory: int = 256 << 20
    """Private memory that can be written to."""
    files: int = 32
    """Open files, the three streams included."""
    threads: int = 64
    line: int = 64 << 10
    """One line of the bot, its end included."""
    stdout: int = 1 << 20
    """Everything the bot says in a match."""
    stderr_chars: int = 10_000
    """Characters of standard error that are kept, the last ones."""


@dataclass(frozen=True, slots=True)
class RemoteLimits:
    """The bounds of a bot that runs elsewhere and fetches its turns; times in seconds.

    Its clock is the wall's: it runs from when a question is asked to when its answer is in, the
    way there and back included.
    """

    start_wall: float = 60.0
    """From ``hello`` to its ``ready``."""
    move_wall: float = 30.0
    """For each answer; what goes beyond is taken from the bank."""
    bank_wall: float = 60.0
    """For each deal, beyond ``move_wall``."""
    line: int = 64 << 10
    """Bytes of one line of the bot."""
