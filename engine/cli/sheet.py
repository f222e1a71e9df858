"""``baza sheet``: the arithmetic of a score sheet."""

import argparse
from pathlib import Path

from engine.cli.failure import CommandError
from engine.cli.sources import print_encoding, read_bytes
from engine.explanations import explain
from engine.messages import message
from engine.printable import escape_controls, printable_json
from engine.sheets import SheetVerdict, audit_sheet


def print_sheet(options: argparse.Namespace) -> int:
    """Print what is wrong with a sheet; 0 when nothing is, 1 when something is."""
    text = read_bytes(options.file)
    print_encoding(options.file, text, options.lang)
    name = "stdin" if options.file == "-" else Path(options.file).name
    verdict = audit_sheet(text, options.ruleset, name)
    unreadable = next((fault for fault in verdict.faults if fault.hand is None), None)
    if not verdict.hands and unreadable is not None:
        line = unreadable.facts.get("line")
        location = "" if line is None else f":{line}"
        raise CommandError(f"{options.file}{location}: {explain(unreadable, options.lang)}")
    if options.json:
        print(printable_json(verdict.as_dict(options.lang)))
    else:
        _print_text(verdict, options.lang)
    return 0 if verdict.valid else 1


def _print_text(verdict: SheetVerdict, language: str) -> None:
    mark = "✓" if verdict.valid else "✗"
    score = " – ".join(f"{side} {hands}" for side, hands in (verdict.score or {}).items())
    print(f"{mark} {escape_controls(verdict.source)}  {verdict.ruleset}  {score}")
    line = message(language, "place.line")
    for fault in verdict.faults:
        print(f"    {fault.code} ({fault.rule}) {line} {fault.facts['line']}")
        print(f"      {explain(fault, language)}")
