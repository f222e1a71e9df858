"""Does somebody's play fit hidden cards better than chance? A queue for the arbiter, no accusation.

Whoever knows only what he may cannot tell the real deal from others that agree with all he saw. So
what his card loses in the real deal is, on average, in the middle of what it loses in those: the
ranks of his choices less a half each (``fit``) add up to about nothing. Choices of one hand are not
independent, hands are: the test is Student's over hands, one-sided, for a mean above
:data:`ALLOWANCE`. ``docs/analysis.md`` has its measured error rate.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import Final, Generic, TypeVar

from engine.contest.intervals import student_tail

RATE: Final = 0.01
"""The chance that any honest player at all is in the queue."""
LEAST_HANDS: Final = 12
"""With fewer hands nothing is said of a player."""
ALLOWANCE: Final = 0.04
"""What honest skill may add to a hand's fit: worlds are drawn evenly, though what others chose to
play makes some of them likelier. The ranks of who plays well are skew besides: he seldom errs, and
then much; over a dozen hands Student's test takes the many good ones for too many."""

Player = TypeVar("Player", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well the choices of a player fit the hidden cards.

    ``a_hand`` is the mean fit of a hand, ``error`` its standard error, ``chance`` how often an
    honest player fits at least as well over as many hands; ``None`` with fewer than
    :data:`LEAST_HANDS`.
    """

    hands: int
    a_hand: float
    error: float | None
    chance: float | None


@dataclass(frozen=True, slots=True)
class QueuedPlayer(Generic[Player]):
    """A player in the queue; ``corrected`` is his chance times the number of players tested."""

    player: Player
    fit: Fit
    corrected: float


def fit_of(fits: Sequence[float]) -> Fit:
    """What a player's hands come to: of each the ``fit`` of his seat.

    Raises ``ValueError`` for no hands.
    """
    if not fits:
        raise ValueError("no hand was analysed")
    mean = fmean(fits)
    if len(fits) < LEAST_HANDS:
        return Fit(len(fits), mean, None, None)
    error = math.sqrt(variance(fits, mean) / len(fits))
    above = mean - ALLOWANCE
    if not error:
        return Fit(len(fits), mean, error, 0.0 if above > 0 else 1.0)
    return Fit(len(fits), mean, error, student_tail(above / error, len(fits) - 1))


def arbiter_queue(
    players: Mapping[Player, Sequence[float]], rate: float = RATE
) -> tuple[QueuedPlayer[Player], ...]:
    """The players whose choices fit hidden cards too well, the least likely first.

    Corrected after Bonferroni, which holds whoever sat with whom: if all are honest, the queue is
    empty but for a share ``rate`` of the times it is asked for. Players with too few hands are not
    counted. Raises ``ValueError`` unless 0 < ``rate`` < 1.
    """
    if not 0 < rate < 1:
        raise ValueError(f"{rate} is no rate of error")
    told = {player: fit_of(fits) for player, fits in players.items() if len(fits) >= LEAST_HANDS}
    found = [
        QueuedPlayer(player, fit, min(1.0, fit.chance * len(told)))
        for player, fit in told.items()
        if fit.chance is not None and fit.chance * len(told) <= rate
    ]
    return tuple(sorted(found, key=lambda queued: (queued.corrected, -queued.fit.a_hand)))
