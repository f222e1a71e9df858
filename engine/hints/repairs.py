"""One repair of a refused hand: whether it is legal, what else it explains, how likely it is."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from engine.deals import complete_deal
from engine.errors import Fault, Hint
from engine.notation import HandRecord
from engine.replay import CarryOver, Outcome, replay_hand
from engine.rulesets import Ruleset

MAX_HINTS: Final = 3
"""More would not help a person to find the slip."""

EXPLANATIONS: Final = ("points too", "winner too", "play")
"""What comes true with a repair, the most first: the points that the hand states (and its winner),
the winner alone, or nothing that is stated."""


@dataclass(frozen=True)
class Hand:
    """A hand that was refused with ``fault``; ``game`` and ``expected`` as the auditor knows them.

    ``expected`` is the seat whose turn it is to deal, ``None`` where anybody may.
    """

    rules: Ruleset
    record: HandRecord
    fault: Fault
    game: CarryOver
    expected: str | None

    @cached_property
    def tokens(self) -> list[str]:
        """The play, token by token."""
        return (self.record.play or "").split()

    @property
    def has_legal_play(self) -> bool:
        """Whether the play is legal and only the stated result is wrong."""
        return self.fault.code.startswith("score.")

    def outcome(self, hand: HandRecord) -> Outcome | None:
        """The outcome of another writing of the hand, ``None`` unless it is legal."""
        if self.expected is not None and hand.dealer != self.expected:
            return None
        if hand.trump is None or hand.play is None or complete_deal(self.rules, hand) is None:
            return None
        outcome = replay_hand(self.rules, hand, self.game)
        return outcome if outcome.fault is None else None

    def explanation(self, hand: HandRecord, outcome: Outcome) -> str:
        """How much of the hand's stated result comes true, one of :data:`EXPLANATIONS`."""
        sides = self.rules.sides
        points_by_side = dict(zip(sides, outcome.points or (), strict=True))
        winner = None if outcome.winner is None else sides[outcome.winner]
        if hand.winner not in (None, winner):
            return "play"
        if hand.points is not None and dict(hand.points).items() <= points_by_side.items():
            return "points too"
        return "play" if hand.winner is None else "winner too"


@dataclass(frozen=True, slots=True)
class Repair:
    """One slip that would explain the fault; the smaller the ``cost``, the likelier it is."""

    cost: int
    hint: Hint

    @property
    def rank(self) -> tuple[int, int]:
        """The sorting key: what the repair explains, then how likely it is."""
        return EXPLANATIONS.index(self.hint.explains), self.cost


def try_repair(hand: Hand, cost: int, hint: Hint, mended: HandRecord) -> list[Repair]:
    """The repair, if the hand that it gives is legal."""
    outcome = hand.outcome(mended)
    return [] if outcome is None else [make_repair(hand, cost, hint, mended, outcome)]


def make_repair(hand: Hand, cost: int, hint: Hint, mended: HandRecord, outcome: Outcome) -> Repair:
    """A repair that was found legal, with what it explains."""
    return Repair(cost, replace(hint, explains=hand.explanation(mended, outcome), hand=mended))


def likeliest_hints(repairs: Iterable[Repair]) -> tuple[Hint, ...]:
    """The likeliest repairs; the same call at several moments counts as one.

    None where more than :data:`MAX_HINTS` are equally likely: any of them would be a guess.
    """
    repairs_by_key: dict[object, Repair] = {}
    for repair in sorted(repairs, key=lambda repair: repair.rank):
        hint = repair.hint
        at_a_moment = hint.kind in ("missing", "moved") and ":" in str(hint.write)
        key = (
            (hint.kind, hint.write, hint.tokens[:-1], hint.explains) if at_a_moment else repr(hint)
        )
        first = repairs_by_key.setdefault(key, repair)
        if at_a_moment and first is not repair:
            also = tuple(sorted({*first.hint.also, *hint.tokens[-1:]}))
            repairs_by_key[key] = replace(first, hint=replace(first.hint, also=also))
    ranked = list(repairs_by_key.values())
    if sum(repair.rank == ranked[0].rank for repair in ranked) > MAX_HINTS:
        return ()
    return tuple(repair.hint for repair in ranked[:MAX_HINTS])


def visual_distance(text: str, other: str) -> int:
    """The visual distance of two writings: 0 in the case of a letter, 1 in one sign, 2 beyond."""
    if text.casefold() == other.casefold():
        return 0
    if len(text) != len(other):
        return 2
    return min(2, sum(a != b for a, b in zip(text, other, strict=True)))
