"""Means with their 95 % intervals, where one observation is one deal set.

The two matches of a deal set are played with the same cards and are anything but independent of
each other; the sets are. So a set counts once, with the mean of its matches.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist, fmean, variance
from typing import Final, NamedTuple

LEVEL: Final = 0.95  # usual level of a confidence interval; one in twenty misses

_FEW: Final = 40
"""Degrees of freedom up to which Student's distribution is summed and inverted exactly."""


class Interval(NamedTuple):
    """A mean of ``observed`` values with its confidence bounds; ``None`` bounds for one value."""

    mean: float
    low: float | None
    high: float | None
    observed: int

    @property
    def margin(self) -> float | None:
        """Half the width."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2


def mean_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """The mean of independent values with Student's interval; raises ``ValueError`` for none."""
    if not values:
        raise ValueError("nothing has been observed")
    count, mean = len(values), fmean(values)
    if count == 1:
        return Interval(mean, None, None, 1)
    half = student_quantile((1 + level) / 2, count - 1) * math.sqrt(variance(values, mean) / count)
    return Interval(mean, mean - half, mean + half, count)


def share_interval(shares: Sequence[float], level: float = LEVEL) -> Interval:
    """The mean of shares between 0 and 1, such as matches won, with its interval.

    Two sets that are lost and two that are won whole are added for the bounds (Agresti and Coull,
    "Approximate is better than exact", The American Statistician 52, 1998), so that ten sets
    without a defeat are no certainty.
    """
    if not shares:
        raise ValueError("nothing has been observed")
    padded = mean_interval([*shares, 0.0, 0.0, 1.0, 1.0], level)
    low, high = padded.low or 0.0, 1.0 if padded.high is None else padded.high
    return Interval(fmean(shares), max(0.0, low), min(1.0, high), len(shares))


@lru_cache(maxsize=256)
def student_quantile(probability: float, freedom: int) -> float:
    """The value that Student's t with ``freedom`` degrees stays below with that probability.

    Raises ``ValueError`` unless 0 < ``probability`` < 1 and ``freedom`` is at least 1.
    """
    if not 0 < probability < 1 or freedom < 1:
        raise ValueError(f"no quantile {probability} with {freedom} degrees of freedom")
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    if freedom > _FEW:
        return _cornish_fisher(NormalDist().inv_cdf(probability), freedom)
    low, high = 0.0, 1.0
    while _student(high, freedom) < probability:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _student(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def student_tail(t: float, freedom: int) -> float:
    """The chance that Student's t with ``freedom`` degrees is ``t`` or more.

    Raises ``ValueError`` unless ``freedom`` is at least 1.
    """
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom")
    cumulative = _student(abs(t), freedom)
    return 1 - cumulative if t > 0 else cumulative


def _student(t: float, freedom: int) -> float:
    """Student's distribution at ``t`` >= 0 (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    angle = math.atan2(t, math.sqrt(freedom))
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= power / (power + 1) * math.cos(angle) ** 2
    within = math.sin(angle) * total
    return 0.5 + ((angle + within) / math.pi if odd else within / 2)


def _cornish_fisher(normal: float, freedom: int) -> float:
    """Student's quantile from the normal one (Abramowitz and Stegun 26.7.5)."""
    z, n = normal, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
