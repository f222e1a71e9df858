"""``baza analyse``: what each card of some records cost, and what luck and play came to."""

from __future__ import annotations

import json
import sys
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.auditor import digest
from engine.cli.failure import CommandError
from engine.cli.solve import LANGUAGES, AnswerProgress, jobs, load_solver
from engine.cli.sources import record_of, records_of
from engine.errors import RecordError
from engine.explanations import explain
from engine.notation import Record
from engine.printable import escape_controls

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from engine.analysis import Analysis, HandAnalysis, Terms

_TASKS_PER_PROCESS: Final = 4
"""Hands that wait for each process."""


class HandTask(NamedTuple):
    """Hand ``at`` (from 0) of a record read from ``source``; whether it is the last requested."""

    source: str
    record: Record
    at: int
    last: bool


def add_analyse(analyse: argparse.ArgumentParser) -> None:
    """The arguments of ``baza analyse``."""
    analyse.add_argument("files", nargs="+", metavar="FILE", help="JSON, NDJSON or .tute; - stdin")
    analyse.add_argument("--json", action="store_true", help="print a line of JSON for each hand")
    analyse.add_argument("--hand", type=_number, metavar="N", help="only this hand of each record")
    analyse.add_argument(
        "--worlds", type=_number, metavar="N", help="deals that are looked at for each card (40)"
    )
    analyse.add_argument("--no-fair", action="store_true", help="losses with all cards seen only")
    analyse.add_argument(
        "--all-tricks", action="store_true", help="fair losses from the first trick on: slower"
    )
    analyse.add_argument(
        "--jobs", type=jobs, default=1, metavar="N", help="processes; 0: all processors"
    )
    analyse.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    analyse.set_defaults(run=print_analyses)


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def print_analyses(options: argparse.Namespace) -> int:
    """Print the analysis of every hand; 1 when a record cannot be read or a hand breaks a rule."""
    from engine.analysis.answer import FAULT
    from engine.cli.analysis_report import AnalysisReport

    terms = _terms(options)
    load_solver(options.lang)
    tasks, report = _HandTasks(options), AnalysisReport(options.lang)
    paragraph = _paragraphs()
    progress = AnswerProgress(options.lang, "analysis.progress")
    broken = 0
    hands: list[HandAnalysis] = []
    for task, hand in _analyses(iter(tasks), terms, options.jobs):
        progress.clear()
        broken += hand.code == FAULT
        hands.append(hand)
        if options.json:
            print(json.dumps({"source": task.source, **hand.to_dict()}))
        else:
            paragraph(report.hand(task.source, task.record.seats, hand))
        if task.last:
            if not options.json:
                paragraph(report.match(_match(task.record, terms, hands)))
            hands = []
        progress.count()
    progress.clear()
    if not options.json:
        paragraph(report.totals() if report.records > 1 else "")
        paragraph(report.legend())
    return 1 if tasks.unreadable or broken else 0


def _paragraphs() -> Callable[[str], None]:
    """Returns a function that prints texts that are not empty, with a blank line between them."""
    separator = ""

    def paragraph(text: str) -> None:
        nonlocal separator
        if text:
            print(separator + text)
            separator = "\n"

    return paragraph


def _terms(options: argparse.Namespace) -> Terms:
    from engine.analysis import Terms

    defaults = Terms()
    return Terms(
        worlds=0 if options.no_fair else options.worlds or defaults.worlds,
        fair_from=1 if options.all_tricks else defaults.fair_from,
    )


def _match(record: Record, terms: Terms, hands: list[HandAnalysis]) -> Analysis:
    from engine.analysis import Analysis

    seats = dict(zip(record.ruleset.seats, record.seats, strict=True))
    return Analysis(digest(record), record.ruleset.name, terms, tuple(hands), seats)


class _HandTasks:
    """The hands of the files in order, as tasks; ``unreadable`` counts what is no record."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.unreadable = 0

    def __iter__(self) -> Iterator[HandTask]:
        for name in self.options.files:
            count = 0
            for source, content in records_of(name, self.options.lang):
                count += 1
                try:
                    record = record_of(content)
                except RecordError as error:
                    self.unreadable += 1
                    fault = explain(error.fault, self.options.lang)
                    place = escape_controls(source)
                    print(f"{place}: {error.fault.code}: {fault}", file=sys.stderr)
                else:
                    yield from self._hands(source, record)
            if not count:
                raise CommandError(f"{name}: there is no record in it")

    def _hands(self, source: str, record: Record) -> Iterator[HandTask]:
        count, only = len(record.hands), self.options.hand
        if only is None:
            for index in range(count):
                yield HandTask(source, record, index, index == count - 1)
        elif only <= count:
            yield HandTask(source, record, only - 1, last=True)
        else:
            raise CommandError(f"{source}: there is no hand {only}, it has {count}")


def _analyses(
    tasks: Iterator[HandTask], terms: Terms, jobs: int
) -> Iterator[tuple[HandTask, HandAnalysis]]:
    """The hands with their analyses, in order; with ``jobs`` processes some at a time."""
    from concurrent.futures import ProcessPoolExecutor

    from engine.analysis import analyse_hand

    if jobs == 1:
        for task in tasks:
            yield task, analyse_hand(task.record, task.at, terms)
        return
    queue: deque[tuple[HandTask, Future[HandAnalysis]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        while True:
            for task in islice(tasks, jobs * _TASKS_PER_PROCESS - len(queue)):
                queue.append((task, pool.submit(analyse_hand, task.record, task.at, terms)))
            if not queue:
                return
            first, answer = queue.popleft()
            yield first, answer.result()
