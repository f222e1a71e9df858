"""Divides what a card costs of the hand into parts: cards that change sides, the last ten.

In each deal in which the hand changes sides both cards are played on with best play by all. The
points that the better one makes more are then exactly a sum: those of each card that changes sides,
and the last ten.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.judgements import PART_OUTCOMES, PartOutcome
from engine.cards import ABOVE, CARD_NAMES, CARD_POINTS, CARDS, LAST_TRICK, SUIT_MASKS, SUIT_OF
from engine.rules import winning_card
from engine.solver import solve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.state import State

TRICK: Final = "trick"
LAST: Final = "last"

MOST_DEALS: Final = 40
"""Deals played on at most: each takes four hundredths of a second in the first tricks."""

AGREEING: Final = 0.8
"""The share of the deals in which the same must happen to a card for it to be stated."""


class Part(NamedTuple):
    """The part that explains a loss: this trick, the last ten or a card, and its outcome.

    Of ``gain`` points that the better card makes more in ``deals`` deals, on average, ``points``.
    """

    name: str
    points: float
    gain: float
    deals: int
    outcome: PartOutcome


class Trick(NamedTuple):
    """The cards of a trick in order, each one's side (0 or 1), and the side that won it."""

    cards: tuple[int, ...]
    sides: tuple[int, ...]
    won_by: int | None


def tricks_after(state: State, card: str) -> list[Trick]:
    """The tricks from this one on, after a card and best play by all."""
    after = state.apply(card)
    line = () if after.over else solve(after, line=True).line
    tricks, leader = [], state.turn - len(state.table)
    for name in (card, *line):
        table = (*state.table, CARDS[name])
        state = state.apply(name)
        if not state.table:
            sides = tuple(leader + place & 1 for place in range(len(table)))
            tricks.append(Trick(table, sides, state.last_side))
            leader = state.turn
    return tricks


Lines = tuple[list[Trick], list[Trick]]
"""The tricks of a deal after the card that was played, and after the better one."""


def lines_in(state: State, worlds: Iterable[Sequence[int]], card: str, better: str) -> list[Lines]:
    """How some deals go on after a card and after a better one."""
    deals = (state._replace(hands=tuple(hands)) for hands in worlds)
    return [(tricks_after(deal, card), tricks_after(deal, better)) for deal in deals]


def gain_by_part(lines: Iterable[Lines], side: int) -> tuple[Counter[str], int]:
    """The points that a better card makes more over some deals: by part, and in all.

    A card counts by itself, and in :data:`TRICK` too where it may lie in the first trick.
    """
    gain = Counter[str]()
    for after in lines:
        in_first = {*after[0][0].cards, *after[1][0].cards}
        for tricks, sign in zip(after, (-1, 1), strict=True):
            gain[LAST] += sign * LAST_TRICK * (tricks[-1].won_by == side)
            for card in (card for trick in tricks if trick.won_by == side for card in trick.cards):
                gain[CARD_NAMES[card]] += sign * CARD_POINTS[card]
                gain[TRICK] += sign * CARD_POINTS[card] * (card in in_first)
    return gain, gain.total() - gain[TRICK]


def main_part(state: State, worlds: Sequence[Sequence[int]], card: str, better: str) -> Part | None:
    """The part that makes half of the gain over these deals, or more; ``None`` where none does.

    A card or the last ten come before the cards of this trick together. A part of more than twice
    the gain explains little: most of it is given back by others.
    """
    some = worlds[:: -(-len(worlds) // MOST_DEALS) or 1]
    lines, side = lines_in(state, some, card, better), state.turn & 1
    gain, whole = gain_by_part(lines, side)
    name = max(gain, key=lambda part: (part != TRICK, gain[part]), default=TRICK)
    name = name if whole <= 2 * gain[name] else TRICK
    if not whole <= 2 * gain[name] <= 4 * whole or whole <= 0:
        return None
    outcome = outcome_of(name, lines, side, SUIT_MASKS[state.trump])
    return Part(name, gain[name] / len(some), whole / len(some), len(some), outcome)


def outcome_of(
    part: str, lines: Sequence[Lines], side: int, trumps: int, agreeing: float = AGREEING
) -> PartOutcome:
    """What happens to a part in most of the deals, the first of the outcomes that enough agree on.

    To a card only where it goes to one side after the one card, to the other side after the other.
    """
    outcomes = Counter[str]()
    for after in lines:
        if part == TRICK:
            outcomes["lost"] += after[0][0].won_by != after[1][0].won_by == side
        if part not in CARDS:
            continue
        card = CARDS[part]
        both = [next(each for each in tricks if card in each.cards) for tricks in after]
        if both[0].won_by == both[1].won_by:
            continue
        for trick, is_played in zip(both, (True, False), strict=True):
            owner, best = trick.sides[trick.cards.index(card)], winning_card(trick.cards, trumps)
            is_lost = owner != trick.won_by
            if is_lost is ((owner == side) is is_played) and (is_lost or best == card):
                taken = _taken(card, best, trick.cards[0], trumps) if is_lost else "wins"
                outcomes[taken if owner == side else f"their_{taken}"] += 1
    return next(
        (outcome for outcome in PART_OUTCOMES if outcomes[outcome] >= agreeing * len(lines)), ""
    )


def _taken(card: int, best: int, lead: int, trumps: int) -> str:
    """How a trick of the other side takes a card."""
    if ABOVE[card] >> best & 1:
        return "overtaken"
    return "ruffed" if 1 << best & trumps and SUIT_OF[card] >> lead & 1 else "loaded"
