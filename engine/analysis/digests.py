"""Computes the digest of a hand, the key of its stored analysis."""

import hashlib
from typing import Final

from engine.auditor import game_of
from engine.notation import Record

DOMAIN: Final = "baza/analysis/1"


def hand_digest(record: Record, index: int) -> str:
    """``sha256:`` and the hash of all that the analysis of a hand depends on.

    Hashed are the ruleset with its version and house rules, the seats, dealer, trump, deal, stock
    and play, and in a race what the hand brings along (R9.2); not names, tags or stated points.
    ``index`` counts from 0; raises ``IndexError`` where there is no such hand.
    """
    rules, hand = record.ruleset, record.hands[index]
    game = game_of(record, index)
    house = [f"{name}={value}" for name, value in sorted(record.house_rules.items())]
    deal = "-"
    if hand.deal is not None:
        deal = "|".join(" ".join(sorted(hand.deal[seat].split())) for seat in rules.seats)
    lines = [
        DOMAIN,
        " ".join([rules.identity, f"seats={rules.seat_count}", *house]),
        f"{game.deal} {' '.join(map(str, game.carried))}",
        f"{hand.dealer} {hand.trump or '-'}",
        deal,
        " ".join((hand.stock or "-").split()),
        "-" if hand.play is None else " ".join(hand.play.split()),
    ]
    return "sha256:" + hashlib.sha256("\n".join(lines).encode()).hexdigest()
