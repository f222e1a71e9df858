"""The race chart of a season: the totals of the first ones after each event, as SVG lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.domain.curve import GridLine, path_of

WIDTH: Final = 420
HEIGHT: Final = 190
LEFT: Final = 48
"""Margin for the numbers beside the lines, in units of the drawing."""
RIGHT: Final = 24
"""Margin for the places at their ends."""
TOP: Final = 12
BELOW: Final = 26
"""Margin for the numbers of the events."""
MAX_LINES: Final = 5
MIN_APART: Final = 17
"""Distance of two labels at the ends, so that none lies on another."""
STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 50_000)
MAX_GRID: Final = 5
"""Grid lines above 0, at most."""


@dataclass(frozen=True, slots=True)
class RaceLine:
    """The line of one person: an SVG path, its last point, and the height of its label."""

    name: str
    place: int
    path: str
    end: tuple[float, float]
    label: float


@dataclass(frozen=True, slots=True)
class Race:
    """A race chart in the units of its drawing."""

    lines: tuple[RaceLine, ...]
    totals: tuple[GridLine, ...]
    events: tuple[GridLine, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT


def draw_race(totals: Sequence[tuple[str, Sequence[float]]]) -> Race | None:
    """Draw the totals of the first `MAX_LINES`, the best first; None with fewer than two events.

    Each is a name and its totals after each event, which are 0 or more.
    """
    first = totals[:MAX_LINES]
    events = len(first[0][1]) if first else 0
    if events < 2:
        return None
    top = max((max(row) for _, row in first), default=0) or 1
    step = next((step for step in STEPS if top / step <= MAX_GRID), STEPS[-1])
    ceiling = -(-top // step) * step

    def across(event: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * event / (events - 1), 1)

    def down(total: float) -> float:
        return round(TOP + (HEIGHT - BELOW - TOP) * (1 - total / ceiling), 1)

    ends = [down(row[-1]) for _, row in first]
    return Race(
        lines=tuple(
            RaceLine(
                name=name,
                place=place,
                path=path_of([(across(n), down(total)) for n, total in enumerate(row)]),
                end=(across(events - 1), ends[place - 1]),
                label=label,
            )
            for place, ((name, row), label) in enumerate(
                zip(first, spread(ends, MIN_APART), strict=True), 1
            )
        ),
        totals=tuple(GridLine(down(label), label) for label in range(0, int(ceiling) + 1, step)),
        events=tuple(GridLine(across(n), n + 1) for n in range(events)),
    )


def spread(heights: Sequence[float], apart: float) -> tuple[float, ...]:
    """Return heights in their order (the topmost first) that are at least ``apart``.

    They grow downwards from the first one; where they would leave the drawing all move up.
    """
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + apart) if placed else height)
    excess = max(placed[-1] - (HEIGHT - BELOW), 0) if placed else 0
    return tuple(round(height - excess, 1) for height in placed)
