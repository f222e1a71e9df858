"""Tables of three: whole stages, and plans made again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Final

from tournaments.domain.movements.threes import History, design_seats, imbalance, plan
from tournaments.domain.pairing import threes
from tournaments.domain.pairing.base import Field
from tournaments.domain.rows import Entrant, Round, Stage

AIM: Final = 0.5  # seconds
SIZES: Final = (12, 22, 60, 100)
ROUNDS: Final = 6


def plans() -> list[list[str]]:
    """Six rounds planned from nothing, by Kirkman systems where there are any."""
    rows = []
    for size in SIZES:
        players = range(1, size + 1)
        began = time.process_time()
        planned = plan(players, ROUNDS, History(), seats=design_seats(players, players), seed="b")
        elapsed = time.process_time() - began
        rows.append(
            _row(f"{ROUNDS} rounds of {size}", elapsed, asdict(imbalance(planned, players)))
        )
    return rows


def planned_again() -> list[list[str]]:
    """Two leave after the third of six rounds; the worst draw of the six."""
    rows = []
    for size in (22, 60):
        worst, counts = _with_two_leaving(size)
        rows.append(_row(f"a round of {size}, two leave after the third", worst, counts))
    return rows


def rows() -> list[list[str]]:
    """Measure everything here, as rows of the movements."""
    return [*plans(), *planned_again()]


def _with_two_leaving(size: int) -> tuple[float, Mapping[str, int]]:
    rules = replace(threes.FORMAT.rules, rounds=ROUNDS)
    stage = Stage(1, "threes", rules, tuple(range(1, size + 1)), seed="b")
    entrants = {number: Entrant(number) for number in stage.entrants}
    worst, present = 0.0, stage.entrants
    counts: Mapping[str, int] = {}
    for number in range(1, ROUNDS + 1):
        present = stage.entrants if number <= ROUNDS // 2 else stage.entrants[2:]
        field = Field(stage, entrants, number, present)
        began = time.process_time()
        draw = threes.draw(field)
        worst = max(worst, time.process_time() - began)
        counts = draw.quality
        stage = replace(stage, rounds=(*stage.rounds, Round(number, draw.tables)))
    return worst, counts


def _row(what: str, seconds: float, counts: Mapping[str, int]) -> list[str]:
    verdict = "yes" if seconds <= AIM else "no"
    summary = "repeats {repeats}, sit-outs ± {sit_outs}, seats ± {seats}".format(**counts)
    return [f"tables of three: {what}", f"{seconds:.2f} s", f"≤ {AIM} s", verdict, "", summary]
