"""Records for the analysis: played by house bots, or continued by chance from a moment."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import engine

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

TWO_SIDED = ("parejas", "parejas-online", "cuatro", "habanero", "mano-a-mano")
PAIRS = TWO_SIDED[:3]


@cache
def played(ruleset: str, number: int, bot: str = "simple", deals: int = 1) -> engine.Record:
    """A match of `deals` hands; the same number plays the same."""
    rules = engine.RULESETS[ruleset]
    seats = rules.seats[: rules.player_count]
    seed = f"{ruleset}{number}".encode().ljust(32)[:32]
    bots = {seat: engine.HOUSE_BOTS[bot](seed) for seat in seats}
    options = {"to" if rules.race_to else "deals": deals}
    names = [f"player {seat}" for seat in seats]
    return engine.parse_record(engine.play_match(rules, bots, seed, "match", names, options))


def match_of_hand(record: engine.Record, index: int = 0) -> dict[str, Any]:
    """One hand of a record as a match of its own, to be changed by a test."""
    hand = record.hands[index]
    return {
        "format": "baza/1",
        "ruleset": record.ruleset.name,
        "options": {"deals": 1},
        "seats": list(record.seats),
        "hands": [
            {
                "dealer": hand.dealer,
                "trump": hand.trump,
                "deal": None if hand.deal is None else dict(hand.deal),
                "play": hand.play,
                "points": None if hand.points is None else dict(hand.points),
                "winner": hand.winner,
                **({} if hand.stock is None else {"stock": hand.stock}),
            }
        ],
        "score": None,
        "winner": None,
    }


def changed(record: engine.Record, **hand: object) -> engine.Record:
    """A hand with some fields changed."""
    document = match_of_hand(record)
    document["hands"][0] |= hand
    return engine.parse_record(document)


def continued(
    record: engine.Record, deal: Mapping[str, str], tokens: list[str], rng: Random
) -> engine.Record:
    """The first hand with another deal: ``tokens``, then cards by chance to the end."""
    begun = changed(record, deal=dict(deal), play=" ".join(tokens))
    state = list(engine.states(begun.ruleset, begun.hands[0]))[-1]
    play = list(tokens)
    while not state.over:
        token = rng.choice([token for token in state.legal_tokens() if ":" not in token])
        play.append(token)
        state = state.apply(token)
    return changed(begun, play=" ".join(play))
