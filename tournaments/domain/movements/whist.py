"""Whist designs: everybody partners everybody once and opposes everybody twice.

A whist design Wh(n) exists for every n = 4m and n = 4m + 1 (Baker, Hanani, Hartman and Wilson; see
I. Anderson, "Combinatorial Designs and Tournaments", Oxford 1997). Wh(4m) has n - 1 rounds in which
everybody plays, Wh(4m + 1) has n rounds and one player has a bye in each.

All rounds follow from one. Where n = 4t + 1 is a prime or the power of a prime, the first round is
made of the powers of a primitive element g of the field with n elements (Bose and Cameron 1965):
(g^i, -g^i) against (g^(i+t), -g^(i+t)) for i < t; round r adds the field's r-th element. The other
sizes have a first round found by search: on the integers modulo n, or modulo n - 1 with one player
who never moves, each difference ± d comes once among the partners and twice among the opponents.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Final

Side = tuple[int, int]
"""Two partners."""

Seated = tuple[Side, Side]
"""A table: the two partnerships that meet."""

Movement = tuple[tuple[Seated, ...], ...]
"""The tables of every round; who is at none sits out. Players are numbered from 0."""

FIXED: Final = -1
"""In a first round: the player who does not move."""

FIRST_ROUNDS: Final[Mapping[int, str]] = MappingProxyType(
    {
        4: "-1.1.0.2",
        8: "-1.6.3.4 0.2.1.5",
        12: "-1.7.3.6 0.2.8.9 1.5.4.10",
        16: "-1.10.6.8 0.7.2.14 1.11.4.5 3.12.9.13",
        20: "-1.4.10.18 0.3.1.15 2.17.7.13 5.14.11.12 6.8.9.16",
        21: "1.11.8.10 2.7.5.13 3.15.4.19 6.20.14.18 9.12.16.17",
        24: "-1.22.10.15 0.3.5.17 1.2.16.20 4.19.6.12 7.14.11.13 8.21.9.18",
        28: "-1.25.16.26 0.1.6.19 2.7.3.14 4.12.9.15 5.23.11.13 8.20.18.22 10.17.21.24",
        32: (
            "-1.3.1.20 0.27.16.22 2.4.29.30 5.21.13.18 6.26.12.19 7.28.9.17 8.25.15.24 10.23.11.14"
        ),
        33: (
            "1.3.23.31 2.28.9.27 4.21.19.25 5.18.6.29 7.16.13.32 8.30.14.26 10.11.20.24 12.15.17.22"
        ),
        36: (
            "-1.9.24.26 0.34.12.27 1.19.17.29 2.21.11.33 3.8.4.32 5.30.16.25 6.20.22.28 "
            "7.31.10.13 14.18.15.23"
        ),
        40: (
            "-1.2.6.25 0.3.11.13 1.7.16.26 4.31.9.34 5.12.17.33 8.36.15.30 10.14.24.37 "
            "18.35.20.38 19.28.27.32 21.29.22.23"
        ),
    }
)
"""By number of players, each table ``a.b.c.d``: partners a and b, their opponents c and d."""


def parse_tables(text: str) -> list[tuple[int, ...]]:
    """Read tables that are written as numbers with points between them: ``5.1.9 2.4.16``.

    >>> parse_tables("5.1.9 2.4.16")
    [(5, 1, 9), (2, 4, 16)]
    """
    return [tuple(int(number) for number in table.split(".")) for table in text.split()]


def has_design(players: int) -> bool:
    """Tell whether a whist design for this number of players is known here."""
    return players in FIRST_ROUNDS or (players % 4 == 1 and _prime_power(players) is not None)


def whist(players: int) -> Movement:
    """Return the whist design for a number of players, numbered from 0.

    Known are all 4m and 4m + 1 up to 41, and every prime and power of a prime that leaves 1 when
    divided by 4. Raises ValueError for any other number.
    """
    if players in FIRST_ROUNDS:
        return _cyclic_movement(players)
    power = _prime_power(players)
    if power is None or players % 4 != 1:
        raise ValueError(f"no whist design for {players} players")
    return _field_movement(*power)


def _cyclic_movement(players: int) -> Movement:
    """Add 1, 2, … to a first round; the player who does not move gets the last number."""
    modulus = players - 1 if players % 4 == 0 else players
    first, movement = parse_tables(FIRST_ROUNDS[players]), []
    for shift in range(modulus):
        seats = [*range(shift, modulus), *range(shift), modulus]  # seats[FIXED] is the last one
        movement.append(tuple(((seats[a], seats[b]), (seats[c], seats[d])) for a, b, c, d in first))
    return tuple(movement)


def _field_movement(prime: int, degree: int) -> Movement:
    """The construction of Bose and Cameron over the field of ``prime ** degree`` elements."""
    powers, size = _powers(prime, degree), prime**degree
    quarter = size // 4
    first = [powers[i::quarter] for i in range(quarter)]  # g^i, g^(i+t), -g^i, -g^(i+t)
    movement = []
    for shift in range(size):
        seats = _sums(shift, prime, degree)
        movement.append(tuple(((seats[a], seats[b]), (seats[c], seats[d])) for a, c, b, d in first))
    return tuple(movement)


def _prime_power(number: int) -> tuple[int, int] | None:
    """Return p and k where the number is the k-th power of the prime p."""
    for prime in range(2, number + 1):
        if prime * prime > number:
            return number, 1
        if number % prime == 0:
            degree = 0
            while number % prime == 0:
                number, degree = number // prime, degree + 1
            return (prime, degree) if number == 1 else None
    return None


def _powers(prime: int, degree: int) -> list[int]:
    """Return all powers of a primitive element, 1 first; elements are numbers to base ``prime``.

    The element is the root x of the first polynomial x^k = c under which its powers are all
    different; where k = 1 that makes x the least primitive root.
    """
    everything = prime**degree - 1
    digits = [range(1, prime), *[range(prime)] * (degree - 1)]  # from 1: x shall have an inverse
    for reduced in product(*digits):
        element = [1] + [0] * (degree - 1)
        powers = [1]
        while len(powers) < everything:
            element = _times_x(element, reduced, prime)
            code = _code(element, prime)
            if code == 1:
                break
            powers.append(code)
        else:
            return powers
    raise AssertionError("every finite field has a primitive element")


def _times_x(element: Sequence[int], reduced: Sequence[int], prime: int) -> list[int]:
    """Multiply by x, where x to the power of the degree is ``reduced``; lowest digit first."""
    *rest, top = element
    return [
        (digit + top * factor) % prime for digit, factor in zip([0, *rest], reduced, strict=True)
    ]


def _code(element: Sequence[int], prime: int) -> int:
    return sum(digit * prime**place for place, digit in enumerate(element))


def _sums(shift: int, prime: int, degree: int) -> list[int]:
    """Return every element of the field plus ``shift``."""
    sums = [0]
    for place in range(degree):
        step = prime**place
        offset = shift // step % prime
        sums = [low + (digit + offset) % prime * step for digit in range(prime) for low in sums]
    return sums
