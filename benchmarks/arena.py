"""Matches between bots: a second, on one processor and on two, in the process and as programs."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import engine
from benchmarks.sections import Section, best_of
from engine.contest.makers import Entrant
from engine.contest.series import Terms, play_series

COLUMNS = ["measured", "matches/s", "hands/s", "beside", "aim", "met"]
SETS, SETS_OF_PROGRAMS = 60, 6
OVERHEAD_AIM = 0.20
SEED = b"benchmark"
REFERENCE = Path(engine.__file__).parent / "bots" / "reference_bot.py"


def terms(ruleset: str, *kinds: str) -> Terms:
    """Two bots, each deal set played from both sides."""
    entrants = tuple(Entrant(f"{kind} {n}", kind) for n, kind in enumerate(kinds))
    rules = engine.RULESETS[ruleset]
    return Terms(ruleset, entrants, SEED, rules.seat_counts[0], 2, {}, "rotations")


def hands_of(terms: Terms, sets: int, jobs: int) -> int:
    """Play the series; the hands that it came to."""
    return sum(line.hands for each in play_series(terms, sets, jobs) for line in each.lines)


def bare(terms: Terms, sets: int) -> None:
    """The same matches with nothing but the table around them."""
    rules = engine.RULESETS[terms.ruleset]
    for number in range(1, sets + 1):
        for order in terms.orders(number):
            bots = {
                seat: engine.HOUSE_BOTS[terms.entrants[order[rules.side_of(at)]].kind](
                    f"{number}{order}{seat}".encode()
                )
                for at, seat in enumerate(rules.seats)
            }
            names = [terms.entrants[order[rules.side_of(at)]].name for at in range(len(bots))]
            engine.play_match(rules, bots, SEED, f"{terms.table}/{number}", names)


def wall(terms: Terms, sets: int, jobs: int) -> tuple[float, int]:
    """Seconds of the clock on the wall, and hands."""
    start = time.perf_counter()
    hands = hands_of(terms, sets, jobs)
    return time.perf_counter() - start, hands


def in_the_process(ruleset: str) -> list[list[str]]:
    """One ruleset: bare, as a series, and on two processors."""
    table_terms = terms(ruleset, "simple", "random")
    hands, matches = hands_of(table_terms, SETS, 1), 2 * SETS
    alone = best_of(lambda: bare(table_terms, SETS))
    series = best_of(lambda: hands_of(table_terms, SETS, 1))
    over = series / alone - 1
    single, _ = wall(table_terms, 4 * SETS, 1)
    two, _ = wall(table_terms, 4 * SETS, 2)
    verdict = "yes" if over <= OVERHEAD_AIM else "no"
    return [
        [f"{ruleset}, bare table", f"{matches / alone:,.0f}", f"{hands / alone:,.0f}", "", "", ""],
        [
            f"{ruleset}, as a series",
            f"{matches / series:,.0f}",
            f"{hands / series:,.0f}",
            f"{over:+.0%} of time",
            f"≤ +{OVERHEAD_AIM:.0%}",
            verdict,
        ],
        [
            f"{ruleset}, two processes",
            f"{8 * SETS / two:,.0f}",
            "",
            f"{single / two:.2f} times one",
            "",
            "",
        ],
    ]


def as_programs() -> list[str]:
    """The reference bot as a program in the sandbox, at both seats."""
    program = f"cmd:{sys.executable} {REFERENCE}"
    table_terms = terms("habanero", program, program)
    seconds, hands = wall(table_terms, SETS_OF_PROGRAMS, 1)
    matches = 2 * SETS_OF_PROGRAMS
    return [
        "habanero, programs in the sandbox",
        f"{matches / seconds:,.1f}",
        f"{hands / seconds:,.0f}",
        "",
        "",
        "",
    ]


def section() -> Section:
    """Measure every way to play."""
    rows = [COLUMNS]
    for ruleset in ("parejas-online", "habanero"):
        rows += in_the_process(ruleset)
    rows.append(as_programs())
    return Section(
        "Matches between bots",
        rows,
        f"`simple` against `random`, matches to three hands, both halves of each deal set; "
        f"{os.cpu_count()} processors. The first two rows of a ruleset are of processor time, the "
        "others of the clock on the wall, with whatever else the machine was doing. A series is "
        "the table plus seeds, records as text, points and shares. A program is started anew for "
        "every match, which is most of its time.",
    )
