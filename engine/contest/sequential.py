"""Sequential tests: whether one bot is better than another, stopped as soon as that is decided.

Wald's test compares two hypotheses about the first bot's strength, ``low`` and ``high``, after
every deal set; the log-likelihood ratio (LLR) says how much better ``high`` explains what was
seen, and the test ends when it leaves the bounds that the two error rates allow. Strength is

- ``points``: the mean margin of a deal set, in points of the game, with the spread of the sample;
- ``logistic``: Elo, from the scores of the sets (losses, …, wins);
- ``normalized``: Elo in units of the spread of one match, which does not depend on how often
  matches are drawn.

The likelihoods of the last two are those of the multinomial distribution with the given strength
that explains the counts best: M. Van den Bergh, "Comparing the approximations for the generalized
log likelihood ratio of a multinomial distribution", proposition 1.1, and "Comments on normalized
Elo", section 4.1. Sets of one match count losses, draws, wins (trinomial), sets of two the halves
(pentanomial).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pvariance
from typing import Final, NamedTuple

from engine.contest import MODELS
from engine.contest.intervals import LEVEL

DEFAULT_ERROR_RATE: Final = 0.05
"""How often either wrong decision may be taken."""

_PRIOR_COUNT: Final = 1e-3
"""What a result that never happened counts for, so that it is not held impossible."""

MIN_SETS: Final = 10
"""Deal sets before which nothing is decided: the spread of fewer is not known well enough."""

_ROUNDS: Final = 10
_TOLERANCE: Final = 1e-4
"""The iteration over the spread ends after ``_ROUNDS`` rounds, or below this relative change."""

_PER_SPREAD: Final = 800 / math.log(10)
"""Normalized Elo of an expected score that lies one standard deviation above a half."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of ``low`` against ``high``, in points or in Elo by ``model``.

    ``alpha`` bounds how often ``high`` is accepted though ``low`` holds, ``beta`` the opposite.
    Raises ``ValueError`` for bounds that are no test.
    """

    low: float
    high: float
    model: str = "points"
    alpha: float = DEFAULT_ERROR_RATE
    beta: float = DEFAULT_ERROR_RATE

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"there is no model {self.model}: {', '.join(MODELS)}")
        if not self.low < self.high:
            raise ValueError("the second bound must be above the first")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError("the two error rates must be above 0 and below 1 together")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which ``low``, and at which ``high`` is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, margins: Sequence[float], counts: Sequence[int]) -> float:
        """The LLR of deal sets: of their margins, or of how many made each score."""
        if self.model == "points":
            return llr_of_margins(margins, self.low, self.high)
        if self.model == "logistic":
            return llr_logistic(counts, self.low, self.high)
        return llr_normalized(counts, self.low, self.high)

    def decision(self, llr: float, sets: int) -> str | None:
        """``"high"`` or ``"low"`` once the LLR of ``sets`` deal sets has reached a bound."""
        lower, upper = self.bounds
        if sets < MIN_SETS:
            return None
        return "high" if llr >= upper else "low" if llr <= lower else None


def llr_of_margins(margins: Sequence[float], low: float, high: float) -> float:
    """The LLR of two means of a normal distribution, with the spread that the sample has.

    0 while there is no spread to judge by: before the second deal set, or while all are equal.
    """
    if len(margins) < 2:
        return 0.0
    mean = fmean(margins)
    spread = pvariance(margins, mean)
    if not spread:
        return 0.0
    return len(margins) * (high - low) * (2 * mean - low - high) / (2 * spread)


def llr_logistic(counts: Sequence[int], low: float, high: float) -> float:
    """The LLR of two Elo differences; ``counts`` by score, from all lost to all won."""
    sample = _ScoreCounts.of(counts)
    likelier = [_with_mean(sample, score_of(elo)) for elo in (low, high)]
    return sample.llr(*likelier)


def llr_normalized(counts: Sequence[int], low: float, high: float) -> float:
    """The LLR of two normalized Elo differences."""
    sample = _ScoreCounts.of(counts)
    matches = (len(counts) - 1) / 2  # of one set
    likelier = [_with_ratio(sample, math.sqrt(matches) * elo / _PER_SPREAD) for elo in (low, high)]
    return sample.llr(*likelier)


def score_of(elo: float) -> float:
    """The expected score at an Elo difference: a half at 0."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The Elo difference of an expected score; infinite for 0 and 1."""
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


class Strength(NamedTuple):
    """Elo and normalized Elo with half the width of their 95 % intervals, and the score."""

    score: float
    elo: float
    elo_error: float
    normalized: float
    normalized_error: float
    superior: float
    """How likely it is that the true score is above a half."""


def strength(counts: Sequence[int]) -> Strength:
    """Estimates the first bot's strength from counted deal sets; ``ValueError`` if impossible."""
    total, scores = sum(counts), _scores(len(counts))
    if not total:
        raise ValueError("nothing has been counted")
    score = sum(n * s for n, s in zip(counts, scores, strict=True)) / total
    spread = sum(n * (s - score) ** 2 for n, s in zip(counts, scores, strict=True)) / total
    if not spread:
        raise ValueError("all results are the same")
    error = math.sqrt(spread / total)
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * error
    unit = _PER_SPREAD / math.sqrt(spread * (len(counts) - 1) / 2)
    return Strength(
        score,
        elo_of(score),
        (elo_of(score + reach) - elo_of(score - reach)) / 2,
        (score - 0.5) * unit,
        reach * unit,
        NormalDist().cdf((score - 0.5) / error),
    )


def _scores(number: int) -> list[float]:
    return [step / (number - 1) for step in range(number)]


class _ScoreCounts(NamedTuple):
    """Scores, how often each was made in proportion, and the number of deal sets."""

    scores: list[float]
    shares: list[float]
    total: float

    @classmethod
    def of(cls, counts: Sequence[int]) -> "_ScoreCounts":
        weights = [count or _PRIOR_COUNT for count in counts]
        total = sum(weights)
        return cls(_scores(len(counts)), [weight / total for weight in weights], total)

    def llr(self, low: Sequence[float], high: Sequence[float]) -> float:
        ratios = (math.log(upper) - math.log(lower) for lower, upper in zip(low, high, strict=True))
        return self.total * sum(s * r for s, r in zip(self.shares, ratios, strict=True))


def _with_mean(sample: _ScoreCounts, mean: float) -> list[float]:
    """The likeliest distribution with that mean."""
    return _likelihood_weights(sample.shares, [score - mean for score in sample.scores])


def _with_ratio(sample: _ScoreCounts, ratio: float) -> list[float]:
    """The likeliest distribution whose mean lies ``ratio`` standard deviations above a half."""
    shares = [1 / len(sample.scores)] * len(sample.scores)
    for _ in range(_ROUNDS):
        mean = sum(p * a for p, a in zip(shares, sample.scores, strict=True))
        spread = sum(p * (a - mean) ** 2 for p, a in zip(shares, sample.scores, strict=True))
        sigma = math.sqrt(spread)
        slopes = [
            score - 0.5 - ratio * sigma * (1 + ((score - mean) / sigma) ** 2) / 2
            for score in sample.scores
        ]
        before, shares = shares, _likelihood_weights(sample.shares, slopes)
        if max(abs(p - q) for p, q in zip(before, shares, strict=True)) < _TOLERANCE:
            break
    return shares


def _likelihood_weights(shares: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """``share / (1 + t slope)`` with the ``t`` that makes the slopes' mean vanish."""

    def mean(t: float) -> float:
        return sum(p * d / (1 + t * d) for p, d in zip(shares, slopes, strict=True))

    t = _root(mean, -1 / max(slopes), -1 / min(slopes))
    return [p / (1 + t * d) for p, d in zip(shares, slopes, strict=True)]


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Finds the zero of a falling function between two poles, by bisection."""
    for _ in range(100):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
