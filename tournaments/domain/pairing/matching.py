"""A perfect matching of least cost, the costs compared lexicographically, by Edmonds' blossoms.

The criteria of an edge are packed into one integer with a place for each, wide enough that no sum
of the places below reaches it. `rustworkx.max_weight_matching` then does the work. Three steps keep
the optimum and save most of the time: the parts of a graph that hang together are solved one by
one; what is the same for every edge is left out; and each node gets a price, which every perfect
matching pays in full, so that the search starts where most nodes have an edge that costs nothing
more.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Integers = NDArray[np.int64]

MOST_BITS: Final = 116
"""Of a packed cost: rustworkx computes with 128 bits, and its dual variables need some of them."""

PLAIN_BITS: Final = 58
"""Up to here the prices are computed in 64 bits, above with Python's integers."""

FEW: Final = 12
"""Edges a node to begin with."""

MORE: Final = 8
"""How many times as many are taken when they do not suffice."""


def perfect_matching(
    nodes: int, first: Integers, second: Integers, criteria: Sequence[Integers]
) -> list[tuple[int, int]] | None:
    """Return the edges of a cheapest perfect matching, lower node first, sorted; None without one.

    Edge k joins ``first[k]`` to ``second[k]`` (nodes count from 0) and costs ``criteria[0][k]``,
    ``criteria[1][k]``, ...: whole numbers, whose sums over the matching are compared in that
    order. The answer depends on the arguments alone. Where the criteria do not fit into
    :data:`MOST_BITS` bits the last ones are left out.
    """
    found: list[tuple[int, int]] = []
    labels = _parts(nodes, first, second)
    for label in np.flatnonzero(labels == np.arange(nodes)):
        members = np.flatnonzero(labels == label)
        if len(members) % 2:
            return None
        inside = labels[first] == label
        local = np.searchsorted(members, first[inside]), np.searchsorted(members, second[inside])
        matched = _match(len(members), *local, [values[inside] for values in criteria])
        if 2 * len(matched) < len(members):
            return None
        found += [(int(members[one]), int(members[other])) for one, other in matched]
    return sorted((min(edge), max(edge)) for edge in found)


def _parts(nodes: int, first: Integers, second: Integers) -> Integers:
    """Return for each node the lowest node that it hangs together with."""
    labels = np.arange(nodes)
    while True:
        lower = labels.copy()
        least = np.minimum(labels[first], labels[second])
        np.minimum.at(lower, first, least)
        np.minimum.at(lower, second, least)
        if np.array_equal(lower, labels):
            return labels
        labels = lower


def _match(
    nodes: int, first: Integers, second: Integers, criteria: Sequence[Integers]
) -> set[tuple[int, int]]:
    """Return a cheapest matching of nodes that hang together, with as many edges as possible.

    Edges are left out at first when they are dear at their nodes' prices. A perfect matching that
    pays S above the prices is the best of all when every edge that pays S or less was there.
    """
    if not len(first):
        return set()
    extra = _above_prices(nodes, first, second, pack(criteria, nodes // 2))
    count, limit = 0, None
    while True:
        if limit is None:
            count = count * MORE or FEW * nodes
            limit = _smallest(extra, count)
        kept = np.flatnonzero(extra <= limit)
        matched = _heaviest(nodes, first[kept], second[kept], -extra[kept])
        if len(kept) == len(extra):
            return matched
        if 2 * len(matched) < nodes:
            limit = None
            continue
        paid = _paid(nodes, first[kept], second[kept], extra[kept], matched)
        if paid <= limit:
            return matched
        limit = paid


def _smallest(values: NDArray[Any], count: int) -> int:
    """Return the n-th smallest value; the greatest when there are fewer."""
    if count >= len(values):
        return int(values.max())
    return int(np.partition(values, count)[count])


def _paid(
    nodes: int,
    first: Integers,
    second: Integers,
    extra: NDArray[Any],
    matched: set[tuple[int, int]],
) -> int:
    """Return the part of a matching's cost above the prices."""
    mates = np.full(nodes, -1)
    for one, other in matched:
        mates[one], mates[other] = other, one
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
    spans = [int(values.max()) * edges + 1 for values in shifted]
    while _bits(spans) > MOST_BITS:
        spans.pop()
    packed: NDArray[Any] = np.zeros(len(criteria[0]), np.int64)
    bits = 0
    for values, span in zip(shifted, spans, strict=False):
        bits += span.bit_length()
        if bits > PLAIN_BITS and packed.dtype != object:
            packed = packed.astype(object)
        packed = packed * span + values
    return packed


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
    one, other = np.concatenate((first, second)), np.concatenate((second, first))
    order = np.argsort(one, kind="stable")
    other = other[order]
    doubled = 2 * np.concatenate((costs, costs))[order]
    starts = np.searchsorted(one[order], np.arange(nodes + 1)).tolist()
    slices = [slice(*ends) for ends in pairwise(starts)]
    prices = np.array([doubled[at].min() // 2 for at in slices], dtype=costs.dtype)
    for node, at in enumerate(slices):
        prices[node] = (doubled[at] - prices[other[at]]).min()
    above: NDArray[Any] = 2 * costs - prices[first] - prices[second]
    return above
