"""Bots compared: the results of their matches as the engine's tally of deal sets takes them.

One observation is a deal set, with the mean of its records: its records are played with the same
cards. Where a match is no deal sets, the match is one observation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import engine

HIGH, LOW, OPEN = "high", "low", "open"
"""What a sequential test says: which of its two bounds is accepted, or that it goes on."""


class ComparedMatch(NamedTuple):
    """A match that counts: the key of its row, who sat at which side, and its observations.

    Each observation is the points of the sides in all its records, and the sides that won it (all
    who share the lead); ``records`` is how many records it is made of. ``wins`` are the records
    that the first side won of each observation, a shared one in part, where they were asked for.
    """

    match: int
    bots: tuple[int, ...]
    sets: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    records: int = 1
    wins: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Test:
    """The state of a sequential test of one bot against another: its LLR and its bounds.

    ``state`` is ``high`` or ``low`` once the LLR of the sets has reached a bound, else ``open``.
    """

    model: str
    low: float
    high: float
    llr: float
    lower: float
    upper: float
    sets: int
    state: str

    @property
    def percent(self) -> int:
        """The position of the LLR between the bounds, from 0 to 100."""
        share = (self.llr - self.lower) / (self.upper - self.lower)
        return round(100 * min(1.0, max(0.0, share)))

    @property
    def middle(self) -> int:
        """The position of an LLR of 0, from 0 to 100."""
        return round(-100 * self.lower / (self.upper - self.lower))

    @property
    def begins(self) -> int:
        """The start of the bar from 0 to the LLR, from 0 to 100."""
        return min(self.percent, self.middle)

    @property
    def width(self) -> int:
        """The length of that bar."""
        return abs(self.percent - self.middle)


def tally_of(
    names: Sequence[str], meetings: Iterable[ComparedMatch], sides: int = 2
) -> engine.Tally:
    """Return the tally of all meetings; ``bots`` of a meeting count from 0 in ``names``.

    Points are those of a record. Every observation has cards of its own, so that none is the mean
    of several tables, and what `engine.Tally.add` would look for is known.
    """
    tally = engine.Tally(tuple(names), sides=sides, matches_a_set=1)
    for meeting in meetings:
        order = sorted(range(len(meeting.bots)), key=meeting.bots.__getitem__)
        for points, winners in meeting.sets:
            total, others = sum(points), (len(points) - 1)
            for side, bot in enumerate(meeting.bots):
                account = tally.accounts[bot]
                margin = points[side] - (total - points[side]) / others
                account.margins.append(margin / meeting.records)
                account.shares.append((side in winners) / len(winners))
            for first, other in combinations(order, 2):
                pair = (meeting.bots[first], meeting.bots[other])
                ahead = (points[first] - points[other]) / meeting.records
                tally.between.setdefault(pair, []).append(ahead)
        tally.sets += len(meeting.sets)
        tally.matches += 1
    return tally


def test_of(stop: Mapping[str, Any], margins: Sequence[float], wins: Sequence[float]) -> Test:
    """Return the test ``stop`` (`engine.Sprt`) of the margins of one side, in points a record.

    ``wins`` are the records of each set that this side won, of two; tests of Elo are made of them.
    """
    sprt = engine.Sprt(**stop)
    counts = [0] * 5
    for number in wins:
        counts[round(2 * number)] += 1
    llr = sprt.llr(margins, counts)
    lower, upper = sprt.bounds
    return Test(
        sprt.model,
        sprt.low,
        sprt.high,
        llr,
        lower,
        upper,
        len(margins),
        sprt.decision(llr, len(margins)) or OPEN,
    )
