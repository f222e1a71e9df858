"""The race of a match hand by hand: the numbers of its drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FULL: Final = 100
"""Units of the longest bar."""


@dataclass(frozen=True, slots=True)
class RaceHand:
    """What a hand of a match brought: points by side, the place of its winner, or None, its coto.

    ``calls`` are declarations such as ``A:40``, ``trump`` is a card or empty; ``seats`` are those
    of each side, empty where they are not known. ``capote``: one was announced.
    """

    number: int
    points: tuple[int, ...]
    winner: int | None
    coto: int = 1
    trump: str = ""
    calls: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    capote: bool = False


@dataclass(frozen=True, slots=True)
class RaceSide:
    """A side in a hand: its points, the length of its bar, its declarations, hands won so far."""

    points: int
    bar: int
    won: bool
    calls: tuple[str, ...]
    score: int

    @property
    def start(self) -> int:
        """Where a bar begins that ends at `FULL`."""
        return FULL - self.bar


@dataclass(frozen=True, slots=True)
class RaceStep:
    """A hand as it is drawn, one side after the other."""

    number: int
    coto: int
    trump: str
    sides: tuple[RaceSide, ...]
    capote: bool

    @property
    def score(self) -> str:
        """The hands won so far in the coto, as ``2–1``."""
        return "–".join(str(side.score) for side in self.sides)


def race_of(hands: Sequence[RaceHand]) -> tuple[RaceStep, ...]:
    """Return the race of a match; the score begins again with each coto."""
    most = max((max(hand.points, default=0) for hand in hands), default=0) or 1
    steps: list[RaceStep] = []
    score: list[int] = []
    coto = None
    for hand in hands:
        if hand.coto != coto:
            coto, score = hand.coto, [0] * len(hand.points)
        if hand.winner is not None:
            score[hand.winner] += 1
        sides = tuple(
            RaceSide(
                points=points,
                bar=FULL * max(points, 0) // most,
                won=place == hand.winner,
                calls=_calls_of(hand, place),
                score=score[place],
            )
            for place, points in enumerate(hand.points)
        )
        steps.append(RaceStep(hand.number, hand.coto, hand.trump, sides, hand.capote))
    return tuple(steps)


def _calls_of(hand: RaceHand, place: int) -> tuple[str, ...]:
    """Return the declarations of a side."""
    if place >= len(hand.seats):
        return ()
    return tuple(call for call in hand.calls if call[0] in hand.seats[place])
