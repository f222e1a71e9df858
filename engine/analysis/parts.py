"""Divides what a card costs of the hand into parts: this trick, later cards, the last ten.

In each deal in which the hand changes sides both cards are played on with best play by all. The
points that the better one makes more are then exactly a sum: those of this trick, each later card
that changes sides, and the last ten.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.cards import CARD_NAMES, CARD_POINTS, CARDS, LAST_TRICK
from engine.solver import solve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.state import State

TRICK: Final = "trick"
LAST: Final = "last"

MOST_DEALS: Final = 40
"""Deals played on at most: each takes four hundredths of a second in the first tricks."""


class Part(NamedTuple):
    """The part that explains a loss: this trick, the last ten or a card.

    Of ``gain`` points that the better card makes more in ``deals`` deals, on average, ``points``.
    """

    name: str
    points: float
    gain: float
    deals: int


def parts_of(state: State, card: str) -> Counter[str]:
    """The points that the side in turn makes after a card with best play by all, by part."""
    after = state.apply(card)
    line = () if after.over else solve(after, line=True).line
    side, parts, first = state.rules.side_of(state.turn), Counter[str](), True
    for name in (card, *line):
        table = (*state.table, CARDS[name])
        state = state.apply(name)
        if state.table:
            continue
        won = state.last_side == side
        for each in table:
            parts[TRICK if first else CARD_NAMES[each]] += won * CARD_POINTS[each]
        first = False
        if state.over:
            parts[LAST] += won * LAST_TRICK
    return parts


def gain_by_part(
    state: State, worlds: Iterable[Sequence[int]], card: str, better: str
) -> Counter[str]:
    """The points that a better card makes more than another one over some deals, by part."""
    gain = Counter[str]()
    for hands in worlds:
        deal = state._replace(hands=tuple(hands))
        gain.update(parts_of(deal, better))
        gain.subtract(parts_of(deal, card))
    return gain


def main_part(state: State, worlds: Sequence[Sequence[int]], card: str, better: str) -> Part | None:
    """The part that makes half of the gain over these deals, or more; ``None`` where none does.

    One of more than twice the gain explains little: most of it is given back by others.
    """
    some = worlds[:: -(-len(worlds) // MOST_DEALS) or 1]
    gain = gain_by_part(state, some, card, better)
    whole = sum(gain.values())
    name, points = max(gain.items(), key=lambda part: part[1], default=("", 0))
    if not whole <= 2 * points <= 4 * whole or whole <= 0:
        return None
    return Part(name, points / len(some), whole / len(some), len(some))
