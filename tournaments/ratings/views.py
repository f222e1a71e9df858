"""Pages of the ratings of a club, and the drawing of a curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.domain.ratings import NEWCOMER
from tournaments.ratings.queries import pages
from tournaments.ratings.queries.pages import CurvePoint

WIDTH: Final = 400
HEIGHT: Final = 220
LEFT: Final = 40
"""Margin for the numbers beside the curve, in units of the drawing."""
BELOW: Final = 24
"""Margin for the numbers below it."""
STEPS: Final = (50, 100, 200, 250, 500, 1000)
"""Candidate distances of grid lines, in rating points."""


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ratings of a club, the best first."""
    page = pages.ratings_page(slug, request.GET.get("ruleset", ""))
    return render(request, "ratings/list.html", {"page": page, "newcomer": NEWCOMER})


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of the grid: its position and its label."""

    at: float
    label: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A curve in the units of its drawing: SVG paths and the grid.

    ``band`` surrounds ``line`` by the margin at each match; ``end`` is its last point.
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


def draw_curve(curve: Sequence[CurvePoint]) -> Drawing | None:
    """Draw a curve from the initial rating; None without a match."""
    if not curve:
        return None
    points = [(0, NEWCOMER.shown, NEWCOMER.margin)]
    points += [(point.number, point.rating, point.margin) for point in curve]
    min_rating = min(rating - margin for _, rating, margin in points)
    max_rating = max(rating + margin for _, rating, margin in points)
    # About six grid lines, so that there is room for their labels.
    step = next((step for step in STEPS if (max_rating - min_rating) / step <= 6), STEPS[-1])
    floor, ceiling = min_rating // step * step, -(-max_rating // step) * step
    last = points[-1][0]

    def across(number: int) -> float:
        return round(LEFT + (WIDTH - LEFT - 8) * number / last, 1)

    def down(rating: int) -> float:
        return round(8 + (HEIGHT - BELOW - 8) * (ceiling - rating) / (ceiling - floor), 1)

    upper = [(across(number), down(rating + margin)) for number, rating, margin in points]
    lower = [(across(number), down(rating - margin)) for number, rating, margin in points]
    middle = [(across(number), down(rating)) for number, rating, _ in points]
    return Drawing(
        band=f"{_path([*upper, *reversed(lower)])} Z",
        line=_path(middle),
        end=middle[-1],
        ratings=tuple(GridLine(down(label), label) for label in range(floor, ceiling + 1, step)),
        matches=tuple(GridLine(across(label), label) for label in sorted({0, last // 2, last})),
    )


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x} {y}" for x, y in points)
