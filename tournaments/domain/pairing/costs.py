"""The costs of a Swiss pairing, criterion by criterion, for any two of a pool of entrants.

The pool is in seeding order and its entrants are nodes 0, 1, 2 ...; when they are odd in number one
more node is the bye. Scores are counted in half match points, or in smaller equal parts where some
entrant has a smaller fraction; the bye's score is half a point below nothing, so that it costs
(2 x points + 1)². The order of :data:`CRITERIA` is that of their weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tournaments.domain.pairing.matching import Integers, perfect_matching

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from tournaments.domain.pairing.past import Past
    from tournaments.domain.rows import Entrant

CRITERIA: Final = ("clashes", "byes_again", "score_gaps", "repeats", "deal", "fold", "seeds")
"""The sums that are minimised, the first one first.

- ``clashes``: how often the two have met before, and 1 more when they are to be kept apart.
- ``byes_again``: how often the one who rests has rested before.
- ``score_gaps``: the squared difference of the scores.
- ``repeats``: one each for floating down again, floating up again, and for the same club.
- ``deal``: for each of the two, the square of the difference beyond one between their times on the
  first side and on the others, when the two are seated the better way.
- ``fold``: inside a score group, how far the distance of the two is from half the group, as the
  top half meets the bottom half; otherwise how many entrants are between the two.
- ``seeds``: the squared distance of the two in seeding order, which keeps the better with the
  better where nothing else decides.
"""

WIDER: Final = 4
"""How much the bound on the score gaps grows when no pairing was found below it."""

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pool:
    """Those who are to be paired, as arrays by node; the last node is the bye when ``odd``."""

    who: tuple[int, ...]
    odd: bool
    scores: Integers
    group: Integers
    half: Integers
    standing: Integers
    clashes: Integers
    rests: Integers
    down: NDArray[np.bool_]
    up: NDArray[np.bool_]
    club: Integers
    balance: Integers

    @property
    def nodes(self) -> int:
        """The entrants, and the bye."""
        return len(self.who) + self.odd


def pool(who: Sequence[int], entrants: Mapping[int, Entrant], past: Past) -> Pool:
    """Return the data of the entrants that the costs need, given in seeding order."""
    odd = bool(len(who) % 2)
    doubled = [2 * past.score(one) for one in who]
    unit = lcm(*(score.denominator for score in doubled))
    scores = [int(score * unit) for score in doubled]
    levels, group, sizes = np.unique(
        np.array(scores, np.int64), return_inverse=True, return_counts=True
    )
    standing = np.empty(len(who), np.int64)
    standing[np.lexsort((np.arange(len(who)), -np.array(scores, np.int64)))] = np.arange(len(who))
    rest = [0] * odd
    return Pool(
        who=tuple(who),
        odd=odd,
        scores=_integers([*scores, *(-unit for _ in rest)]),
        group=_integers([*group.tolist(), *(len(levels) for _ in rest)]),
        half=_integers([*(sizes // 2)[group].tolist(), *rest]),
        standing=_integers([*standing.tolist(), *(len(who) for _ in rest)]),
        clashes=_clashes(who, entrants, past, len(who) + odd),
        rests=_integers([*(len(past.rests.get(one, ())) for one in who), *rest]),
        down=np.array([*(one in past.down for one in who), *rest], bool),
        up=np.array([*(one in past.up for one in who), *rest], bool),
        club=_integers([*_clubs(who, entrants), *(-1 for _ in rest)]),
        balance=_integers([*map(past.balance, who), *rest]),
    )


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, np.int64)


def _clubs(who: Sequence[int], entrants: Mapping[int, Entrant]) -> Iterator[int]:
    """Number the clubs; an entrant without one is a club of their own."""
    numbers: dict[str, int] = {}
    for node, one in enumerate(who):
        club = entrants[one].club
        yield len(who) + numbers.setdefault(club, len(numbers)) if club else node


def _clashes(
    who: Sequence[int], entrants: Mapping[int, Entrant], past: Past, nodes: int
) -> Integers:
    """Return the first criterion as a table of nodes by nodes."""
    found = np.zeros((nodes, nodes), np.int64)
    node = {one: index for index, one in enumerate(who)}
    for (one, other), rounds in past.met.items():
        if one in node and other in node:
            found[node[one], node[other]] = found[node[other], node[one]] = len(rounds)
    labels: dict[str, list[int]] = {}
    for one in who:
        for label in entrants[one].apart:
            labels.setdefault(label, []).append(node[one])
    kept = {pair for together in labels.values() for pair in combinations(together, 2)}
    for one, other in kept:
        found[one, other] += 1
        found[other, one] += 1
    return found


def criteria(pool: Pool, first: Integers, second: Integers) -> list[Integers]:
    """Return the criteria of the edges from ``first[k]`` to ``second[k]``, ``first`` < ``second``.

    In the order of :data:`CRITERIA`.
    """
    bye = (second == len(pool.who)) if pool.odd else np.zeros(len(first), bool)
    gap = pool.scores[first] - pool.scores[second]
    upper, lower = np.where(gap >= 0, first, second), np.where(gap >= 0, second, first)
    floats = gap != 0
    apart = np.abs(pool.standing[first] - pool.standing[second])
    level = pool.group[first] == pool.group[second]
    repeats = (
        (floats & pool.down[upper]).astype(np.int64)
        + (floats & pool.up[lower])
        + (pool.club[first] == pool.club[second])
    )
    return [
        pool.clashes[first, second],
        np.where(bye, pool.rests[first], 0),
        gap**2,
        repeats,
        np.where(bye, 0, _deal(pool.balance[first], pool.balance[second])),
        np.where(level, np.abs(apart - pool.half[first]), apart - 1),
        (first - second) ** 2,
    ]


def _deal(one: Integers, other: Integers) -> Integers:
    """Return how unequal the deal becomes when the one who is behind sits on the first side."""
    behind, ahead = np.minimum(one, other) + 1, np.maximum(one, other) - 1
    excess: Integers = (
        np.maximum(np.abs(behind) - 1, 0) ** 2 + np.maximum(np.abs(ahead) - 1, 0) ** 2
    )
    return excess


def cheapest(pool: Pool) -> list[Edge]:
    """Return the cheapest pairing of a pool as pairs of nodes, lower node first.

    Almost always all can be paired without a clash or a second bye, and with small differences
    of score; the other edges need not be looked at. With a bound B on the sum of ``score_gaps`` an
    edge is left out when no pairing that holds it stays within B (`_least_gaps`). A pairing that is
    found and stays within B is the cheapest of all, since every other one as cheap in the
    first three criteria consists of edges that were kept. Otherwise B grows, and where there is
    no pairing without a clash all edges come in.
    """
    first, second = np.triu_indices(pool.nodes, 1)
    legal = pool.clashes[first, second] == 0
    if pool.odd:
        legal &= (second != len(pool.who)) | (pool.rests[first] == 0)
    least, bound = _least_gaps(pool, first, second)
    most = int(least[legal].max(initial=-1))
    while True:
        kept = legal & (least <= bound)
        one, other = first[kept], second[kept]
        found = perfect_matching(pool.nodes, one, other, criteria(pool, one, other))
        gaps = None if found is None else sum(_gap(pool, edge) for edge in found)
        if found is not None and gaps is not None and (gaps <= bound or bound >= most):
            return found
        if bound >= most:
            break
        bound = WIDER * int(least[legal & (least > bound)].min()) if gaps is None else gaps
    found = perfect_matching(pool.nodes, first, second, criteria(pool, first, second))
    assert found is not None  # noqa: S101 - all edges are there, and the nodes are even
    return found


def _gap(pool: Pool, edge: Edge) -> int:
    return int(pool.scores[edge[0]] - pool.scores[edge[1]]) ** 2


def _least_gaps(pool: Pool, first: Integers, second: Integers) -> tuple[Integers, int]:
    """Return lower bounds on the score gaps of a pairing: with each edge, and with any.

    Between two neighbouring scores an odd number of pairs reaches across when an odd number of
    nodes is above them, an even number otherwise. A pair that reaches across several steps costs
    the square of their sum, which is no less than the sum of their squares. So any pairing costs
    the squares of the odd steps; one with a given edge costs that edge's square, the squares of
    the odd steps outside it, and of the even steps under it, which something must cross again.
    """
    levels, sizes = np.unique(pool.scores, return_counts=True)
    squares = np.diff(levels) ** 2
    odd = np.cumsum(sizes)[:-1] % 2 == 1
    any_ = int(squares[odd].sum())
    upto: NDArray[Any] = np.concatenate(([0], np.cumsum(np.where(odd, -squares, squares))))
    at = np.searchsorted(levels, pool.scores)
    signed = upto[np.maximum(at[first], at[second])] - upto[np.minimum(at[first], at[second])]
    return (pool.scores[first] - pool.scores[second]) ** 2 + any_ + signed, any_


def sums(pool: Pool, edges: Sequence[Edge]) -> list[int]:
    """Return the sums of the criteria over a pairing, in the order of :data:`CRITERIA`."""
    nodes = np.array(edges, np.int64).reshape(-1, 2)
    return [int(values.sum()) for values in criteria(pool, nodes[:, 0], nodes[:, 1])]
