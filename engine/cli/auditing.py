"""``baza audit``: a verdict for every record of some files."""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from engine.auditor import audit
from engine.cli.failure import CommandError
from engine.errors import RecordError
from engine.strict_json import read_json
from engine.verdict import Verdict
from engine.wording import explain, explain_hint


def audit_files(options: argparse.Namespace) -> int:
    """Print a verdict a record; 0 when all are valid, 1 when some are not."""
    valid = invalid = 0
    for name in options.files:
        found = 0
        for source, text in _records_of(name):
            verdict = audit(text, source, options.hints)
            found += 1
            valid, invalid = valid + verdict.valid, invalid + (not verdict.valid)
            if options.json:
                print(json.dumps(verdict.as_dict(options.lang), ensure_ascii=False))
            else:
                _print_verdict(verdict, options.lang)
        if not found:
            raise CommandError(f"{name}: there is no record in it")
    if not options.json:
        print(_summary(valid, invalid, options.lang))
    return 1 if invalid else 0


def _records_of(name: str) -> Iterator[tuple[str, bytes]]:
    if name == "-":
        yield from _split("stdin", sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as stream:
            yield from _split(Path(name).name, stream)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error


def _split(name: str, stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """The records of a stream: one a line, or one over many lines, told by the first line."""
    lines = ((number, line) for number, line in enumerate(stream, 1) if line.strip())
    first = next(lines, None)
    if first is None:
        return
    if _is_json(first[1]):
        for number, line in chain([first], lines):
            yield f"{name}#{number}", line
        return
    rest = list(lines)
    starts = [line.lstrip().startswith(b"{") for _number, line in (first, *rest)]
    if rest and not all(starts):
        yield name, b"".join(line for _number, line in (first, *rest))
        return
    for number, line in (first, *rest):
        yield f"{name}#{number}", line


def _is_json(line: bytes) -> bool:
    try:
        read_json(line)
    except RecordError as error:
        return error.reason != "malformed_json"
    return True


def _print_verdict(verdict: Verdict, language: str) -> None:
    mark = "✓" if verdict.valid else "✗"
    score = ""
    if verdict.score is not None:
        score = " – ".join(f"{side} {hands}" for side, hands in verdict.score.items())
    print(f"{mark} {verdict.source}  {verdict.ruleset or ''}  {score}".rstrip())
    for fault in verdict.faults:
        print(f"    {fault.code} ({fault.rule}){_place(fault.hand, fault.token, language)}")
        print(f"      {explain(fault, language)}")
        for hint in fault.hints:
            print(f"      → {explain_hint(hint, language)}")
    for notice in verdict.notices:
        place = _place(notice.hand, notice.token, language)
        print(f"    · {notice.code} ({notice.rule}){place}: {explain(notice, language)}")


def _place(hand: int | None, token: int | None, language: str) -> str:
    words = {"en": ("hand", "token"), "es": ("mano", "jugada")}[language]
    parts = [
        f"{word} {number}"
        for word, number in zip(words, (hand, token), strict=True)
        if number is not None
    ]
    return f" {', '.join(parts)}" if parts else ""


def _summary(valid: int, invalid: int, language: str) -> str:
    if language == "es":
        return f"{valid} válidas, {invalid} no válidas"
    return f"{valid} valid, {invalid} invalid"
