"""How long pages wait when an evening's matches are handed in: the analyst's order, simulated.

A page waits for the first look at its match alone; judgements follow when no record waits for one
(`tournaments.analysis.services.next_record`). Half the matches are looked at, some two minutes
after their record came.
"""

from __future__ import annotations

import argparse
import random
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.sections import in_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MATCHES: Final = 84
HANDS: Final = (3, 4, 4, 4, 5, 5)
WINDOWS: Final = {"10 s": 10, "10 minutes": 600, "3 hours": 10_800}
"""In which all records come."""
LOOKED_AT: Final = 0.5
MEAN_LOOK: Final = 120
SOONEST: Final = 5
"""Seconds from a record to the look at its page at least, and on average after that."""
RUNS: Final = 20


class Coming(NamedTuple):
    """A record: when it comes, when its page is looked at first (never: inf), its hands."""

    at: float
    looked_at: float
    hands: int


class Wait(NamedTuple):
    """Seconds from the first look to its answer (None without a look), from record to judgement."""

    first: float | None
    judged: float


def evening(seed: int, window: float) -> list[Coming]:
    """The records of an evening, in a window of seconds."""
    chance = random.Random(seed)
    rows = []
    for _ in range(MATCHES):
        at = chance.uniform(0, window)
        look = at + SOONEST + chance.expovariate(1 / MEAN_LOOK)
        looked_at = look if chance.random() < LOOKED_AT else float("inf")
        rows.append(Coming(at, looked_at, chance.choice(HANDS)))
    return rows


def waits(records: Sequence[Coming], first: float, judged: float) -> Iterator[Wait]:
    """One analyst, record by record: first looks, then judgements, looked at before others."""
    now, seen, left = 0.0, dict[Coming, float](), set(records)
    while left:
        come = [each for each in left if each.at <= now]
        if not come:
            now = min(each.at for each in left)
            continue
        record = min(come, key=lambda each: (each in seen, each.looked_at > now, each.at))
        if record not in seen:
            now += record.hands * first
            seen[record] = now
        else:
            now += record.hands * judged
            left.discard(record)
            look = record.looked_at
            wait = None if look == float("inf") else max(0.0, seen[record] - look)
            yield Wait(wait, now - record.at)


def main() -> None:
    """Print the waits for each window."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=float, default=0.90, help="seconds a hand, first look")
    parser.add_argument("--judged", type=float, default=1.13, help="seconds a hand, judgement")
    given = parser.parse_args()
    rows = [["records within", "wait at first look", "95 of 100", "longest", "judged", "longest"]]
    for name, window in WINDOWS.items():
        found = [
            wait
            for seed in range(RUNS)
            for wait in waits(evening(seed, window), given.first, given.judged)
        ]
        looks = sorted(wait.first for wait in found if wait.first is not None)
        judged = [wait.judged for wait in found]
        most = looks[len(looks) * 95 // 100]
        figures = (median(looks), most, looks[-1], median(judged), max(judged))
        rows.append([name, *(f"{figure:.0f} s" for figure in figures)])
    print(in_columns(rows))


if __name__ == "__main__":
    main()
