"""Lists of players and pairs as clubs keep them: CSV in, rows out, every fault with its line.

The first line names the columns, in Spanish or English, in any order; fields are separated by
commas, semicolons (spreadsheets in Spanish write these) or tabs (cells that are pasted). UTF-8,
with or without a mark at the start, or UTF-16 with one. Blank lines, blank cells after the last
column and the line ``sep=;`` of a spreadsheet mean nothing. All faults are reported at once. A list
of entries needs no heading when it holds names alone, an entry a line: ``Pepa Gil y Manolo Ruiz``,
``Pepa Gil, Manolo Ruiz``, ``Pepa Gil - Manolo Ruiz``, cells of a spreadsheet (tabs), and before any
of them the pair's own name with a colon. Numbers and bullets of a list from a chat
(``1. Pepa Gil``, ``- Pepa Gil``) are left out.

| list | columns |
|---|---|
| players | ``id,nombre`` or ``id,name`` |
| pairs | ``pareja,nombre,jugador1,jugador2`` or ``pair,name,player1,player2`` |
| entries, pairs | ``pareja,jugador1,jugador2,club,rating``: names; all but the players optional |
| entries, players | ``jugador,club,rating``: names; all but the player optional |
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from tournaments.domain.names import BadNameError, clean_name, fold_name

MAX_LIST_BYTES: Final = 256 * 1024
"""Bytes; some thousands of lines."""

MAX_CODE_LENGTH: Final = 20
"""Characters of a player's or a pair's code."""

PLAYER_COLUMNS: Final = {"id": "code", "nombre": "name", "name": "name"}
PAIR_COLUMNS: Final = {
    "pareja": "code",
    "pair": "code",
    "nombre": "name",
    "name": "name",
    "jugador1": "first",
    "player1": "first",
    "jugador2": "second",
    "player2": "second",
}

ENTERED_PAIR: Final = {
    "jugador1": "first",
    "player1": "first",
    "jugador2": "second",
    "player2": "second",
    "pareja": "name",
    "pair": "name",
    "club": "club",
    "rating": "rating",
    "puntuación": "rating",
}
ENTERED_PLAYER: Final = {
    "jugador": "first",
    "player": "first",
    "nombre": "first",
    "name": "first",
    "club": "club",
    "rating": "rating",
    "puntuación": "rating",
}
LEFT_OUT: Final = frozenset({"name", "club", "rating"})
"""Columns that a list of entries need not have."""

HIGHEST_RATING: Final = 100_000.0  # chosen: above every scale in use; more is a typing error
_SEPARATOR_LINE: Final = re.compile(r"\Asep=[,;\t](?=[\r\n])")
"""A first line that says for spreadsheets what separates the fields."""

_RATING: Final = re.compile(r"[0-9]{1,6}([.,][0-9]{1,4})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RosterFault:
    """A fault in one line, with the text at fault. The heading is line 1.

    ``accepted`` are the columns of the list, of ``unknown_column``.
    """

    line: int
    code: str
    text: str = ""
    accepted: str = ""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player of a list."""

    line: int
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class PairLine:
    """One pair of a list; ``first`` and ``second`` are codes of players."""

    line: int
    code: str
    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """An entrant to be entered, by names: a pair, or a player, who has no ``second``.

    ``name`` is the pair's own, empty where it has none. ``earlier`` are the earlier names in the
    list, by the current names, which ``first`` and ``second`` have.
    """

    line: int
    name: str
    first: str
    second: str
    club: str
    rating: float
    earlier: Mapping[str, str] = field(default_factory=dict)


Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Roster(Generic[Line]):
    """A list as read; lines at fault are among the ``lines``, too."""

    lines: tuple[Line, ...]
    faults: tuple[RosterFault, ...]


@dataclass(frozen=True, slots=True)
class ListedEntrant:
    """An entrant to be entered, as the API gives it: one player or two, by their names."""

    players: tuple[str, ...]
    name: str = ""
    club: str = ""
    rating: int = 0


Source = bytes | str | Sequence[ListedEntrant]
"""A list of entries: CSV, names as they are pasted, or what a program says."""


def read_players(source: bytes | str) -> Roster[PlayerLine]:
    """Read a list of players; codes and names must differ from one another."""
    faults: list[RosterFault] = []
    lines = []
    codes, names = (
        _DuplicateCheck("duplicate_code", faults),
        _DuplicateCheck("duplicate_name", faults),
    )
    for line, row in _rows(source, PLAYER_COLUMNS, faults):
        code, name = _code(row["code"], line, faults), _name(row["name"], line, faults)
        codes.add(code, line)
        names.add(name, line)
        lines.append(PlayerLine(line, code, name))
    return Roster(tuple(lines), _in_order(faults))


def read_pairs(source: bytes | str) -> Roster[PairLine]:
    """Read a list of pairs; nobody may be in two of them."""
    faults: list[RosterFault] = []
    lines = []
    codes, names = (
        _DuplicateCheck("duplicate_code", faults),
        _DuplicateCheck("duplicate_name", faults),
    )
    players = _DuplicateCheck("player_in_two_pairs", faults)
    for line, row in _rows(source, PAIR_COLUMNS, faults):
        code, name = _code(row["code"], line, faults), _name(row["name"], line, faults)
        first, second = _code(row["first"], line, faults), _code(row["second"], line, faults)
        codes.add(code, line)
        names.add(name, line)
        if first and first == second:
            faults.append(RosterFault(line, "same_player_twice", first))
        else:
            players.add(first, line)
            players.add(second, line)
        lines.append(PairLine(line, code, name, first, second))
    return Roster(tuple(lines), _in_order(faults))


def read_entries(
    source: Source, *, pairs: bool, current_name: Callable[[str], str] = str
) -> Roster[EnteredLine]:
    """Read a list of entries, all by their names; nobody may be in it twice.

    The lines of what a program says are counted from 1. ``current_name`` returns the name that a
    player who was renamed has now, and every other name as it is.
    """
    faults: list[RosterFault] = []
    lines = []
    columns = ENTERED_PAIR if pairs else ENTERED_PLAYER
    names = _DuplicateCheck("duplicate_name", faults)
    players = _DuplicateCheck("player_in_two_pairs" if pairs else "duplicate_name", faults)
    rows = (
        _entered_rows(source, columns, faults, pairs=pairs)
        if isinstance(source, (bytes, str))
        else _entrant_rows(source, faults, pairs=pairs)
    )
    for line, row in rows:
        name = _name(row["name"], line, faults) if row.get("name", "").strip() else ""
        people = [_name(row[seat], line, faults) for seat in ("first", "second")[: 1 + pairs]]
        current = [current_name(name) for name in people]
        earlier = {new: old for new, old in zip(current, people, strict=True) if new != old}
        first, second = (*current, "")[:2]
        club = _name(row["club"], line, faults) if row.get("club", "").strip() else ""
        names.add(name, line)
        if first and fold_name(first) == fold_name(second):
            faults.append(RosterFault(line, "same_player_twice", first))
        else:
            players.add(first, line)
            players.add(second, line)
        rating = _rating(row.get("rating", ""), line, faults)
        lines.append(EnteredLine(line, name, first, second, club, rating, earlier))
    return Roster(tuple(lines), _in_order(faults))


class _DuplicateCheck:
    """Texts met so far; meeting one again is a fault."""

    def __init__(self, code: str, faults: list[RosterFault]) -> None:
        self.code = code
        self.faults = faults
        self.texts: set[str] = set()

    def add(self, text: str, line: int) -> None:
        key = fold_name(text)
        if key and key in self.texts:
            self.faults.append(RosterFault(line, self.code, text))
        self.texts.add(key)


def _in_order(faults: list[RosterFault]) -> tuple[RosterFault, ...]:
    return tuple(sorted(faults, key=lambda fault: fault.line))


def _rows(
    source: bytes | str,
    columns: Mapping[str, str],
    faults: list[RosterFault],
    left_out: frozenset[str] = frozenset(),
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the fields of each line that has the right number of fields.

    The fields ``left_out`` need no column.
    """
    text = _text(source, faults)
    if text is None:
        return
    delimiter = max(",;\t", key=_first_line(text).count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    fields: list[str] | None = None
    line = 0
    try:
        for row in reader:
            line, start = reader.line_num, line + 1
            if not any(cell.strip() for cell in row):
                continue
            if fields is None:
                fields = _fields(row, start, columns, faults, left_out)
                if not fields:
                    return
                continue
            if len(row) < len(fields) or any(cell.strip() for cell in row[len(fields) :]):
                faults.append(RosterFault(start, "wrong_columns", str(len(row))))
                continue
            yield start, dict(zip(fields, row, strict=False))
        if fields is None:
            _fields([], 1, columns, faults, left_out)
    except csv.Error as error:
        faults.append(RosterFault(reader.line_num, "bad_csv", str(error)))


def _entered_rows(
    source: bytes | str, columns: Mapping[str, str], faults: list[RosterFault], *, pairs: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of a list of entries, with a heading or without."""
    text = _text(source, faults)
    if text is None or not text.strip():  # an empty list is the caller's to refuse, as a whole
        return
    if not is_plain(text, columns):
        yield from _rows(text, columns, faults, LEFT_OUT)
        return
    for line, name, players in plain_lines(text, pairs=pairs):
        if len(players) != 1 + pairs:
            faults.append(RosterFault(line, "not_two_names", str(len(players))))
            continue
        yield line, {"name": name, **dict(zip(("first", "second"), players, strict=False))}


def _entrant_rows(
    source: Sequence[ListedEntrant], faults: list[RosterFault], *, pairs: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield what a program says as lines that were read."""
    for line, entrant in enumerate(source, 1):
        if len(entrant.players) != 1 + pairs:
            faults.append(RosterFault(line, "wrong_number", str(len(entrant.players))))
            continue
        if entrant.name and not pairs:
            faults.append(RosterFault(line, "unknown_column", "name", "players, club, rating"))
        people = dict(zip(("first", "second"), entrant.players, strict=False))
        rating = str(entrant.rating) if entrant.rating else ""
        yield (
            line,
            {"name": entrant.name, "club": entrant.club, "rating": rating, **people},
        )


def _text(source: bytes | str, faults: list[RosterFault]) -> str | None:
    """Decode UTF-8 or marked UTF-16, leaving out the mark and the spreadsheet's separator line."""
    if len(source) > MAX_LIST_BYTES:
        faults.append(RosterFault(1, "too_large", str(MAX_LIST_BYTES)))
        return None
    if isinstance(source, bytes):
        try:
            source = source.decode(_encoding(source))
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            faults.append(RosterFault(line, "bad_encoding", f"0x{error.object[error.start]:02x}"))
            return None
    return _SEPARATOR_LINE.sub("", source.removeprefix("\ufeff"))


def _encoding(source: bytes) -> str:
    """Return UTF-16 for a list with its mark ("Unicode text" of Excel), else UTF-8."""
    return "utf-16" if source[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE} else "utf-8"


def _first_line(text: str) -> str:
    """Return the first line that has more than blank cells."""
    return next((line for line in text.splitlines() if not _is_blank(line)), "")


def _is_blank(line: str) -> bool:
    return not line.strip(' \t,;"')


def _fields(
    heading: list[str],
    line: int,
    columns: Mapping[str, str],
    faults: list[RosterFault],
    left_out: frozenset[str],
) -> list[str]:
    """Return the field of each column; empty when the heading is at fault."""
    while heading and not heading[-1].strip():
        heading.pop()
    names = [cell.strip().casefold() for cell in heading]
    fields = [columns.get(name, "") for name in names]
    unknown = [cell for cell, field in zip(heading, fields, strict=True) if not field]
    needed = {name: field for name, field in columns.items() if field not in left_out}
    missing = [name for name, field in needed.items() if field not in fields]
    if unknown:
        accepted = ", ".join(
            " / ".join(name for name, target in columns.items() if target == field)
            for field in dict.fromkeys(columns.values())
        )
        faults.append(RosterFault(line, "unknown_column", ", ".join(unknown), accepted))
    elif missing:
        faults.append(RosterFault(line, "missing_column", " / ".join(missing)))
    elif len(set(fields)) < len(fields):
        faults.append(RosterFault(line, "duplicate_column", ", ".join(names)))
    else:
        return fields
    return []


def _code(text: str, line: int, faults: list[RosterFault]) -> str:
    """Return a code in capitals, or an empty text and a fault."""
    code = _name(text, line, faults, missing="code_missing").upper()
    if len(code) > MAX_CODE_LENGTH:
        faults.append(RosterFault(line, "code_too_long", code))
        return ""
    return code


def _name(text: str, line: int, faults: list[RosterFault], missing: str = "name_missing") -> str:
    """Return a name as it is stored, or an empty text and a fault."""
    try:
        return clean_name(text)
    except BadNameError as error:
        code = missing if error.code == "name_missing" else error.code
        faults.append(RosterFault(line, code, _escape_invisible(text.strip())))
        return ""


def _rating(text: str, line: int, faults: list[RosterFault]) -> float:
    """Return a rating, 0 where there is none; a decimal comma is one."""
    text = text.strip()
    if not text:
        return 0.0
    if not _RATING.fullmatch(text) or float(text.replace(",", ".")) > HIGHEST_RATING:
        faults.append(RosterFault(line, "bad_rating", _escape_invisible(text)[:40]))
        return 0.0
    return float(text.replace(",", "."))


def _escape_invisible(text: str) -> str:
    """Write invisible characters as escapes, so that a fault shows them and does no harm."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


# --- names without a heading -------------------------------------------------------------------


SEPARATORS: Final = (";", "\t", ",", " / ", " + ", " & ", " – ", " - ")
"""Separators of two names: the first in this order that a line holds counts, else a word."""

_WORD: Final = re.compile(r"\s+(?:y|e|con|and|und)\s+", re.IGNORECASE)
_MARK: Final = re.compile(
    r"\s*(?:\d{1,4}(?:[.)]-?|\ufe0f?\u20e3)(?=\s|[^\W\dºª_])|[-–—*•·‣▪●])\s*(?=\S)"
)
"""A number with its mark (``1.``, ``2)``, ``3.-``, a keycap) or a bullet before a name."""

_CELLS: Final = re.compile(r"[;,\t]")


def is_plain(text: str, columns: Iterable[str]) -> bool:
    """Tell whether the first line that is not blank names none of the columns."""
    column_names = {name.casefold() for name in columns}
    first = _first_line(text)
    cells = {cell.strip().strip('"').casefold() for cell in _CELLS.split(first)}
    return bool(first) and not cells & column_names


def plain_lines(text: str, *, pairs: bool) -> Iterator[tuple[int, str, list[str]]]:
    """Yield number, pair's own name (empty where it has none) and players of each line."""
    for number, raw in enumerate(text.splitlines(), 1):
        if _is_blank(raw):
            continue
        marked = _MARK.match(raw)
        line = raw[marked.end() :] if marked else raw
        name, colon, rest = line.partition(":") if pairs else ("", "", line)
        two = _split_names(rest if colon else line) if pairs else [line.strip()]
        yield number, name.strip() if colon else "", two


def _split_names(line: str) -> list[str]:
    """Return the names between the marks of a line."""
    separator = next((candidate for candidate in SEPARATORS if candidate in line), None)
    parts = _WORD.split(line) if separator is None else line.split(separator)
    return [part.strip() for part in parts if part.strip()]
