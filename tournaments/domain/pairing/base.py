"""What every pairing system answers: rounds of tables."""

from collections.abc import Callable
from typing import NamedTuple


class Pairing(NamedTuple):
    """One table of a round. ``home`` sits at A and C; ``away`` is ``None`` when home has a bye.

    Entries are numbered from 1, tables too.
    """

    table: int
    home: int
    away: int | None


Round = tuple[Pairing, ...]
Format = Callable[[int, int], tuple[Round, ...]]
"""Given the number of entries and of turns, all the rounds."""
