"""In which order entrants come into a stage, so that its groups and its tree are fair.

A seed is a place in the order, from 1. A tree puts seed 1 at its top and seed 2 at its bottom, and
adds the others so that the best meet as late as they can: with everybody's better seed winning, the
seeds of every match add up to the same number (the usual bracket).
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import rustworkx

T = TypeVar("T")

Pot = Sequence[tuple[int, int]]
"""The entrants of one place of the earlier groups: (entrant, number of the group)."""


def places_in_tree(size: int) -> tuple[int, ...]:
    """Return the seeds of a tree from top to bottom; ``size`` is a power of two.

    Raises ValueError for any other size.
    """
    if size < 1 or size & (size - 1):
        raise ValueError(f"a tree has no {size} places")
    seeds = [1]
    while len(seeds) < size:
        total = 2 * len(seeds) + 1
        seeds = [
            seed
            for index, one in enumerate(seeds)
            for seed in ((one, total - one) if index % 2 == 0 else (total - one, one))
        ]
    return tuple(seeds)


def tree_size(entrants: int) -> int:
    """Return the smallest power of two that is not below the number of entrants."""
    return 1 << max(0, entrants - 1).bit_length()


def serpentine(count: int, groups: int) -> tuple[tuple[int, ...], ...]:
    """Deal the places 0 to ``count`` - 1 into groups, to and fro (1 2 3, 3 2 1, 1 2 3)."""
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for place in range(count):
        dealt[_group_of(place, groups)].append(place)
    return tuple(map(tuple, dealt))


def _group_of(place: int, groups: int) -> int:
    row, column = divmod(place, groups)
    return column if row % 2 == 0 else groups - 1 - column


def apart_in_groups(order: Sequence[int], groups: int, label: Mapping[int, str]) -> tuple[int, ...]:
    """Return the order changed inside each row of ``groups`` so that `serpentine` mixes labels.

    Entrants keep their rows, so every group keeps one of each row; inside it as few as possible
    join a group that holds their label already, and nobody moves where that gains nothing. An
    empty label clashes with none.
    """
    settled: list[int] = []
    for start in range(0, len(order), groups):
        row = order[start : start + groups]
        columns = [_group_of(start + index, groups) for index in range(len(row))]
        held = [
            [label[who] for n, who in enumerate(settled) if _group_of(n, groups) == column]
            for column in columns
        ]
        costs = [
            [held[n].count(label[who]) if label[who] else 0 for n in range(len(row))] for who in row
        ]
        settled += _assigned(row, costs)
    return tuple(settled)


def crossed(pots: Sequence[Pot]) -> tuple[int, ...]:
    """Return qualifiers as the seeds of a tree: those of the same group meet as late as possible.

    ``pots`` are the winners of the groups, then the seconds, and so on. A pot keeps its seeds; who
    has which of them is the assignment with the fewest early meetings of one group, the earliest
    round weighing most; among equals the order of the pot stays.
    """
    total = sum(map(len, pots))
    size = tree_size(total)
    where = {seed: place for place, seed in enumerate(places_in_tree(size))}
    settled: list[tuple[int, int]] = []
    for pot in pots:
        seeds = [len(settled) + index + 1 for index in range(len(pot))]
        costs = [
            [
                sum(
                    _too_early(where[seed], where[other + 1], size, total)
                    for other, (_, its_group) in enumerate(settled)
                    if its_group == group
                )
                for seed in seeds
            ]
            for _, group in pot
        ]
        settled += _assigned(pot, costs)
    return tuple(entrant for entrant, _ in settled)


def _too_early(place: int, other: int, size: int, entrants: int) -> int:
    """Return the cost of two places meeting in their round: each round outweighs the later."""
    round_ = (place ^ other).bit_length()
    return int((entrants + 1) ** (size.bit_length() - 1 - round_))


def _assigned(who: Sequence[T], costs: Sequence[Sequence[int]]) -> list[T]:
    """Return the entrants in the order that costs least; equals stay as they are."""
    size = len(who)
    stay = size**3 + 1
    edges = [
        (row, size + column, -(costs[row][column] * stay + (row - column) ** 2))
        for row in range(size)
        for column in range(size)
    ]
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (2 * size))
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    by_column = {max(pair) - size: who[min(pair)] for pair in matched}
    return [by_column[column] for column in range(size)]
