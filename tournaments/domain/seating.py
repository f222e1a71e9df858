"""Who sat where: the seats of a record set against the two entries of a match."""

from collections.abc import Sequence
from typing import Final

from engine import Verdict
from tournaments.domain.names import folded
from tournaments.domain.standings import Score

SIDES: Final = ("AC", "BD")


def partners(seats: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names at A and C, and at B and D, as they are compared."""
    names = [folded(name) for name in seats]
    return frozenset(names[0::2]), frozenset(names[1::2])


def home_side(seats: Sequence[str], home: Sequence[str], away: Sequence[str]) -> str:
    """Return at which seats home sat: ``AC``, ``BD``, or nothing when the names do not fit.

    Partners sit opposite each other, in either order, and either pair at A and C (R2.2).
    """
    at_ac, at_bd = partners(seats)
    ours, theirs = frozenset(map(folded, home)), frozenset(map(folded, away))
    if len(ours | theirs) != len(seats):
        return ""
    if (at_ac, at_bd) == (ours, theirs):
        return "AC"
    return "BD" if (at_ac, at_bd) == (theirs, ours) else ""


def score_of(verdict: Verdict, side: str) -> Score:
    """Return the score of a valid, finished record, home having sat at ``side``."""
    other = SIDES[1 - SIDES.index(side)]
    hands = verdict.score or {}
    points = [hand.points for hand in verdict.hands if hand.points is not None]
    return Score(
        home_hands=hands[side],
        away_hands=hands[other],
        home_points=sum(of_hand[side] for of_hand in points),
        away_points=sum(of_hand[other] for of_hand in points),
    )
