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
    times = []
    for _ in range(turns):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def without_verdicts(cells: list[list[str]]) -> list[list[str]]:
    """The rows without their column *met*: an aim that was missed says so itself."""
    if "met" not in cells[0]:
        return cells
    met_column, aim = cells[0].index("met"), cells[0].index("aim")
    rows = []
    for row in cells:
        cell = f"{row[aim]}, **missed**" if row[met_column] == "no" else row[aim]
        rows.append([cell if n == aim else text for n, text in enumerate(row) if n != met_column])
    return rows


def in_columns(cells: list[list[str]]) -> str:
    """A Markdown table with its columns in line."""
    cells = without_verdicts(cells)
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    ruled = [cells[0], ["-" * width for width in widths], *cells[1:]]
    return "\n".join(
        "| "
        + " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True))
        + " |"
        for line in ruled
    )
