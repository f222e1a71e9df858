"""The sprite: forty cards and a back, each a ``<symbol>`` that pages reach with ``<use>``."""

from __future__ import annotations

from tournaments.management.deck.ink import GOLD, GOLD_DARK, group, path, use
from tournaments.management.deck.pips import (
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
from tournaments.management.deck.spots import ace, spots

SUITS = "oceb"
RANKS = "1234567SCR"
INDEX = {"S": "10", "C": "11", "R": "12"}


def corners(rank: str, suit: str) -> str:
    """The index with a small pip under it, in the upper left corner and, turned, in the lower right."""
    text = INDEX.get(rank, rank)
    size = 0.9 if len(text) == 1 else 0.84
    pip_scale = {"o": 0.4, "c": 0.36, "e": 0.3, "b": 0.28}[suit]
    corner = numeral(text, 14.5, 15, size, INDEX_COLOUR[suit]) + use(f"pip-{suit}", 26, 70, pip_scale)
    turned = group([corner], transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")
    return corner + turned


def face(rank: str, suit: str) -> str:
    """The drawing on a card, without paper, frame and index."""
    if rank == "1":
        return ace(suit)
    if rank in INDEX:
        return ""
    return spots(suit, int(rank))
