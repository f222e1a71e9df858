"""The text of a list and its cells."""

import csv
import io
import re
from dataclasses import dataclass
from typing import Final

from engine import decode_text
from tournaments.domain.roster.rows import RosterFault

MAX_LIST_BYTES: Final = 256 * 1024
"""Bytes; some thousands of lines."""

INVISIBLE_MARKS: Final = (
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u2060\u2066\u2067\u2068\u2069\ufeff"
)
"""What chats and phones put around names: zero-width characters and marks of writing direction.

Overrides of the direction (U+202D, U+202E) are not among them: they turn what is read around.
"""

_INVISIBLE: Final = re.compile(f"[{INVISIBLE_MARKS}]")
_BLANKS: Final = re.compile("[\u00a0\u2007\u202f]")  # blanks that do not break a line
_SEPARATOR_LINE: Final = re.compile(r"\Asep=[,;\t](?=\n|\Z)")
"""A first line that says for spreadsheets what separates the fields."""

RULE: Final = ' \t,;|:"-–—_=*·.~'
"""A line of these alone divides a list, and means nothing."""

DELIMITERS: Final = "\t;|,"
"""What separates cells, the least likely part of a name first."""


_MISREAD: Final = re.compile("[\u00c2-\u00c5\u00c9\u00e2][\u0080-\u00bf\u0152-\u2122]{1,2}")
"""Letters and marks in UTF-8 that were decoded as Windows-1252: “Ã±”, “Ã\u00ad”, “Â·”, “â€™”."""


def repair_text(text: str) -> str:
    """Return a text with the letters that were decoded wrongly put right.

    >>> repair_text("BegoÃ±a NÃºÃ±ez, Ângela")
    'Begoña Núñez, Ângela'
    """
    return _MISREAD.sub(lambda found: _decoded_again(found[0]), text)


def _decoded_again(text: str) -> str:
    """Return what the bytes of a text are in UTF-8; the text if they are nothing."""
    try:
        raw = b"".join(
            bytes((ord(letter),)) if ord(letter) < 0x100 else letter.encode("cp1252")
            for letter in text
        )
        return raw.decode()
    except UnicodeError:
        return text if len(text) < 3 else _decoded_again(text[:2]) + text[2:]


@dataclass(frozen=True, slots=True)
class CleanText:
    """The text of a list, the number of invisible marks taken off, whether it was repaired."""

    text: str
    marks: int
    is_repaired: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a line that is not blank, without blanks at their ends."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a list, and the fault that ended the reading, if any."""

    rows: tuple[Row, ...]
    fault: RosterFault | None


_SHEETS: Final = (b"[Content_Types].xml", b"opendocument.spreadsheet", b"xl/")
_KINDS: Final = (
    ("file_pdf", re.compile(r"\s*%PDF-")),
    ("file_record", re.compile(r'\s*(?:\[\s*)?\{[^{}]{0,2000}"(?:format|ruleset|seats|records)"')),
    ("file_deal", re.compile(r"\s*(?:%[^\n]*\n\s*)*\[(?:Event|Site|Board|Deal) ")),
    ("file_report", re.compile(r"(?:\s*\d{3} [^\n]*\n)*?(?:012|001|062|092) .*\n(?:001|0\d2) ")),
    ("file_html", re.compile(r"\s*<(?:!doctype|html|table|\?xml)", re.IGNORECASE)),
)
"""Beginnings of texts that are no list, with the code of the fault."""


def kind_of_file(source: bytes | str) -> str:
    """Return the fault of a file that is no list by its first bytes; an empty text for others.

    >>> [kind_of_file(file) for file in (b"%PDF-1.7", b"Ana Gil, Luis Sanz")]
    ['file_pdf', '']
    """
    if isinstance(source, bytes):
        if source[:4] == b"PK\x03\x04":
            return "file_sheet" if any(name in source for name in _SHEETS) else "file_packed"
        if source[:4] == b"\xd0\xcf\x11\xe0":  # workbooks of before 2007
            return "file_sheet"
        if source[:2] == b"\x1f\x8b" or source[:6] in {b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"}:
            return "file_packed"
        source = source[:4096].decode("utf-8", "replace")
    text = source[:4096].removeprefix("\ufeff").replace("\r\n", "\n")
    return next((code for code, beginning in _KINDS if beginning.match(text)), "")


def clean_text(
    source: bytes | str, faults: list[RosterFault], *, repair: bool = False
) -> CleanText | None:
    """Return the text with plain line ends and blanks; None and a fault for what is none.

    Letters that were decoded wrongly are put right with ``repair``, else they are a fault.
    """
    if len(source) > MAX_LIST_BYTES:
        faults.append(RosterFault(1, "too_large", str(MAX_LIST_BYTES)))
        return None
    if kind := kind_of_file(source):
        faults.append(RosterFault(1, kind))
        return None
    if isinstance(source, bytes):
        try:
            source = decode_text(source)[0]
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            faults.append(RosterFault(line, "bad_encoding", f"0x{error.object[error.start]:02x}"))
            return None
    text = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    repaired = repair_text(text)
    is_repaired = repair and repaired != text
    if is_repaired:
        text = repaired
    elif repaired != text:
        faults.append(_misread(text))
    text = _BLANKS.sub(" ", text)
    text, marks = _INVISIBLE.subn("", text)
    return CleanText(_SEPARATOR_LINE.sub("", text), marks, is_repaired)


def read_grid(text: str, delimiter: str) -> Grid:
    """Return the rows that hold something, without blank cells at their ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, line = [], 0
    try:
        for row in reader:
            line, start = reader.line_num, line + 1
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if any(cell.strip(RULE) for cell in cells):
                rows.append(Row(start, tuple(cells)))
    except csv.Error as error:
        return Grid(tuple(rows), RosterFault(line + 1, "bad_csv", str(error)))
    return Grid(tuple(rows), None)


def split_text(text: str) -> tuple[str, Grid]:
    """Return the delimiter that divides most lines, and the rows; the tab if none divides any."""
    grids = [(delimiter, read_grid(text, delimiter)) for delimiter in DELIMITERS]
    return max(grids, key=lambda item: sum(len(row.cells) > 1 for row in item[1].rows))


def _misread(text: str) -> RosterFault:
    """Return the fault of a text whose letters were decoded wrongly, with its first such word."""
    for line, row in enumerate(text.split("\n"), 1):
        for word in row.replace(";", " ").replace(",", " ").split():
            if (repaired := repair_text(word)) != word:
                return RosterFault(line, "misread_letters", f"{word} → {repaired}")
    return RosterFault(1, "misread_letters")
