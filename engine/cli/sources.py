"""Reads files record by record (F5), and says on stderr what an unusual one was taken for."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from engine.cli.failure import CommandError
from engine.encodings import ENCODING_NAMES, UTF_8, decode_text
from engine.errors import RecordError
from engine.intake import RecordReader, RecordSource
from engine.messages import message
from engine.notation import Record, parse_record
from engine.printable import escape_controls
from engine.strict_json import read_json
from engine.text import TextRecord


def records_of(name: str, language: str) -> Iterator[tuple[str, RecordSource]]:
    """The records of a file, each with the name that a verdict gives it; ``-`` is stdin.

    Raises :class:`~engine.cli.failure.CommandError` for a file that cannot be opened.
    """
    if name == "-":
        yield from _read_records("stdin", sys.stdin.buffer, language)
        return
    try:
        with Path(name).open("rb") as stream:
            yield from _read_records(Path(name).name, stream, language)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error


def record_of(content: RecordSource) -> Record:
    """Reads a record; raises :class:`~engine.errors.RecordError` for what is none."""
    if isinstance(content, RecordError):
        raise content
    return parse_record(content.document if isinstance(content, TextRecord) else content)


def read_bytes(name: str) -> bytes:
    """The content of a file; ``-`` is stdin."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error


def print_form(name: str, reader: RecordReader, language: str) -> None:
    """Print on stderr what a file of records was taken for, unless it is plain."""
    if not reader.is_plain:
        print(f"{escape_controls(name)}: {reader.describe(language)}", file=sys.stderr)


def print_encoding(name: str, source: bytes, language: str) -> None:
    """Print on stderr in which encoding a file is read, unless it is UTF-8 as usual."""
    try:
        encoding = decode_text(source)[1]
    except UnicodeDecodeError:  # reported by the reader of the format, with its place
        return
    if encoding != UTF_8:
        text = message(language, "place.encoding", encoding=ENCODING_NAMES[encoding])
        print(f"{escape_controls(name)}: {text}", file=sys.stderr)


def read_object(text: bytes, name: str, description: str) -> dict[str, Any]:
    """The JSON object in a text; ``name`` is its source, ``description`` what it should be."""
    try:
        document = read_json(text)
    except RecordError as error:
        location = "" if error.line is None else f" (line {error.line}, column {error.column})"
        raise CommandError(f"{name}: this is not JSON{location}") from error
    if not isinstance(document, dict):
        raise CommandError(f"{name}: {description} is one JSON object")
    return document


def _read_records(name: str, stream: BinaryIO, language: str) -> Iterator[tuple[str, RecordSource]]:
    reader = RecordReader(stream, name)
    for number, _line, content in reader:
        yield name if number is None else f"{name}#{number}", content
    print_form(name, reader, language)
