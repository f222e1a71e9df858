"""Match figures have their intervals: against published figures and by simulation."""

import math
from random import Random

import pytest

from engine.contest.intervals import Interval, mean_interval, share_interval, student_quantile
from engine.contest.sequential import (
    Sprt,
    elo_of,
    llr_logistic,
    llr_normalized,
    llr_of_margins,
    score_of,
    strength,
)

# --------------------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        *((1, 12.7062), (2, 4.30265), (5, 2.57058), (10, 2.22814), (30, 2.04227)),
        *((40, 2.02108), (41, 2.01954), (60, 2.00030), (100, 1.98397), (1000, 1.96234)),
    ],
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, abs=5e-5)
    assert student_quantile(0.025, freedom) == pytest.approx(-quantile, abs=5e-5)


def test_a_quantile_needs_a_probability_and_some_freedom() -> None:
    for probability, freedom in [(0.0, 5), (1.0, 5), (0.5, 0)]:
        with pytest.raises(ValueError, match="no quantile"):
            student_quantile(probability, freedom)


def test_an_interval_is_students() -> None:
    interval = mean_interval([1.0, 2.0, 3.0, 4.0])
    half = 3.182446 * math.sqrt(5 / 3 / 4)
    assert interval.mean == 2.5
    assert (interval.low, interval.high) == pytest.approx((2.5 - half, 2.5 + half), abs=1e-5)
    assert interval.margin == pytest.approx(half, abs=1e-5)


def test_one_deal_set_says_nothing_of_the_spread() -> None:
    interval = mean_interval([7.0])
    assert interval == Interval(7.0, None, None, 1)
    assert interval.margin is None


def test_nothing_observed_has_no_mean() -> None:
    for interval in (mean_interval, share_interval):
        with pytest.raises(ValueError, match="nothing"):
            interval([])


def test_ten_sets_without_a_defeat_are_no_certainty() -> None:
    interval = share_interval([1.0] * 10)
    assert interval.mean == 1
    assert interval.low is not None
    assert 0.6 < interval.low < 0.9
    assert interval.high == 1


def covered(interval: Interval, truth: float) -> bool:
    return (
        interval.low is not None
        and interval.high is not None
        and interval.low <= truth <= interval.high
    )


@pytest.mark.parametrize("sets", [3, 10, 60])
def test_the_interval_of_a_mean_covers_it_95_times_in_100(sets: int) -> None:
    """Margins of deal sets: nearly normal, with a spread of some sixteen points."""
    random, runs = Random("means"), 3000
    inside = sum(
        covered(mean_interval([random.gauss(3, 16) for _ in range(sets)]), 3) for _ in range(runs)
    )
    assert 0.938 < inside / runs < 0.962  # three standard errors


@pytest.mark.parametrize("sets", [30, 200])
def test_the_interval_of_skewed_margins_covers_their_mean_nearly_as_often(sets: int) -> None:
    random, runs = Random("skewed"), 2000
    inside = sum(
        covered(mean_interval([random.expovariate(1 / 20) for _ in range(sets)]), 20)
        for _ in range(runs)
    )
    assert 0.91 < inside / runs < 0.965


@pytest.mark.parametrize("sets", [10, 50, 200])
@pytest.mark.parametrize("truth", [0.5, 0.8, 0.95])
def test_the_interval_of_a_share_covers_it_at_least_94_times_in_100(
    sets: int, truth: float
) -> None:
    """Sets of two matches that are won by one side alone or shared."""
    random, runs = Random(f"shares {sets}"), 2000

    def share() -> float:
        return ((random.random() < truth) + (random.random() < truth)) / 2

    inside = sum(
        covered(share_interval([share() for _ in range(sets)]), truth) for _ in range(runs)
    )
    assert inside / runs > 0.935


# --------------------------------------------------------------------------- sequential tests
# The expected ratios are the ones that fastchess states in its own tests, to two decimals.


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "low", "high", "llr"),
    [
        (36433, 36027, 68692, 0, 2, 0.92),
        (10871, 10650, 20431, -1.75, 0.25, 2.30),
        (4250, 0, 0, 0, 10, 120.56),
    ],
)
def test_the_normalized_ratio_of_matches_is_fastchess_s(
    wins: int, losses: int, draws: int, low: float, high: float, llr: float
) -> None:
    assert llr_normalized((losses, draws, wins), low, high) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "low", "high", "llr"),
    [(21404, 21184, 40708, 0.5, 2.5, -1.57), (57433, 57030, 106593, 0, 2, -2.59)],
)
def test_the_logistic_ratio_of_matches_is_fastchess_s(
    wins: int, losses: int, draws: int, low: float, high: float, llr: float
) -> None:
    assert llr_logistic((losses, draws, wins), low, high) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "low", "high", "llr"),
    [
        ((365, 16618, 36029 + 200, 16974, 390), 0, 2, 2.25),
        ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, 3.01),
        ((0, 0, 0, 0, 5550), 0, 5, 111.82),
    ],
)
def test_the_normalized_ratio_of_pairs_is_fastchess_s(
    counts: tuple[int, ...], low: float, high: float, llr: float
) -> None:
    assert llr_normalized(counts, low, high) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "low", "high", "llr"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_logistic_ratio_of_pairs_is_fastchess_s(
    counts: tuple[int, ...], low: float, high: float, llr: float
) -> None:
    assert llr_logistic(counts, low, high) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "normalized", "error", "superior", "score"),
    [
        ((89, 123, 76), -20.76, 40.13, 0.1553, 0.477),
        ((96, 111, 136), 49.77, 36.77, 0.9960, 0.558),
        ((356, 0, 34), -508.44, 34.48, 0.0, 0.087),
        ((34, 54, 31 + 32, 64, 75), 57.94, 28.28, 1.0, 0.579),
        ((332, 433, 457 + 41, 333, 334), -9.17, 10.96, 0.0505, 0.488),
        ((7895, 8757, 5485 + 200, 568, 9999), -19.01, 2.65, 0.0, 0.470),
    ],
)
def test_normalized_elo_is_fastchess_s(
    counts: tuple[int, ...], normalized: float, error: float, superior: float, score: float
) -> None:
    estimate = strength(counts)
    assert estimate.normalized == pytest.approx(normalized, rel=0.01)
    assert estimate.normalized_error == pytest.approx(error, rel=0.01)
    assert estimate.superior == pytest.approx(superior, abs=5e-5)
    assert estimate.score == pytest.approx(score, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        ((96, 111, 136), 40.70, 30.43),
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_is_fastchess_s(counts: tuple[int, ...], elo: float, error: float) -> None:
    estimate = strength(counts)
    assert estimate.elo == pytest.approx(elo, rel=0.01)
    assert estimate.elo_error == pytest.approx(error, rel=0.01)


def test_elo_and_score_are_one_another_s_inverse() -> None:
    assert score_of(0) == 0.5
    assert elo_of(score_of(123.4)) == pytest.approx(123.4)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_no_strength_is_made_up_from_results_that_are_all_the_same() -> None:
    for counts in [(0, 0, 0), (0, 7, 0)]:
        with pytest.raises(ValueError, match=r"nothing|the same"):
            strength(counts)


def test_the_ratio_of_margins_is_that_of_two_normal_distributions() -> None:
    margins = [4.0, -2.0, 7.0, 1.0]
    spread = 45 / 4  # around their mean, 2.5

    def likelihood(mean: float) -> float:
        return -sum((margin - mean) ** 2 for margin in margins) / (2 * spread)

    assert llr_of_margins(margins, 0, 3) == pytest.approx(likelihood(3) - likelihood(0))


def test_margins_without_a_spread_decide_nothing() -> None:
    assert llr_of_margins([5.0], 0, 1) == 0
    assert llr_of_margins([5.0, 5.0], 0, 1) == 0


@pytest.mark.parametrize(
    ("low", "high", "model", "alpha"),
    [
        (1, 1, "points", 0.05),
        (0, 1, "bayesian", 0.05),
        (0, 1, "points", 0.0),
        (2, 1, "points", 0.1),
    ],
)
def test_bounds_that_are_no_test_are_refused(
    low: float, high: float, model: str, alpha: float
) -> None:
    with pytest.raises(ValueError, match=r"bound|model|rates"):
        Sprt(low, high, model, alpha)


def test_the_bounds_follow_from_the_error_rates() -> None:
    assert Sprt(0, 2).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 2).decision(2.94, 50) is None
    assert Sprt(0, 2).decision(2.95, 50) == "high"
    assert Sprt(0, 2).decision(-2.95, 50) == "low"


def test_nothing_is_decided_by_fewer_than_ten_deal_sets() -> None:
    assert Sprt(0, 2).decision(50.0, 9) is None
    assert Sprt(0, 2).decision(50.0, 10) == "high"


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "high"), (8.0, "low")])
def test_a_sequential_test_of_margins_seldom_decides_wrongly(truth: float, wrong: str) -> None:
    """At most the error rate of 5 %, but for chance and for a spread known from few sets."""
    random, sprt, runs = Random("margins"), Sprt(0, 8), 400
    decisions = []
    for _ in range(runs):
        margins: list[float] = []
        decision = None
        while decision is None:
            margins.append(random.gauss(truth, 16))
            decision = sprt.decision(sprt.llr(margins, ()), len(margins))
        decisions.append(decision)
    assert decisions.count(wrong) / runs < 0.085


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_a_sequential_test_of_scores_seldom_decides_wrongly(model: str) -> None:
    random, sprt, runs = Random("scores"), Sprt(0, 120, model), 60
    wrong = 0
    for _ in range(runs):
        counts, decision = [0] * 5, None
        while decision is None:
            counts[sum(random.random() < 0.5 for _ in range(4))] += 1
            decision = sprt.decision(sprt.llr((), counts), sum(counts))
        wrong += decision == "high"
    assert wrong / runs < 0.15
