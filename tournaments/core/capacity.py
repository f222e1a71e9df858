"""Limits how many threads of a process do something expensive at once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tournaments.core.errors import Reason, Refusal


class Capacity:
    """Lets ``at_once`` threads run, ``waiting`` threads wait, and refuses the others."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._running = threading.BoundedSemaphore(at_once)
        self._inside = threading.BoundedSemaphore(at_once + waiting)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Wait for a place and hold it. Refuses BUSY when too many threads wait already."""
        if not self._inside.acquire(blocking=False):
            raise Refusal(Reason.BUSY)
        try:
            with self._running:
                yield
        finally:
            self._inside.release()
