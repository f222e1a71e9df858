"""Who in this process is on his way to write something: who writes for all may wait for them.

When a round ends all tables send their results at once. The first of them to arrive would be
written alone, the next few together, and so on; each of these transactions costs as much as many
more results in it do. So the first waits, for a moment, until nobody is on his way any more.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Way:
    """That of one request, from its coming in until it has arrived at a line, or is answered."""

    is_over = False


class Crowd:
    """All who are on their way."""

    def __init__(self) -> None:
        self._moved = threading.Condition()
        self._own = threading.local()
        self._moving = 0

    def set_out(self) -> Way:
        """Count one more."""
        with self._moved:
            self._moving += 1
        return Way()

    def end(self, way: Way) -> None:
        """Count one less, once."""
        with self._moved:
            if not way.is_over:
                way.is_over = True
                self._moving -= 1
                self._moved.notify_all()

    @contextmanager
    def going(self, way: Way) -> Iterator[None]:
        """Have this thread go on with a way, to its end."""
        self._own.way = way
        try:
            yield
        finally:
            del self._own.way
            self.end(way)

    def arrive(self) -> bool:
        """End the way of this thread, if it is on one; tells whether others are on theirs."""
        if way := getattr(self._own, "way", None):
            self.end(way)
        return self._moving > 0

    def wait(self, seconds: float) -> None:
        """Wait until nobody is on his way, so long at most."""
        with self._moved:
            self._moved.wait_for(lambda: not self._moving, seconds)


crowd = Crowd()
"""Those of this process."""
