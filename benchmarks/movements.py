"""Movements: designs, rounds with rotating partners, plans made again."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from benchmarks import threes
from benchmarks.sections import Section, best_of
from tournaments.domain.movements.balance import imbalance
from tournaments.domain.movements.whist import has_design, whist
from tournaments.domain.pairing import individual
from tournaments.domain.pairing.base import Field
from tournaments.domain.rows import Entrant, Round, Stage, StageRules

if TYPE_CHECKING:
    from collections.abc import Callable

COLUMNS = ["measured", "figure", "aim", "met", "`opponents_over`", "found"]
DESIGNS_AIM, ROUND_AIM = 0.2, 0.8  # seconds
ROUNDS = 8


def designs() -> list[list[str]]:
    """All designs up to 41 players, and those of the primes up to 197."""
    primes = [n for n in range(43, 198) if all(n % divisor for divisor in range(2, 15))]
    sizes = [n for n in [*range(4, 42), *primes] if has_design(n)]
    seconds = best_of(lambda: [whist(size) for size in sizes])
    label = f"{len(sizes)} whist designs, up to {sizes[-1]} players"
    return [_row(label, seconds, DESIGNS_AIM, "0", "exact")]


def rotating_partners() -> list[list[str]]:
    """Eight rounds from the first to the last, every draw from cold."""
    rows = []
    for size in (16, 30, 200):
        rounds, seconds, _ = _played(size)
        together = Counter(
            two
            for round_ in rounds
            for table in round_.tables
            for two in combinations(sorted(table.entrants), 2)
        )
        text = f"at one table at most {max(together.values())} times; "
        whole = imbalance([round_.tables for round_ in rounds], range(1, size + 1))
        text += f"partners again {whole.partners}"
        label = f"a round of {size} players, worst of {ROUNDS}"
        rows.append(_row(label, seconds, ROUND_AIM, str(whole.opponents_over), text))
    return rows


def planned_again() -> list[list[str]]:
    """One player leaves after the third round, and the other five are planned again."""
    rows = []
    for size in (16, 40, 200):
        _, seconds, last = _played(size, leaves_after=3)
        over = f"{last.before.opponents_over}, then {last.after.opponents_over}"
        text = f"partners again {last.before.partners}, then {last.after.partners}"
        rows.append(_row(f"one of {size} leaves: planned again", seconds, ROUND_AIM, over, text))
    return rows


ROWS: tuple[Callable[[], list[list[str]]], ...] = (
    designs,
    rotating_partners,
    planned_again,
    threes.rows,
)
"""What the section is made of."""


def section() -> Section:
    """Measure everything here."""
    notes = "Processor seconds, every draw from cold."
    return Section("Movements", [COLUMNS, *(row for rows in ROWS for row in rows())], notes)


def _row(what: str, seconds: float, aim: float, over: str, text: str) -> list[str]:
    verdict = "yes" if seconds <= aim else "no"
    return [what, f"{seconds:.2f} s", f"≤ {aim} s", verdict, over, text]


def _played(
    size: int, leaves_after: int | None = None
) -> tuple[list[Round], float, individual.Plan]:
    """Draw eight rounds; return them, the time of the worst and the last plan.

    When a player leaves, only the round after that is timed, and drawing ends there.
    """
    entrants = {number: Entrant(number) for number in range(1, size + 1)}
    rounds: list[Round] = []
    worst, last = 0.0, ROUNDS if leaves_after is None else leaves_after + 1
    while True:
        present = tuple(entrants)[len(rounds) == leaves_after :]
        stage = Stage(
            1, "individual", StageRules(rounds=ROUNDS), tuple(entrants), tuple(rounds), "5eed"
        )
        field = Field(stage, entrants, len(rounds) + 1, present)
        individual.plan_from.cache_clear()
        start = time.process_time()
        draw = individual.draw(field)
        elapsed = time.process_time() - start
        worst = elapsed if leaves_after is not None else max(worst, elapsed)
        if len(rounds) + 1 == last:
            plan = individual.replan(field)
            return [*rounds, Round(field.round, draw.tables)], worst, plan
        rounds.append(Round(field.round, draw.tables))
