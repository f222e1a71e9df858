"""What a bot that is a program may use, and what it is told about it."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one bot in one match; times in seconds, sizes in bytes where nothing is said.

    What is charged is CPU time. Wall time only tells a bot that thinks from one that hangs, so that
    a busy machine costs nobody a deal.
    """

    start_wall: float = 5.0
    """From the start of the program to its ``ready``."""
    move_cpu: float = 1.0
    """For each answer; what goes beyond is taken from the bank."""
    bank_cpu: float = 10.0
    """For each deal, beyond ``move_cpu``."""
    hang_wall: float = 10.0
    """From a question to its answer, however little CPU time was used."""
    end_wall: float = 1.0
    """From ``bye`` to the end of the program, and again from SIGTERM to SIGKILL."""
    match_cpu: int = 900
    """Of the whole match: what the kernel itself holds the program to."""
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

    def told(self) -> dict[str, Any]:
        """The limits as ``hello`` tells them."""
        return asdict(self)
