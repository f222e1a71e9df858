"""A part of the measurements: what it is called, its table, and what to read it with."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Section(NamedTuple):
    """A table with its heading; the first of ``rows`` names the columns, ``notes`` come below."""

    title: str
    rows: list[list[str]]
    notes: str


def best_of(work: Callable[[], object], turns: int = 3) -> float:
    """Return the least processor time, in seconds, that the work took in several turns."""
    spent = []
    for _ in range(turns):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)
