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


def remark(fields: dict[str, Any]) -> dict[str, Any]:
    """What the rules decide of a fault; whose card is wrong in a deal they leave open."""
    row = fields["code"].split(".")[0]
    names = {name: fields.get(name) for name in ["code", "hand", "trick", "token"]}
    if fields["code"] == "declare.omitted":
        names["declaration"] = fields["declaration"]
    if row != "record":
        names["rule"] = fields["rule"]
    if row not in ["record", "deal", "score"]:
        names.update(seat=fields.get("seat"), card=fields.get("card"))
        names["legal"] = frozenset(fields.get("legal") or [])
    return names


def difference(record: Record, verdict: naive.Verdict | None = None) -> list[str]:
    """What engine and naive implementation say differently about a record, part by part."""
    expected = by_naive(verdict or naive.verdict(record))
    fields = by_engine(engine.audit(record).as_dict())
    for side in [expected, fields]:
        for hand in side.pop("hands"):
            side.update({f"{name} of hand {hand['number']}": hand[name] for name in hand})
    return [
        f"{part}: by the rules {expected.get(part)}, by the engine {fields.get(part)}"
        for part in expected | fields
        if expected.get(part) != fields.get(part)
    ]
