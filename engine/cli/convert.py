"""``baza convert``: records in the other notation."""

import argparse
import json
import sys
from io import TextIOWrapper
from typing import Any

from engine.cli.audit_many import RecordProgress
from engine.cli.failure import CommandError
from engine.cli.sources import RecordSource, records_of
from engine.errors import RecordError
from engine.explanations import explain
from engine.notation import MAX_BYTES, parse_record
from engine.strict_json import read_json
from engine.text import TextRecord
from engine.text_export import document_with_comments, write_text
from engine.text_words import TextError


def convert_files(options: argparse.Namespace) -> int:
    """Print every record in the notation asked for; 1 when some were not records."""
    done = failed = 0
    if isinstance(sys.stdout, TextIOWrapper):  # both notations are UTF-8, wherever they are written
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    progress = RecordProgress()
    for name in options.files:
        found = 0
        for source, written in records_of(name):
            found += 1
            try:
                document = _document(written)
                text = _render(document, options.to)
            except RecordError as error:
                failed += 1
                _print_error(source, error, options.lang)
                continue
            sys.stdout.write(f"\n{text}" if done and options.to == "tute" else text)
            done += 1
            hands = document.get("hands")
            progress.count(len(hands) if isinstance(hands, list) else 0)
        if not found:
            raise CommandError(f"{name}: there is no record in it")
    progress.clear()
    return 1 if failed else 0


def _render(document: dict[str, Any], notation: str) -> str:
    if notation == "tute":
        return write_text(document)
    return json.dumps(document, ensure_ascii=False) + "\n"


def _document(written: RecordSource) -> dict[str, Any]:
    if isinstance(written, TextError):
        raise written
    if isinstance(written, TextRecord):
        return document_with_comments(written)
    document = read_json(written) if len(written) <= MAX_BYTES else None
    if not isinstance(document, dict):
        parse_record(written)  # says what it is instead
        raise CommandError("this is not a record")
    return document


def _print_error(source: str, error: RecordError, language: str) -> None:
    print(f"{source}: {error.fault.code}: {explain(error.fault, language)}", file=sys.stderr)
    for line in error.fault.facts.get("excerpt", "").splitlines():
        print(f"  {line}", file=sys.stderr)
