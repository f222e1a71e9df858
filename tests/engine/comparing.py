"""The verdicts of engine and naive implementation on one record, held against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from tests.engine import naive

if TYPE_CHECKING:
    from tests.engine.chance import Record

HAND_PARTS = ["number", "audited", "points", "winner", "last_trick", "declarations", "tricks"]
HAND_PARTS += ["payments", "plate"]


def by_naive(verdict: naive.Verdict) -> dict[str, Any]:
    """The naive verdict, in the shape that is compared."""
    return {
        "valid": verdict.valid,
        "faults": [remark(vars(fault)) for fault in verdict.faults],
        "notices": [remark(vars(notice)) for notice in verdict.notices],
        "hands": [vars(hand) for hand in verdict.hands],
        "score": verdict.score,
        "winner": verdict.winner,
        "balance": verdict.balance,
    }


def by_engine(verdict: dict[str, Any]) -> dict[str, Any]:
    """The engine's verdict (F3), in the same shape."""
    hands = []
    for hand in verdict["hands"]:
        tricks = [tuple(trick) for trick in hand["tricks"]]
        hands.append({**{name: hand.get(name) for name in HAND_PARTS}, "tricks": tricks})
    return {
        "valid": verdict["valid"],
        "faults": [remark(fault) for fault in verdict["faults"]],
        "notices": [remark(notice) for notice in verdict["notices"]],
        "hands": hands,
        "score": verdict["score"],
        "winner": verdict["winner"],
        "balance": verdict.get("balance"),
    }


def remark(found: dict[str, Any]) -> dict[str, Any]:
    """What the rules decide of a fault; whose card is wrong in a deal they leave open."""
    row = found["code"].split(".")[0]
    compared = {name: found.get(name) for name in ["code", "hand", "trick", "token"]}
    if found["code"] == "declare.omitted":
        compared["declaration"] = found["declaration"]
    if row != "record":
        compared["rule"] = found["rule"]
    if row not in ["record", "deal", "score"]:
        compared.update(seat=found.get("seat"), card=found.get("card"))
        compared["legal"] = frozenset(found.get("legal") or [])
    return compared


def difference(record: Record, verdict: naive.Verdict | None = None) -> list[str]:
    """What engine and naive implementation say differently about a record, part by part."""
    expected = by_naive(verdict or naive.verdict(record))
    found = by_engine(engine.audit(record).as_dict())
    for side in [expected, found]:
        for hand in side.pop("hands"):
            side.update({f"{name} of hand {hand['number']}": hand[name] for name in hand})
    return [
        f"{part}: by the rules {expected.get(part)}, by the engine {found.get(part)}"
        for part in expected | found
        if expected.get(part) != found.get(part)
    ]
