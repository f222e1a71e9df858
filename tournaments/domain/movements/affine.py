"""Affine planes: as many tables as seats at each, and everybody sits with everybody once.

Players are the points (x, y) of a plane over a field of 4 or 5 elements, the tables of a round its
parallel lines: y + m x = c for each slope m, and in the last round x = c (R. C. Bose, 1938). A
plane of order 3 is a Kirkman system.
"""

from typing import Final

Tables = tuple[tuple[int, ...], ...]

FOUR, FIVE = 4, 5
TIMES: Final = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four elements, whose sums are those of their bits without carry."""


def affine_plane(order: int) -> tuple[Tables, ...]:
    """Return the rounds of the plane of order 4 or 5; players are numbered from 0.

    Raises ValueError for other orders.
    """
    if order not in (FOUR, FIVE):
        raise ValueError(f"no plane of order {order} is known here")
    rounds = []
    for slope in range(order + 1):
        lines: list[list[int]] = [[] for _ in range(order)]
        for x in range(order):
            for y in range(order):
                lines[_line(order, slope, x, y)].append(x * order + y)
        rounds.append(tuple(map(tuple, lines)))
    return tuple(rounds)


def _line(order: int, slope: int, x: int, y: int) -> int:
    """Return the number of the line of a slope through a point; the last slope is upright."""
    if slope == order:
        return x
    return y ^ TIMES[slope][x] if order == FOUR else (y + slope * x) % order
