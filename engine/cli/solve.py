"""``baza solve``: what open cards are worth with best play on both sides (F5)."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from engine.cli.failure import CommandError
from engine.cli.progress import Progress
from engine.cli.sources import read_object, records_of
from engine.errors import PositionError
from engine.messages import message

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from engine.intake import RecordSource
    from engine.solver import Solution
    from engine.state import State

DEALS_PER_BATCH: Final = 16
"""Deals read for each that is being solved."""

LANGUAGES: Final = ("en", "es")


def add_solve(solve: argparse.ArgumentParser) -> None:
    """The arguments of ``baza solve``."""
    solve.add_argument(
        "files", nargs="+", metavar="DEAL.json", help="deals or positions, JSON or NDJSON; - stdin"
    )
    solve.add_argument("--json", action="store_true", help="print a line of JSON for each")
    solve.add_argument("--line", action="store_true", help="one line of best play too")
    solve.add_argument("--all", action="store_true", help="the value after every legal card too")
    solve.add_argument(
        "--jobs",
        type=jobs,
        default=1,
        metavar="N",
        help="number of positions at a time; 0: all processors",
    )
    solve.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    solve.set_defaults(run=print_solutions)


def print_solutions(options: argparse.Namespace) -> int:
    """Solve the deals of the files one after the other, and print what each is worth."""
    load_solver(options.lang)
    deals = (entry for name in options.files for entry in _deals(name, options.lang))
    progress = AnswerProgress(options.lang, "solve.progress")
    failure: CommandError | None = None
    with ThreadPoolExecutor(options.jobs) as pool:
        while failure is None:
            batch, failure = _take_batch(deals, DEALS_PER_BATCH * options.jobs)
            if not batch:
                break
            for answer in pool.map(lambda deal: _format_answer(deal[0], deal[1], options), batch):
                progress.clear()
                print(answer)
                progress.count()
    progress.clear()
    if failure is not None:
        raise failure
    return 0


def _take_batch(
    deals: Iterator[tuple[str, State]], limit: int
) -> tuple[list[tuple[str, State]], CommandError | None]:
    """The next deals, and what is wrong with the one after them: those before it are solved."""
    batch: list[tuple[str, State]] = []
    try:
        batch.extend(islice(deals, limit))
    except CommandError as error:
        return batch, error
    return batch, None


def jobs(text: str) -> int:
    """Parses the number of processes; 0 is one for each processor."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else [0])


def load_solver(language: str) -> None:
    """Load the search, and say on a terminal why that takes a moment."""
    from engine import solver

    is_terminal = sys.stderr.isatty()
    if is_terminal:
        print(message(language, "solve.compiling"), end="", file=sys.stderr, flush=True)
    compiled = solver.warm_solver()
    if is_terminal:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if not compiled:
        print(message(language, "solve.plain"), file=sys.stderr)


def _deals(name: str, language: str) -> Iterator[tuple[str, State]]:
    """The deals of a file as states; one that is not in order ends the command."""
    has_deals = False
    for source, content in records_of(name, language):
        label = f"{name}#{source.rpartition('#')[2]}" if "#" in source else name
        yield label, _read(label, content)
        has_deals = True
    if not has_deals:
        raise CommandError(f"{name}: there is no deal in it")


def _read(label: str, content: RecordSource) -> State:
    from engine.solver import deal_from_dict, moment_of

    if not isinstance(content, bytes):
        raise CommandError(f"{label}: a deal is written in JSON (F5), this is a text of records")
    deal = read_object(content, label, "a deal")
    try:
        state = deal_from_dict(deal)
        moment_of(state)
    except PositionError as error:
        raise CommandError(f"{label}: {error}") from error
    return state


def _format_answer(label: str, state: State, options: argparse.Namespace) -> str:
    from engine import solver

    solution = solver.solve(state, line=options.line)
    values = solver.card_values(state) if options.all else {}
    if options.json:
        return json.dumps(_as_dict(solution, values, options))
    return "\n".join(_format_solution(label, state, solution, values, options.lang))


def _as_dict(
    solution: Solution, values: dict[str, int], options: argparse.Namespace
) -> dict[str, Any]:
    answer: dict[str, Any] = {"value": solution.value, "best": list(solution.best)}
    if options.line:
        answer["line"] = list(solution.line)
    if options.all:
        answer["values"] = values
    return answer


def _format_solution(
    label: str,
    state: State,
    solution: Solution,
    values: dict[str, int],
    language: str,
) -> Iterator[str]:
    other = next(side for side in state.rules.sides if side != solution.side)
    before = " : ".join(
        f"{side} {n}" for side, n in zip(state.rules.sides, state.points, strict=True)
    )
    yield f"{label}: " + message(
        language,
        "solve.value" if any(state.points) else "solve.even",
        side=solution.side,
        own=solution.points[solution.side],
        other=solution.points[other],
        value=solution.value,
        made=before,
    )
    yield "  " + message(language, "solve.best", cards=" ".join(solution.best))
    if values:
        cards = sorted(values, key=lambda card: -values[card])
        yield "  " + "  ".join(f"{card} {values[card]:+d}" for card in cards)
    if solution.line:
        yield "  " + message(language, "solve.line", cards=" ".join(solution.line))


class AnswerProgress(Progress):
    """Counts answers, and shows in a message how many there have been."""

    def __init__(self, language: str, message_id: str) -> None:
        super().__init__()
        self.language, self.message_id = language, message_id
        self.done = 0

    def count(self) -> None:
        """Count an answer."""
        self.done += 1
        self.show(
            lambda seconds: message(
                self.language, self.message_id, done=self.done, rate=self.done / seconds
            )
        )
