"""How long the analysis of a hand takes: par and open losses, and fair losses (tricks 3 to 10)."""

from __future__ import annotations

import time
from statistics import fmean, median
from typing import TYPE_CHECKING

import engine
from benchmarks.chances import seconds_of_chances
from benchmarks.sections import Section
from engine.analysis import Terms

if TYPE_CHECKING:
    from collections.abc import Sequence

HANDS = 30
SEED = b"analysis".ljust(32)
COLUMNS = ["analysed", "mean", "median", "longest", "aim", "met"]
OPEN_AIM, FAIR_AIM, CHANCE_AIM = 0.2, 0.6, 1.3
PAIRS = ("parejas-online", "parejas", "cuatro")


def record(ruleset: str, hands: int) -> engine.Record:
    """A match between simple players."""
    rules = engine.RULESETS[ruleset]
    bots = {seat: engine.Sensible(SEED) for seat in rules.seats}
    document = engine.play_match(rules, bots, SEED, "speed", rules.seats, {"deals": hands})
    return engine.parse_record(document)


def seconds(played: engine.Record, terms: Terms) -> list[float]:
    """Processor time of each hand."""
    times = []
    for index in range(len(played.hands)):
        start = time.process_time()
        engine.analyse_hand(played, index, terms)
        times.append(time.process_time() - start)
    return times


def section() -> Section:
    """The table of the analysis."""
    engine.warm_solver()
    rows = []
    for ruleset in PAIRS:
        played = record(ruleset, HANDS)
        seconds(played, Terms(worlds=1))
        open_times = seconds(played, Terms(worlds=0))
        whole = seconds(played, Terms())
        chances = [seconds_of_chances(played, index) for index in range(HANDS)]
        times = zip(whole, open_times, chances, strict=True)
        fair = [total - alone - chance for total, alone, chance in times]
        of = "" if ruleset == PAIRS[0] else f", `{ruleset}`"
        rows.append(_row(f"par and open losses{of}", open_times, OPEN_AIM))
        rows.append(_row(f"fair losses{of}", fair, FAIR_AIM))
        rows.append(_row(f"chance of the hand{of}", chances, CHANCE_AIM))
    return Section(
        "Analysis",
        [COLUMNS, *rows],
        f"Seconds a hand of `{PAIRS[0]}`, one thread, processor time, warm, over {HANDS} hands of "
        "`simple`. "
        "Open: replay, par, the value after every legal card, a line of best play. Fair, besides: "
        f"{Terms().worlds} deals for every choice of tricks 3 to 10, more until marks are stable. "
        "Chance: as many deals for every choice, four times as many where it may matter. "
        "The aims are for the mean.",
    )


def _row(what: str, elapsed: Sequence[float], aim: float) -> list[str]:
    return [
        what,
        f"{fmean(elapsed):.3f} s",
        f"{median(elapsed):.3f} s",
        f"{max(elapsed):.3f} s",
        f"{aim:g} s",
        "yes" if fmean(elapsed) <= aim else "no",
    ]
