"""The value of open cards once more, without any cleverness: every play, through `engine.State`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine.cards import CARD_NAMES, SUITS

if TYPE_CHECKING:
    from random import Random

TWO_SIDED = ("habanero", "mano-a-mano", "parejas", "parejas-online", "cuatro")

Key = tuple[tuple[int | None, ...], int, tuple[int, ...]]


def margin(state: engine.State, known: dict[Key, int] | None = None) -> int:
    """What the first side makes from here on less what the other makes, with best play."""
    known = {} if known is None else known
    if state.over:
        return 0
    key = (state.hands, state.turn, state.table)
    if key not in known:
        found = margins(state, known).values()
        known[key] = min(found) if state.rules.side_of(state.turn) else max(found)
    return known[key]


def margins(state: engine.State, known: dict[Key, int] | None = None) -> dict[str, int]:
    """The same after each legal card."""
    known = {} if known is None else known
    found = {}
    for card in (token for token in state.legal_tokens() if ":" not in token):
        then = state.apply(card)
        gained = (then.points[0] - state.points[0]) - (then.points[1] - state.points[1])
        found[card] = gained + margin(then, known)
    return found


def position(rng: Random, ruleset: str, cards: int, on_table: int = 0) -> engine.State:
    """Chance cards, so many in each hand, after so many plays by chance."""
    seats = engine.RULESETS[ruleset].seats
    pack = rng.sample(CARD_NAMES, cards * len(seats))
    hands = {seat: " ".join(pack[n * cards :][:cards]) for n, seat in enumerate(seats)}
    state = engine.position_from_dict(
        {"ruleset": ruleset, "trump": rng.choice(SUITS), "turn": rng.choice(seats), "hands": hands}
    )
    for _ in range(on_table):
        state = state.apply(rng.choice([t for t in state.legal_tokens() if ":" not in t]))
    return state._replace(points=(0, 0))
