"""Matches of several cotos: the first side to win a number of them has won the match.

In Spanish clubs a match is often the best of three or five cotos. A coto is what one record plays
to; it always has a winner, since fixed numbers of deals know no cotos.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.domain.scores import Length, Score, sides_of


@dataclass(frozen=True, slots=True)
class Coto:
    """A coto that was played to its end: the points side by side, the index of who won it."""

    points: tuple[int, ...]
    winner: int


def coto_of(verdict: Mapping[str, Any], side: str) -> Coto:
    """Return the coto of a stored verdict (F3) on a finished record, home having sat at ``side``.

    >>> coto_of({"score": {"AC": 3, "BD": 1}, "hands": [{"points": {"AC": 70, "BD": 60}}]}, "BD")
    Coto(points=(60, 70), winner=1)
    """
    names = sides_of(side)
    won = [verdict["score"][name] for name in names]
    hands = [hand["points"] for hand in verdict["hands"] if hand["points"] is not None]
    points = tuple(sum(hand.get(name, 0) for hand in hands) for name in names)
    return Coto(points, won.index(max(won)))


def tally(cotos: Sequence[Coto], sides: int) -> Score:
    """Return the score of the cotos: how many each side has won, and the points of all.

    >>> tally([Coto((300, 210), 0), Coto((150, 320), 1)], 2).hands
    (1, 1)
    """
    won = tuple(sum(coto.winner == side for coto in cotos) for side in range(sides))
    return Score.of(won, tuple(sum(coto.points[side] for coto in cotos) for side in range(sides)))


def decided_by(cotos: Sequence[Coto], wins: int) -> int | None:
    """Return the number of the coto that decided the match, from 1; ``None`` while it is open.

    >>> decided_by([Coto((300, 210), 0), Coto((300, 200), 0), Coto((0, 300), 1)], 2)
    2
    """
    for number, coto in enumerate(cotos, start=1):
        if sum(one.winner == coto.winner for one in cotos[:number]) == wins:
            return number
    return None


def can_be(coto: Coto, length: Length) -> bool:
    """Tell whether a coto of such a match can have these points."""
    points, sides = coto.points, len(coto.points)
    return min(points) >= 0 and sum(points) <= length.most * length.most_hands(sides)


def leads_to(cotos: Sequence[Coto], wins: int, score: Score) -> bool:
    """Tell whether a match whose cotos began like this can have ended with a score.

    >>> leads_to([Coto((150, 320), 1)], 2, Score(2, 0, 0, 0))
    False
    """
    so_far = tally(cotos, len(score.hands))
    if decided_by(cotos, wins) is not None:
        return so_far.agrees_with(score)
    fewer = all(a <= b for a, b in zip(so_far.hands, score.hands, strict=True))
    return fewer and (
        not score.has_points
        or all(a <= b for a, b in zip(so_far.points, score.points, strict=True))
    )
