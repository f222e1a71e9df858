"""Tests whether players' choices fit hidden cards better than chance: a queue for the arbiter.

A player who knows only what they may cannot distinguish the real deal from others that agree with
all that they saw. So the loss of their card in the real deal is, on average, in the middle of its
losses in those: the ranks of their choices less a half each (``fit``) add up to about zero. Choices
of one hand are not independent, hands are: the test is Student's over hands, one-sided, for a mean
above :data:`ALLOWANCE`. ``docs/programs/analysis.md`` has its measured error rate. A place in the
queue is no accusation.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, variance
from typing import Final, Generic, TypeVar

from engine.contest.intervals import student_tail

FALSE_ALARM_RATE: Final = 0.01
"""The chance that any honest player at all is in the queue."""
MIN_HANDS: Final = 12
"""Players with fewer hands are not tested."""
ALLOWANCE: Final = 0.04
"""The mean fit of a hand that honest skill may reach (measured, ``docs/programs/analysis.md``).
Worlds are drawn evenly, though the plays of others make some of them likelier; and the ranks of
good players are skewed (rare errors, large ones), which Student's test over a dozen hands
overrates."""

Player = TypeVar("Player", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fit:
    """The test of one player: how well their choices fit the hidden cards.

    ``a_hand`` is the mean fit of a hand, ``error`` its standard error, ``chance`` how often an
    honest player fits at least as well over as many hands; ``None`` with fewer than
    :data:`MIN_HANDS`.
    """

    hands: int
    a_hand: float
    error: float | None
    chance: float | None


@dataclass(frozen=True, slots=True)
class QueuedPlayer(Generic[Player]):
    """A player in the queue; ``corrected`` is their chance times the number of players tested."""

    player: Player
    fit: Fit
    corrected: float


def fit_of(fits: Sequence[float]) -> Fit:
    """Tests one player; ``fits`` holds the ``fit`` of their seat for each hand.

    Raises ``ValueError`` for no hands.
    """
    if not fits:
        raise ValueError("no hand was analysed")
    mean = fmean(fits)
    if len(fits) < MIN_HANDS:
        return Fit(len(fits), mean, None, None)
    error = math.sqrt(variance(fits, mean) / len(fits))
    excess = mean - ALLOWANCE
    if not error:
        return Fit(len(fits), mean, error, 0.0 if excess > 0 else 1.0)
    return Fit(len(fits), mean, error, student_tail(excess / error, len(fits) - 1))


def arbiter_queue(
    players: Mapping[Player, Sequence[float]], rate: float = FALSE_ALARM_RATE
) -> tuple[QueuedPlayer[Player], ...]:
    """The players whose choices fit hidden cards too well, the least likely first.

    With Bonferroni's correction, which needs no independence between players at one table: if all
    are honest, a share ``rate`` of the calls at most returns anybody. Players with too few hands
    are not counted. Raises ``ValueError`` unless 0 < ``rate`` < 1.
    """
    if not 0 < rate < 1:
        raise ValueError(f"{rate} is no rate of error")
    tested = {player: fit_of(fits) for player, fits in players.items() if len(fits) >= MIN_HANDS}
    queue = [
        QueuedPlayer(player, fit, min(1.0, fit.chance * len(tested)))
        for player, fit in tested.items()
        if fit.chance is not None and fit.chance * len(tested) <= rate
    ]
    return tuple(sorted(queue, key=lambda queued: (queued.corrected, -queued.fit.a_hand)))
