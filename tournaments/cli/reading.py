"""Reads a tournament file or a FIDE report; reports its faults as one line."""

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine import decode_text
from engine.cli import CommandError, print_encoding
from tournaments.domain.file import FileError
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.domain.file.reading import MAX_BYTES
from tournaments.domain.messages import has_message, message
from tournaments.domain.proof import Bundle
from tournaments.domain.rows import TournamentRows
from tournaments.domain.trf import is_report, read_trf


def read_bundle(name: str, language: str) -> Bundle:
    """Read a tournament; ``-`` is stdin. Raises CommandError with place and reason."""
    source = source_of(name, language)
    try:
        if not is_report(source):
            return bundle_from_bytes(source)
        rows, notes = read_trf(source)
        for note in notes:
            print(f"{name}: {format_fault(note, language)}", file=sys.stderr)
        return Bundle(rows)
    except FileError as error:
        raise CommandError(f"{name}: {format_fault(error, language)}") from error


def source_of(name: str, language: str) -> bytes:
    """Read a file, or stdin for ``-``, as UTF-8; at most the size limit of a tournament."""
    try:
        if name == "-":
            source = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(name).open("rb") as stream:
                source = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
    if len(source) > MAX_BYTES:
        return source  # refused by its reader
    print_encoding(name, source, language)
    try:
        return decode_text(source)[0].encode()
    except UnicodeDecodeError:
        raise CommandError(f"{name}: {message(language, 'file.bad_encoding')}") from None


def format_fault(error: FileError, language: str) -> str:
    """Return a fault of a file as a sentence, with its place first."""
    text = error.explain(language)
    line = error.facts.get("line")
    location = error.path or (f"{line}:{error.facts.get('column')}" if line else "")
    return f"{location}: {text}" if location else text


def refusal_text(code: str, language: str, **facts: Any) -> str:
    """Return a refusal of the draw or the ranking as a sentence; as its code without a text."""
    for family in ("cannot_draw", "cannot_rank"):
        if has_message(f"{family}.{code}"):
            return message(language, f"{family}.{code}", **facts)
    return code


def name_of(rows: TournamentRows, number: int) -> str:
    """Return the name of an entrant, or the number without one."""
    entrant = rows.by_number.get(number)
    return entrant.shown_name or f"#{number}" if entrant else f"#{number}"


def format_number(number: Fraction | int | None) -> str:
    """Return an exact number as text: 2½, 0.3333, and a dash for none."""
    if number is None:
        return "-"
    number = Fraction(number)
    if number.denominator == 1:
        return str(number.numerator)
    if number.denominator == 2:
        integer = int(number)
        sign = "-" if number < 0 and not integer else ""
        return f"{sign}{integer or ''}½"
    return f"{float(number):.4f}".rstrip("0")
