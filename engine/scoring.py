"""Counting: hands to matches, and what totals no play could give (rule R7, record format F1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from engine.cards import LAST_TRICK, RANK_POINTS, SUITS
from engine.rulesets import Ruleset

CARD_TOTAL: Final = 4 * sum(RANK_POINTS)
"""120: the card points of the pack (R1)."""

MAX_POINTS: Final = CARD_TOTAL + LAST_TRICK + 40 + 3 * 20
"""230: what a hand can be worth in all, with every declaration."""


@dataclass(slots=True)
class MatchCount:
    """A match being counted: hands won by each side, until its end (R7.4).

    Exactly one of ``target`` (hands to win) and ``deals`` (hands to play) is set.
    """

    sides: tuple[str, ...]
    target: int | None
    deals: int | None
    score: dict[str, int]
    played: int = 0

    @property
    def decided(self) -> bool:
        """Whether the match has ended."""
        if self.target is not None:
            return max(self.score.values()) >= self.target
        return self.deals is not None and self.played >= self.deals

    @property
    def winner(self) -> str | None:
        """The side that won; ``None`` before the end, and where equal sides end a fixed match."""
        if not self.decided:
            return None
        best = max(self.score.values())
        leaders = [side for side in self.sides if self.score[side] == best]
        return leaders[0] if len(leaders) == 1 else None

    def count(self, winner: str | None) -> None:
        """Count one hand; a hand that scores nothing counts as played only."""
        self.played += 1
        if winner is not None:
            self.score[winner] += 1


def new_match(sides: Sequence[str], target: int | None, deals: int | None) -> MatchCount:
    """A match in which nothing has been played."""
    return MatchCount(tuple(sides), target, deals, dict.fromkeys(sides, 0))


def impossible_points(rules: Ruleset, points: Mapping[str, int], winner: str | None) -> str | None:
    """Why the sides cannot have made these points in one hand, or ``None`` if they can.

    ``"points"`` when no play gives them, ``"winner"`` when the hand was played to its end and the
    other side made more. A hand cut short by a tute has no last ten and no declarations, since
    its four kings, or caballos, leave no couple to any other seat (R6.7, R7.5). Where more than two
    count, or a race may be cut short, only totals above the maximum are reported.
    """
    parts = tuple(points.values())
    if rules.trump_shown != "dealer" or not rules.tute_at_first_trick_only:
        return _impossible_total(rules, points, winner)
    first, second = parts
    if (first, second) in _full_hands():
        loser = next(side for side in points if side != winner)
        if winner is None or points[loser] <= points[winner] or (first, second) in _tute_hands():
            return None
        return "winner"
    return None if (first, second) in _tute_hands() else "points"


def _impossible_total(rules: Ruleset, points: Mapping[str, int], winner: str | None) -> str | None:
    """The same check where a hand may be cut short in more ways: only certain faults."""
    parts, total = tuple(points.values()), sum(points.values())
    full = total in range(CARD_TOTAL + LAST_TRICK, MAX_POINTS + 1, 20)
    if (
        any(part < 0 or part == 1 for part in parts)
        or total > MAX_POINTS
        or (total > MAX_POINTS - 10 and not full)
    ):
        return "points"
    if full and winner is not None and not rules.race_to and points.get(winner, 0) < max(parts):
        return "winner"
    return None


@cache
def _full_hands() -> frozenset[tuple[int, int]]:
    """Every pair of totals that a hand played to the end can give."""
    totals = set()
    declared = {(0, 0)}
    for points in (40, 20, 20, 20):
        declared |= {(a + points, b) for a, b in declared} | {(a, b + points) for a, b in declared}
    for cards, last, (a, b) in product(_card_sums(), (0, LAST_TRICK), declared):
        totals.add((cards + last + a, CARD_TOTAL - cards + LAST_TRICK - last + b))
    return frozenset(totals)


@cache
def _tute_hands() -> frozenset[tuple[int, int]]:
    """Every pair of totals at which a tute can end a hand, after its side's first trick (R6.8)."""
    totals: set[tuple[int, int]] = set()
    for kings, horses in ((0, 4), (4, 0)):
        parts = {
            (0, 0, 0)
        }  # cards and points of the declarer's one trick, points of the other side
        for points, copies in ((11, 4), (10, 4), (4, kings), (3, horses), (2, 4)):
            for _copy in range(copies):
                parts |= {(n + 1, a + points, b) for n, a, b in parts if n < 4} | {
                    (n, a, b + points) for n, a, b in parts
                }
        totals |= {pair for _n, a, b in parts for pair in ((a, b), (b, a))}
    return frozenset(totals)


@cache
def _card_sums() -> frozenset[int]:
    """Every sum that some set of cards is worth."""
    sums = {0}
    for points in RANK_POINTS:
        for _suit in SUITS:
            sums |= {total + points for total in sums}
    return frozenset(sums)
