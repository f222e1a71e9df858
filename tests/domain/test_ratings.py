"""Ratings: Weng and Lin 2011, algorithm 1, beside openskill, and the laws they keep."""

from __future__ import annotations

import math
import random
from itertools import permutations
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from tests.quick import examples
from tournaments.domain.ratings import (
    KAPPA,
    MOST_ORDERED,
    MU,
    NEWCOMER,
    SIGMA,
    VARIANCE,
    Estimate,
    MatchToRate,
    Ratings,
    is_contest,
    preview,
    share_of,
)

PEOPLE = 9
CLOSE = 1e-9

Sides = tuple[tuple[int, ...], ...]

SHAPES = st.sampled_from(((2, 2), (2, 2), (2, 2), (1, 1), (1, 1, 1), (2, 1), (1, 1, 1, 1)))


@st.composite
def matches(draw: st.DrawFn) -> MatchToRate:
    """A match of different people: pairs, single players, three or four at a table."""
    shape = draw(SHAPES)
    people = draw(st.permutations(range(PEOPLE)))
    sides, at = [], 0
    for seats in shape:
        sides.append(tuple(people[at : at + seats]))
        at += seats
    marks = draw(st.lists(st.integers(0, 3), min_size=len(shape), max_size=len(shape)))
    return MatchToRate(tuple(sides), tuple(marks))


HISTORIES = st.lists(matches(), max_size=40)


def openskill(history: list[MatchToRate]) -> list[tuple[float, float]]:
    """The same history through the library, without drift; a lower rank is better."""
    model: Any = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=SIGMA / 2, kappa=KAPPA, tau=0.0)
    people = [model.rating() for _ in range(PEOPLE)]
    for sides, marks in history:
        teams = [[people[person] for person in side] for side in sides]
        rated = model.rate(teams, ranks=[-mark for mark in marks])
        for side, team in zip(sides, rated, strict=True):
            for person, rating in zip(side, team, strict=True):
                people[person] = rating
    return [(rating.mu, rating.sigma) for rating in people]


def rated(history: list[MatchToRate], people: int = PEOPLE) -> Ratings:
    ratings = Ratings(people)
    for match in history:
        ratings.add(match)
    return ratings


def bits(ratings: Ratings) -> list[tuple[str, str, int]]:
    """The numbers to the last bit."""
    return [
        (mu.hex(), variance.hex(), count)
        for mu, variance, count in zip(ratings.mu, ratings.variance, ratings.matches, strict=True)
    ]


# --- The method ----------------------------------------------------------------------------------


@settings(max_examples=examples(150), deadline=None)
@given(HISTORIES)
def test_ratings_agree_with_openskill_to_a_billionth(history: list[MatchToRate]) -> None:
    ratings = rated(history)
    for person, (mu, sigma) in enumerate(openskill(history)):
        assert math.isclose(ratings[person].mu, mu, rel_tol=0, abs_tol=CLOSE)
        assert math.isclose(ratings[person].sigma, sigma, rel_tol=0, abs_tol=CLOSE)


def test_two_thousand_matches_of_pairs_agree_with_openskill_to_a_billionth() -> None:
    rng = random.Random("a long season")
    history = []
    for _ in range(2000):
        a, c, b, d = rng.sample(range(PEOPLE), 4)
        history.append(MatchToRate(((a, c), (b, d)), (rng.randint(0, 3), rng.randint(0, 3))))
    ratings = rated(history)
    for person, (mu, sigma) in enumerate(openskill(history)):
        assert abs(ratings[person].mu - mu) < CLOSE
        assert abs(ratings[person].sigma - sigma) < CLOSE


def test_the_first_match_of_newcomers_moves_them_as_the_paper_says() -> None:
    """One against one: c² = 2σ² + 2β², p = ½, so μ moves by σ²/2c and σ² by 1 - σ³/4c³."""
    ratings = rated([MatchToRate(((0,), (1,)), (1, 0))], 2)
    c = math.sqrt(2 * SIGMA**2 + 2 * (SIGMA / 2) ** 2)
    assert ratings.mu[0] == pytest.approx(MU + SIGMA**2 / (2 * c), abs=1e-12)
    assert ratings.mu[1] == pytest.approx(MU - SIGMA**2 / (2 * c), abs=1e-12)
    assert ratings.variance[0] == pytest.approx(VARIANCE * (1 - SIGMA**3 / (4 * c**3)))


@settings(max_examples=examples(150), deadline=None)
@given(HISTORIES)
def test_the_kernel_for_pairs_is_the_one_for_any_table_to_the_last_bit(
    history: list[MatchToRate],
) -> None:
    through_the_table = Ratings(PEOPLE)
    for match in history:
        through_the_table._add_table(*match)
    assert bits(through_the_table) == bits(rated(history))


# --- A pure function of the matches in their order -----------------------------------------------


@settings(max_examples=examples(150), deadline=None)
@given(HISTORIES, st.integers(0, 40))
def test_match_by_match_or_all_again_gives_the_same_to_the_last_bit(
    history: list[MatchToRate], stop: int
) -> None:
    ratings = Ratings(PEOPLE)
    for match in history[:stop]:
        ratings.add(match)
    stored_ratings = Ratings()  # as a database keeps them: number by number
    for mu, variance, count in zip(ratings.mu, ratings.variance, ratings.matches, strict=True):
        stored_ratings.add_player(mu, variance, count)
    for match in history[stop:]:
        stored_ratings.add(match)
    assert bits(stored_ratings) == bits(rated(history))


@settings(max_examples=examples(100), deadline=None)
@given(HISTORIES)
def test_only_who_sat_at_the_table_changes(history: list[MatchToRate]) -> None:
    ratings = Ratings(PEOPLE)
    for match in history:
        before = bits(ratings)
        ratings.add(match)
        seated = {person for side in match.sides for person in side}
        for person, (old, new) in enumerate(zip(before, bits(ratings), strict=True)):
            assert (old != new) == (person in seated)


@settings(max_examples=examples(100), deadline=None)
@given(HISTORIES)
def test_nobody_becomes_less_sure_by_playing(history: list[MatchToRate]) -> None:
    ratings = Ratings(PEOPLE)
    for match in history:
        before = list(ratings.variance)
        ratings.add(match)
        assert all(0 < new <= old for new, old in zip(ratings.variance, before, strict=True))


@settings(max_examples=examples(100), deadline=None)
@given(HISTORIES, matches())
def test_the_order_in_which_the_sides_are_reported_does_not_matter(
    history: list[MatchToRate], last: MatchToRate
) -> None:
    ratings = rated([*history, last])
    turned = rated([*history, MatchToRate(last.sides[::-1], last.marks[::-1])])
    for person in range(PEOPLE):
        assert turned.mu[person] == pytest.approx(ratings.mu[person], abs=1e-9)
        assert turned.variance[person] == pytest.approx(ratings.variance[person], abs=1e-9)


# --- Shares --------------------------------------------------------------------------------------


def test_how_high_a_person_wins_says_nothing() -> None:
    narrow, wide = MatchToRate(((0, 1), (2, 3)), (3, 2)), MatchToRate(((0, 1), (2, 3)), (3, 0))
    assert bits(rated([narrow], 4)) == bits(rated([wide], 4))


@given(st.integers(0, 300), st.integers(0, 300))
def test_two_sides_share_a_match_between_them(mine: int, other: int) -> None:
    assert share_of(mine, other) + share_of(other, mine) == 1
    assert 0 <= share_of(mine, other) <= 1


def test_a_tie_of_equals_moves_nobody_but_makes_all_surer() -> None:
    ratings = rated([MatchToRate(((0,), (1,), (2,)), (1, 1, 1))], 3)
    assert ratings.mu == [MU, MU, MU]
    assert all(variance < VARIANCE for variance in ratings.variance)


# --- Who sits where ------------------------------------------------------------------------------


def test_a_bot_at_both_seats_learns_once_what_a_partner_would_learn() -> None:
    alone = rated([MatchToRate(((0, 0), (1, 2)), (0, 3))], 3)
    partners = rated([MatchToRate(((0, 3), (1, 2)), (0, 3))], 4)
    assert bits(alone) == bits(partners)[:3]


def test_a_match_against_oneself_is_no_contest() -> None:
    assert is_contest(((0, 1), (2, 3)))
    assert is_contest(((0, 0), (1, 1)))
    assert not is_contest(((0, 1), (1, 2)))
    assert not is_contest(((0, 0), (0, 0)))
    assert not is_contest(((0, 1),))
    assert not is_contest(((0,), ()))


# --- What people see -----------------------------------------------------------------------------


def test_a_newcomer_is_shown_at_a_thousand_and_is_provisional() -> None:
    assert (NEWCOMER.shown, NEWCOMER.margin, NEWCOMER.is_provisional) == (1000, 667, True)


@pytest.mark.parametrize(
    ("sides", "least"), [(((0, 1), (2, 3)), 17), (((0,), (1,)), 10)], ids=["pairs", "one to one"]
)
def test_a_rating_is_provisional_for_the_first_evenings(sides: Sides, least: int) -> None:
    ratings = Ratings(4)
    for number in range(least):
        assert ratings[0].is_provisional
        ratings.add(MatchToRate(sides, (number % 2, 1 - number % 2)))
    assert not ratings[0].is_provisional
    assert ratings[0].margin <= 500


# --- Before a match ------------------------------------------------------------------------------


@settings(max_examples=examples(100), deadline=None)
@given(HISTORIES, matches())
def test_each_result_foreseen_is_what_comes_of_it(
    history: list[MatchToRate], next_: MatchToRate
) -> None:
    ratings = rated(history)
    before = bits(ratings)
    forecast = preview(ratings, next_.sides)
    assert bits(ratings) == before
    for outcome in forecast.outcomes:
        came = rated([*history, MatchToRate(next_.sides, outcome.marks)])
        assert outcome.after == tuple(
            tuple(came[person] for person in side) for side in next_.sides
        )


@settings(max_examples=examples(100), deadline=None)
@given(HISTORIES, matches())
def test_the_chances_of_a_table_sum_to_one(history: list[MatchToRate], next_: MatchToRate) -> None:
    forecast = preview(rated(history), next_.sides)
    assert sum(forecast.chances) == pytest.approx(1.0)
    if len(next_.sides) > MOST_ORDERED:  # not every order is listed
        return
    orders = [outcome.chance for outcome in forecast.outcomes if outcome.chance is not None]
    assert sum(orders) == pytest.approx(1.0)
    for side, chance in enumerate(forecast.chances):
        first = sum(
            outcome.chance
            for outcome in forecast.outcomes
            if outcome.chance is not None and max(outcome.marks) == outcome.marks[side]
        )
        assert first == pytest.approx(chance)


@settings(max_examples=examples(60), deadline=None)
@given(HISTORIES)
def test_what_a_pair_may_expect_is_what_the_rating_is_set_against(
    history: list[MatchToRate],
) -> None:
    """A result equal to the chance moves nobody: so the chance shown is the model's own."""
    ratings = rated(history)
    sides = ((0, 1), (2, 3))
    chance = preview(ratings, sides).chances[0]
    before = ratings.mu[0]
    with mock.patch("tournaments.domain.ratings.share_of", return_value=chance):
        ratings.add(MatchToRate(sides, (0, 0)))
    assert ratings.mu[0] == pytest.approx(before, abs=1e-9)


def test_of_two_sides_a_win_a_tie_and_a_loss_are_foreseen() -> None:
    forecast = preview(Ratings(4), ((0, 1), (2, 3)))
    assert [outcome.marks for outcome in forecast.outcomes] == [(1, 0), (0, 0), (0, 1)]
    assert [outcome.chance for outcome in forecast.outcomes] == [0.5, None, 0.5]
    assert forecast.before == ((NEWCOMER, NEWCOMER), (NEWCOMER, NEWCOMER))


def test_of_three_sides_every_order_is_foreseen_and_all_level() -> None:
    forecast = preview(Ratings(3), ((0,), (1,), (2,)))
    orders = [outcome.marks for outcome in forecast.outcomes[:-1]]
    assert sorted(orders) == sorted(permutations((0, 1, 2)))
    assert [outcome.chance for outcome in forecast.outcomes[:-1]] == [pytest.approx(1 / 6)] * 6
    assert forecast.outcomes[-1].marks == (0, 0, 0)


def test_a_favourite_gains_less_by_winning_than_they_lose_by_losing() -> None:
    ratings = Ratings()
    strong, weak = ratings.add_player(mu=35.0), ratings.add_player(mu=20.0)
    won, _tie, lost = preview(ratings, ((strong,), (weak,))).outcomes
    assert won.after[0][0].mu - 35.0 < 35.0 - lost.after[0][0].mu
    assert preview(ratings, ((strong,), (weak,))).chances[0] > 0.5
    assert Estimate(35.0, SIGMA).shown == 1400
