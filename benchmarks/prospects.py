"""What is certain before the last round: of how many entries something is said, and its cost."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace

from benchmarks.sections import Section
from tournaments.domain.pairing import FORMATS
from tournaments.domain.prospects import Verdict, prospects
from tournaments.domain.ranking import tables
from tournaments.domain.rows import Entrant, Mark, Round, Stage, StageRules, Table, TournamentRows
from tournaments.domain.scores import Length
from tournaments.domain.stages import next_draw, with_stage

EVENTS = 400
COLUMNS = ["before the last round", *(verdict.value for verdict in Verdict), "all", "÷ standings"]
SIZES = {
    "liguilla of 8, 4 go on": ("liguilla", 8, 7, 4),
    "two groups of 4, 2 of each go on": ("groups", 8, 3, 2),
    "Swiss of 30, 5 rounds, 8 go on": ("swiss", 30, 5, 8),
}
LENGTH = Length(3, None, 230)


def event(format_: str, entries: int, rounds: int, take: int, seed: int) -> TournamentRows:
    """Play an event to three hands up to its last round, which is drawn."""
    chance = random.Random(f"prospects:{seed}")
    people = tuple(Entrant(n, rating=chance.gauss(1500, 120)) for n in range(1, entries + 1))
    rules = replace(FORMATS[format_].rules, rounds=rounds if format_ == "swiss" else None)
    stage = Stage(1, format_, rules, tuple(one.number for one in people), seed=f"{seed:08x}")
    rows = TournamentRows("", entrants=people, stages=(stage, _final(take)))
    for number in range(1, rounds + 1):
        tables_ = next_draw(rows, stage=1).tables
        if number < rounds:
            tables_ = tuple(_played(chance, rows, table) for table in tables_)
        stage = replace(stage, rounds=(*stage.rounds, Round(number, tables_)))
        rows = with_stage(rows, stage)
    return rows


def _final(take: int) -> Stage:
    return Stage(2, "knockout", StageRules(take=take))


def _played(chance: random.Random, rows: TournamentRows, table: Table) -> Table:
    if table.is_bye:
        return table
    home, away = (rows.by_number[side[0]].rating for side in table.sides)
    hands = [3, chance.randrange(3)]
    if chance.random() > 1 / (1 + 10 ** ((away - home) / 400)):
        hands.reverse()
    marks = tuple(Mark(won, 60 * won + chance.randrange(120)) for won in hands)
    return replace(table, marks=marks)


def section() -> Section:
    """Measure all of it."""
    texts = []
    for label, size in SIZES.items():
        said: Counter[str] = Counter()
        cost = standings = 0.0
        for seed in range(EVENTS):
            rows = event(*size, seed)
            begun = time.process_time()
            tables(rows, rows.stages[0])
            ranked = time.process_time()
            found = prospects(rows, rows.stages[0], LENGTH)
            cost += time.process_time() - ranked
            standings += ranked - begun
            said.update(prospect.verdict.value for prospect in found.values())
        entries = EVENTS * size[1]
        shares = [said[verdict.value] / entries for verdict in Verdict]
        numbers = [f"{share:.0%}" for share in (*shares, sum(shares))]
        texts.append([label, *numbers, f"{cost / standings:.0f}"])
    return Section(
        "What is certain before the last round",
        [COLUMNS, *texts],
        f"{EVENTS} events of each, to three hands; the cost is that of the whole, once a version.",
    )
