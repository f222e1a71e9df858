"""``baza audit``: a verdict for every record of some files."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from engine.cli.audit_many import Batch, RecordProgress, map_batches, verdicts
from engine.cli.failure import CommandError
from engine.cli.sources import records_of
from engine.explanations import explain, explain_hint
from engine.fast import is_compiled
from engine.messages import message
from engine.printable import escape_controls, escape_json, printable_json
from engine.verdict import Verdict

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from engine.fast.auditing import ValidVerdict


@dataclass(frozen=True, slots=True)
class AuditedBatch:
    """The answer on some records: what is printed, and how many were valid.

    ``left`` of ``many`` records, which the kernel was asked about, were judged by the core.
    """

    text: str
    records: int
    valid: int
    hands: int
    many: int
    left: int


def audit_files(options: argparse.Namespace) -> int:
    """Print a verdict a record; 0 when all are valid, 1 when some are not."""
    progress = RecordProgress()
    work = partial(_judge, options)
    records = valid = many = core_records = 0
    for name in options.files:
        before = records
        for answer in map_batches(
            work, records_of(name, options.lang), options.jobs or os.cpu_count() or 1
        ):
            print(answer.text, end="")
            records, valid = records + answer.records, valid + answer.valid
            many, core_records = many + answer.many, core_records + answer.left
            progress.count(answer.hands, answer.records)
            if options.first and valid < records:
                break
        if records == before:
            raise CommandError(f"{name}: there is no record in it")
        if options.first and valid < records:
            break
    progress.clear()
    if not (options.json or options.quiet):
        if many:
            facts = {"by_kernel": many - core_records, "records": many, "by_core": core_records}
            code = "audit.by_kernel" if is_compiled() else "audit.without_kernel"
            print(message(options.lang, code, **facts))
        print(message(options.lang, "audit.total", valid=valid, invalid=records - valid))
    return int(valid < records)


def _judge(options: argparse.Namespace, batch: Batch, many: bool) -> AuditedBatch:
    lines: list[str] = []
    records = valid = hands = by_core = 0
    for verdict in verdicts(batch, hints=options.hints, many=many):
        records, valid = records + 1, valid + verdict.valid
        by_core += isinstance(verdict, Verdict)
        hands += len(verdict.hands if isinstance(verdict, Verdict) else verdict.rows)
        if options.quiet and verdict.valid:
            continue
        if not options.json:
            lines += _lines(verdict, options.lang)
        elif isinstance(verdict, Verdict):
            lines.append(printable_json(verdict.as_dict(options.lang)))
        else:
            lines.append(escape_json(verdict.json(options.lang)))
        if options.first and not verdict.valid:
            break
    text = "".join(f"{line}\n" for line in lines)
    return AuditedBatch(text, records, valid, hands, records if many else 0, by_core if many else 0)


RED, GREEN = 31, 32
"""Colours of a terminal."""


def paint(text: str, colour: int) -> str:
    """Colours the text if the output is a terminal and ``NO_COLOR`` is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


def _lines(verdict: Verdict | ValidVerdict, language: str) -> Iterator[str]:
    """A verdict for people."""
    mark = paint("✓", GREEN) if verdict.valid else paint("✗", RED)
    score = ""
    if verdict.score is not None:
        score = " – ".join(f"{side} {hands}" for side, hands in verdict.score.items())
    yield f"{mark} {escape_controls(verdict.source)}  {verdict.ruleset or ''}  {score}".rstrip()
    for fault in verdict.faults:
        line = fault.facts.get("line") if verdict.hands else None
        code = paint(fault.code, RED)
        yield f"    {code} ({fault.rule}){_place(fault.hand, fault.token, line, language)}"
        yield f"      {explain(fault, language)}"
        for excerpt_line in fault.facts.get("excerpt", "").splitlines():
            yield f"        {excerpt_line}"
        for hint in fault.hints:
            yield f"      {paint('→', GREEN)} {explain_hint(hint, language)}"
    for notice in verdict.notices:
        location = _place(notice.hand, notice.token, None, language)
        yield f"    · {notice.code} ({notice.rule}){location}: {explain(notice, language)}"


def _place(hand: int | None, token: int | None, line: int | None, language: str) -> str:
    parts = [
        f"{message(language, f'place.{name}')} {number}"
        for name, number in (("hand", hand), ("token", token), ("line", line))
        if number is not None
    ]
    return f" {', '.join(parts)}" if parts else ""
