"""Matches of deal sets: how many there can be, and the test that ends a match early.

A deal set is the same deals once for every way of sitting (`engine.seatings`), so that both sides
get the same cards.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import engine

MOST_SETS: Final = 500
"""Deal sets of a match, at most."""

LARGEST: Final = 1e6
"""Of the bounds of a test, either way."""

STOP: Final = ("model", "low", "high", "alpha", "beta")
"""What is said of a sequential test, as `engine.Sprt` names it; ``low`` and ``high`` always are."""


def two_sides_meet(ruleset: str) -> bool:
    """Tell whether a table of this ruleset has two sides: two pairs, or two players."""
    rules = engine.RULESETS[ruleset]
    return rules.pairs or len(rules.seats) == 2


def checked_stop(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sequential test with all that it leaves unsaid; nothing stays nothing.

    ValueError for what is no test: an unknown name, what is no number, bounds the wrong way round.
    """
    if not document:
        return {}
    if unknown := set(document) - set(STOP):
        raise ValueError(f"a test knows no {min(unknown)}")
    for name in STOP[1:]:
        if not _is_number(document.get(name, 0.0)):
            raise ValueError(f"{name} is no number, or out of all bounds")
    try:
        test = engine.Sprt(**document)
    except TypeError as error:
        raise ValueError("a test needs its two bounds") from error
    return {name: getattr(test, name) for name in STOP}


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and abs(value) <= LARGEST
