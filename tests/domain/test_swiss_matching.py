"""The perfect matching under the Swiss rounds, against another library's."""

import random

import networkx as nx
import numpy as np
import pytest

from tests.quick import examples
from tournaments.domain.pairing import matching
from tournaments.domain.pairing.matching import MAX_BITS, Integers, pack, perfect_matching

Edges = list[tuple[int, int]]


def graph_of(seed: int, least: int, most: int) -> tuple[int, Edges, list[list[int]]]:
    """Draw a graph, thin or thick, and three criteria, small or large."""
    chance = random.Random(seed)
    nodes, thickness = chance.randint(least, most), chance.choice([0.1, 0.3, 0.7, 1.0])
    pairs = [(a, b) for b in range(nodes) for a in range(b)]
    edges = [pair for pair in pairs if chance.random() < thickness]
    tops = [chance.choice([0, 1, 5, 10**3, 10**9]) for _ in range(3)]
    return nodes, edges, [[chance.randint(0, top) for _ in edges] for top in tops]


def arrays(edges: Edges, criteria: list[list[int]]) -> tuple[Integers, Integers, list[Integers]]:
    first, second = (np.array([edge[side] for edge in edges], np.int64) for side in (0, 1))
    return first, second, [np.array(values, np.int64) for values in criteria]


def cost(edges: Edges, criteria: list[list[int]], matched: Edges) -> list[int]:
    at = {edge: index for index, edge in enumerate(edges)}
    return [sum(values[at[min(e), max(e)]] for e in matched) for values in criteria]


def check(nodes: int, edges: Edges, criteria: list[list[int]]) -> None:
    matching = perfect_matching(nodes, *arrays(edges, criteria))
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    for index, edge in enumerate(edges):
        weight = sum(c[index] * 10 ** (12 * (2 - n)) for n, c in enumerate(criteria))
        graph.add_edge(*edge, weight=-weight)
    best = list(nx.max_weight_matching(graph, maxcardinality=True))
    if 2 * len(best) < nodes:
        assert matching is None
    else:
        assert matching is not None
        assert sorted(node for edge in matching for node in edge) == list(range(nodes))
        assert cost(edges, criteria, matching) == cost(edges, criteria, best)


@pytest.mark.parametrize("few", [1, 2, matching.FEW])
def test_no_matching_is_cheaper_however_few_edges_it_begins_with(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "FEW", few)
    for seed in range(examples(300)):
        check(*graph_of(seed, 1, 24))


@pytest.mark.parametrize("many", [0, 3])
def test_no_matching_is_cheaper_at_the_prices_of_the_assignment(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "LARGE", 0)
    monkeypatch.setattr(matching, "MANY", many)
    monkeypatch.setattr(matching, "FEW", 1)
    for seed in range(examples(300)):
        check(*graph_of(seed, 1, 24))


def test_level_entries_of_two_clubs_are_matched_alike_at_either_prices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Only the club and the fold distinguish the edges: no simple price finds the matching.
    nodes, edges = 90, [(a, b) for b in range(90) for a in range(b)]
    club = [random.Random(node).randrange(2) for node in range(nodes)]
    criteria = [
        [int(club[a] == club[b]) for a, b in edges],
        [abs(b - a - nodes // 2) for a, b in edges],
        [(b - a) ** 2 for a, b in edges],
    ]
    simple = perfect_matching(nodes, *arrays(edges, criteria))
    monkeypatch.setattr(matching, "LARGE", 0)
    better = perfect_matching(nodes, *arrays(edges, criteria))
    assert simple is not None
    assert better is not None
    assert cost(edges, criteria, better) == cost(edges, criteria, simple)


@pytest.mark.slow
def test_no_matching_of_a_large_graph_is_cheaper() -> None:
    for seed in range(24):
        check(*graph_of(seed, 50, 80))


def test_edges_that_look_dear_are_used_where_they_must_be() -> None:
    # Clusters of 22, 21 and 21, cheap inside: an edge joins the odd ones, at whatever price.
    chance = random.Random(1)
    where = [node % 3 for node in range(64)]
    edges = [(a, b) for b in range(64) for a in range(b)]
    outside = [int(where[a] != where[b]) * chance.randint(3, 9) for a, b in edges]
    check(64, edges, [outside, [(a - b) ** 2 for a, b in edges], [0] * len(edges)])


def test_the_parts_of_a_graph_are_matched_each_for_itself() -> None:
    edges = [(0, 1), (2, 3), (4, 5)]
    assert perfect_matching(6, *arrays(edges, [[5, 3, 1]])) == edges


def test_there_is_no_perfect_matching_of_an_odd_part() -> None:
    edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    assert perfect_matching(6, *arrays(edges, [[1] * 6])) is None


def test_packed_costs_keep_the_order_of_their_sums() -> None:
    _, _, criteria = arrays([(0, 1)] * 4, [[0, 1, 0, 0], [10**6, 0, 0, 3], [7, 7, 7, 10**12]])
    packed = pack(criteria, 500).tolist()
    assert packed[1] > 500 * packed[0] > packed[3] > packed[2] == 0


def test_what_does_not_fit_is_left_out_from_the_end() -> None:
    wide = [[0, 2**40], [0, 2**40], [2**40, 0]]
    packed = pack(arrays([(0, 1)] * 2, wide)[2], 2).tolist()
    assert packed == pack(arrays([(0, 1)] * 2, wide[:2])[2], 2).tolist()
    assert packed[1].bit_length() <= MAX_BITS
