"""A perfect matching of least cost, the costs compared lexicographically, by Edmonds' blossoms.

The criteria of an edge are packed into one integer with a place for each, wide enough that no sum
of the places below reaches it. `rustworkx.max_weight_matching` then does the work. Four steps keep
the optimum and save most of the time: the parts of a graph that hang together are solved one by
one; what is the same for every edge is left out; each node gets a price, which every perfect
matching pays in full, so that the search starts where most nodes have an edge that costs nothing
more; and where many nodes are level, so that no simple price tells their edges apart, the prices
are those of the assignment problem, the matching's relaxation.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any, Final

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

Integers = NDArray[np.int64]

MAX_BITS: Final = 116
"""Of a packed cost: rustworkx computes with 128 bits, and its dual variables need some of them."""

PLAIN_BITS: Final = 58
"""Up to here the prices are computed in 64 bits, above with Python's integers."""

FEW: Final = 12
"""Edges a node to begin with."""

MORE: Final = 8
"""How many times as many are taken when they do not suffice."""

LARGE: Final = 400
"""Nodes from which prices are improved by assignment when the first edges do not suffice. Below
that it saves no time, and of several cheapest matchings the one of earlier versions is found."""

MANY: Final = 60
"""Edges a node that are taken without better prices."""

ROOM_BITS: Final = 54
"""Of costs in the assignment: longer ones are cut off below, which makes its prices less good."""

FAR: Final = np.int64(2) ** 61
"""The cost of an edge that is not there."""


def perfect_matching(
    nodes: int,
    first: Integers,
    second: Integers,
    criteria: Sequence[Integers],
    at_cuts: tuple[int, Integers] | None = None,
) -> list[tuple[int, int]] | None:
    """Return the edges of a cheapest perfect matching, lower node first, sorted; None without one.

    Edge k joins ``first[k]`` to ``second[k]`` (nodes count from 0) and costs ``criteria[0][k]``,
    ``criteria[1][k]``, ...: whole numbers, whose sums over the matching are compared in that
    order. The answer depends on the arguments alone. Where the criteria do not fit into
    :data:`MAX_BITS` bits the last ones are left out.

    ``at_cuts`` saves time: the place of a criterion, and what of it every edge pays only because it
    crosses cuts that each matching has to cross. The prices are found without that.
    """
    edges: list[tuple[int, int]] = []
    labels = _components(nodes, first, second)
    for label in np.flatnonzero(labels == np.arange(nodes)):
        members = np.flatnonzero(labels == label)
        if len(members) % 2:
            return None
        mask = labels[first] == label
        local = np.searchsorted(members, first[mask]), np.searchsorted(members, second[mask])
        savings = None if at_cuts is None else (at_cuts[0], at_cuts[1][mask])
        inner = [values[mask] for values in criteria]
        matched = _match(len(members), *local, inner, savings)
        if 2 * len(matched) < len(members):
            return None
        edges += [(int(members[node]), int(members[other])) for node, other in matched]
    return sorted((min(edge), max(edge)) for edge in edges)


def _components(nodes: int, first: Integers, second: Integers) -> Integers:
    """Return for each node the lowest node that it hangs together with."""
    labels = np.arange(nodes)
    while True:
        lower = labels.copy()
        min_labels = np.minimum(labels[first], labels[second])
        np.minimum.at(lower, first, min_labels)
        np.minimum.at(lower, second, min_labels)
        if np.array_equal(lower, labels):
            return labels
        labels = lower


def _match(
    nodes: int,
    first: Integers,
    second: Integers,
    criteria: Sequence[Integers],
    at_cuts: tuple[int, Integers] | None,
) -> set[tuple[int, int]]:
    """Return a cheapest matching of nodes that hang together, with as many edges as possible.

    Edges are left out at first when they are dear at their nodes' prices. A perfect matching that
    pays S above the prices is the best of all when every edge that pays S or less was there.
    """
    if not len(first):
        return set()
    costs = pack(criteria, nodes // 2)
    extra = _above_prices(nodes, first, second, costs)
    count, limit, best, is_priced = 0, None, False, nodes < LARGE
    while True:
        edge_count = count * MORE if limit is None else np.count_nonzero(extra <= limit)
        if not is_priced and edge_count > MANY * nodes:
            is_priced = True
            saved = _cut_savings(criteria, nodes, at_cuts)
            better = _above_assignment(nodes, first, second, costs, saved)
            if better is not None:
                extra, count, limit, best = better, 0, None, True
        if limit is None:
            count = count * MORE or FEW * nodes
            if best and count > FEW * nodes:
                count = len(extra)  # an edge across a cut is wanting, and looks dear at any price
            limit = _smallest(extra, count)
        indexes = np.flatnonzero(extra <= limit)
        matched = _heaviest(nodes, first[indexes], second[indexes], -extra[indexes])
        if len(indexes) == len(extra):
            return matched
        if 2 * len(matched) < nodes:
            limit = None
            continue
        excess = _reduced_cost(nodes, first[indexes], second[indexes], extra[indexes], matched)
        if excess <= limit:
            return matched
        limit = excess


def _smallest(values: NDArray[Any], count: int) -> int:
    """Return the n-th smallest value; the greatest when there are fewer."""
    if count >= len(values):
        return int(values.max())
    return int(np.partition(values, count)[count])


def _reduced_cost(
    nodes: int,
    first: Integers,
    second: Integers,
    extra: NDArray[Any],
    matched: set[tuple[int, int]],
) -> int:
    """Return the part of a matching's cost above the prices."""
    mates = np.full(nodes, -1)
    for node, other in matched:
        mates[node], mates[other] = other, node
    return int(extra[mates[first] == second].sum())


def _heaviest(
    nodes: int, first: Integers, second: Integers, weights: NDArray[Any]
) -> set[tuple[int, int]]:
    graph: rx.PyGraph[None, int] = rx.PyGraph(multigraph=True, node_count_hint=nodes)
    graph.add_nodes_from([None] * nodes)
    edges = zip(first.tolist(), second.tolist(), weights.tolist(), strict=True)
    graph.extend_from_weighted_edge_list(list(edges))
    return rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def pack(criteria: Sequence[Integers], edges: int) -> NDArray[Any]:
    """Return one integer for each edge: in sums over a matching the criteria keep their order.

    The array holds 64-bit integers where they suffice with room to spare, else Python's.
    """
    shifted = [values - values.min() for values in criteria]
    spans = _spans(criteria, edges)
    packed: NDArray[Any] = np.zeros(len(criteria[0]), np.int64)
    bits = 0
    for values, span in zip(shifted, spans, strict=False):
        bits += span.bit_length()
        if bits > PLAIN_BITS and packed.dtype != object:
            packed = packed.astype(object)
        packed = packed * span + values
    return packed


def _spans(criteria: Sequence[Integers], edges: int) -> list[int]:
    """Return the place that each criterion needs, without the last ones that do not fit."""
    spans = [int(values.max() - values.min()) * edges + 1 for values in criteria]
    while _bits(spans) > MAX_BITS:
        spans.pop()
    return spans


def _cut_savings(
    criteria: Sequence[Integers], nodes: int, at_cuts: tuple[int, Integers] | None
) -> NDArray[Any] | int:
    """Return what the packed cost of each edge pays at cuts."""
    if at_cuts is None or not at_cuts[1].any():
        return 0
    place, savings = at_cuts
    unit = prod(_spans(criteria, nodes // 2)[place + 1 :])
    return savings.astype(object) * unit


def _bits(spans: Sequence[int]) -> int:
    return sum(span.bit_length() for span in spans)


def _above_prices(
    nodes: int, first: Integers, second: Integers, costs: NDArray[Any]
) -> NDArray[Any]:
    """Return the cost of each edge above the prices of its nodes: 0 or more.

    An edge of cost c between nodes of prices p and q costs 2c - p - q; since a perfect matching
    pays every price once, the cheapest stays the cheapest. The prices begin at the least cost of a
    node's edges, so that no edge costs less than both, and are raised one after the other as far
    as that stays so (dual coordinate ascent, as in H. W. Kuhn's Hungarian method, 1955).
    """
    source, other = np.concatenate((first, second)), np.concatenate((second, first))
    order = np.argsort(source, kind="stable")
    other = other[order]
    doubled = 2 * np.concatenate((costs, costs))[order]
    starts = np.searchsorted(source[order], np.arange(nodes + 1)).tolist()
    slices = [slice(*ends) for ends in pairwise(starts)]
    prices = np.array([doubled[edge_slice].min() // 2 for edge_slice in slices], dtype=costs.dtype)
    for node, edge_slice in enumerate(slices):
        prices[node] = (doubled[edge_slice] - prices[other[edge_slice]]).min()
    reduced_costs: NDArray[Any] = 2 * costs - prices[first] - prices[second]
    return reduced_costs


def _above_assignment(
    nodes: int,
    first: Integers,
    second: Integers,
    costs: NDArray[Any],
    saved: NDArray[Any] | int,
) -> NDArray[Any] | None:
    """Return the cost of each edge above the best prices there are without regard to odd cycles.

    Every node is given to another, at the least sum of costs: the assignment problem, whose prices
    for giving and taking add up to those of the matching (its relaxation to halves of edges). None
    when not every node can be given to another within 64 bits.
    """
    priced = costs - saved
    priced = priced - priced.min()
    shift = max(0, int(priced.max()).bit_length() - ROOM_BITS)
    short = (priced >> shift).astype(np.int64)
    reduced_costs = np.full((nodes, nodes), FAR)
    reduced_costs[first, second] = reduced_costs[second, first] = 2 * short
    prices = reduced_costs.min(axis=1) // 2
    for node in range(nodes):
        prices[node] = (reduced_costs[node] - prices).min()
    mask = reduced_costs < FAR
    reduced_costs -= prices[:, None] + prices[None, :]
    reduced_costs[~mask] = FAR
    price_sums = _assignment_prices(reduced_costs)
    if price_sums is None:
        return None
    exact = (2 * prices + price_sums).astype(priced.dtype) << shift
    result: NDArray[Any] = 4 * costs - exact[first] - exact[second]
    result = result - result.min()
    return result.astype(np.int64) if int(result.max()).bit_length() < PLAIN_BITS else result


def _assignment_prices(reduced_costs: Integers) -> Integers | None:
    """Return the sums of the prices of rows and columns in the cheapest assignment, None without.

    By shortest augmenting paths from one row after the other (R. Jonker and A. Volgenant, 1987);
    most rows get a column at no cost before that.
    """
    nodes = len(reduced_costs)
    row_price, column_price = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    row_of, column_of = np.full(nodes, -1), np.full(nodes, -1)
    for row in range(nodes):
        free_columns = np.flatnonzero((reduced_costs[row] == 0) & (row_of < 0))
        if len(free_columns):
            row_of[free_columns[0]], column_of[row] = row, free_columns[0]
    for start in np.flatnonzero(column_of < 0).tolist():
        distance = reduced_costs[start] - row_price[start] - column_price
        open_ = distance.copy()
        before = np.full(nodes, start)
        closed_columns: list[int] = []
        while True:
            column = int(open_.argmin())
            length = int(open_[column])
            if length >= FAR // 2:
                return None
            row = int(row_of[column])
            if row < 0:
                break
            closed_columns.append(column)
            onward = reduced_costs[row] - (row_price[row] - length) - column_price
            onward[closed_columns] = FAR
            shorter = onward < distance
            distance[shorter] = open_[shorter] = onward[shorter]
            before[shorter] = row
            open_[column] = FAR
        change = distance[closed_columns] - length
        column_price[closed_columns] += change
        row_price[row_of[closed_columns]] -= change
        row_price[start] += length
        while True:
            row = int(before[column])
            row_of[column] = row
            column, column_of[row] = int(column_of[row]), column
            if row == start:
                break
    return row_price + column_price
