"""How much of par a result keeps: the scale of luck (`engine/analysis/answer.py`).

Cards made are regressed on par through the origin, as either side may be the first one. Deals of a
match come from one seed, so the 95 % interval allows for hands of a match that go together.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import engine
from benchmarks.sections import in_columns
from engine.analysis import Terms

OPEN: Final = Terms(worlds=0)  # par needs no sampled deals
SEED: Final = b"luck".ljust(32)
HANDS: Final = 4  # a match
KINDS: Final = ("simple", "strong")  # random cards say nothing of people
RULESETS: Final = ("parejas-online", "parejas", "cuatro", "habanero", "mano-a-mano")


class Fit(NamedTuple):
    """The slope of cards on par, half its 95 % interval, and from how many hands."""

    slope: float
    margin: float
    hands: int


Match = list[tuple[int, int]]
"""Par and cards of each hand."""


def measured(document: dict[str, Any]) -> Match:
    """Par and cards of the hands of a record that can be analysed."""
    hands = engine.analyse(engine.parse_record(document), OPEN).hands
    return [(hand.par, hand.cards) for hand in hands if hand.code is None]


def played(task: tuple[str, str, int]) -> Match:
    """Par and cards of a match between bots of one kind."""
    ruleset, kind, number = task
    rules = engine.RULESETS[ruleset]
    label = f"{ruleset} {kind} {number}"
    bots = {
        seat: engine.HOUSE_BOTS[kind](SEED + f"{label} {seat}".encode()) for seat in rules.seats
    }
    return measured(engine.play_match(rules, bots, SEED, label, rules.seats, {"deals": HANDS}))


def fitted(matches: list[Match]) -> Fit:
    """The slope through the origin, its error clustered by match."""
    squares = sum(par * par for match in matches for par, _ in match)
    slope = sum(par * cards for match in matches for par, cards in match) / squares
    off = [sum(par * (cards - slope * par) for par, cards in match) for match in matches]
    error = sqrt(sum(each * each for each in off) * len(off) / (len(off) - 1)) / squares
    return Fit(slope, 1.96 * error, sum(map(len, matches)))


def main() -> None:
    """Prints the scale by kind of players."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.luck", description=main.__doc__)
    parser.add_argument("records", nargs="*", type=Path, help="records of people, a line each")
    parser.add_argument("--hands", type=int, default=400, help="hands of each kind of bot")
    parser.add_argument("--ruleset", choices=RULESETS, default=RULESETS[0])
    options = parser.parse_args()
    engine.warm_solver()
    rows, everyone = [["players", "hands", "slope", "95 %"]], []
    with ProcessPoolExecutor(2) as pool:
        for path in options.records:
            records = [json.loads(line) for line in path.read_text().splitlines()]
            everyone += (batch := list(pool.map(measured, records)))
            rows.append(_row(path.stem, batch))
        for kind in KINDS:
            tasks = [(options.ruleset, kind, number) for number in range(options.hands // HANDS)]
            everyone += (batch := list(pool.map(played, tasks)))
            rows.append(_row(kind, batch))
    rows.append(_row("all", everyone))
    print(in_columns(rows))


def _row(players: str, matches: list[Match]) -> list[str]:
    fit = fitted([match for match in matches if match])
    return [players, str(fit.hands), f"{fit.slope:.3f}", f"± {fit.margin:.3f}"]


if __name__ == "__main__":
    main()
