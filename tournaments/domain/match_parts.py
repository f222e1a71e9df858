"""Matches of several records: cotos, and deal sets of bots; their scores and their ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import engine
from tournaments.domain.scores import Length, Score, sides_of

# --- Cotos ----------------------------------------------------------------------------------------
# The first side to win a number of cotos has won the match: in Spanish clubs it is often the best
# of three or five. A coto is what one record plays to; it always has a winner, since fixed numbers
# of deals know no cotos.


@dataclass(frozen=True, slots=True)
class Coto:
    """A coto that was played to its end: the points side by side, the index of who won it."""

    points: tuple[int, ...]
    winner: int


def coto_of(verdict: Mapping[str, Any], side: str) -> Coto:
    """Return the coto of a stored verdict (F3) on a finished record, home having sat at ``side``.

    >>> coto_of({"score": {"AC": 3, "BD": 1}, "hands": [{"points": {"AC": 70, "BD": 60}}]}, "BD")
    Coto(points=(60, 70), winner=1)
    """
    names = sides_of(side)
    scores = [verdict["score"][name] for name in names]
    hands = [hand["points"] for hand in verdict["hands"] if hand["points"] is not None]
    points = tuple(sum(hand.get(name, 0) for hand in hands) for name in names)
    return Coto(points, scores.index(max(scores)))


def tally(parts: Sequence[Coto | DealSet], sides: int) -> Score:
    """Return the score of cotos or deal sets: how many each side has won, and the points of all.

    >>> tally([Coto((300, 210), 0), Coto((150, 320), 1)], 2).hands
    (1, 1)
    >>> tally([DealSet((140, 120), 0, 10.0, 1.0), DealSet((130, 130), None, 0.0, 1.0)], 2).hands
    (1, 0)
    """
    wins = tuple(sum(part.winner == side for part in parts) for side in range(sides))
    return Score.of(wins, tuple(sum(part.points[side] for part in parts) for side in range(sides)))


def decided_by(cotos: Sequence[Coto], wins: int) -> int | None:
    """Return the number of the coto that decided the match, from 1; ``None`` while it is open.

    >>> decided_by([Coto((300, 210), 0), Coto((300, 200), 0), Coto((0, 300), 1)], 2)
    2
    """
    for number, coto in enumerate(cotos, start=1):
        if sum(prior_coto.winner == coto.winner for prior_coto in cotos[:number]) == wins:
            return number
    return None


def is_possible_coto(coto: Coto, length: Length) -> bool:
    """Tell whether a coto of such a match can have these points."""
    points, sides = coto.points, len(coto.points)
    return min(points) >= 0 and sum(points) <= length.most * length.most_hands(sides)


def can_end_with(cotos: Sequence[Coto], wins: int, score: Score) -> bool:
    """Tell whether a match whose cotos began like this can have ended with a score.

    >>> can_end_with([Coto((150, 320), 1)], 2, Score(2, 0, 0, 0))
    False
    """
    partial_score = tally(cotos, len(score.hands))
    if decided_by(cotos, wins) is not None:
        return partial_score.agrees_with(score)
    fewer = all(a <= b for a, b in zip(partial_score.hands, score.hands, strict=True))
    return fewer and (
        not score.has_points
        or all(a <= b for a, b in zip(partial_score.points, score.points, strict=True))
    )


# --- Deal sets ------------------------------------------------------------------------------------
# A set is the same deals once for every way of sitting (`engine.seatings`), each in a record of its
# own, so that both sides get the same cards; the records of a match are numbered from 1, set by
# set. The side with more points in all the records of a set has won it; a level one counts for
# neither. A sequential test (`engine.Sprt`) of the margins of home can end the match before its
# last set.


@dataclass(frozen=True, slots=True)
class Part:
    """A record of a set: the points of each side of the match, and the share of it that each won.

    ``shares`` are 1 for the winner, equal parts for who shared the lead at the end.
    """

    points: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DealSet:
    """A set that was played to its end; ``winner`` is the index of a side, ``None`` when level.

    ``margin`` is how far home lay above the mean of the others, in points a record; ``wins`` are
    the records that home won, a shared one in part.
    """

    points: tuple[int, ...]
    winner: int | None
    margin: float
    wins: float


def part_of(
    score: Mapping[str, int], hands: Iterable[Mapping[str, int] | None], home_side: str
) -> Part:
    """Return a record by its final score and the points of its hands, home having sat so.

    >>> part_of({"AC": 1, "BD": 0}, [{"AC": 80, "BD": 50}], "BD")
    Part(points=(50, 80), shares=(0.0, 1.0))
    """
    names = sides_of(home_side)
    scored_hands = [hand for hand in hands if hand is not None]
    scores = [score[name] for name in names]
    share = 1 / scores.count(max(scores))
    return Part(
        tuple(sum(hand.get(name, 0) for hand in scored_hands) for name in names),
        tuple(share * (value == max(scores)) for value in scores),
    )


def stored_part(verdict: Mapping[str, Any], home_side: str) -> Part:
    """Return a record by its stored verdict (F3)."""
    return part_of(verdict["score"], (hand["points"] for hand in verdict["hands"]), home_side)


def sets_of(parts: Sequence[Part]) -> tuple[DealSet, ...]:
    """Return the sets that the records of a match make up, in order; one begun is left out."""
    if not parts:
        return ()
    size = len(parts[0].points)
    end = len(parts) // size * size
    return tuple(_set_of(parts[start : start + size]) for start in range(0, end, size))


def _set_of(parts: Sequence[Part]) -> DealSet:
    points = tuple(sum(column) for column in zip(*(part.points for part in parts), strict=True))
    best = max(points)
    others = (sum(points) - points[0]) / (len(points) - 1)
    return DealSet(
        points,
        points.index(best) if points.count(best) == 1 else None,
        (points[0] - others) / len(parts),
        sum(part.shares[0] for part in parts),
    )


def ends_after(sets: Sequence[DealSet], max_sets: int, stop: Mapping[str, Any]) -> int | None:
    """Return after which set the match was over, from 1; ``None`` while it goes on.

    After the last of ``max_sets``, or the first after which the test ``stop`` had decided.
    """
    if stop:
        test = engine.Sprt(**stop)
        for number in range(1, min(len(sets), max_sets) + 1):
            if is_decided(sets[:number], test):
                return number
    return max_sets if len(sets) >= max_sets else None


def is_decided(sets: Sequence[DealSet], test: engine.Sprt) -> bool:
    """Tell whether the test accepts one of its two bounds after these sets."""
    counts = [0] * (2 * 2 + 1)
    if len(sets[0].points) == 2:
        for deal_set in sets:
            counts[round(2 * deal_set.wins)] += 1
    llr = test.llr([deal_set.margin for deal_set in sets], counts)
    return test.decision(llr, len(sets)) is not None


# --- The terms of deal sets -----------------------------------------------------------------------


MAX_SETS: Final = 500
"""Deal sets of a match, at most."""

MAX_BOUND: Final = 1e6
"""Of the bounds of a test, either way."""

STOP: Final = ("model", "low", "high", "alpha", "beta")
"""What is said of a sequential test, as `engine.Sprt` names it; ``low`` and ``high`` always are."""


def has_two_sides(ruleset: str) -> bool:
    """Tell whether a table of this ruleset has two sides: two pairs, or two players."""
    rules = engine.RULESETS[ruleset]
    return rules.pairs or len(rules.seats) == 2


TWO_SIDED: Final = tuple(name for name in engine.RULESETS if has_two_sides(name))
"""The rulesets under which deal sets compare two programs."""


def complete_stop(document: Mapping[str, Any]) -> dict[str, Any]:
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
    return math.isfinite(value) and abs(value) <= MAX_BOUND
