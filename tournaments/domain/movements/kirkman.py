"""Kirkman triple systems: everybody sits with everybody once, three at a table.

A Kirkman triple system KTS(n) exists for every n = 6m + 3 (D. K. Ray-Chaudhuri and R. M. Wilson,
"Solution of Kirkman's schoolgirl problem", 1971); it has (n - 1) / 2 rounds. A nearly Kirkman
system NKTS(n) exists for every n = 6m from 18 on (R. Rees and D. R. Stinson, 1988); it has
n / 2 - 1 rounds, and everybody misses one of the others. With 6 or 12 players there is none.

Where n = 3q and q is a prime 6t + 1 the rounds follow from a primitive root (Ray-Chaudhuri and
Wilson). The other sizes have a first round found by search, moved on in a cycle: the players are
orbits of ``cycle`` numbers and perhaps one or two who never move, and each difference between
orbits comes once. Where the design has three orbits, rounds are left that are a single table moved
through the whole cycle (`Cyclic.lines`).
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from tournaments.domain.movements.whist import parse_tables

Triple = tuple[int, int, int]
"""A table of three; players are numbered from 0."""

Design = tuple[tuple[Triple, ...], ...]
"""The tables of every round; everybody is at one of them."""

MIN_ENTRANTS: Final = 3  # one table


class Cyclic(NamedTuple):
    """The base of a cyclic design: orbits of ``cycle`` players, then those who never move.

    ``firsts`` are whole rounds, a table written as ``a.b.c`` and the rounds parted by ``|``; from
    each follow ``cycle`` rounds. ``lines`` are rounds ``b.c`` whose tables are
    (x, x + b, x + c) in three orbits.
    """

    cycle: int
    firsts: str
    lines: str = ""


CYCLIC_DESIGNS: Final[Mapping[int, Cyclic]] = MappingProxyType(
    {
        9: Cyclic(
            3,
            "0.7.8 1.2.3 4.5.6",
            "0.0",
        ),
        15: Cyclic(
            7,
            "0.7.14 1.2.4 3.11.13 5.9.10 6.8.12",
        ),
        18: Cyclic(
            4,
            "0.3.11 1.13.14 2.5.16 4.10.15 6.9.12 7.8.17 | 0.14.17 1.5.6 2.4.13 3.8.9 7.11.15 "
            "10.12.16",
        ),
        24: Cyclic(
            8,
            "0.5.6 1.19.21 2.10.11 3.8.14 4.17.20 7.13.16 9.12.18 15.22.23",
            "2.7 4.6 7.3",
        ),
        27: Cyclic(
            9,
            "0.1.3 2.7.15 4.14.26 5.17.22 6.20.25 8.13.23 9.10.12 11.16.24 18.19.21",
            "0.7 2.2 6.3 7.0",
        ),
        30: Cyclic(
            14,
            "0.5.6 1.22.28 2.4.19 3.7.16 8.24.29 9.12.20 10.14.15 11.17.21 13.25.27 18.23.26",
        ),
        33: Cyclic(
            11,
            "0.1.11 2.4.9 3.24.30 5.8.13 6.23.26 7.22.29 10.16.17 12.15.28 14.18.20 19.25.27 "
            "21.31.32",
            "1.8 2.3 3.1 4.7 9.2",
        ),
        36: Cyclic(
            17,
            "0.18.34 1.26.32 2.11.12 3.5.8 4.25.33 6.10.21 7.13.23 9.28.31 14.20.27 15.22.24 "
            "16.19.35 17.29.30",
        ),
        42: Cyclic(
            14,
            "0.14.28 1.11.24 2.18.36 3.9.21 4.5.26 6.30.41 7.29.33 8.10.13 12.37.39 15.23.34 "
            "16.19.20 17.22.38 25.27.35 31.32.40",
            "1.2 3.1 5.4 6.9 10.5 11.3",
        ),
        45: Cyclic(
            15,
            "0.3.19 1.11.35 2.10.24 4.30.33 5.16.26 6.7.43 8.12.14 9.32.40 13.21.22 15.18.34 "
            "17.25.39 20.31.41 23.27.29 28.36.37 38.42.44",
            "0.0 2.12 3.5 5.3 10.13 12.2 13.10",
        ),
        48: Cyclic(
            23,
            "0.1.25 2.16.20 3.14.42 4.6.12 5.8.43 7.29.36 9.22.35 10.17.37 11.28.30 13.44.47 "
            "15.26.45 18.27.32 19.40.46 21.31.39 23.33.34 24.38.41",
        ),
        51: Cyclic(
            25,
            "0.3.19 1.28.48 2.14.31 4.9.49 5.23.39 6.7.45 8.22.41 10.18.36 11.21.42 12.16.40 "
            "13.15.38 17.29.47 20.27.30 24.35.50 25.26.34 32.44.46 33.37.43",
        ),
        54: Cyclic(
            26,
            "0.27.44 1.26.36 2.10.32 3.7.12 4.6.46 5.19.20 8.39.40 9.28.48 11.14.21 13.33.53 "
            "15.38.43 16.22.37 17.50.52 18.29.47 23.31.35 24.34.41 25.49.51 30.42.45",
        ),
        60: Cyclic(
            29,
            "0.1.31 2.8.11 3.7.20 4.51.56 5.43.53 6.38.58 9.23.35 10.28.44 12.19.36 13.34.57 "
            "14.47.50 15.37.54 16.21.29 17.25.27 18.45.46 22.33.42 24.49.59 26.32.40 30.48.52 "
            "39.41.55",
        ),
        63: Cyclic(
            21,
            "0.21.28 1.10.11 2.4.19 3.32.55 5.24.58 6.29.61 7.14.42 8.13.16 9.39.57 12.23.52 "
            "15.30.60 17.27.46 18.36.51 20.33.43 22.40.41 25.34.38 26.31.37 35.49.56 44.54.59 "
            "45.53.62 47.48.50",
            "1.17 3.15 4.5 5.4 6.9 12.18 14.0 16.20 17.1 20.16",
        ),
    }
)
"""Found by exhaustive search over first rounds; `tests/domain/test_kirkman.py` proves each."""


@lru_cache(maxsize=64)
def kirkman(players: int) -> Design | None:
    """Return the rounds of a (nearly) Kirkman triple system; None where none is known here.

    ValueError for fewer than three players.
    """
    if players < MIN_ENTRANTS:
        raise ValueError(f"no table of three for {players} players")
    if players == MIN_ENTRANTS:
        return (((0, 1, 2),),)
    if players in CYCLIC_DESIGNS:
        return _develop(players, CYCLIC_DESIGNS[players])
    cycle, rest = divmod(players, 3)
    if rest == 0 and cycle % 6 == 1 and _is_prime(cycle):
        return _design_from_root(cycle)
    return None


def least_design(players: int) -> int | None:
    """Return the least size with a known design for the players and two empty chairs at most."""
    return next((n for n in range(players, players + 3) if kirkman(n) is not None), None)


def _develop(players: int, cyclic: Cyclic) -> Design:
    cycle, moving = cyclic.cycle, players - players % cyclic.cycle
    rounds = [
        tuple(
            _triple(*(_shift_player(player, shift, cycle, moving) for player in table))
            for table in parse_tables(first)
        )
        for first in cyclic.firsts.split("|")
        for shift in range(cycle)
    ]
    return (*rounds, *(_line(cycle, b, c) for b, c in parse_tables(cyclic.lines)))


def _shift_player(player: int, shift: int, cycle: int, moving: int) -> int:
    """Return the player who takes a player's place; those from ``moving`` on never move."""
    if player >= moving:
        return player
    orbit, place = divmod(player, cycle)
    return orbit * cycle + (place + shift) % cycle


def _line(cycle: int, b: int, c: int) -> tuple[Triple, ...]:
    return tuple((x, cycle + (x + b) % cycle, 2 * cycle + (x + c) % cycle) for x in range(cycle))


def _triple(a: int, b: int, c: int) -> Triple:
    return a, b, c


def _design_from_root(prime: int) -> Design:
    """Return KTS(3p) for a prime p = 6t + 1 with the primitive root g, on three orbits of p.

    The first round is (0, 0, 0) across the orbits; g^i, g^(i+2t), g^(i+4t) within each orbit, for
    i < t; and the same across the orbits for i in the first, third and fifth sixth of the powers.
    The other sixths give the lines.
    """
    t = (prime - 1) // 6
    root = _primitive_root(prime)
    power = [pow(root, i, prime) for i in range(prime - 1)]

    def sixths(i: int) -> Triple:
        return _triple(*(power[(i + shift * t) % (prime - 1)] for shift in (0, 2, 4)))

    first = [_triple(0, prime, 2 * prime)]
    lines = []
    for i in range(t):
        first += [_triple(*(orbit * prime + x for x in sixths(i))) for orbit in range(3)]
        for sixth in range(6):
            a, b, c = sixths(i + sixth * t)
            if sixth % 2:
                first.append((a, prime + b, 2 * prime + c))
            else:
                lines.append(((b - a) % prime, (c - a) % prime))
    rounds = [
        tuple(
            _triple(*(_shift_player(player, shift, prime, 3 * prime) for player in table))
            for table in first
        )
        for shift in range(prime)
    ]
    return (*rounds, *(_line(prime, b, c) for b, c in lines))


def _primitive_root(prime: int) -> int:
    return next(
        g for g in range(2, prime) if len({pow(g, i, prime) for i in range(prime - 1)}) == prime - 1
    )


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
