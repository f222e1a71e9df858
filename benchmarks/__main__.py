"""``python -m benchmarks``: the engine beside the C yardstick, all measured in one run.

The aims are ratios to the yardstick, because a rate says more about the machine than about the
code: 50,000 and 20,000 hands a second where C replays 4.25 million. Every figure is the best of
several rounds, taken in turns so that a busy moment of the machine falls on all of them. Measure
on thousands of hands: a few hundred the processor learns by heart, which flatters C by a half.
"""

from __future__ import annotations

import argparse
import datetime as dt
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import engine
from benchmarks import hands as dealt
from benchmarks import yardstick

DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"
CORE_AIM, AUDIT_AIM = 4_250_000 / 50_000, 4_250_000 / 20_000  # C's rate over ours
IMPORT_AIM = 60.0  # milliseconds
SEED = b"benchmark"


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    figure: str
    ratio: str
    aim: str
    met: str


def hands_a_second(work: Callable[[], object], hands: int) -> float:
    """The rate of one pass."""
    start = time.perf_counter()
    work()
    return hands / (time.perf_counter() - start)


def import_milliseconds() -> float:
    """How long ``import engine`` takes in a fresh interpreter, its start not counted."""
    code = "import time; t = time.perf_counter(); import engine; print(time.perf_counter() - t)"
    words = [sys.executable, "-c", code]
    run = subprocess.run(words, check=True, capture_output=True, text=True)
    return float(run.stdout) * 1000


def check_sums(reading: yardstick.Reading, lines: list[str]) -> None:
    """The yardstick must have done the same work: same points, winners and forfeits."""
    verdicts = [engine.audit(line) for line in lines]
    played = [hand for verdict in verdicts for hand in verdict.hands]
    points = [sum((hand.points or {})[side] for hand in played) for side in dealt.RULES.sides]
    won = sum(hand.winner == dealt.RULES.sides[0] for hand in played)
    forfeited = sum(len(verdict.notices) for verdict in verdicts)
    expected = yardstick.Reading(reading.rate, (points[0], points[1]), won, forfeited)
    if reading != expected:
        raise SystemExit(f"the yardstick disagrees with the engine: {reading}, {expected}")


def measured(matches: int, rounds: int) -> tuple[list[Row], int]:
    """The table, and the number of hands it was measured on."""
    lines = dealt.matches(matches, SEED)
    records = [engine.parse_record(line) for line in lines]
    hands = [hand for record in records for hand in record.hands]

    def replay_all() -> None:
        for hand in hands:
            engine.replay_hand(dealt.RULES, hand)

    def audit_all() -> None:
        for line in lines:
            engine.audit(line)

    compiler = yardstick.compiler()
    readings: list[yardstick.Reading] = []
    core = audit = 0.0
    imported = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        command = yardstick.build(compiler, Path(folder), hands) if compiler else []
        for turn in range(rounds):
            print(f"round {turn + 1} of {rounds}", file=sys.stderr)
            if command:
                readings.append(yardstick.measure(command, 0.3))
            core = max(core, hands_a_second(replay_all, len(hands)))
            audit = max(audit, hands_a_second(audit_all, len(hands)))
            imported = min(imported, import_milliseconds())
    if not readings:
        print("No C compiler (cc, gcc, clang) was found: rates only, no ratios.\n")
    for reading in readings[:1]:
        check_sums(reading, lines)
    c_rate = max((reading.rate for reading in readings), default=0.0)
    return table(c_rate, core, audit, imported), len(hands)


def table(c_rate: float, core: float, audit: float, imported: float) -> list[Row]:
    """The figures as rows; without a yardstick no ratio can be met or missed."""
    rows = [Row("C yardstick, replay", f"{c_rate:,.0f} hands/s" if c_rate else "-", "", "", "")]
    for what, rate, aim in [
        ("engine, replay of a parsed hand", core, CORE_AIM),
        ("engine, NDJSON to verdict", audit, AUDIT_AIM),
    ]:
        ratio = f"{c_rate / rate:.0f}" if c_rate else "-"
        met = ("yes" if c_rate / rate <= aim else "no") if c_rate else "-"
        rows.append(Row(what, f"{rate:,.0f} hands/s", ratio, f"at most {aim:.0f}", met))
    met = "yes" if imported < IMPORT_AIM else "no"
    rows.append(Row("`import engine`", f"{imported:.0f} ms", "", f"under {IMPORT_AIM:.0f} ms", met))
    return rows


def as_markdown(rows: list[Row]) -> str:
    """The rows as a Markdown table, its columns in line."""
    head = Row("measured", "figure", "C ÷ engine", "aim", "met")
    cells = [[row.what, row.figure, row.ratio, row.aim, row.met] for row in [head, *rows]]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| "
        + " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True))
        + " |"
        for line in cells
    )


def document(rows: list[Row], hands: int) -> str:
    """The text of docs/performance.md."""
    today = dt.datetime.now(tz=dt.UTC).date()
    return f"""# Performance

Written by `./baza bench --write`; `./baza bench` prints the same table for your machine. The
yardstick is a plain C replay of the same hands (`benchmarks/yardstick.c`, compiled on the spot),
so the ratio can be compared between machines where the rates cannot.

{as_markdown(rows)}

Best of several rounds over {hands:,} hands of the house bots, one thread, CPython
{platform.python_version()} on {platform.machine()}, {today}.

- *replay of a parsed hand*: deal and play as text in memory, every token judged, points and
  forfeits counted (`engine.replay_hand`).
- *NDJSON to verdict*: from the line to the verdict with its digest (`engine.audit`).
- *import*: in a fresh interpreter, without the start of Python itself.
"""


def main() -> None:
    """Measures, prints the table, and with ``--write`` updates docs/performance.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="matches to play and measure")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the best one counts")
    parser.add_argument("--write", action="store_true", help="update docs/performance.md")
    options = parser.parse_args()
    rows, hands = measured(options.matches, options.rounds)
    print(f"{hands:,} hands, best of {options.rounds} rounds, one thread\n")
    print(as_markdown(rows))
    if options.write:
        DOCUMENT.write_text(document(rows, hands), encoding="utf-8")
        print("\nwritten to docs/performance.md")


if __name__ == "__main__":
    main()
