"""Computes ratings, estimated strength and its uncertainty, from matches in their order.

The method is the Bradley-Terry model with full pairing of Weng and Lin, "A Bayesian Approximation
Method for Online Ranking", Journal of Machine Learning Research 12 (2011), algorithm 1. People are
rated; the strength of a side is the sum over its seats. A player at both seats of a side (a bot)
counts twice in its strength and is updated once, as either of two equal partners would be.

Ratings are a pure function of the matches in their order: matches added one by one, or all again
from the first, give the same numbers to the last bit.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, sqrt
from typing import Final, NamedTuple

MU: Final = 25.0
"""What everybody starts from."""
SIGMA: Final = MU / 3
"""How unsure that is: a standard deviation."""
VARIANCE: Final = SIGMA * SIGMA
BETA: Final = SIGMA / 2
"""How much a seat's play differs from match to match: a standard deviation. There is no drift
(tau 0): who does not play is neither better nor less sure."""
KAPPA: Final = 1e-4
"""No match takes more of a variance than all but this share."""

DISPLAY_SCALE: Final = 40.0
"""Shown numbers are this many times the internal ones: everybody starts at 1000."""
PROVISIONAL_ABOVE: Final = SIGMA * 3 / 4
"""A rating with a larger standard deviation (shown: an interval wider than ±500) is provisional:
about eighteen matches in pairs, or eleven one against one."""

_NOISE: Final = 2 * BETA * BETA


def share_of(mark: float, other: float) -> float:
    """Return the share of a match that the first of two marks takes; the margin is ignored."""
    if mark == other:
        return 0.5
    return 1.0 if mark > other else 0.0


class MatchToRate(NamedTuple):
    """A match as ratings see it.

    ``sides`` are the people at the seats of each side, by index; ``marks`` what each side made,
    more being better (hands won, or points). Nobody may sit on two sides (`is_contest`).
    """

    sides: tuple[tuple[int, ...], ...]
    marks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating: ``mu`` and the standard deviation ``sigma``, both internal."""

    mu: float
    sigma: float

    @property
    def shown(self) -> int:
        """The number that people see."""
        return round(DISPLAY_SCALE * self.mu)

    @property
    def margin(self) -> int:
        """Twice the standard deviation as people see it: of ``shown`` ± ``margin``."""
        return round(2 * DISPLAY_SCALE * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Too unsure to rank anybody by."""
        return self.sigma > PROVISIONAL_ABOVE


NEWCOMER: Final = Estimate(MU, SIGMA)


class Ratings:
    """The ratings of people 0, 1, 2 …, in flat lists: ``mu``, ``variance``, ``matches`` played."""

    __slots__ = ("matches", "mu", "variance")

    def __init__(self, people: int = 0) -> None:
        self.mu: list[float] = [MU] * people
        self.variance: list[float] = [VARIANCE] * people
        self.matches: list[int] = [0] * people

    def add_player(self, mu: float = MU, variance: float = VARIANCE, matches: int = 0) -> int:
        """Add a player, new or with an earlier rating; returns their index."""
        self.mu.append(mu)
        self.variance.append(variance)
        self.matches.append(matches)
        return len(self.mu) - 1

    def __getitem__(self, person: int) -> Estimate:
        return Estimate(self.mu[person], sqrt(self.variance[person]))

    def add(self, match: MatchToRate) -> None:
        """Let everybody at the table learn from a match.

        IndexError for people who have not entered.
        """
        sides, marks = match
        if len(sides) == 2:
            home, away = sides
            if len(home) == 2 == len(away):
                self._add_pairs(*home, *away, share_of(*marks))
                return
        self._add_table(sides, marks)

    def _add_pairs(self, a: int, c: int, b: int, d: int, share: float) -> None:
        """Add a match of A and C against B and D: the table's kernel, written out."""
        mu, variance, matches = self.mu, self.variance, self.matches
        mu_a, mu_b, mu_c, mu_d = mu[a], mu[b], mu[c], mu[d]
        var_a, var_b, var_c, var_d = variance[a], variance[b], variance[c], variance[d]
        home, away = var_a + var_c, var_b + var_d
        spread = home + away + _NOISE
        root = sqrt(spread)
        chance = 1.0 / (1.0 + exp((mu_b + mu_d - (mu_a + mu_c)) / root))
        pull = (share - chance) / root
        narrow = chance * (1.0 - chance) / (spread * root)
        mu[a], mu[c] = mu_a + var_a * pull, mu_c + var_c * pull
        mu[b], mu[d] = mu_b - var_b * pull, mu_d - var_d * pull
        at_home, at_away = narrow * sqrt(home), narrow * sqrt(away)
        left_a, left_c = 1.0 - var_a * at_home, 1.0 - var_c * at_home
        left_b, left_d = 1.0 - var_b * at_away, 1.0 - var_d * at_away
        variance[a] = var_a * max(left_a, KAPPA)
        variance[b] = var_b * max(left_b, KAPPA)
        variance[c] = var_c * max(left_c, KAPPA)
        variance[d] = var_d * max(left_d, KAPPA)
        count_a, count_b = matches[a] + 1, matches[b] + 1
        matches[c] += 1
        matches[d] += 1
        matches[a], matches[b] = count_a, count_b

    def _add_table(self, sides: Sequence[tuple[int, ...]], marks: Sequence[float]) -> None:
        """Add a match of any number of sides, each paired with each (algorithm 1, step 2)."""
        strength, spread = self.strengths(sides)
        pulls, narrows = [0.0] * len(sides), [0.0] * len(sides)
        for i in range(len(sides)):
            for q in range(i + 1, len(sides)):
                total_variance = spread[i] + spread[q] + _NOISE
                root = sqrt(total_variance)
                chance = 1.0 / (1.0 + exp((strength[q] - strength[i]) / root))
                pull = (share_of(marks[i], marks[q]) - chance) / root
                narrow = chance * (1.0 - chance) / (total_variance * root)
                pulls[i] += pull
                pulls[q] -= pull
                narrows[i] += narrow * sqrt(spread[i])
                narrows[q] += narrow * sqrt(spread[q])
        for side, pull, narrow in zip(sides, pulls, narrows, strict=True):
            for person in dict.fromkeys(side):
                variance = self.variance[person]
                self.mu[person] += variance * pull
                self.variance[person] = variance * max(1.0 - variance * narrow, KAPPA)
                self.matches[person] += 1

    def strengths(self, sides: Sequence[tuple[int, ...]]) -> tuple[list[float], list[float]]:
        """Return the sum of ``mu`` and of the variances of each side."""
        strength = [sum(self.mu[person] for person in side) for side in sides]
        return strength, [sum(self.variance[person] for person in side) for side in sides]


@dataclass(frozen=True, slots=True)
class PossibleResult:
    """A way in which a match can end, and what it would do.

    ``marks`` stand for the result: the higher the better, level for a tie. ``chance`` is how likely
    that order of the sides is, ``None`` for a tie (the model has none). ``after`` are the ratings
    that the people at each side would have, in the order of the seats.
    """

    marks: tuple[int, ...]
    chance: float | None
    after: tuple[tuple[Estimate, ...], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A match before it is played: what each side may expect of it, and every way it can end.

    ``chances`` sum to 1; a tie between two sides counts as half a win.
    """

    chances: tuple[float, ...]
    before: tuple[tuple[Estimate, ...], ...]
    outcomes: tuple[PossibleResult, ...]


MOST_ORDERED: Final = 3
"""Sides of which `preview` lists every order; of five there are 120."""


def preview(ratings: Ratings, sides: Sequence[tuple[int, ...]]) -> Preview:
    """Return the rating change for each result of a match; the ratings themselves stay.

    Of two sides: the first wins, a tie, the second wins. Of three: every order, then all level. Of
    more: for each place each side on it, the others as they are expected, then all level. The
    chances are those of Luce's model with one scale for the table (the Plackett-Luce form of the
    same paper), which for two sides is exactly the model that the ratings follow.
    """
    weights = _weights(ratings, sides)
    outcomes = []
    for marks in _results(weights):
        tied = len(set(marks)) < len(marks)
        chance = None if tied else _chance(marks, weights)
        outcomes.append(PossibleResult(marks, chance, _updated_ratings(ratings, sides, marks)))
    total = sum(weights)
    before = tuple(tuple(ratings[person] for person in side) for side in sides)
    return Preview(tuple(weight / total for weight in weights), before, tuple(outcomes))


def is_contest(sides: Sequence[Sequence[Hashable]]) -> bool:
    """Tell whether a match can be rated: two sides or more, and nobody sits on two of them."""
    people = [person for side in sides for person in set(side)]
    return len(sides) > 1 and all(sides) and len(people) == len(set(people))


def _results(weights: Sequence[float]) -> list[tuple[int, ...]]:
    """Return marks for the orders of the sides and for all level, as `preview` lists them."""
    sides = len(weights)
    level = (0,) * sides
    if sides == 2:
        return [(1, 0), level, (0, 1)]
    orders: Iterable[tuple[int, ...]] = permutations(range(sides))
    if sides > MOST_ORDERED:
        expected = sorted(range(sides), key=lambda side: (-weights[side], side))
        others = {side: [other for other in expected if other != side] for side in range(sides)}
        orders = (
            (*others[side][:place], side, *others[side][place:])
            for place in range(sides)
            for side in range(sides)
        )
    return [
        *(tuple(sides - 1 - order.index(side) for side in range(sides)) for order in orders),
        level,
    ]


def _weights(ratings: Ratings, sides: Sequence[tuple[int, ...]]) -> list[float]:
    """Return the weight of each side in Luce's model."""
    strength, spread = ratings.strengths(sides)
    scale = sqrt(sum(spread) + len(sides) * BETA * BETA)
    max_strength = max(strength)
    return [exp((mu - max_strength) / scale) for mu in strength]


def _chance(marks: Sequence[int], weights: Sequence[float]) -> float:
    """Return the probability of an order: each place drawn by weight from those left."""
    order = sorted(range(len(marks)), key=lambda side: -marks[side])
    chance, total_weight = 1.0, sum(weights)
    for side in order[:-1]:
        chance *= weights[side] / total_weight
        total_weight -= weights[side]
    return chance


def _updated_ratings(
    ratings: Ratings, sides: Sequence[tuple[int, ...]], marks: tuple[int, ...]
) -> tuple[tuple[Estimate, ...], ...]:
    """Return the ratings after a result, of nobody but those at the table."""
    table = Ratings()
    seats = {person: None for side in sides for person in side}
    indexes = {
        person: table.add_player(ratings.mu[person], ratings.variance[person]) for person in seats
    }
    seated_sides = tuple(tuple(indexes[person] for person in side) for side in sides)
    table.add(MatchToRate(seated_sides, marks))
    return tuple(tuple(table[person] for person in side) for side in seated_sides)
