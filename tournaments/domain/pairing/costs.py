"""The costs of a Swiss pairing, criterion by criterion, for any two of a pool of entrants.

The pool is in seeding order and its entrants are nodes 0, 1, 2 ...; when they are odd in number one
more node is the bye. Scores are counted in half match points, or in smaller equal parts where some
entrant has a smaller fraction; the bye's score is half a point below nothing, so that it costs (2 x
points + 1)² where the stage's rule is `ByeRule.GAPS`; by `ByeRule.LOWEST` the score of the one who
has the bye is a criterion of its own and the bye makes no gap. Where a stage is paired by its table
(`PairedBy.TABLE`), places count instead of scores, and a bye by `ByeRule.LOWEST`. The order of
:data:`CRITERIA`, or of :data:`WITH_BYE_SCORE`, is that of their weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import lcm
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tournaments.domain.pairing.matching import Integers, perfect_matching
from tournaments.domain.pairing.past import StageHistory
from tournaments.domain.rows import ByeRule, Entrant, Points

if TYPE_CHECKING:
    from numpy.typing import NDArray

CRITERIA: Final = ("clashes", "byes_again", "score_gaps", "repeats", "deal", "fold", "seeds")
"""The sums that are minimised, the first one first.

- ``clashes``: how often the two have met before, and 1 more when they are to be kept apart.
- ``byes_again``: how many byes the one with the bye has had before.
- ``score_gaps``: the squared difference of the scores.
- ``repeats``: one each for floating down again, floating up again, and for the same club.
- ``deal``: for each of the two, the square of the difference beyond one between their times on the
  first side and on the others, when the two are seated the better way.
- ``fold``: inside a score group, how far the distance of the two is from half the group, as the
  top half meets the bottom half; otherwise how many entrants are between the two.
- ``seeds``: the squared distance of the two in seeding order, which keeps the better with the
  better where nothing else decides.
"""

WITH_BYE_SCORE: Final = (*CRITERIA[:2], "bye_score", *CRITERIA[2:])
"""The sums that are minimised by `ByeRule.LOWEST`: ``bye_score`` is that of who has the bye."""

WIDER: Final = 4
"""How much the bound on the score gaps grows when no pairing was found below it."""

Edge = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pool:
    """Those who are to be paired, as arrays by node; the last node is the bye when ``odd``."""

    entrants: tuple[int, ...]
    odd: bool
    scores: Integers
    group: Integers
    half: Integers
    standing: Integers
    clashes: Integers
    byes: Integers
    down: NDArray[np.bool_]
    up: NDArray[np.bool_]
    club: Integers
    balance: Integers
    rule: ByeRule = ByeRule.GAPS

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the criteria."""
        return CRITERIA if self.rule is ByeRule.GAPS else WITH_BYE_SCORE

    @property
    def lowest_bye(self) -> bool:
        """Whether an entrant has a bye, and the score decides which, before the differences do."""
        return self.odd and self.rule is ByeRule.LOWEST

    @property
    def nodes(self) -> int:
        """The entrants, and the bye."""
        return len(self.entrants) + self.odd


def pool(
    players: Sequence[int],
    entrants: Mapping[int, Entrant],
    history: StageHistory,
    rule: ByeRule = ByeRule.GAPS,
    scores: Mapping[int, Points] | None = None,
) -> Pool:
    """Return the data of the entrants that the costs need, given in seeding order.

    ``scores`` are those that count instead of their match points.
    """
    odd = bool(len(players) % 2)
    points = history.scores if scores is None else scores
    doubled = [2 * points.get(player, Points(0)) for player in players]
    unit = lcm(*(score.denominator for score in doubled))
    units = [int(score * unit) for score in doubled]
    levels, group, sizes = np.unique(
        np.array(units, np.int64), return_inverse=True, return_counts=True
    )
    standing = np.empty(len(players), np.int64)
    standing[np.lexsort((np.arange(len(players)), -np.array(units, np.int64)))] = np.arange(
        len(players)
    )
    rest = [0] * odd
    return Pool(
        entrants=tuple(players),
        odd=odd,
        scores=_integers([*units, *(-unit for _ in rest)]),
        group=_integers([*group.tolist(), *(len(levels) for _ in rest)]),
        half=_integers([*(sizes // 2)[group].tolist(), *rest]),
        standing=_integers([*standing.tolist(), *(len(players) for _ in rest)]),
        clashes=_clashes(players, entrants, history, len(players) + odd),
        byes=_integers([*(len(history.byes.get(player, ())) for player in players), *rest]),
        down=np.array([*(player in history.down for player in players), *rest], bool),
        up=np.array([*(player in history.up for player in players), *rest], bool),
        club=_integers([*_clubs(players, entrants), *(-1 for _ in rest)]),
        balance=_integers([*map(history.balance, players), *rest]),
        rule=rule,
    )


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, np.int64)


def _clubs(players: Sequence[int], entrants: Mapping[int, Entrant]) -> Iterator[int]:
    """Number the clubs; an entrant without one is a club of their own."""
    numbers: dict[str, int] = {}
    for node, player in enumerate(players):
        club = entrants[player].club
        yield len(players) + numbers.setdefault(club, len(numbers)) if club else node


def _clashes(
    players: Sequence[int], entrants: Mapping[int, Entrant], history: StageHistory, nodes: int
) -> Integers:
    """Return the first criterion as a table of nodes by nodes."""
    clashes = np.zeros((nodes, nodes), np.int64)
    node = {player: index for index, player in enumerate(players)}
    for (player, other), rounds in history.meeting_rounds.items():
        if player in node and other in node:
            clashes[node[player], node[other]] = clashes[node[other], node[player]] = len(rounds)
    labels: dict[str, list[int]] = {}
    for player in players:
        for label in entrants[player].apart:
            labels.setdefault(label, []).append(node[player])
    pairs = {pair for together in labels.values() for pair in combinations(together, 2)}
    for first, other in pairs:
        clashes[first, other] += 1
        clashes[other, first] += 1
    return clashes


def criteria(pool: Pool, first: Integers, second: Integers) -> list[Integers]:
    """Return the criteria of the edges from ``first[k]`` to ``second[k]``, ``first`` < ``second``.

    In the order of `Pool.names`.
    """
    bye = (second == len(pool.entrants)) if pool.odd else np.zeros(len(first), bool)
    gap = pool.scores[first] - pool.scores[second]
    upper, lower = np.where(gap >= 0, first, second), np.where(gap >= 0, second, first)
    floats = (gap != 0) | bye
    if pool.rule is ByeRule.LOWEST:
        gap = np.where(bye, 0, gap)
    distance = np.abs(pool.standing[first] - pool.standing[second])
    level = pool.group[first] == pool.group[second]
    repeats = (
        (floats & pool.down[upper]).astype(np.int64)
        + (floats & pool.up[lower])
        + (pool.club[first] == pool.club[second])
    )
    bye_score = [np.where(bye, pool.scores[first], 0)] if pool.rule is ByeRule.LOWEST else []
    return [
        pool.clashes[first, second],
        np.where(bye, pool.byes[first], 0),
        *bye_score,
        gap**2,
        repeats,
        np.where(bye, 0, _deal(pool.balance[first], pool.balance[second])),
        np.where(level, np.abs(distance - pool.half[first]), distance - 1),
        (first - second) ** 2,
    ]


def _deal(balance: Integers, other: Integers) -> Integers:
    """Return how unequal the deal becomes when the one who is behind sits on the first side."""
    behind, ahead = np.minimum(balance, other) + 1, np.maximum(balance, other) - 1
    excess: Integers = (
        np.maximum(np.abs(behind) - 1, 0) ** 2 + np.maximum(np.abs(ahead) - 1, 0) ** 2
    )
    return excess


def cheapest(pool: Pool, bye_nodes: Sequence[int] | None = None) -> list[Edge]:
    """Return the cheapest pairing of a pool as pairs of nodes, lower node first.

    ``bye_nodes`` are those that may have the bye, by default all. Almost always all can be paired
    without a clash or a second bye; the other edges need not be looked at then. Where the score
    decides who rests, the lowest score comes first at which that is possible.
    """
    first, second = _edges(pool, bye_nodes)
    legal = pool.clashes[first, second] == 0
    if not pool.odd:
        edges = _within_bounds(pool, first[legal], second[legal])
    elif pool.lowest_bye:
        edges = _with_lowest_bye(pool, first[legal], second[legal])
    else:
        legal &= (second != len(pool.entrants)) | (pool.byes[first] == 0)
        edges = _within_bounds(pool, first[legal], second[legal])
    if edges is None:
        edges = perfect_matching(pool.nodes, first, second, criteria(pool, first, second))
    assert edges is not None  # noqa: S101 - all edges are there, and the nodes are even
    return edges


def fewest_clashes(pool: Pool, bye_nodes: Sequence[int]) -> list[Edge]:
    """Return a pairing in which one of some nodes has the bye, with as few clashes as possible."""
    first, second = _edges(pool, bye_nodes)
    edges = perfect_matching(pool.nodes, first, second, [pool.clashes[first, second]])
    assert edges is not None  # noqa: S101 - only byes of other nodes are left out
    return edges


def _edges(pool: Pool, bye_nodes: Sequence[int] | None) -> tuple[Integers, Integers]:
    """Return all edges, without the byes of others than the nodes that may have one."""
    first, second = np.triu_indices(pool.nodes, 1)
    if not pool.odd or bye_nodes is None:
        return first, second
    mask = (second != len(pool.entrants)) | np.isin(first, bye_nodes)
    return first[mask], second[mask]


def _with_lowest_bye(pool: Pool, first: Integers, second: Integers) -> list[Edge] | None:
    """Return the cheapest pairing of these edges, by `ByeRule.LOWEST`; None without one.

    Who has had the fewest byes and has the lowest score has the bye, if the others can be paired
    then; else a matching by the two criteria of the bye alone says whose turn it is.
    """
    bye = second == len(pool.entrants)
    costs = [np.where(bye, values[first], 0) for values in (pool.byes, pool.scores)]
    nodes = first[bye]
    if not len(nodes):
        return None
    node = nodes[np.lexsort((pool.scores[nodes], pool.byes[nodes]))[0]]
    edges = _with_bye_like(pool, first, second, int(node), once=True)
    if edges is None and (paired := perfect_matching(pool.nodes, first, second, costs)):
        node = next(rest_node for rest_node, other in paired if other == len(pool.entrants))
        edges = _with_bye_like(pool, first, second, int(node))
    return edges


def _with_bye_like(
    pool: Pool, first: Integers, second: Integers, node: int, *, once: bool = False
) -> list[Edge] | None:
    """Return the cheapest pairing with the bye for one with the byes and the score of a node."""
    alike = (pool.byes == pool.byes[node]) & (pool.scores == pool.scores[node])
    mask = (second != len(pool.entrants)) | alike[first]
    # The bye takes the score of the one with the bye, so that it makes no gap in the bounds.
    scores = pool.scores.copy()
    scores[-1] = scores[node]
    return _within_bounds(replace(pool, scores=scores), first[mask], second[mask], once=once)


def _within_bounds(
    pool: Pool, first: Integers, second: Integers, *, once: bool = False
) -> list[Edge] | None:
    """Return the cheapest pairing of edges without clash, that cost the same for byes; or None.

    Almost always the differences of score are small. With a bound B on the sum of ``score_gaps`` an
    edge is left out when no pairing that holds it stays within B (`_least_gaps`). A pairing that is
    found and stays within B is the cheapest of all, since every other one as cheap in the criteria
    up to ``score_gaps`` consists of edges that were kept. Otherwise B grows; ``once`` gives up when
    there is no pairing below the first B.
    """
    lower_bounds, bound = _least_gaps(pool, first, second)
    max_bound = int(lower_bounds.max(initial=-1))
    while True:
        mask = lower_bounds <= bound
        lower, other = first[mask], second[mask]
        cuts = pool.names.index("score_gaps"), _at_odd_steps(pool, lower, other)
        edges = perfect_matching(pool.nodes, lower, other, criteria(pool, lower, other), cuts)
        gaps = None if edges is None else sum(_gap(pool, edge) for edge in edges)
        if edges is not None and gaps is not None and (gaps <= bound or bound >= max_bound):
            return edges
        if bound >= max_bound or (edges is None and once):
            return None
        bound = WIDER * int(lower_bounds[lower_bounds > bound].min()) if gaps is None else gaps


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
    ranks = np.searchsorted(levels, pool.scores)
    signed = (
        upto[np.maximum(ranks[first], ranks[second])]
        - upto[np.minimum(ranks[first], ranks[second])]
    )
    return (pool.scores[first] - pool.scores[second]) ** 2 + any_ + signed, any_


def _at_odd_steps(pool: Pool, first: Integers, second: Integers) -> Integers:
    """Return the part of each edge's score gap that is the squares of the odd steps it crosses.

    Every pairing crosses each of those (`_least_gaps`).
    """
    levels, sizes = np.unique(pool.scores, return_counts=True)
    odd = np.cumsum(sizes)[:-1] % 2 == 1
    upto = np.concatenate(([0], np.cumsum(np.where(odd, np.diff(levels) ** 2, 0))))
    ranks = np.searchsorted(levels, pool.scores)
    crossed: Integers = np.abs(upto[ranks[first]] - upto[ranks[second]])
    return crossed


def sums(pool: Pool, edges: Sequence[Edge]) -> list[int]:
    """Return the sums of the criteria over a pairing, in the order of `Pool.names`."""
    nodes = np.array(edges, np.int64).reshape(-1, 2)
    return [int(values.sum()) for values in criteria(pool, nodes[:, 0], nodes[:, 1])]
