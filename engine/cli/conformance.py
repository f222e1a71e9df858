"""``baza conformance``: whether a program answers the cases of the conformance suite."""

import argparse
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from engine.cli.failure import CommandError
from engine.conformance import (
    KINDS,
    SUITE,
    BadCase,
    Case,
    answer_case,
    answer_line,
    is_expected,
    read_cases,
)
from engine.errors import RecordError
from engine.messages import LANGUAGES, message
from engine.printable import printable_json
from engine.strict_json import read_json

MAX_SHOWN: Final = 5
"""Differences that a report shows in full."""

MAX_LINE_BYTES: Final = 1 << 20
"""Characters of an answer; a longer line is none."""

EXCERPT: Final = 300  # chosen: characters of an answer that a report quotes

AskProgram = Callable[[Case], Any]


def add_conformance(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--rule", metavar="R", help="only cases of a rule: R4 or R4.2")
    parser.add_argument("--kind", choices=KINDS, help="only cases of a kind")
    parser.add_argument("--suite", type=Path, default=SUITE, metavar="FOLDER", help="its folder")
    parser.add_argument(
        "--timeout", type=float, default=10.0, metavar="S", help="seconds for an answer"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the messages")
    parser.add_argument("--answer", action="store_true", help="answer the cases read from stdin")
    parser.add_argument(
        "command",
        nargs=argparse.REMAINDER,
        metavar="COMMAND",
        help="the program under test with its arguments; without one the engine answers",
    )
    parser.set_defaults(run=run_conformance)


def run_conformance(options: argparse.Namespace) -> int:
    """Ask all cases and report; 0: every answer is the expected one, 1: some are not."""
    if options.answer:
        return answer_lines(options.lang)
    cases = _cases(options)
    if not options.command:
        wrong = _wrong_answers(cases, lambda case: answer_case(case.kind, case.input))
    else:
        with _program(options.command, options.timeout, options.lang) as ask:
            wrong = _wrong_answers(cases, ask)
    _print_report(cases, wrong, options.lang)
    return int(bool(wrong))


def answer_lines(language: str) -> int:
    """Answer the cases of stdin, a line each, as a program under test does."""
    for number, line in enumerate(sys.stdin, 1):
        try:
            print(answer_line(line), flush=True)
        except BadCase as error:
            where = f"stdin:{number}"
            raise CommandError(message(language, "conformance.bad_case", where=where)) from error
    return 0


def _cases(options: argparse.Namespace) -> list[Case]:
    try:
        cases = list(read_cases(options.suite))
    except OSError as error:
        raise CommandError(
            message(options.lang, "conformance.no_suite", folder=options.suite)
        ) from error
    except BadCase as error:
        raise CommandError(message(options.lang, "conformance.bad_case", where=error)) from error
    selection = [
        case
        for case in cases
        if options.kind in (None, case.kind)
        and (options.rule is None or any(_is_part_of(rule, options.rule) for rule in case.proves))
    ]
    if not selection:
        raise CommandError(message(options.lang, "conformance.no_case"))
    return selection


def _is_part_of(rule: str, parent: str) -> bool:
    """Whether a rule is the one wanted, or a part of it: R4.4a of R4.4 and of R4."""
    rest = rule.removeprefix(parent)
    return rest != rule and not rest[:1].isdigit()


def _wrong_answers(cases: Sequence[Case], ask: AskProgram) -> list[tuple[Case, Any]]:
    """The cases whose answers are not the expected ones, with those answers."""
    answers = ((case, ask(case)) for case in cases)
    return [(case, answer) for case, answer in answers if not is_expected(case.expect, answer)]


# --- the program under test ---------------------------------------------------------------------


@contextmanager
def _program(words: Sequence[str], timeout: float, language: str) -> Iterator[AskProgram]:
    """Runs a program that answers cases; it is ended with all that it started."""
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own command
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        reason = error.strerror or str(error)
        text = message(language, "conformance.not_started", program=words[0], reason=reason)
        raise CommandError(text) from error
    assert process.stdin is not None  # noqa: S101 - a pipe was asked for
    assert process.stdout is not None  # noqa: S101
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = threading.Thread(target=_read_lines, args=(process.stdout, lines), daemon=True)
    reader.start()
    stdin = process.stdin

    def ask(case: Case) -> Any:
        def failure(code: str, **facts: Any) -> CommandError:
            return CommandError(message(language, f"conformance.{code}", id=case.id, **facts))

        with suppress(OSError):  # a program that has ended is found when nothing is read
            stdin.write(json.dumps(case.question, ensure_ascii=False) + "\n")
            stdin.flush()
        try:
            line = lines.get(timeout=timeout)
        except queue.Empty:
            raise failure("hangs", seconds=f"{timeout:g}") from None
        if not line:
            raise failure("ended", exit_code=_ending(process))
        try:
            read = read_json(line, storable=False)
        except RecordError:
            raise failure("garbage", line=_excerpt(line.rstrip("\n"))) from None
        if not isinstance(read, dict) or read.get("id") != case.id or "answer" not in read:
            raise failure("garbage", line=_excerpt(line.rstrip("\n")))
        return read["answer"]

    try:
        yield ask
    finally:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        with suppress(OSError):
            stdin.close()
        reader.join(timeout=1)  # a grandchild that left the session may keep the pipe open
        if not reader.is_alive():
            process.stdout.close()


def _read_lines(stream: IO[str], lines: "queue.SimpleQueue[str]") -> None:
    """Passes on each line; an empty one at the end."""
    while line := stream.readline(MAX_LINE_BYTES):
        lines.put(line)
    lines.put("")


def _ending(process: "subprocess.Popen[str]") -> str:
    try:
        return str(process.wait(timeout=1))
    except subprocess.TimeoutExpired:
        return "?"


# --- the report ---------------------------------------------------------------------------------


def _print_report(cases: Sequence[Case], wrong: Sequence[tuple[Case, Any]], language: str) -> None:
    failed = [case for case, _answer in wrong]
    rules = _score_by_name(cases, failed, lambda case: case.proves)
    print(message(language, "conformance.by_rule"))
    _print_counts({rule: rules[rule] for rule in sorted(rules, key=_number)})
    print(message(language, "conformance.by_kind"))
    _print_counts(_score_by_name(cases, failed, lambda case: (case.kind,)))
    for case, answer in wrong[:MAX_SHOWN]:
        print(f"✗ {case.id} ({', '.join(case.proves)})")
        for name, value in (("input", case.input), ("expected", case.expect), ("answer", answer)):
            excerpt = _excerpt(printable_json(value))
            print(f"    {message(language, f'conformance.{name}')}: {excerpt}")
    if len(wrong) > MAX_SHOWN:
        print(message(language, "conformance.more", count=len(wrong) - MAX_SHOWN))
    right, total = len(cases) - len(wrong), len(cases)
    # Rounded down: 100 % is said only where nothing is wrong.
    percent = f"{1000 * right // total / 10:g}"
    print(message(language, "conformance.total", right=right, total=total, percent=percent))


def _score_by_name(
    cases: Sequence[Case], failed: Sequence[Case], names: Callable[[Case], Sequence[str]]
) -> dict[str, tuple[int, int]]:
    """How many cases of each name were answered rightly, and how many there are."""
    total = Counter(name for case in cases for name in names(case))
    wrong = Counter(name for case in failed for name in names(case))
    return {name: (count - wrong[name], count) for name, count in total.items()}


def _print_counts(counts: dict[str, tuple[int, int]]) -> None:
    for name, (right, total) in counts.items():
        mark = "✓" if right == total else "✗"
        print(f"  {mark} {name:8}{right:>6} / {total}")


def _number(rule: str) -> tuple[str, int, str]:
    """Sorts R10 behind R9."""
    major, _dot, _part = rule[1:].partition(".")
    return rule[0], int(major), rule


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"
