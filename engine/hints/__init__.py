"""Finds hints: the smallest repairs that make a refused hand legal; none is applied silently.

One slip of the pen is looked for at a time: in the play (:mod:`engine.hints.plays`), in the deal
(:mod:`engine.hints.deals`) or in what is stated. Every repair was replayed: the hand that it
proposes breaks no rule.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.errors import Fault, Hint
from engine.hints.deals import exchanged_cards, misread_cards, moved_cards, wrong_dealers
from engine.hints.plays import repaired_plays
from engine.hints.repairs import MAX_HINTS, Hand, Repair, likeliest_hints
from engine.notation import HandRecord
from engine.replay import FIRST, CarryOver, replay_hand
from engine.rulesets import Ruleset

__all__ = ["MAX_HINTS", "hints_for"]


def hints_for(
    rules: Ruleset,
    hand: HandRecord,
    fault: Fault,
    game: CarryOver = FIRST,
    expected: str | None = None,
) -> tuple[Hint, ...]:
    """The likeliest repairs of a hand that was refused with ``fault``, the best first.

    ``game`` is what the hand brings along (R9.2), ``expected`` the seat whose turn it is to deal
    (R2.4), ``None`` where any seat may.
    """
    if hand.deal is None or hand.play is None or fault.code == "match.over":
        return ()
    case = Hand(rules, hand, fault, game, expected)
    repairs = [*wrong_dealers(case), *exchanged_cards(case)]
    if fault.code.startswith("deal."):
        return likeliest_hints([*repairs, *misread_cards(case), *moved_cards(case)])
    repairs += repaired_plays(case)
    if case.has_legal_play:
        repairs = [repair for repair in repairs if repair.hint.explains == "points too"]
    return likeliest_hints([*repairs, *_corrections(case)])


def _corrections(hand: Hand) -> Iterator[Repair]:
    """The result that the replay gives, in the place of the one that is stated (R7.1, R7.2)."""
    fault, field = hand.fault, hand.fault.path.rpartition("/")[2]
    if not hand.has_legal_play or field not in ("points", "winner", "payments"):
        return
    stated_value, replayed = fault.facts["stated"], fault.facts["replayed"]
    mended: dict[str, Any] = {field: replayed}
    unstated: dict[str, Any] = {field: None}
    outcome = replay_hand(hand.rules, hand.record, hand.game)
    explains = hand.explanation(replace(hand.record, **unstated), outcome)
    record = replace(hand.record, **mended)
    yield Repair(9, Hint(field, (), explains, stated_value, replayed, field, hand=record))
