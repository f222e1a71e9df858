"""Standings: a whole table from cold, one number opened, the effect of a correction."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from benchmarks.sections import Section, best_of
from tournaments.domain.ranking import compare_tables, ranking, terms
from tournaments.domain.rows import (
    Bye,
    Entrant,
    Mark,
    Round,
    Stage,
    StageRules,
    Table,
    TournamentRows,
)

COLUMNS = ["measured", "figure", "÷ plain sums", "aim", "met"]
ENTRIES, ROUNDS = 600, 11
TABLE_AIM = 0.3  # seconds
ORDER = (
    "buchholz_cut1",
    "direct_encounter",
    "sonneborn_berger",
    "hand_difference",
    "point_difference",
    "won",
)
SCORES = ((3, 0), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (0, 3))


def event(entries: int = ENTRIES, rounds: int = ROUNDS) -> TournamentRows:
    """Equals meet equals; every thirtieth table is a forfeit, two entrants rest in each round."""
    random = Random(20260301)
    score = dict.fromkeys(range(1, entries + 1), 0)
    played = []
    for number in range(1, rounds + 1):
        field = sorted(score, key=lambda n: (-score[n], random.random()))
        tables = [
            Table(1, ((field.pop(),),), bye=Bye.PAIRING),
            Table(2, ((field.pop(),),), bye=Bye.HALF),
        ]
        while field:
            first, two = field.pop(0), field.pop(0)
            hands = random.choice(SCORES)
            score[first] += (hands[0] > hands[1]) - (hands[0] < hands[1])
            score[two] -= (hands[0] > hands[1]) - (hands[0] < hands[1])
            marks = (Mark(hands[0], 100 * hands[0]), Mark(hands[1], 100 * hands[1]))
            table = Table(len(tables) + 1, ((first,), (two,)), marks=marks)
            forfeited = len(tables) % 30 == 0
            tables.append(replace(table, marks=None, forfeits=(1,)) if forfeited else table)
        played.append(Round(number, tuple(tables)))
    stage = Stage(1, "swiss", StageRules(order=ORDER), tuple(score), tuple(played))
    return TournamentRows("", entrants=tuple(Entrant(n) for n in score), stages=(stage,))


def plain_sums(rows: TournamentRows) -> dict[int, int]:
    """Add everybody's hands up, and nothing else: the least that any table has to read."""
    sums = dict.fromkeys(rows.stages[0].entrants, 0)
    for _, table in rows.stages[0].tables():
        for side, mark in zip(table.sides, table.marks or (), strict=False):
            sums[side[0]] += mark.hands
    return sums


def section() -> Section:
    """Measure all of it."""
    rows = event()
    stage = rows.stages[0]
    plain_seconds = best_of(lambda: plain_sums(rows), 5)
    line = ranking(rows, stage)[0]
    turned = replace(stage.rounds[5].tables[9], marks=(Mark(0), Mark(3)))
    work = {
        f"the table of {ENTRIES} entries after {ROUNDS} rounds, {len(ORDER)} criteria": (
            lambda: ranking(rows, stage),
            TABLE_AIM,
        ),
        "one number opened down to its sum": (
            lambda: terms(rows, stage, line.entrant, line.values[0]),
            TABLE_AIM,
        ),
        "what a correction would change": (
            lambda: compare_tables(rows, stage, {(6, turned.number): turned}, places=16),
            2 * TABLE_AIM,
        ),
    }
    texts = []
    for label, (measured, aim) in work.items():
        seconds = best_of(measured, 5)
        verdict = "yes" if seconds <= aim else "no"
        ratio = f"{seconds / plain_seconds:.0f}"
        texts.append([label, f"{seconds * 1000:.0f} ms", ratio, f"≤ {aim * 1000:.0f} ms", verdict])
    return Section(
        "Standings",
        [COLUMNS, *texts],
        "From the rows, without cache. *Plain sums* adds up the hands "
        f"({plain_seconds * 1000:.1f} ms). "
        "Match points, Buchholz without the lowest, direct encounter, Sonneborn-Berger, "
        "differences of hands and points, wins; every number with its terms.",
    )
