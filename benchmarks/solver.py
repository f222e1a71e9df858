"""The exact solver beside the same search in C: node by node the same, so the rates compare."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import engine
from benchmarks import yardstick
from benchmarks.sections import Section
from engine.cards import mask_of
from engine.solver import fast
from engine.solver.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCE = Path(__file__).with_name("solver.c")
DEAL = struct.Struct("<4q4i")
SEED = 6
COLUMNS = ["solved", "median", "95 %", "nodes/s", "C, nodes/s", "share of C", "aim", "met"]
SHARE_AIM, RATE_AIM, WARM_AIM = 0.65, 12e6, 1.0
START = "import time, engine; engine.warm_solver(); print(time.process_time())"


@dataclass(frozen=True)
class Size:
    """Deals of one size: what they are called, how many, and the aims in milliseconds."""

    name: str
    ruleset: str
    cards: int
    deals: int
    median: float | None = None
    most: float | None = None


SIZES = (
    Size("`parejas-online`, 10 cards each", "parejas-online", 10, 300, 25.0, 120.0),
    Size("`parejas`, 10 cards each", "parejas", 10, 300, 25.0, 120.0),
    Size("`cuatro`, 8 cards each", "cuatro", 8, 600),
    Size("`cuatro`, 5 cards each", "cuatro", 5, 2000),
    Size("`mano-a-mano`, 8 cards each", "mano-a-mano", 8, 2000, 0.2),
)


@dataclass(frozen=True)
class Reading:
    """What solving one deal came to: the even side's points, nodes, milliseconds."""

    points: int
    nodes: int
    spent: float


def moments(size: Size) -> list[Moment]:
    """Chance deals; oros are trumps, as the C program has it."""
    rng = random.Random(SEED)
    rules = engine.RULESETS[size.ruleset]
    states = []
    for _ in range(size.deals):
        seats = len(rules.seats)
        pack = rng.sample(range(40), size.cards * seats)
        hands = tuple(mask_of(pack[n * size.cards :][: size.cards]) for n in range(seats))
        states.append(Moment(rules, hands, 0, rng.randrange(seats)))
    return states


def compiled(deals: Sequence[Moment]) -> list[Reading]:
    """The readings of the compiled search, all that leads to an answer counted."""
    readings = []
    for deal in deals:
        start = time.process_time()
        search = fast.FastSearch(deal)
        points = search.value(deal)
        readings.append(Reading(points, search.nodes, (time.process_time() - start) * 1000))
    return readings


def build(compiler: str, folder: Path) -> Path:
    """Compiles the C program."""
    program = folder / "solver"
    flags = ["-O2", "-std=c11", "-D_POSIX_C_SOURCE=200809L"]
    subprocess.run([compiler, *flags, "-o", program, SOURCE], check=True)
    return program


def in_c(program: Path, deals: Sequence[Moment]) -> list[Reading]:
    """The readings of the C program."""
    data = program.with_name("deals.bin")
    data.write_bytes(b"".join(packed(deal) for deal in deals))
    run = subprocess.run([program, data], check=True, capture_output=True, text=True)
    rows = [line.split() for line in run.stdout.splitlines()]
    return [Reading(int(row[0]), int(row[1]), float(row[2]) / 1000) for row in rows]


def packed(deal: Moment) -> bytes:
    """One `struct deal` of solver.c."""
    hands = [*deal.hands, 0, 0][:4]
    return DEAL.pack(*hands, len(deal.hands), deal.rules.must_overtrump, deal.turn, 0)


def rate(readings: Sequence[Reading]) -> float:
    """Nodes a second."""
    return (
        sum(reading.nodes for reading in readings)
        / sum(reading.spent for reading in readings)
        * 1000
    )


def section() -> Section:
    """The table of the solver."""
    engine.warm_solver()
    compiler = yardstick.compiler()
    with tempfile.TemporaryDirectory() as folder:
        program = build(compiler, Path(folder)) if compiler else None
        rows = [_row(size, program) for size in SIZES]
    cold, warm = starts()
    return Section(
        "Solver",
        [COLUMNS, *rows],
        "Exact values of random open deals, one thread, processor time. The C program "
        "(`benchmarks/solver.c`, `-O2`) visits the same positions. Start: "
        f"{cold:.1f} s the first time, {warm:.2f} s once compiled (aim: at most "
        f"{WARM_AIM:.0f} s, {'met' if warm <= WARM_AIM else 'not met'}).",
    )


def _row(size: Size, program: Path | None) -> list[str]:
    deals = moments(size)
    compiled(deals[:20])
    results = best(compiled(deals), compiled(deals))
    times = sorted(result.spent for result in results)
    median, percentile_95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    aims = [f"{aim:g} ms" for aim in (size.median, size.most) if aim is not None]
    is_met = all(
        seconds <= aim
        for seconds, aim in ((median, size.median), (percentile_95, size.most))
        if aim is not None
    )
    share = peer_rate = "-"
    if program is not None:
        beside = best(in_c(program, deals), in_c(program, deals))
        if [(result.points, result.nodes) for result in beside] != [
            (o.points, o.nodes) for o in results
        ]:
            raise SystemExit("the C program disagrees with the solver")
        peer_rate = f"{rate(beside) / 1e6:.1f} M"
        share = f"{rate(results) / rate(beside):.0%}"
        if size.cards == 10:
            is_met = is_met and rate(results) >= max(RATE_AIM, SHARE_AIM * rate(beside))
            aims.append("12 M, 65 %")
    return [
        size.name,
        f"{median:.3g} ms",
        f"{percentile_95:.3g} ms",
        f"{rate(results) / 1e6:.1f} M",
        peer_rate,
        share,
        ", ".join(aims),
        ("yes" if is_met else "no") if aims else "",
    ]


def best(*turns: Sequence[Reading]) -> list[Reading]:
    """Of several turns the quickest of each deal."""
    return [min(each, key=lambda one: one.spent) for each in zip(*turns, strict=True)]


def starts() -> tuple[float, float]:
    """Seconds until the solver is ready in a fresh process: nothing compiled before, and after."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # Python keeps what it compiled, too
        times = [
            float(
                subprocess.run(
                    [sys.executable, "-c", START],
                    check=True,
                    capture_output=True,
                    text=True,
                    env=environment,
                ).stdout
            )
            for _ in range(4)
        ]
    return times[0], min(times[1:])
