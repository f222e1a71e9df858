"""Reads files record by record: JSON, NDJSON or text, recognised by their content (F5)."""

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

from engine.cli.failure import CommandError
from engine.encodings import ENCODING_NAMES, UTF_8, decode_text
from engine.errors import RecordError
from engine.messages import message
from engine.notation import MAX_BYTES, Record, parse_record
from engine.strict_json import read_json
from engine.text import TextReader, TextRecord
from engine.text_words import TextError

RecordSource = bytes | TextRecord | TextError
"""A record in JSON, one that was read from text, or what is wrong with one in text."""

MAX_LINE_BYTES: Final = MAX_BYTES + 2
"""Bytes of a line that are looked at: those of a record, its line end, and one too many."""

_TEXT: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:;|\[\s*["A-Za-z])')
_SUFFIX: Final = ".tute"


def records_of(name: str) -> Iterator[tuple[str, RecordSource]]:
    """The records of a file, each with the name that a verdict gives it; ``-`` is stdin.

    Raises :class:`~engine.cli.failure.CommandError` for a file that cannot be opened.
    """
    if name == "-":
        yield from _read_records("stdin", sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as stream:
            yield from _read_records(Path(name).name, stream)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error


def record_of(content: RecordSource) -> Record:
    """Reads a record; raises :class:`~engine.errors.RecordError` for what is none."""
    if isinstance(content, TextError):
        raise content
    return parse_record(content.document if isinstance(content, TextRecord) else content)


def read_bytes(name: str) -> bytes:
    """The content of a file; ``-`` is stdin."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error


def print_encoding(name: str, source: bytes, language: str) -> None:
    """Print on stderr in which encoding a file is read, unless it is UTF-8 as usual."""
    try:
        encoding = decode_text(source)[1]
    except UnicodeDecodeError:  # reported by the reader of the format, with its place
        return
    if encoding != UTF_8:
        text = message(language, "place.encoding", encoding=ENCODING_NAMES[encoding])
        print(f"{name}: {text}", file=sys.stderr)


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


def _read_records(name: str, stream: BinaryIO) -> Iterator[tuple[str, RecordSource]]:
    """The records of a stream; its first line that is not blank decides the format.

    Text begins with a tag or a comment. JSON is one record a line, or one over many lines.
    """
    blank_lines = 0
    while (line := stream.readline(MAX_LINE_BYTES)) and not line.strip():
        blank_lines += 1
    replay = _ReplayedStream(stream, line)
    if _is_text(line, name):
        yield from _text(name, TextReader(replay, blank_lines))
    elif line:
        yield from _json(name, _lines(replay, blank_lines))


def _lines(stream: "_ReplayedStream", line_number: int) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; one longer than any record is cut, and refused by its length."""
    while line := stream.readline(MAX_LINE_BYTES):
        line_number += 1
        yield line_number, line
        while len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)


def _json(name: str, lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[str, bytes]]:
    numbered_lines = ((number, line) for number, line in lines if line.strip())
    first = next(numbered_lines)
    second = None if _is_json(first[1]) else next(numbered_lines, None)
    if second is not None and not second[1].lstrip().startswith(b"{"):
        blank = b"\n" * min(first[0] - 1, MAX_BYTES)
        gap = b"\n" * min(second[0] - first[0] - 1, MAX_BYTES)
        text = bytearray(blank + first[1] + gap + second[1])
        while len(text) <= MAX_BYTES and (next_line := next(lines, None)) is not None:
            text += next_line[1]
        yield name, bytes(text)
        return
    for number, line in chain([first], [second] if second else [], numbered_lines):
        yield f"{name}#{number}", line


def _is_json(line: bytes) -> bool:
    try:
        read_json(line)
    except RecordError as error:
        return error.reason != "malformed_json"
    return True


class _ReplayedStream:
    """Replays the lines that were read from a stream already, then reads on."""

    def __init__(self, stream: BinaryIO, read: bytes) -> None:
        self.read = BytesIO(read)
        self.stream = stream

    def readline(self, limit: int, /) -> bytes:
        """The next line, or as much of it."""
        line = self.read.readline(limit)
        if line.endswith(b"\n") or len(line) == limit:
            return line
        return line + self.stream.readline(limit - len(line))


def _is_text(line: bytes, name: str) -> bool:
    if name.endswith(_SUFFIX):
        return not line.lstrip().startswith(b"{")
    return _TEXT.match(line) is not None


def _text(name: str, reader: TextReader) -> Iterator[tuple[str, RecordSource]]:
    while True:
        try:
            record = reader.read()
        except TextError as error:
            yield f"{name}#{reader.number}", error
            continue
        if record is None:
            return
        yield f"{name}#{reader.number}", record
