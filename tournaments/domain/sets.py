"""Scores a match of deal sets from its records: sets won, points, and when it is decided.

A set is the same deals once for every way of sitting (`engine.seatings`), each in a record of its
own; the records of a match are numbered from 1, set by set. The side with more points in all the
records of a set has won it; a level one counts for neither. A sequential test (`engine.Sprt`) of
the margins of home can end the match before its last set.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine
from tournaments.domain.scores import Score, sides_of

TWO = 2


@dataclass(frozen=True, slots=True)
class Part:
    """A record of a set: the points of each side of the match, and the share of it that each won.

    ``shares`` are 1 for the winner, equal parts for who shared the lead at the end.
    """

    points: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DealSet:
    """A set that was played to its end; ``winner`` is the index of a side, ``None`` when level.

    ``margin`` is how far home lay above the mean of the others, in points a record; ``wins`` are
    the records that home won, a shared one in part.
    """

    points: tuple[int, ...]
    winner: int | None
    margin: float
    wins: float


def part_of(
    score: Mapping[str, int], hands: Iterable[Mapping[str, int] | None], home_side: str
) -> Part:
    """Return a record by its final score and the points of its hands, home having sat so.

    >>> part_of({"AC": 1, "BD": 0}, [{"AC": 80, "BD": 50}], "BD")
    Part(points=(50, 80), shares=(0.0, 1.0))
    """
    names = sides_of(home_side)
    played = [hand for hand in hands if hand is not None]
    won = [score[name] for name in names]
    share = 1 / won.count(max(won))
    return Part(
        tuple(sum(hand.get(name, 0) for hand in played) for name in names),
        tuple(share * (one == max(won)) for one in won),
    )


def stored_part(verdict: Mapping[str, Any], home_side: str) -> Part:
    """Return a record by its stored verdict (F3)."""
    return part_of(verdict["score"], (hand["points"] for hand in verdict["hands"]), home_side)


def sets_of(parts: Sequence[Part]) -> tuple[DealSet, ...]:
    """Return the sets that the records of a match make up, in order; one begun is left out."""
    if not parts:
        return ()
    size = len(parts[0].points)
    whole = len(parts) // size * size
    return tuple(_set_of(parts[start : start + size]) for start in range(0, whole, size))


def _set_of(parts: Sequence[Part]) -> DealSet:
    points = tuple(sum(column) for column in zip(*(part.points for part in parts), strict=True))
    best = max(points)
    others = (sum(points) - points[0]) / (len(points) - 1)
    return DealSet(
        points,
        points.index(best) if points.count(best) == 1 else None,
        (points[0] - others) / len(parts),
        sum(part.shares[0] for part in parts),
    )


def tally(sets: Sequence[DealSet], sides: int) -> Score:
    """Return the score of sets: how many each side has won, and the points of all.

    >>> tally([DealSet((140, 120), 0, 10.0, 1.0), DealSet((130, 130), None, 0.0, 1.0)], 2).hands
    (1, 0)
    """
    won = tuple(sum(one.winner == side for one in sets) for side in range(sides))
    return Score.of(won, tuple(sum(one.points[side] for one in sets) for side in range(sides)))


def ends_after(sets: Sequence[DealSet], most: int, stop: Mapping[str, Any]) -> int | None:
    """Return after which set the match was over, from 1; ``None`` while it goes on.

    After the last of ``most``, or the first after which the test ``stop`` had decided.
    """
    if stop:
        test = engine.Sprt(**stop)
        for number in range(1, min(len(sets), most) + 1):
            if is_decided(sets[:number], test):
                return number
    return most if len(sets) >= most else None


def is_decided(sets: Sequence[DealSet], test: engine.Sprt) -> bool:
    """Tell whether the test accepts one of its two bounds after these sets."""
    counts = [0] * (TWO * TWO + 1)
    if len(sets[0].points) == TWO:
        for one in sets:
            counts[round(TWO * one.wins)] += 1
    llr = test.llr([one.margin for one in sets], counts)
    return test.decision(llr, len(sets)) is not None
