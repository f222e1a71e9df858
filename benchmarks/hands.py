"""The hands that are measured: matches of the house bots, the same ones for the same seed."""

from __future__ import annotations

import json
from typing import Any

import engine

RULES = engine.RULESETS["parejas-online"]


def matches(number: int, seed: bytes, rules: engine.Ruleset = RULES) -> list[str]:
    """Whole matches as lines of NDJSON; every second one between the two kinds of bot."""
    return [json.dumps(match(index, seed, rules), ensure_ascii=False) for index in range(number)]


def match(index: int, seed: bytes, rules: engine.Ruleset = RULES) -> dict[str, Any]:
    """One match; the bots of BD are the sensible ones in every second."""
    kinds = "random random random random" if index % 2 else "random simple random simple"
    bots = {
        seat: engine.HOUSE_BOTS[kind](seed + f"{index}{seat}".encode())
        for seat, kind in zip(rules.seats, kinds.split(), strict=False)
    }
    names = ["Ana", "Bea", "Carlos", "Diego"][: rules.seat_count]
    return engine.play_match(rules, bots, seed, f"benchmark {index}", names, {}, {})
