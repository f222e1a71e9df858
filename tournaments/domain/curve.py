"""The line of a rating after each match, as SVG paths scaled to the ratings that it had."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.domain.ratings import NEWCOMER

WIDTH: Final = 400
HEIGHT: Final = 180
LEFT: Final = 48
"""Margin for the numbers beside the curve, in units of the drawing."""
BELOW: Final = 24
"""Margin for the numbers below it."""
TOP: Final = 8
STEPS: Final = (25, 50, 100, 200, 250, 500, 1000)
"""Candidate distances of grid lines, in rating points."""
MIN_SPAN: Final = 100
"""Rating points that the height shows at least, so that a change of five is no cliff."""


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of the grid: its position and its label."""

    at: float
    label: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A curve in the units of its drawing: SVG paths and the grid.

    ``band`` surrounds ``line`` by the margin at each match, cut off where the drawing ends, and
    empty where it would fill it; ``end`` is the last point of the line.
    """

    band: str
    line: str
    end: tuple[float, float]
    ratings: tuple[GridLine, ...]
    matches: tuple[GridLine, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    bottom: int = HEIGHT - BELOW


def draw_curve(curve: Sequence[tuple[int, int, int]]) -> Drawing | None:
    """Draw (number of matches, rating, margin) from the initial rating; None without a match.

    The height is that of the ratings and not of the margins: a newcomer's ± 590 would make a flat
    line of everything after it.
    """
    if not curve:
        return None
    points = [(0, NEWCOMER.shown, NEWCOMER.margin), *curve]
    ratings = [rating for _, rating, _ in points]
    spare = max(MIN_SPAN - (max(ratings) - min(ratings)), 0) // 2
    lowest, highest = min(ratings) - spare, max(ratings) + spare
    # About six grid lines, so that there is room for their labels.
    step = next((step for step in STEPS if (highest - lowest) / step <= 5), STEPS[-1])
    floor, ceiling = lowest // step * step, -(-highest // step) * step
    last = points[-1][0]

    def across(number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - 8) * number / last, 1)

    def down(rating: int) -> float:
        inside = min(max(rating, floor), ceiling)
        return round(TOP + (HEIGHT - BELOW - TOP) * (ceiling - inside) / (ceiling - floor), 1)

    upper = [(across(number), down(rating + margin)) for number, rating, margin in points]
    lower = [(across(number), down(rating - margin)) for number, rating, margin in points]
    fills = all(y == TOP for _, y in upper) and all(y == HEIGHT - BELOW for _, y in lower)
    middle = [(across(number), down(rating)) for number, rating, _ in points]
    return Drawing(
        band="" if fills else f"{path_of([*upper, *reversed(lower)])} Z",
        line=path_of(middle),
        end=middle[-1],
        ratings=tuple(GridLine(down(label), label) for label in range(floor, ceiling + 1, step)),
        matches=tuple(GridLine(across(label), label) for label in sorted({0, last // 2, last})),
    )


def path_of(points: Sequence[tuple[float, float]]) -> str:
    """Return the SVG path through some points."""
    return "M" + " L".join(f"{x} {y}" for x, y in points)
