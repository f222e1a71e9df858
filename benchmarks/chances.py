"""How many cards cost part of the hand, whether other deals agree, and what finding them costs.

A third sample judges each card that has a severity (`engine/analysis/judgements.py`), with the
better card fixed; marks by points (`engine/analysis/marks.py`) are counted beside.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

import engine
from benchmarks.sections import in_columns
from engine.analysis.chances import Couples, HandChances, chances_over
from engine.analysis.fair_losses import Table, draw_deals
from engine.analysis.judgements import NEARLY_BEST, SEVERITIES, severity_of
from engine.analysis.parts import MOST_DEALS, gain_by_part, lines_in
from engine.analysis.walk import walk
from engine.cards import CARDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EARLY: Final = 2
"""Tricks whose deals take a tenth of a second."""

BANDS: Final = (0.025, 0.05, 0.1, 0.2, 1.01)


class Card(NamedTuple):
    """A card with a choice: its loss and, where it has a severity, that over the third sample.

    ``part`` is what explains it, ``part_again`` its share of the gain over the third sample.
    """

    early: bool
    mark: str
    loss: float
    severity: str
    again: float | None
    every: bool
    part: str
    part_again: float | None


class Hand(NamedTuple):
    """The cards of a hand, what decided it, and processor seconds of the analysis and the chances.

    ``seconds`` is of the whole analysis, ``chances`` the part that judges by chance of the hand.
    """

    cards: tuple[Card, ...]
    turn: str
    seconds: float
    chances: float


def measured(text: str, index: int, third: int) -> Hand | None:
    """Judge the cards of a hand; ``None`` where points alone do not decide it."""
    record = engine.parse_record(json.loads(text))
    walked = walk(record, index)
    if isinstance(walked, str):
        return None
    began = time.process_time()
    hand = engine.analyse_hand(record, index)
    seconds = time.process_time() - began
    if not hand.decided_by:
        return None
    table, couples = Table(record.ruleset, record.hands[index]), Couples(walked)
    cards = []
    for number, play in enumerate(hand.plays):
        if play.hand_loss is None or play.hand_error is None or play.hand_best is None:
            continue
        severity, early = severity_of(play.hand_loss, play.hand_error), play.trick <= EARLY
        part, again, part_again = play.hand_part or "", None, None
        if severity and not play.hand_every:
            step, best = walked.steps[number], CARDS[play.hand_best]
            deals = draw_deals(step, table, third // (4 if early else 1), "third")
            two = 1 << best | 1 << step.card
            found = chances_over(couples, number, deals, every=False, cards=two)
            again = found.loss(step.card, best)[0]
            if part:
                changing = found.changing(step.card, best)[:MOST_DEALS]
                lines = lines_in(step.state, changing, play.card, play.hand_best)
                gain, whole = gain_by_part(lines, step.state.turn & 1)
                part_again = gain[part] / max(whole, 1)
        cards.append(
            Card(
                early,
                play.mark or "",
                play.hand_loss,
                severity,
                again,
                bool(play.hand_every),
                part,
                part_again,
            )
        )
    turn = "" if hand.turn is None else hand.turn.judgement
    return Hand(tuple(cards), turn, seconds, seconds_of_chances(record, index))


def seconds_of_chances(record: engine.Record, index: int) -> float:
    """Processor time of the chances of a hand alone; 0 where it cannot be analysed."""
    walked = walk(record, index)
    if isinstance(walked, str):
        return 0.0
    table = Table(record.ruleset, record.hands[index])
    chances = HandChances(table, walked, engine.Terms().worlds)
    began = time.process_time()
    for number, step in enumerate(walked.steps):
        if step.choices > 1:
            first = chances.first_loss(number)
            is_all = first.chances.every or first.best == step.card
            if not is_all and first.loss >= NEARLY_BEST:
                chances.second_loss(number, first.best)
    return time.process_time() - began


def hands_of(path: Path, most: int) -> Iterator[tuple[str, int]]:
    """Each hand of the records, up to ``most``."""
    hands = (
        (line, index)
        for line in path.read_text().splitlines()
        for index in range(len(json.loads(line)["hands"]))
    )
    return (hand for hand, _number in zip(hands, range(most), strict=False))


def tables(hands: Sequence[Hand]) -> Iterator[list[list[str]]]:
    """The cards by severity, the marks by what they cost of the hand, the turns, the time."""
    cards = [card for hand in hands for card in hand.cards]
    rows = [["at least", "cards", "tricks 1 and 2", "marked by points", "third sample: half of it"]]
    for name, least in reversed(SEVERITIES):
        order = [severity for severity, share in SEVERITIES if share >= least]
        sure = [card for card in cards if card.severity in order]
        again = [card.again for card in sure if card.again is not None]
        kept = sum(loss >= least / 2 for loss in again)
        early, marked = sum(card.early for card in sure), sum(bool(card.mark) for card in sure)
        kept_text = (
            f"{kept} of {len(again)}, {sum(card.every for card in sure)} searched in all deals"
        )
        rows.append([f"{name} {least:.0%}", str(len(sure)), str(early), str(marked), kept_text])
    yield rows
    severe = [card for card in cards if card.severity]
    shares = [card.part_again for card in severe if card.part_again is not None]
    named = sum(bool(card.part) for card in severe)
    kept = sum(share >= 1 / 3 for share in shares)
    yield [
        ["severe cards", "one part is half of it", "third sample: a third of it"],
        [str(len(severe)), str(named), f"{kept} of {len(shares)}"],
    ]
    rows = [["mark by points", "cards", *(f"below {band:.1%}" for band in BANDS[:-1]), "more"]]
    for mark in ("slip", "mistake", "blunder"):
        losses = [card.loss for card in cards if card.mark == mark]
        counts = [
            sum(low <= loss < high for loss in losses)
            for low, high in zip((-1.0, *BANDS), BANDS, strict=False)
        ]
        rows.append([mark, str(len(losses)), *map(str, counts)])
    yield rows
    turns = [hand.turn for hand in hands]
    yield [
        ["turn", "hands"],
        *([name or "deal", str(turns.count(name))] for name in sorted({*turns})),
    ]
    whole, part = fmean(h.seconds for h in hands), fmean(h.chances for h in hands)
    yield [
        ["seconds a hand", "whole", "of it chance of the hand"],
        [f"{len(hands)} hands", f"{whole:.2f}", f"{part:.2f}"],
    ]


def main() -> None:
    """Prints the cards by severity, how many a third sample keeps, and the processor time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chances", description=main.__doc__)
    parser.add_argument("records", type=Path, help="records, a line each")
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--third", type=int, default=640, help="deals of the third sample")
    options = parser.parse_args()
    engine.warm_solver()
    found = (measured(*hand, options.third) for hand in hands_of(options.records, options.hands))
    for rows in tables([hand for hand in found if hand is not None]):
        print(f"{in_columns(rows)}\n")


if __name__ == "__main__":
    main()
