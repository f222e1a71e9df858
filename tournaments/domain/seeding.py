"""The seeding order of a stage: fair groups and trees, lots, entrants of one origin kept apart.

A seed is a place in the order, from 1. A tree puts seed 1 at its top and seed 2 at its bottom, and
adds the others so that the best meet as late as they can: with everybody's better seed winning, the
seeds of every match add up to the same number (the usual bracket).

An entrant's lot is a SHA-256 over the stage's seed and the entrant's number; the lowest lot goes
first. So a uniform seed gives every order of equals the same chance, independent of the order of
entry, and anybody who knows the seed can draw the same order again.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import sha256
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
            for index, rank in enumerate(seeds)
            for seed in ((rank, total - rank) if index % 2 == 0 else (total - rank, rank))
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


def separate_in_groups(
    order: Sequence[int], groups: int, label: Mapping[int, str]
) -> tuple[int, ...]:
    """Return the order changed inside each row of ``groups`` so that `serpentine` mixes labels.

    Entrants keep their rows, so every group keeps one of each row; inside it as few as possible
    join a group that holds their label already, and nobody moves where that gains nothing. An
    empty label clashes with none.
    """
    settled: list[int] = []
    for start in range(0, len(order), groups):
        row = order[start : start + groups]
        columns = [_group_of(start + index, groups) for index in range(len(row))]
        group_labels = [
            [label[entrant] for n, entrant in enumerate(settled) if _group_of(n, groups) == column]
            for column in columns
        ]
        costs = [
            [
                group_labels[n].count(label[entrant]) if label[entrant] else 0
                for n in range(len(row))
            ]
            for entrant in row
        ]
        settled += _cheapest_order(row, costs)
    return tuple(settled)


def cross_pots(pots: Sequence[Pot]) -> tuple[int, ...]:
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
                    _early_meeting_cost(where[seed], where[other + 1], size, total)
                    for other, (_, its_group) in enumerate(settled)
                    if its_group == group
                )
                for seed in seeds
            ]
            for _, group in pot
        ]
        settled += _cheapest_order(pot, costs)
    return tuple(entrant for entrant, _ in settled)


def _early_meeting_cost(place: int, other: int, size: int, entrants: int) -> int:
    """Return the cost of two places meeting in their round: each round outweighs the later."""
    round_ = (place ^ other).bit_length()
    return int((entrants + 1) ** (size.bit_length() - 1 - round_))


def _cheapest_order(entrants: Sequence[T], costs: Sequence[Sequence[int]]) -> list[T]:
    """Return the entrants in the order that costs least; equals stay as they are."""
    size = len(entrants)
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
    by_column = {max(pair) - size: entrants[min(pair)] for pair in matched}
    return [by_column[column] for column in range(size)]


# --- lots and origins --------------------------------------------------------------------------


Tiers = Sequence[Sequence[int]]
"""Entrants from the best to the last; those of one tier are equals, whose order is drawn."""

Cost = Callable[[int, int], int]
"""What it costs that two entrants meet in the first round; 0 for two who have nothing in common."""


def lot(seed: str, entrant: int) -> str:
    """Return the lot of an entrant: hexadecimal digits, to be compared as text."""
    return sha256(f"{seed}|draw|{entrant}".encode()).hexdigest()


def order_by_lots(tiers: Tiers, seed: str) -> tuple[int, ...]:
    """Return all entrants, tier after tier, those of one tier by their lots."""
    return tuple(
        number for tier in tiers for number in sorted(tier, key=lambda entrant: lot(seed, entrant))
    )


def seed_tiers(tiers: Tiers, seeded: int, seed: str) -> Tiers:
    """Return tiers in which ``seeded`` entrants keep the first places and the rest are equals.

    Who of several equals is among the seeded is drawn by lot, too.
    """
    order = order_by_lots(tiers, seed)
    return (*((entrant,) for entrant in order[:seeded]), order[seeded:])


def separate_equals(
    order: Sequence[int],
    tables: Collection[tuple[int, int]],
    pools: Mapping[int, object],
    cost: Cost,
    seed: str,
) -> tuple[int, ...]:
    """Return the order with as few entrants as possible changed, so that meetings cost least.

    ``tables`` are the meetings of the first round as places in the order, from 0. Two entrants may
    exchange places where ``pools`` holds the same value for both places. Each exchange is the
    one that saves most, among equals the one with the lowest lot; it ends when none saves anything,
    which leaves a meeting of one origin only where every exchange would make another one.
    """
    placed = list(order)
    opponent = {place: other for pair in tables for place, other in (pair, pair[::-1])}

    def paid(place: int, entrant: int) -> int:
        against = opponent.get(place)
        return 0 if against is None else cost(entrant, placed[against])

    def exchanges(place: int) -> Iterator[tuple[int, str, int]]:
        entrant = placed[place]
        for other, candidate in enumerate(placed):
            if other in (place, opponent[place]) or pools[other] != pools[place]:
                continue
            before = paid(place, entrant) + paid(other, candidate)
            after = paid(place, candidate) + paid(other, entrant)
            if after < before:
                yield after - before, lot(seed, candidate), other

    clashing = True
    while clashing:
        clashing = False
        for place in opponent:
            if cost(placed[place], placed[opponent[place]]) == 0:
                continue
            best = min(exchanges(place), default=None)
            if best is not None:
                other = best[2]
                placed[place], placed[other] = placed[other], placed[place]
                clashing = True
    return tuple(placed)
