"""``python -m benchmarks``: the engine beside the C yardstick, all measured in one run.

The aims are ratios to the yardstick, because a rate says more about the machine than about the
code: where C replays 4.25 million hands a second, the core is to replay and to audit 4,000 from
their text, and the kernel to audit 250,000. Rates are of processor time, so that other work on the
machine disturbs them less; each is the best of several rounds, taken in turns. Measure on thousands
of hands: a few hundred the processor learns by heart, which flatters C by a half.
"""

from __future__ import annotations

import argparse
import datetime as dt
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import engine
from benchmarks import (
    analysis,
    arena,
    arena_service,
    movements,
    pages,
    peers,
    playouts,
    prospects,
    ratings,
    solver,
    standings,
    submissions,
    swiss,
    yardstick,
)
from benchmarks import hands as dealt
from benchmarks.document import write_section
from benchmarks.sections import Section
from engine.fast.auditing import BulkAudit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


C_RATE = 4_250_000
AIMS = {
    "core": C_RATE / 4_000,
    "audit": C_RATE / 4_000,
    "bulk": C_RATE / 250_000,
    "stock": C_RATE / 150_000,
    "json": C_RATE / 60_000,
}
"""C's rate over ours, at most."""
HINTS_AIM, IMPORT_AIM = 10.0, 60.0  # milliseconds
SEED = b"benchmark"
SECONDS = 0.3
"""Of one measurement: the clock of the processor is coarse."""
SECTIONS: tuple[Callable[[], Section], ...] = (
    movements.section,
    swiss.section,
    standings.section,
    prospects.section,
    ratings.section,
    solver.section,
    analysis.section,
    arena.section,
    pages.section,
    arena_service.section,
    submissions.section,
)
"""What is measured beside the engine."""
PEER_SECTIONS: tuple[Callable[[], Section], ...] = (swiss.peer_section, playouts.peer_section)
"""What is measured of other programs, with ``--peers``."""
REFUSED = 40
"""Refused hands whose hints are looked for."""


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    figure: str
    ratio: str
    aim: str
    met: str


@dataclass(frozen=True)
class Figures:
    """What was measured: hands a second, milliseconds, and the share of records that fell back."""

    c: float = 0.0
    core: float = 0.0
    audit: float = 0.0
    bulk: float = 0.0
    stock: float = 0.0
    json: float = 0.0
    fallen_back: float = 0.0
    hints: float = float("inf")
    imported: float = float("inf")


def hands_a_second(work: Callable[[], object], hands: int) -> float:
    """The rate of whole passes."""
    passes, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < SECONDS:
        work()
        passes += 1
    return passes * hands / elapsed


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


def refused_hands(records: Iterable[engine.Record]) -> Iterator[engine.Record]:
    """Records of one hand in which two neighbouring plays changed places, so that it is refused."""
    for record, at in zip(records, cycle(range(4, 30)), strict=False):
        tokens = (record.hands[0].play or "").split()
        if at + 1 >= len(tokens):
            continue  # a tute ended the hand before this place
        tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
        hand = replace(record.hands[0], play=" ".join(tokens))
        broken = replace(record, hands=(hand,), score=None, winner=None)
        if any(fault.code.startswith("play.") for fault in engine.audit(broken).faults):
            yield broken


def hint_milliseconds(refused: list[engine.Record]) -> float:
    """What the search for hints takes for a refused hand, in the mean."""
    start = time.process_time()
    for record in refused:
        engine.audit(record, hints=True)
    return (time.process_time() - start) / len(refused) * 1000


def audit_in_bulk(texts: list[tuple[str, bytes]]) -> None:
    """A verdict on every record, all of them valid."""
    assert all(verdict.valid for verdict in BulkAudit().audit(texts))


def write_as_json(texts: list[tuple[str, bytes]]) -> None:
    """The whole verdict on every record, written."""
    for verdict in BulkAudit().audit(texts):
        assert isinstance(verdict, engine.ValidVerdict)
        verdict.json("en")


def measured(matches: int, rounds: int) -> tuple[Figures, int]:
    """The figures, and the number of hands they were measured on."""
    lines = dealt.matches(matches, SEED)
    texts = [(f"#{number}", line.encode()) for number, line in enumerate(lines)]
    records = [engine.parse_record(line) for line in lines]
    hands = [hand for record in records for hand in record.hands]
    stocked = [
        ("", line.encode())
        for line in dealt.matches(matches // 2, SEED, engine.RULESETS["habanero"])
    ]
    stocked_hands = sum(len(verdict.hands) for verdict in BulkAudit().audit(stocked))
    refused = list(islice(refused_hands(records), REFUSED))
    best = Figures()

    def replay_all() -> None:
        for hand in hands:
            engine.replay_hand(dealt.RULES, hand)

    def audit_all() -> None:
        for line in lines:
            engine.audit(line)

    compiler = yardstick.compiler()
    readings: list[yardstick.Reading] = []
    with tempfile.TemporaryDirectory() as folder:
        command = yardstick.build(compiler, Path(folder), hands) if compiler else []
        for turn in range(rounds):
            print(f"round {turn + 1} of {rounds}", file=sys.stderr)
            if command:
                readings.append(yardstick.measure(command, SECONDS))
            best = replace(
                best,
                c=max((reading.rate for reading in readings), default=0.0),
                core=max(best.core, hands_a_second(replay_all, len(hands))),
                audit=max(best.audit, hands_a_second(audit_all, len(hands))),
                bulk=max(best.bulk, hands_a_second(partial(audit_in_bulk, texts), len(hands))),
                stock=max(
                    best.stock, hands_a_second(partial(audit_in_bulk, stocked), stocked_hands)
                ),
                json=max(best.json, hands_a_second(partial(write_as_json, texts), len(hands))),
                hints=min(best.hints, hint_milliseconds(refused)),
                imported=min(best.imported, import_milliseconds()),
            )
    if not readings:
        print("No C compiler (cc, gcc, clang) was found: rates only, no ratios.\n")
    for reading in readings[:1]:
        check_sums(reading, lines)
    bulk = BulkAudit()
    assert all(verdict.valid for verdict in bulk.audit(texts))
    return replace(best, fallen_back=bulk.left / bulk.records), len(hands)


def ratio_text(ratio: float) -> str:
    """A ratio with as many digits as can be compared."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}"


def table(figures: Figures) -> list[Row]:
    """The figures as rows; without a yardstick no ratio can be met or missed."""
    rows = [
        Row("C yardstick, replay", f"{figures.c:,.0f} hands/s" if figures.c else "-", "", "", "")
    ]
    for label, rate, aim in [
        ("engine, replay of a parsed hand", figures.core, AIMS["core"]),
        ("engine, NDJSON to verdict", figures.audit, AIMS["audit"]),
        ("engine in bulk, NDJSON to verdict", figures.bulk, AIMS["bulk"]),
        ("the same with a stock", figures.stock, AIMS["stock"]),
        ("in bulk, NDJSON to verdict as JSON", figures.json, AIMS["json"]),
    ]:
        ratio = ratio_text(figures.c / rate) if figures.c else "-"
        verdict = ("yes" if figures.c / rate <= aim else "no") if figures.c else "-"
        rows.append(Row(label, f"{rate:,.0f} hands/s", ratio, f"≤ {aim:,.0f}", verdict))
    for label, seconds, limit in [
        ("hints for a refused hand, mean", figures.hints, HINTS_AIM),
        ("`import engine`", figures.imported, IMPORT_AIM),
    ]:
        verdict = "yes" if seconds < limit else "no"
        rows.append(Row(label, f"{seconds:.1f} ms", "", f"under {limit:.0f} ms", verdict))
    return rows


def peer_rows(figures: Figures, readings: Iterable[peers.PeerReading]) -> list[list[str]]:
    """The peers beside us: a hand of ours is forty cards, so moves are what can be compared."""
    audit_moves = 40 * figures.audit
    rows = [["peer", "games/s", "moves/s", "our audit ÷ it, a move", "in bulk ÷ it, a move"]]
    for reading in readings:
        name = f"{reading.name} {reading.version}".strip()
        if reading.error:
            rows.append([name, reading.error, "-", "-", "-"])
        else:
            ratios = [ratio_text(rate / reading.moves) for rate in (audit_moves, 40 * figures.bulk)]
            rows.append([name, f"{reading.games:,.0f}", f"{reading.moves:,.0f}", *ratios])
    return rows


def section(figures: Figures, hands: int) -> Section:
    """The figures of the engine as the first section of the document."""
    head = Row("measured", "figure", "C ÷ engine", "aim", "met")
    today = dt.datetime.now(tz=dt.UTC).date()
    return Section(
        "Performance",
        [[row.what, row.figure, row.ratio, row.aim, row.met] for row in [head, *table(figures)]],
        f"Best of several rounds over {hands:,} hands, CPython {platform.python_version()} on "
        f"{platform.machine()}, {today}; left to the core: {figures.fallen_back:.1%}.",
    )


def main() -> None:
    """Measures, prints the tables, and with ``--write`` updates docs/operators/performance.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="matches to play and measure")
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the best one counts")
    parser.add_argument("--peers", action="store_true", help="install and measure the peers too")
    parser.add_argument("--write", action="store_true", help="update docs/operators/performance.md")
    options = parser.parse_args()
    figures, hands = measured(options.matches, options.rounds)
    print(write_section(section(figures, hands), write=options.write))
    if options.peers:
        rows = peer_rows(figures, peers.measure_all(SECONDS))
        notes = f"Beside C at {figures.c:,.0f} hands/s."
        print(write_section(Section("Beside others", rows, notes), write=options.write))
    for measure in (*SECTIONS, *(PEER_SECTIONS if options.peers else ())):
        print(write_section(measure(), write=options.write))


if __name__ == "__main__":
    main()
