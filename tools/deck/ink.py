"""Colours and the few SVG elements that the deck is made of.

Only presentation attributes are written, never a ``style`` attribute or element: the sprite is used
from other documents under a strict content security policy, where neither would be applied.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PAPER = "#fffdf6"
INK = "#2a1c17"
NAVY = "#1d3a63"
GOLD = "#f0b92d"
GOLD_DARK = "#8a5a05"
GOLD_LIGHT = "#fce391"
RED = "#c5302b"
RED_DARK = "#7e1519"
BLUE = "#2a62a8"
STEEL = "#a9cbe6"
GREEN = "#3f8a35"
GREEN_DARK = "#1b4a1c"
LEAF = "#7fb84a"
WOOD = "#c98a4b"
WHITE = "#ffffff"
SKIN = "#f6d3ad"
BLUSH = "#e59a80"


def number(value: float, digits: int = 1) -> str:
    """A coordinate with at most ``digits`` decimals and no trailing zeros."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def attributes(**values: str | float | None) -> str:
    """XML attributes; ``stroke_width`` is written ``stroke-width``, ``None`` is left out."""
    return "".join(
        f' {name.replace("_", "-")}="{number(value) if isinstance(value, int | float) else value}"'
        for name, value in values.items()
        if value is not None
    )


def path(d: str, fill: str = "none", **more: str | float | None) -> str:
    """A path; its outline comes from the group around it unless ``stroke`` is given."""
    return f"<path{attributes(d=d, fill=fill, **more)}/>"


def circle(x: float, y: float, r: float, fill: str = "none", **more: str | float | None) -> str:
    """A circle about (x, y)."""
    return f"<circle{attributes(cx=x or None, cy=y or None, r=r, fill=fill, **more)}/>"


def ellipse(
    x: float, y: float, rx: float, ry: float, fill: str = "none", **more: str | float | None
) -> str:
    """An ellipse about (x, y)."""
    return f"<ellipse{attributes(cx=x or None, cy=y or None, rx=rx, ry=ry, fill=fill, **more)}/>"


def group(content: Iterable[str], **more: str | float | None) -> str:
    """A group: its colours and outlines apply to its content."""
    return f"<g{attributes(**more)}>{''.join(content)}</g>"


def drawn(content: Iterable[str], width: float = 1.6, stroke: str = INK) -> str:
    """A group with pen-like outlines."""
    return group(content, stroke=stroke, stroke_width=width, stroke_linejoin="round")


def plain(content: Iterable[str]) -> str:
    """A group without outlines."""
    return group(content, stroke="none")


def moved(x: float, y: float, scale: float = 1, turn: float = 0, flip: bool = False) -> str:
    """A ``transform``: the origin goes to (x, y), scaled, turned clockwise by degrees, mirrored."""
    moves = f"translate({number(x)} {number(y)})"
    if turn:
        moves += f" rotate({number(turn)})"
    size = number(scale, 2)
    if flip:
        return f"{moves} scale(-{size} {size})"
    return moves if scale == 1 else f"{moves} scale({size})"


def placed(
    content: str, x: float, y: float, scale: float = 1, turn: float = 0, flip: bool = False
) -> str:
    """``content`` transformed by :func:`moved`."""
    return f'<g transform="{moved(x, y, scale, turn, flip)}">{content}</g>'


def use(
    name: str, x: float, y: float, scale: float = 1, turn: float = 0, flip: bool = False
) -> str:
    """The drawing ``name`` of the sprite, transformed by :func:`moved`."""
    return f'<use href="#{name}" transform="{moved(x, y, scale, turn, flip)}"/>'


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """The point at ``radius`` from the origin, ``degrees`` clockwise from straight up."""
    angle = math.radians(degrees)
    return radius * math.sin(angle), -radius * math.cos(angle)


def petals(count: int, near: float, far: float, width: float, first: float = 0) -> str:
    """Path data of ``count`` leaves round the origin between two radii, ``width`` degrees wide."""
    middle = near + (far - near) * 0.62
    parts = []
    for index in range(count):
        angle = first + index * 360 / count
        start, tip = polar(near, angle), polar(far, angle)
        left, right = polar(middle, angle - width / 2), polar(middle, angle + width / 2)
        points = [number(value) for pair in (start, left, tip, right, start) for value in pair]
        parts.append("M{} {}Q{} {} {} {}Q{} {} {} {}".format(*points))
    return "".join(parts) + "Z"


def rays(count: int, near: float, far: float, first: float = 0) -> str:
    """Path data of a star of ``count`` points between two radii."""
    points = []
    for index in range(count * 2):
        x, y = polar(far if index % 2 == 0 else near, first + index * 180 / count)
        points.append(f"{number(x)} {number(y)}")
    return "M" + "L".join(points) + "Z"


def beads(radius: float, count: int, size: float, colour: str) -> str:
    """A ring of round beads, drawn as one dotted circle."""
    gap = 2 * math.pi * radius / count
    dots = attributes(
        r=radius,
        fill="none",
        stroke=colour,
        stroke_width=size,
        stroke_linecap="round",
        stroke_dasharray=f"0 {gap:.4f}",
    )
    return f"<circle{dots}/>"
