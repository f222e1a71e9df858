"""The sprite: forty cards and a back, each a ``<symbol>`` that pages reach with ``<use>``."""

from __future__ import annotations

from tools.deck.faces import features, hand
from tools.deck.ink import (
    GOLD,
    GOLD_LIGHT,
    attributes,
    circle,
    group,
    number,
    path,
    petals,
    placed,
    use,
)
from tools.deck.jacks import jack
from tools.deck.kings import king
from tools.deck.knights import knight
from tools.deck.pips import (
    HEIGHT,
    INDEX_COLOUR,
    WIDTH,
    blank,
    club,
    coin,
    cup,
    frame,
    numeral,
    sword,
)
from tools.deck.spots import ace, laurel, spots

SUITS = "oceb"
RANKS = "1234567SCR"
INDEX = {"S": "10", "C": "11", "R": "12"}


def corners(rank: str, suit: str) -> str:
    """The index in the upper left corner and, turned, in the lower right.

    A figure has a small pip under the upper index: only that strip of a fanned hand is visible.
    """
    text = INDEX.get(rank, rank)
    scale = 1.04 if len(text) == 1 else 0.94
    index = numeral(text, 14, 15, scale, INDEX_COLOUR[suit])
    turned = group([index], transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")
    if rank not in INDEX:
        return index + turned
    small = {"o": 0.46, "c": 0.4, "e": 0.36, "b": 0.34}[suit]
    return index + use(f"pip-{suit}", 33, 76, small) + turned


def face(rank: str, suit: str) -> str:
    """The drawing on a card, without paper, frame and index."""
    if rank == "1":
        return ace(suit)
    if rank == "R":
        return king(suit)
    if rank == "S":
        return jack(suit)
    if rank == "C":
        return knight(suit)
    return spots(suit, int(rank))


def back() -> str:
    """A red trellis with a rosette, the same either way up."""
    left, right, top, bottom, step = 14.0, 186.0, 14.0, 294.0, 17.2
    panel = attributes(x=left, y=top, width=right - left, height=bottom - top, rx=7)
    lines = []
    offset = top - right + left
    while offset < bottom:
        lines.append(_stripe(left, right, top, bottom, offset, 1))
        lines.append(_stripe(left, right, top, bottom, offset + right - left, -1))
        offset += step
    medal = [
        circle(0, 0, 46, "#5f1016", stroke=GOLD, stroke_width=2.4),
        path(petals(12, 14, 42, 27), "#a3222a", stroke=GOLD, stroke_width=1.4),
        path(petals(12, 10, 33, 20, 15), GOLD, stroke="#5f1016", stroke_width=1),
        circle(0, 0, 13, "#5f1016", stroke=GOLD, stroke_width=2),
        path(petals(4, 0, 10, 60), GOLD_LIGHT),
    ]
    corner = path("M0 0H26Q8 6 0 26Z", "#5f1016", stroke=GOLD, stroke_width=1.4)
    quarters = "".join(
        placed(corner, x, y, turn=turn)
        for x, y, turn in ((19, 19, 0), (181, 19, 90), (181, 289, 180), (19, 289, 270))
    )
    rim = attributes(x=19, y=19, width=162, height=270, rx=4)
    return (
        f'<rect{panel} fill="#861a21"/>'
        + path("".join(lines), stroke="#d89a3c", stroke_width=1.3)
        + f'<rect{rim} fill="none" stroke="{GOLD}" stroke-width="2"/>'
        + quarters
        + placed("".join(medal), 100, 154)
    )


def _stripe(
    left: float, right: float, top: float, bottom: float, at_left: float, slope: int
) -> str:
    """A diagonal from the left edge at ``at_left``, cut to the panel."""
    points = []
    for x in (left, right):
        y = at_left + slope * (x - left)
        if y < top:
            x, y = x + slope * (top - y), top
        elif y > bottom:
            x, y = x + slope * (bottom - y), bottom
        if not left <= x <= right:
            return ""
        points.append(f"{number(x)} {number(y)}")
    return f"M{points[0]}L{points[1]}" if points[0] != points[1] else ""


def pips() -> str:
    """The drawings used by several cards."""
    drawings = {
        "pip-o": coin(),
        "pip-c": cup(),
        "pip-e": sword(),
        "pip-b": club(),
        "long-e": sword(200, 13),
        "long-b": club(200),
        "laurel": laurel(),
        "face": features(),
        "fist": hand(),
    }
    return "".join(f'<g id="{name}">{drawing}</g>\n' for name, drawing in drawings.items())


def symbol(name: str, content: str) -> str:
    """One card of the sprite."""
    box = f"0 0 {WIDTH} {HEIGHT}"
    return f'<symbol id="{name}" viewBox="{box}">{blank()}{content}</symbol>\n'


def deck() -> str:
    """The whole sprite as SVG text: ``card-1o`` … ``card-Rb`` and ``card-back``."""
    cards = [
        symbol(f"card-{rank}{suit}", frame(suit) + face(rank, suit) + corners(rank, suit))
        for suit in SUITS
        for rank in RANKS
    ]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">\n<defs>\n'
        + pips()
        + "</defs>\n"
        + "".join(cards)
        + symbol("card-back", back())
        + "</svg>\n"
    )
