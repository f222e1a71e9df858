"""F1 said a second time: hands of which only the result was noted, and results that are stated."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from tests.engine.naive_rules import RACE_TO_101, RANKS, SUITS, TANTOS, Remark, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.engine.naive_play import Play

FULL_SUMS = [130, 150, 170, 190, 210, 230]  # 130, and the declarations of 40, 20, 20, 20
MAX_IN_A_HAND_CUT_SHORT = 220  # all cards and declarations, without the last ten

# --------------------------------------------------------------------------- hands without play


@cache
def points_of_a_tute_online() -> frozenset[tuple[int, int]]:
    """(points of the tute's side, points of the other) that `parejas-online` allows after a tute.

    The tute's side has won exactly one trick (R6.8), its four kings (or knights) are still in hand,
    and so nobody else can have declared anything: R and C of one suit are never together elsewhere,
    and the side itself has not.
    """
    pairs = set()
    for absent in ["R", "C"]:
        counting = Counter(TANTOS[rank] for rank in RANKS for _ in SUITS if rank != absent)
        for trick in combinations_with_replacement(sorted(counting), 4):
            counts = Counter(trick)
            if any(counts[value] > counting[value] for value in counts):
                continue
            sums = {0}
            for value in (counting - counts).elements():
                sums |= {total + value for total in sums}
            pairs |= {(sum(trick), total) for total in sums}
    return frozenset(pairs)


def is_possible(points: Mapping[str, int], ruleset: str) -> bool:
    """F1: whether some play gives these points; no cards are worth 1, all else can be had."""
    total = sum(points.values())
    if min(points.values()) < 0 or 1 in points.values():
        return False
    if total in FULL_SUMS:
        return True
    if ruleset == "parejas-online":
        ac_points, bd_points = points["AC"], points["BD"]
        return bool({(ac_points, bd_points), (bd_points, ac_points)} & points_of_a_tute_online())
    return total <= MAX_IN_A_HAND_CUT_SHORT


def wrong_arithmetic(hand: Mapping[str, Any], table: Table, deal_of_juego: int) -> Remark | None:
    points, winner = hand["points"], hand.get("winner")
    if not is_possible(points, table.ruleset):
        return Remark("score.impossible", "F1")
    if RACE_TO_101[table.ruleset]:
        # A capote may give the juego to any side, but without one a side's 101 decide it.
        if winner is None and deal_of_juego == 2:
            return Remark("score.winner", "R9.3")
        if winner is None and max(points.values()) >= 101:
            return Remark("score.winner", "R9.1")
        return None
    if sum(points.values()) in FULL_SUMS and points.get(str(winner), -1) < max(points.values()):
        return Remark("score.winner", "R7.2")
    return None


# --------------------------------------------------------------------------- stated results


def differs(stated: object, replayed: object) -> bool:
    """F1: a null states nothing."""
    return stated is not None and stated != replayed


def wrong_claims(
    hand: Mapping[str, Any], play: Play, table: Table, payments: Mapping[str, int] | None
) -> Remark | None:
    """The stated points, else the stated winner, else the stated payments, against the replay."""
    if differs(hand.get("points"), play.points()):
        return Remark("score.points", "R7.1")
    if differs(hand.get("winner"), play.winner()):
        return Remark("score.winner", rule_of_winning(play))
    if differs(hand.get("payments"), payments):
        return Remark("score.points", {"flat": "R8.3", "plate": "R8.4"}[table.stakes])
    return None


def rule_of_winning(play: Play) -> str:
    """By which rule a hand was won."""
    if RACE_TO_101[play.ruleset]:
        if play.capote is not None:
            return "R9.5"
        return "R9.1" if play.deal_of_juego == 1 else "R9.3"
    points = list(play.points().values())
    tie = points.count(max(points)) > 1 and play.tute_side is None
    return "R7.3" if tie else "R7.2"
