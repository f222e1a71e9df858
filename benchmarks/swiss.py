"""Swiss rounds: how long a draw takes in the middle of an event, and what others take for it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.sections import Section, best_of
from tournaments.domain.pairing import FORMATS, costs, matching
from tournaments.domain.pairing.base import Field
from tournaments.domain.pairing.past import StageHistory, stage_history
from tournaments.domain.rows import Entrant, Mark, Round, Stage, StageRules, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = {50: 20, 200: 10, 1000: 3}
"""How many events are played of each size."""
AIMS = {200: (0.03, 0.06), 1000: (1.0, 2.0)}
"""Seconds a round: the mean, and the worst."""
LEVEL = {1000: 2.0, 1500: 5.0}
"""Entries that are all level, and the most seconds that the first round may take."""
LEVEL_CLUBS = (0, 2)
"""Clubs of level entries; with two, only the club and the fold distinguish the pairings."""
FIRST, LAST = 3, 9
"""The rounds that are timed."""
BESIDE = 6
"""The round that the others draw too."""
PEERS = {"networkx": "networkx", "py4swiss": "py4swiss", "swisspair": "swisspair"}
"""What is measured, and its package."""
SCRIPT = Path(__file__).with_name("swiss_peer.py")
MAX_SECONDS = 240

COLUMNS = ["entries", "draws", "mean", "worst", "aim", "met"]


def events(size: int, seed: int) -> Iterator[Field]:
    """Play an event of ``LAST`` rounds, numbered without regard to strength."""
    chance = random.Random(f"swiss:{size}:{seed}")
    entrants = {n: Entrant(n, rating=chance.gauss(1500, 200)) for n in range(1, size + 1)}
    order = tuple(sorted(entrants, key=lambda entrant: -entrants[entrant].rating))
    stage = Stage(1, "swiss", StageRules(rounds=LAST), order, seed="5eed")
    for number in range(1, LAST + 1):
        field = Field(stage, entrants, number, order)
        yield field
        tables = [_played(chance, entrants, table) for table in FORMATS["swiss"].draw(field).tables]
        stage = replace(stage, rounds=(*stage.rounds, Round(number, tuple(tables))))


def _played(chance: random.Random, entrants: dict[int, Entrant], table: Table) -> Table:
    if table.is_bye:
        return table
    strength, other = (
        entrants[entrant].rating + chance.gauss(0, 200) for entrant in table.entrants
    )
    hands = (2, 2) if abs(strength - other) < 20 else (4, 1) if strength > other else (1, 4)
    return replace(table, marks=tuple(Mark(won) for won in hands))


def section() -> Section:
    """Measure the draws of whole events."""
    rows = [COLUMNS]
    for size, count in SIZES.items():
        print(f"drawing {count} events of {size}", file=sys.stderr)
        times = []
        for seed in range(count):
            for field in events(size + seed % 2, seed):
                start = time.process_time()
                FORMATS["swiss"].draw(field)
                if field.round >= FIRST:
                    times.append(time.process_time() - start)
        mean, worst = fmean(times), max(times)
        aim, verdict = "", ""
        if size in AIMS:
            limits = AIMS[size]
            aim = f"{limits[0]:g} s, worst {limits[1]:g} s"
            verdict = "yes" if mean <= limits[0] and worst <= limits[1] else "no"
        rows.append([f"{size:,}", f"{len(times)}", f"{mean:.4f} s", f"{worst:.4f} s", aim, verdict])
    rows += [_level(size, clubs) for size in LEVEL for clubs in LEVEL_CLUBS]
    notes = (
        f"From the rows to the tables with their reasons, rounds {FIRST} to {LAST} of simulated\n"
        "events, even and odd by turns, every draw from cold; processor time.\n"
        "*Level*: the first round of entries without a score, of no club or of two; before the\n"
        "prices of the assignment problem 1,000 took 9.6 s and 1,500 took 32 s."
    )
    return Section("Swiss rounds", rows, notes)


def _level(size: int, clubs: int) -> list[str]:
    """Measure the first round of level entries."""
    chance = random.Random(f"{size}tie{clubs}")
    names = [f"c{chance.randrange(clubs)}" if clubs else "" for _ in range(size)]
    entrants = {n: Entrant(n, club=club) for n, club in enumerate(names, 1)}
    stage = Stage(1, "swiss", StageRules(rounds=LAST), tuple(entrants), seed="5eed")
    seconds = best_of(lambda: FORMATS["swiss"].draw(Field(stage, entrants, 1, tuple(entrants))))
    label = f"{size:,} level" + (f", {clubs} clubs" if clubs else "")
    verdict = "yes" if seconds <= LEVEL[size] else "no"
    return [label, "3", f"{seconds:.4f} s", "", f"{LEVEL[size]:g} s", verdict]


# --- beside others -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """A round to be drawn: its size, our time, and the file from which the others read it."""

    size: int
    ours: float
    path: Path


def peer_section() -> Section:
    """Let others draw the same round, each in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="baza-swiss-") as name:
        folder = Path(name)
        tasks = [_task(size, folder) for size in SIZES]
        venv.create(folder / "venv", with_pip=True)
        python = str(folder / "venv" / "bin" / "python")
        rows = [["peer", *(f"{size:,} entries" for size in SIZES)]]
        rows.append(["Baza", *(f"{task.ours:.4f} s" for task in tasks)])
        for peer, package in PEERS.items():
            print(f"installing {package}", file=sys.stderr)
            words = [python, "-m", "pip", "install", "--quiet", package]
            if subprocess.run(words, check=False, capture_output=True).returncode:
                rows.append([peer, *("cannot be installed here" for _ in tasks)])
                continue
            rows.append([peer, *(_beside(python, peer, task) for task in tasks)])
    notes = (
        f"Round {BESIDE} of one event of each size, and how many times our time the others take.\n"
        "networkx gets our costs on the whole graph and only has to match. py4swiss follows the\n"
        "FIDE (Dutch) system, which is about colours too. swisspair looks at points and rematches\n"
        "alone: among equals it draws by chance, anew in every call. Reading the round in is\n"
        "counted for us only. Processor time, one draw each; ours the best of three."
    )
    return Section("Swiss rounds beside others", rows, notes)


def _task(size: int, folder: Path) -> Task:
    field = next(field for field in events(size, 0) if field.round == BESIDE)
    before = stage_history(field.stage, field.entrants)
    seconds = best_of(lambda: FORMATS["swiss"].draw(field))
    pool = costs.pool(field.present, field.entrants, before)
    first, second = np.triu_indices(pool.nodes, 1)
    packed = matching.pack(costs.criteria(pool, first, second), pool.nodes // 2)
    task = {
        "edges": list(zip(first.tolist(), second.tolist(), packed.tolist(), strict=True)),
        "points": [int(before.score(entrant)) for entrant in field.present],
        "met": [[field.present.index(a), field.present.index(b)] for a, b in before.meeting_rounds],
        "trf": trf(field, before),
    }
    path = folder / f"{size}.json"
    path.write_text(json.dumps(task), encoding="utf-8")
    return Task(size, seconds, path)


def _beside(python: str, peer: str, task: Task) -> str:
    print(f"measuring {peer}, {task.size} entries", file=sys.stderr)
    words = [python, str(SCRIPT), peer, str(task.path)]
    try:
        run = subprocess.run(
            words, check=False, capture_output=True, text=True, timeout=MAX_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"not done after {MAX_SECONDS} s"
    if run.returncode:
        return (run.stderr.strip().splitlines() or ["failed"])[-1][:60]
    seconds = float(run.stdout)
    return f"{seconds:.4f} s, {seconds / task.ours:.2g} times"


def trf(field: Field, before: StageHistory) -> str:
    """The event as a tournament report of FIDE, a win one point, the first side white."""
    place = {actor: number for number, actor in enumerate(field.present, start=1)}
    lines = [f"XXR {LAST}", "XXC white1"]
    for entrant, number in place.items():
        points = float(before.score(entrant)) / 2
        line = f"001 {number:4}      {f'P{number}':33} 2000 {'':3} {'':11} {'':10} "
        line += f"{points:4.1f} {number:4}"
        for round_ in field.stage.rounds:
            table = next(table for table in round_.tables if entrant in table.entrants)
            line += "  " + _result(table, entrant, place)
        lines.append(line)
    return "\n".join(lines) + "\n"


def _result(table: Table, entrant: int, place: dict[int, int]) -> str:
    if table.is_bye:
        return "0000 - U"
    side = table.side_of(entrant)
    other = table.entrants[1 - side]
    result = "=" if table.winner is None else "1" if table.winner == side else "0"
    return f"{place[other]:4} {'wb'[side]} {result}"
