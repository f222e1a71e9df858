"""Shows how far a long command has come, in one line of a terminal."""

import sys
import time
from collections.abc import Callable
from typing import Final

SECONDS: Final = 0.5
"""Between two texts, at least."""


class Progress:
    """The line of a terminal with the latest text; where stderr is no terminal, nothing."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._began = self._last = time.monotonic()
        self._written = False

    def show(self, text: Callable[[float], str]) -> None:
        """Write what ``text`` makes of the seconds so far, if the last one is long enough ago."""
        if not self._shown:
            return
        now = time.monotonic()
        if now - self._last >= SECONDS:
            self._last = now
            print(f"\r\033[K{text(now - self._began)} ", end="", file=sys.stderr, flush=True)
            self._written = True

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._written:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._written = False
