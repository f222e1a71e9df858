"""Howell movements: every pair meets every other once, and all play all deals.

Pairs are numbered from 0 and the last of n never moves; sets of deals are numbered from 0 too. From
eight pairs on a movement is a Room square of side n - 1, made from a starter and its adder (R. C.
Mullin and E. Nemeth, 1969): at table i the pairs x and y of the first round meet over set -a, and
each round all numbers go up by one, modulo n - 1. So a pair always follows the one whose number is
one less, and each table takes the next set. In a starter every difference between two pairs comes
once, so that all meet; with an adder the x + a and y + a are all different, so that in the n - 1
rounds every pair plays every set. Starters, adders and sides were chosen by search, so that each
pair is on the same side as every other as evenly often as was found: who is compared how often.

There is no Room square of side 3 or 5. Four pairs play the same set at both tables of each round;
six have one round in which all three tables play the same set, which is the least that is possible.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from tournaments.domain.movements.whist import parse_tables

MIN_ENTRANTS: Final = 4  # two tables
MAX_ENTRANTS: Final = 30


class Station(NamedTuple):
    """A table of a round: who sits on its first and its second side, and the set they play."""

    table: int
    first: int
    second: int
    boards: int


Movement = tuple[tuple[Station, ...], ...]
"""The tables of every round, from 1; pairs and sets of deals are numbered from 0."""

STARTERS: Final[Mapping[int, str]] = MappingProxyType(
    {
        8: "1.5.4 2.3.1 4.6.2",
        10: "2.1.4 3.7.5 4.6.7 5.8.2",
        12: "4.1.9 7.2.5 5.3.3 6.10.10 8.9.6",
        14: "1.5.6 2.3.3 4.11.11 6.9.8 7.12.9 8.10.2",
        16: "8.1.12 2.6.4 4.3.8 14.5.3 12.7.2 11.9.7 13.10.9",
        18: "5.1.9 2.4.16 3.8.8 6.14.7 7.13.2 9.16.3 10.11.13 12.15.10",
        20: "7.1.13 4.2.3 10.3.6 16.5.7 9.6.2 8.18.14 11.15.10 12.17.17 14.13.4",
        22: "1.9.4 3.2.5 4.20.15 7.5.20 6.15.17 8.18.12 17.10.7 11.14.1 12.16.6 13.19.18",
        24: (
            "7.1.10 12.2.18 3.5.7 11.4.17 17.6.9 8.22.19 10.9.22 13.21.1 14.18.11 15.20.4 16.19.20"
        ),
        26: (
            "10.1.5 2.4.7 13.3.9 11.5.22 18.6.23 7.15.6 12.8.18 9.20.19 14.21.3 19.16.16 "
            "17.22.1 23.24.21"
        ),
        28: (
            "10.1.9 6.2.10 15.3.2 20.4.3 11.5.13 12.7.1 21.8.21 26.9.5 13.16.20 14.22.16 "
            "24.17.4 18.19.7 23.25.24"
        ),
        30: (
            "13.1.10 2.10.15 5.3.28 4.15.9 12.6.2 8.7.8 19.9.19 27.11.7 14.28.21 16.25.5 "
            "24.17.24 18.22.4 20.23.16 21.26.6"
        ),
    }
)
"""By the number of pairs: the first and second pair of each table and the adder, ``x.y.a``."""

SMALL: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {
        4: ("3.0.0 1.2.0", "3.1.1 2.0.1", "3.2.2 0.1.2"),
        6: (
            "5.0.0 1.4.0 2.3.0",
            "5.1.1 3.0.4 4.2.3",
            "5.2.2 0.1.3 3.4.1",
            "5.3.3 2.1.4 4.0.2",
            "5.4.4 0.2.1 1.3.2",
        ),
    }
)
"""Whole movements, a round a text: first pair, second pair and set, ``x.y.s``."""


@lru_cache(maxsize=32)
def howell(pairs: int) -> Movement:
    """Return the n - 1 rounds for an even number of pairs from 4 to 30; ValueError for others."""
    if pairs in SMALL:
        rounds = [enumerate(parse_tables(round_), start=1) for round_ in SMALL[pairs]]
        return tuple(
            tuple(Station(table, *numbers) for table, numbers in tables) for tables in rounds
        )
    if pairs not in STARTERS:
        raise ValueError(f"no Howell movement for {pairs} pairs")
    return tuple(_round(pairs, round_) for round_ in range(pairs - 1))


def _round(pairs: int, round_: int) -> tuple[Station, ...]:
    side, fixed = pairs - 1, pairs - 1
    stations = [Station(1, fixed, round_, round_)]
    for table, (first, second, adder) in enumerate(parse_tables(STARTERS[pairs]), start=2):
        stations.append(
            Station(
                table, (first + round_) % side, (second + round_) % side, (round_ - adder) % side
            )
        )
    return tuple(stations)
