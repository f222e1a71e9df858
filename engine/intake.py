"""Reads the records of a file, an upload or a stream, and names what it took them for.

One reader for every way in: one record in JSON, one a line (NDJSON), several over many lines each,
an array, also as ``{"records": […]}``, text (``.tute``), or the export of a service, whose last
line is checked. The first line that is not blank decides.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from enum import StrEnum
from io import BytesIO
from itertools import chain
from typing import Any, BinaryIO, Final, NamedTuple

from engine.encodings import (
    ENCODING_NAMES,
    UTF_8,
    UTF_8_MARKED,
    UTF_16_MARKS,
    WINDOWS_1252,
    decode_text,
)
from engine.errors import Fault, RecordError
from engine.messages import message
from engine.notation import MAX_BYTES
from engine.strict_json import read_json, syntax_error, too_deep
from engine.text import TextReader, TextRecord
from engine.text_words import TextError

RecordSource = bytes | TextRecord | RecordError
"""A record in JSON, one that was read from text, or why a part of the source is none."""

MAX_LINE_BYTES: Final = MAX_BYTES + 2
"""Bytes of a line that are looked at: those of a record, its line end, and one too many."""

MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""

_TEXT: Final = re.compile(rb'\s*(?:;|\[\s*["A-Za-z])')
_ARRAY: Final = re.compile(rb"\s*\[(?!\d{1,2}[:/.]\d)")  # not the time of a message in a chat
_WRAPPED: Final = re.compile(rb'\s*\{\s*"records"\s*:\s*\[')
_OBJECT: Final = re.compile(rb'\s*\{\s*(?:["}]|$)')
_SUFFIX: Final = ".tute"
_END: Final = re.compile(
    rb'\s*\{"end": ?true, ?"count": ?(\d{1,15}), ?"sha256": ?"([0-9a-f]{64})"\}\s*'
)
"""The last line of an export (docs/programs/api.md)."""
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_ELEMENTS: Final = json.JSONDecoder(parse_int=str, parse_float=str)  # only finds where they end


class Form(StrEnum):
    """What a source can be."""

    JSON = "json"
    NDJSON = "ndjson"
    ARRAY = "array"
    EXPORT = "export"
    TUTE = "tute"


class SourceRecord(NamedTuple):
    """A record of a source.

    ``number`` is the line of NDJSON, else it counts from 1; ``None`` for the only record, over
    many lines. ``line`` is that of its beginning.
    """

    number: int | None
    line: int
    content: RecordSource


class RecordReader:
    """Iterates over the records of a stream; holds one at a time, but for those of an array.

    ``form`` and ``encoding`` say what it was taken for, and are final after the last record;
    ``form`` is None for what is neither JSON nor text, such as a list of names. ``count`` counts
    the records. ``name`` is that of the file, if it has one. ``only_utf_8`` refuses other
    encodings, but takes the byte order mark.
    """

    def __init__(self, stream: BinaryIO, name: str = "", *, only_utf_8: bool = False) -> None:
        self._lines = _Lines(stream, only_utf_8)
        self._name = name
        self.form: Form | None = None
        self.count = 0

    @property
    def encoding(self) -> str:
        """The encoding, named as by `decode_text`."""
        return self._lines.encoding

    @property
    def is_plain(self) -> bool:
        """Whether its form and encoding need no mention: JSON, NDJSON or text in UTF-8; or none."""
        usual = {Form.JSON, Form.NDJSON, Form.TUTE}
        return self.form is None or (self.encoding == UTF_8 and self.form in usual)

    def describe(self, language: str = "en") -> str:
        """Return what the source was taken for, in a sentence; after its last record."""
        form = message(language, f"form.{self.form or 'unknown'}")
        encoding = ENCODING_NAMES[self.encoding]
        return message(language, "form.taken", form=form, encoding=encoding, count=self.count)

    def __iter__(self) -> Iterator[SourceRecord]:
        for record in self._records():
            self.count += 1
            yield record

    def _records(self) -> Iterator[SourceRecord]:
        while (line := self._lines.readline(MAX_LINE_BYTES)) and not line.strip():
            pass
        if not line:
            return
        self._lines.put_back(line)
        if self._is_text(line):
            self.form = Form.TUTE
            yield from _text_records(TextReader(self._lines, self._lines.number))
        elif _ARRAY.match(line) or _WRAPPED.match(line):
            self.form = Form.ARRAY
            start = self._lines.number + 1
            yield from _array_records(self._lines.rest(), start)
        else:
            yield from self._json_records()

    def _is_text(self, line: bytes) -> bool:
        if self._name.endswith(_SUFFIX):
            return not _OBJECT.match(line)
        return _TEXT.match(line) is not None

    def _json_records(self) -> Iterator[SourceRecord]:
        lines = self._lines.whole_lines()
        numbered = ((number, line) for number, line in lines if line.strip())
        first = next(numbered)
        is_json = _is_json(first[1])
        second = None if is_json else next(numbered, None)
        if not is_json and not (second is not None and second[1].lstrip().startswith(b"{")):
            if not first[1].lstrip().startswith(b"{"):
                yield SourceRecord(None, first[0], syntax_error("not_a_record", ""))
                return
            if second is not None:
                yield from self._documents(first[0], _document(first, second, lines))
                return
        yield from self._numbered_records(chain([first], [second] if second else [], numbered))

    def _documents(self, line: int, source: bytes) -> Iterator[SourceRecord]:
        """Yield the documents of a text over many lines: one, several, or an array in an object."""
        if _WRAPPED.match(source):
            self.form = Form.ARRAY
            yield from _array_records(source, 1)
            return
        self.form = Form.JSON
        ends = _ends_of_documents(source)
        if len(ends) < 2:  # its own errors name place and line
            yield SourceRecord(None, line, source[: MAX_BYTES + 1])
            return
        start = 0
        for number, end in enumerate((*ends[:-1], len(source)), 1):
            blanks = len(source[start:end]) - len(source[start:end].lstrip())
            first_line = source.count(b"\n", 0, start + blanks) + 1
            yield SourceRecord(number, first_line, source[start + blanks : end])
            start = end

    def _numbered_records(self, lines: Iterator[tuple[int, bytes]]) -> Iterator[SourceRecord]:
        """Yield the lines, and what is wrong with the last line of an export."""
        self.form, digest, above = Form.JSON, hashlib.sha256(), 0
        is_export = False
        for number, line in lines:
            end = _END.fullmatch(line) if line.lstrip().startswith(b'{"end"') else None
            if end is not None:  # a file may hold several exports, one below the other
                is_export = True
                error = _wrong_end(end, above, digest.hexdigest(), number)
                digest, above = hashlib.sha256(), 0
                if error is not None:
                    yield SourceRecord(number, number, error)
                continue
            digest.update(line.rstrip(b"\r\n") + b"\n")  # forms send CR LF
            above += 1
            if self.count:
                self.form = Form.NDJSON
            yield SourceRecord(number, number, line)
        if is_export:
            self.form = Form.EXPORT


def _wrong_end(end: re.Match[bytes], count: int, sha256: str, line: int) -> RecordError | None:
    """Return what is wrong with the last line of an export below ``count`` records."""
    stated = int(end[1])
    if stated != count:
        reason = "cut_export"
    elif end[2].decode() != sha256:
        reason = "changed_export"
    else:
        return None
    facts = {"reason": reason, "stated": stated, "found": count, "line": line, "column": 1}
    return RecordError(Fault("record.syntax", "F1", facts=facts), reason, line, 1)


def _document(
    first: tuple[int, bytes], second: tuple[int, bytes], lines: Iterator[tuple[int, bytes]]
) -> bytes:
    """Return what is over many lines, with blank lines above so that errors name its lines."""
    blank = b"\n" * min(first[0] - 1, MAX_BYTES)
    gap = b"\n" * min(second[0] - first[0] - 1, MAX_BYTES)
    return blank + first[1] + gap + second[1] + b"".join(line for _, line in lines)


def _ends_of_documents(source: bytes) -> list[int]:
    """Return where each document of a text ends, in bytes; none after one that is no JSON."""
    ends: list[int] = []
    try:
        text = source.decode(UTF_8)
        place = _after_blanks(text, 0)
        while place < len(text):
            _value, end = _ELEMENTS.raw_decode(text, place)
            ends.append(len(text[:end].encode(UTF_8, "surrogatepass")))
            place = _after_blanks(text, end)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return ends
    return ends


def _is_json(line: bytes) -> bool:
    try:
        read_json(line)
    except RecordError as error:  # what is not even text is JSON where it begins so: no ZIP, no PNG
        return error.reason != "malformed_json" and line.lstrip().startswith(b"{")
    return True


def _text_records(reader: TextReader) -> Iterator[SourceRecord]:
    while True:
        try:
            record = reader.read()
        except TextError as error:
            yield SourceRecord(reader.number, error.line or 1, error)
            continue
        if record is None:
            return
        yield SourceRecord(reader.number, record.line, record)


def _array_records(source: bytes, line: int) -> Iterator[SourceRecord]:
    """Yield the elements of an array as they are written; after an error nothing follows."""
    try:
        text = source.decode(UTF_8)
    except UnicodeDecodeError as error:
        encoding_error = syntax_error("bad_encoding", f"byte {error.start + 1} is not UTF-8")
        yield SourceRecord(None, line, encoding_error)
        return
    number = counted = 0
    try:
        for start, end in _elements(text):
            line, counted = line + text.count("\n", counted, start), start
            number += 1
            yield SourceRecord(number, line, text[start:end].encode(UTF_8, "surrogatepass"))
    except json.JSONDecodeError as error:
        line = line - text.count("\n", 0, counted) + error.lineno - 1
        syntax = syntax_error("malformed_json", error.msg, line, error.colno)
        yield SourceRecord(number + 1, line, syntax)
    except RecursionError:
        yield SourceRecord(number + 1, line, too_deep())


def _elements(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each element of an array begins and ends. Raises ``JSONDecodeError``.

    The array may be the only member of an object, as many programs write lists.
    """
    is_wrapped = text.lstrip().startswith("{")
    place = _after_blanks(text, text.index("[") + 1)
    is_first = True
    while not (is_first and text[place : place + 1] == "]"):
        is_first = False
        _value, end = _ELEMENTS.raw_decode(text, place)
        yield place, end
        place = _after_blanks(text, end)
        if text[place : place + 1] != ",":
            break
        place = _after_blanks(text, place + 1)
    if text[place : place + 1] != "]":
        raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
    place = _after_blanks(text, place + 1)
    if is_wrapped:
        if text[place : place + 1] != "}":
            raise json.JSONDecodeError("Expecting '}'", text, place)
        place = _after_blanks(text, place + 1)
    if place < len(text):
        raise json.JSONDecodeError("Extra data", text, place)


def _after_blanks(text: str, place: int) -> int:
    blanks: Any = _BLANKS.match(text, place)
    return int(blanks.end())


class _Lines:
    """The lines of a stream as UTF-8 without a byte order mark, and the encoding they were in."""

    def __init__(self, stream: BinaryIO, only_utf_8: bool) -> None:
        self._stream = stream
        self._only_utf_8 = self._is_decided = only_utf_8
        self._read_again = b""
        self._is_at_start = True
        self.encoding = UTF_8
        self.number = 0
        """The number of lines that were read, but for those put back."""

    def put_back(self, line: bytes) -> None:
        """Read a line again."""
        self._read_again = line
        self.number -= 1

    def readline(self, limit: int, /) -> bytes:
        """Return the next line, or as much of it."""
        self.number += 1
        line, self._read_again = self._read_again, b""
        if line:
            if line.endswith(b"\n") or len(line) >= limit:
                return line
            return line + self._decoded(self._stream.readline(limit - len(line)))
        line = self._stream.readline(limit)
        if self._is_at_start:
            self._is_at_start = False
            line = self._without_mark(line, limit)
        # Files that were joined have a mark where each begins.
        return self._decoded(line.removeprefix(MARK))

    def _without_mark(self, line: bytes, limit: int) -> bytes:
        """Return the first line without its mark; a stream in UTF-16 is decoded as a whole."""
        if line.startswith(MARK):
            self.encoding, self._is_decided = UTF_8_MARKED, True
            return line.removeprefix(MARK)
        if (line.startswith(UTF_16_MARKS) or b"\0" in line) and not self._only_utf_8:
            source = line + self._stream.read()
            try:
                text, self.encoding = decode_text(source)
                source, self._is_decided = text.encode(UTF_8), True
            except UnicodeDecodeError:
                pass  # its lines are refused
            self._stream = BytesIO(source)
            return self._stream.readline(limit)
        return line

    def _decoded(self, line: bytes) -> bytes:
        """Return a line of Windows-1252 as UTF-8, any other as it is.

        The first line that is not ASCII decides for all; the reader of records refuses what then
        is not UTF-8.
        """
        if line.isascii() or len(line) >= MAX_BYTES:
            return line
        if not self._is_decided:
            self._is_decided = True
            try:
                if decode_text(line)[1] == WINDOWS_1252:
                    self.encoding = WINDOWS_1252
            except UnicodeDecodeError:
                return line
        if self.encoding == WINDOWS_1252:
            return line.decode(WINDOWS_1252, "replace").encode(UTF_8)
        return line

    def whole_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield lines with their numbers; one longer than any record is cut, and refused by it."""
        while line := self.readline(MAX_LINE_BYTES):
            number = self.number
            yield number, line
            while len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = self.readline(MAX_LINE_BYTES)
            self.number = number

    def rest(self) -> bytes:
        """Return what is left of the stream."""
        return b"".join(iter(lambda: self.readline(MAX_LINE_BYTES), b""))
