"""``baza convert``: records in the other notation."""

import argparse
import sys
from io import TextIOWrapper
from typing import Any

from engine.cli.audit_many import RecordProgress
from engine.cli.failure import CommandError
from engine.cli.sources import records_of
from engine.errors import RecordError
from engine.explanations import explain
from engine.intake import RecordSource
from engine.notation import MAX_BYTES, parse_record
from engine.printable import escape_controls, printable_json
from engine.strict_json import read_json
from engine.text import TextRecord
from engine.text_export import document_with_comments, write_text


def convert_files(options: argparse.Namespace) -> int:
    """Print every record in the notation asked for; 1 when some were not records."""
    success_count = failed = 0
    if isinstance(sys.stdout, TextIOWrapper):  # both notations are UTF-8, wherever they are written
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    progress = RecordProgress()
    for name in options.files:
        count = 0
        for source, content in records_of(name, options.lang):
            count += 1
            try:
                document = _document(content)
                text = _render(document, options.to)
            except RecordError as error:
                failed += 1
                _print_error(source, error, options.lang)
                continue
            sys.stdout.write(f"\n{text}" if success_count and options.to == "tute" else text)
            success_count += 1
            hands = document.get("hands")
            progress.count(len(hands) if isinstance(hands, list) else 0)
        if not count:
            raise CommandError(f"{name}: there is no record in it")
    progress.clear()
    return 1 if failed else 0


def _render(document: dict[str, Any], notation: str) -> str:
    if notation == "tute":
        return escape_controls(write_text(document), keep="\n")
    return printable_json(document) + "\n"


def _document(content: RecordSource) -> dict[str, Any]:
    if isinstance(content, RecordError):
        raise content
    if isinstance(content, TextRecord):
        return document_with_comments(content)
    document = read_json(content) if len(content) <= MAX_BYTES else None
    if not isinstance(document, dict):
        parse_record(content)  # says what it is instead
        raise CommandError("this is not a record")
    return document


def _print_error(source: str, error: RecordError, language: str) -> None:
    place = escape_controls(source)
    print(f"{place}: {error.fault.code}: {explain(error.fault, language)}", file=sys.stderr)
    for line in error.fault.facts.get("excerpt", "").splitlines():
        print(f"  {line}", file=sys.stderr)
