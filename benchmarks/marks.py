"""How many marks change with more deals, and what stable grades cost (`engine/analysis/marks.py`).

Marks by the estimate over 40 deals (the rule until 0.1), and marks of today, beside a reference:
the estimate over many other deals.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

import engine
from benchmarks.sections import in_columns
from engine.analysis.fair_losses import (
    FairLosses,
    Table,
    draw_deals,
    fair_losses_over,
    stable_rivals,
)
from engine.analysis.marks import GRADES, SLIP, Rival, find_mark, is_stable
from engine.analysis.open_losses import find_open_losses
from engine.analysis.walk import Step, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

USUAL: Final = engine.Terms()
CARDS: Final = 11 - USUAL.fair_from


class Marks(NamedTuple):
    """The marks of a card; whether that of today is stable, and the deals drawn for it."""

    before: str
    now: str
    reference: str
    stable: bool
    deals: int


class Hand(NamedTuple):
    """The cards that might be marked, and processor seconds for fair losses, before and now."""

    cards: list[Marks]
    before: float
    now: float


class Other(Table):
    """The same table, whose seeds give other deals."""

    def seed(self, step: Step, sample: str = "1") -> str:
        """Another seed for the same knowledge."""
        return f"other {super().seed(step, sample)}"


def estimated(rivals: list[Rival]) -> str:
    """The grade by the estimates alone, where they exceed twice their error."""
    sure = [rival for rival in rivals if rival.fair > 2 * rival.error]
    reached = [
        grade.name
        for grade in GRADES
        if any(rival.open >= grade.open_loss and rival.fair >= grade.fair_loss for rival in sure)
    ]
    return reached[-1] if reached else ""


def measured(task: tuple[str, int, int]) -> Hand | None:
    """Judge the cards of a hand; ``None`` where it cannot be analysed."""
    text, index, reference = task
    record = engine.parse_record(json.loads(text))
    walked = walk(record, index)
    if isinstance(walked, str):
        return None
    table, other = (kind(record.ruleset, record.hands[index]) for kind in (Table, Other))
    cards, before, after = [], 0.0, 0.0
    for step, values in zip(walked.steps, find_open_losses(walked).values, strict=True):
        if not values or step.moment.hands[step.moment.turn].bit_count() > CARDS:
            continue
        began = time.process_time()
        fair = fair_losses_over(step, draw_deals(step, table, USUAL.worlds))
        first = time.process_time() - began
        rivals, deals = stable_rivals(step, table, fair, USUAL.worlds, values)
        before, after = before + first, after + time.process_time() - began
        if max(values.values()) - values[step.card] >= SLIP.open_loss:
            cards.append(_marks(step, values, fair, other, rivals, deals, reference))
    return Hand(cards, before, after)


def _marks(
    step: Step,
    values: Mapping[int, int],
    fair: FairLosses,
    other: Table,
    rivals: list[Rival],
    deals: int,
    reference: int,
) -> Marks:
    mark, many = find_mark(rivals), fair_losses_over(step, draw_deals(step, other, reference))
    return Marks(
        estimated(fair.rivals(step.card, values)),
        "" if mark is None else mark[0].name,
        estimated(many.rivals(step.card, values)),
        is_stable(rivals),
        deals,
    )


def _tasks(path: Path, hands: int, reference: int) -> Iterator[tuple[str, int, int]]:
    """The first hand of each record, then the second ones, up to ``hands``."""
    lines = path.read_text().splitlines()
    counts = [len(json.loads(line)["hands"]) for line in lines]
    all_hands = [
        (line, index, reference)
        for index in range(max(counts))
        for line, count in zip(lines, counts, strict=True)
        if index < count
    ]
    yield from all_hands[:hands]


def main() -> None:
    """Prints the changed marks and the processor time a hand."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.marks", description=main.__doc__)
    parser.add_argument("records", type=Path, help="records, a line each")
    parser.add_argument("--hands", type=int, default=40)
    parser.add_argument("--reference", type=int, default=400, help="deals of the reference")
    options = parser.parse_args()
    engine.warm_solver()
    with ProcessPoolExecutor(2) as pool:
        tasks = _tasks(options.records, options.hands, options.reference)
        hands = [hand for hand in pool.map(measured, tasks) if hand is not None]
    cards = [card for hand in hands for card in hand.cards]
    rows = [["rule", "marks that change", "seconds a hand"]]
    seconds = [fmean(hand.before for hand in hands), fmean(hand.now for hand in hands)]
    stable = [card for card in cards if card.stable]
    rows.append(_row("40 deals", [(card.before, card.reference) for card in cards], seconds[0]))
    rows.append(_row("until stable", [(card.now, card.reference) for card in cards], seconds[1]))
    rows.append(_row("those stable", [(card.now, card.reference) for card in stable], seconds[1]))
    print(in_columns(rows))
    for deals in sorted({card.deals for card in cards}):
        flags = [card.stable for card in cards if card.deals == deals]
        print(f"{deals} deals: {len(flags)} cards, {sum(flags)} stable")


def _row(rule: str, pairs: list[tuple[str, str]], seconds: float) -> list[str]:
    marked = [mark != other for mark, other in pairs if mark or other]
    return [rule, f"{sum(marked)} of {len(marked)}", f"{seconds:.3f}"]


if __name__ == "__main__":
    main()
