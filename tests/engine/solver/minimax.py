"""The value of open cards once more, without any cleverness: every play, through `engine.State`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine.cards import CARD_NAMES, SUITS

if TYPE_CHECKING:
    from random import Random

TWO_SIDED = ("habanero", "mano-a-mano", "parejas", "parejas-online", "cuatro")

Key = tuple[tuple[int | None, ...], int, tuple[int, ...]]


def margin(state: engine.State, counts: dict[Key, int] | None = None) -> int:
    """What the first side makes from here on less what the other makes, with best play."""
    counts = {} if counts is None else counts
    if state.over:
        return 0
    key = (state.hands, state.turn, state.table)
    if key not in counts:
        numbers = margins(state, counts).values()
        counts[key] = min(numbers) if state.rules.side_of(state.turn) else max(numbers)
    return counts[key]


def margins(state: engine.State, counts: dict[Key, int] | None = None) -> dict[str, int]:
    """The same after each legal card."""
    counts = {} if counts is None else counts
    values = {}
    for card in (token for token in state.legal_tokens() if ":" not in token):
        next_state = state.apply(card)
        gained = (next_state.points[0] - state.points[0]) - (next_state.points[1] - state.points[1])
        values[card] = gained + margin(next_state, counts)
    return values


def position(rng: Random, ruleset: str, cards: int, on_table: int = 0) -> engine.State:
    """Random cards, a number in each hand, after a number of random plays."""
    seats = engine.RULESETS[ruleset].seats
    pack = rng.sample(CARD_NAMES, cards * len(seats))
    hands = {seat: " ".join(pack[n * cards :][:cards]) for n, seat in enumerate(seats)}
    state = engine.position_from_dict(
        {"ruleset": ruleset, "trump": rng.choice(SUITS), "turn": rng.choice(seats), "hands": hands}
    )
    for _ in range(on_table):
        state = state.apply(rng.choice([t for t in state.legal_tokens() if ":" not in t]))
    return state._replace(points=(0, 0))
