"""One peer draws a Swiss round, in an environment of its own: ``python swiss_peer.py NAME FILE``.

Prints the processor time of the draw in seconds; refuses a draw that leaves an entrant out.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Draw = Callable[[], list[Any]]
"""Draws the round; its pairs."""


def networkx(task: dict[str, Any]) -> Draw:
    """The same graph, the same costs."""
    nx = import_module("networkx")
    graph = nx.Graph()
    graph.add_weighted_edges_from((node, other, -cost) for node, other, cost in task["edges"])
    return lambda: list(nx.max_weight_matching(graph, maxcardinality=True))


def py4swiss(task: dict[str, Any]) -> Draw:
    """The Dutch system, from a report of the event."""
    engine = import_module("py4swiss.engines").DutchEngine
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "event.trf"
        path.write_text(task["trf"], encoding="utf-8")
        report = import_module("py4swiss.trf").TrfParser.parse(path)
    return lambda: list(engine.generate_pairings(report))


def swisspair(task: dict[str, Any]) -> Draw:
    """Points, rematches, and who is better."""
    module = import_module("swisspair")
    points: list[int] = task["points"]
    opponents: list[set[str]] = [set() for _ in points]
    for player, other in task["met"]:
        opponents[player].add(str(other))
        opponents[other].add(str(player))
    order = sorted(range(len(points)), key=lambda entrant: -points[entrant])
    players = [
        module.Player(
            str(entrant), points[entrant], rank, cannot_be_paired_against_ids=opponents[entrant]
        )
        for rank, entrant in enumerate(order, start=1)
    ]
    return lambda: list(module.create_matches(players))


PEERS: dict[str, Callable[[dict[str, Any]], Draw]] = {
    "networkx": networkx,
    "py4swiss": py4swiss,
    "swisspair": swisspair,
}


def main(name: str, path: str) -> None:
    """Read the round, draw it once, print the time."""
    task = json.loads(Path(path).read_text(encoding="utf-8"))
    draw = PEERS[name](task)
    start = time.process_time()
    pairs = draw()
    elapsed = time.process_time() - start
    if 2 * len(pairs) != len(task["points"]) + len(task["points"]) % 2:
        raise SystemExit(f"{len(pairs)} pairs of {len(task['points'])}")
    print(elapsed)


if __name__ == "__main__":
    main(*sys.argv[1:])
