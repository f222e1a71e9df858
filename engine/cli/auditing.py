"""``baza audit``: a verdict for every record of some files."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Final

from engine.cli.failure import CommandError
from engine.cli.many import ManyAudits
from engine.cli.sources import records_of
from engine.explanations import explain, explain_hint
from engine.verdict import Verdict

if TYPE_CHECKING:
    import argparse

    from engine.fast.auditing import ValidVerdict


def audit_files(options: argparse.Namespace) -> int:
    """Print a verdict a record; 0 when all are valid, 1 when some are not."""
    valid = invalid = 0
    audits = ManyAudits(hints=options.hints, full=options.json)
    for name in options.files:
        before = valid + invalid
        for verdict in audits.verdicts(records_of(name)):
            valid, invalid = valid + verdict.valid, invalid + (not verdict.valid)
            if isinstance(verdict, Verdict) and options.json:
                print(json.dumps(verdict.as_dict(options.lang), ensure_ascii=False))
            else:
                _print_verdict(verdict, options.lang)
        if valid + invalid == before:
            raise CommandError(f"{name}: there is no record in it")
    audits.progress.end()
    if not options.json:
        lock_step = audits.summary(options.lang)
        if lock_step is not None:
            print(lock_step)
        print(_summary(valid, invalid, options.lang))
    return 1 if invalid else 0


RED, GREEN = 31, 32
"""Colours of a terminal."""


def paint(text: str, colour: int) -> str:
    """Colours the text if the output is a terminal and ``NO_COLOR`` is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


def _print_verdict(verdict: Verdict | ValidVerdict, language: str) -> None:
    mark = paint("✓", GREEN) if verdict.valid else paint("✗", RED)
    score = ""
    if verdict.score is not None:
        score = " – ".join(f"{side} {hands}" for side, hands in verdict.score.items())
    print(f"{mark} {verdict.source}  {verdict.ruleset or ''}  {score}".rstrip())
    for fault in verdict.faults:
        line = fault.facts.get("line") if verdict.hands else None
        code = paint(fault.code, RED)
        print(f"    {code} ({fault.rule}){_place(fault.hand, fault.token, line, language)}")
        print(f"      {explain(fault, language)}")
        for shown in fault.facts.get("excerpt", "").splitlines():
            print(f"        {shown}")
        for hint in fault.hints:
            print(f"      {paint('→', GREEN)} {explain_hint(hint, language)}")
    for notice in verdict.notices:
        place = _place(notice.hand, notice.token, None, language)
        print(f"    · {notice.code} ({notice.rule}){place}: {explain(notice, language)}")


_PLACES: Final = {
    "en": ("hand", "token", "line"),
    "es": ("mano", "jugada", "línea"),
    "de": ("Spiel", "Zug", "Zeile"),
}


def _place(hand: int | None, token: int | None, line: int | None, language: str) -> str:
    words = _PLACES[language]
    parts = [
        f"{word} {number}"
        for word, number in zip(words, (hand, token, line), strict=True)
        if number is not None
    ]
    return f" {', '.join(parts)}" if parts else ""


def _summary(valid: int, invalid: int, language: str) -> str:
    messages = {
        "en": f"{valid} valid, {invalid} invalid",
        "es": f"{valid} válidas, {invalid} no válidas",
        "de": f"{valid} gültig, {invalid} ungültig",
    }
    return messages[language]
