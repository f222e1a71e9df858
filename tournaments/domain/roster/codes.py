"""Reads the lists of players and pairs with codes that a club gives them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tournaments.domain.roster.checks import DuplicateCheck, in_order, read_code, read_name
from tournaments.domain.roster.headings import tokens_of
from tournaments.domain.roster.rows import PairLine, PlayerLine, Roster, RosterFault
from tournaments.domain.roster.text import Row, clean_text, split_text

PLAYER_COLUMNS: Final = {
    "code": ("id", "codigo", "code", "kennung"),
    "name": ("nombre", "name", "jugador", "player", "spieler"),
}
PAIR_COLUMNS: Final = {
    "code": ("pareja", "pair", "paar"),
    "name": ("nombre", "name"),
    "first": ("jugador1", "player1", "spieler1"),
    "second": ("jugador2", "player2", "spieler2"),
}
"""The headings of each field, without blanks and accents."""


def read_players(source: bytes | str) -> Roster[PlayerLine]:
    """Read a list of players; codes and names must differ from one another."""
    table = _read_table(source, PLAYER_COLUMNS)
    faults = table.faults
    lines = []
    codes, names = (
        DuplicateCheck("duplicate_code", faults),
        DuplicateCheck("duplicate_name", faults),
    )
    for line, row in table.rows:
        code, name = read_code(row["code"], line, faults), read_name(row["name"], line, faults)
        codes.add(code, line)
        names.add(name, line)
        lines.append(PlayerLine(line, code, name))
    return Roster(tuple(lines), in_order(faults), unread=table.unread)


def read_pairs(source: bytes | str) -> Roster[PairLine]:
    """Read a list of pairs; nobody may be in two of them."""
    table = _read_table(source, PAIR_COLUMNS)
    faults = table.faults
    lines = []
    codes, names = (
        DuplicateCheck("duplicate_code", faults),
        DuplicateCheck("duplicate_name", faults),
    )
    players = DuplicateCheck("player_in_two_pairs", faults)
    for line, row in table.rows:
        code, name = read_code(row["code"], line, faults), read_name(row["name"], line, faults)
        first, second = (read_code(row[seat], line, faults) for seat in ("first", "second"))
        codes.add(code, line)
        names.add(name, line)
        if first and first == second:
            faults.append(RosterFault(line, "same_player_twice", first))
        else:
            players.add(first, line)
            players.add(second, line)
        lines.append(PairLine(line, code, name, first, second))
    return Roster(tuple(lines), in_order(faults), unread=table.unread)


@dataclass(frozen=True, slots=True)
class _Table:
    """The lines below a heading, as number and text by field, and the faults found so far.

    ``unread`` are the headings of other columns.
    """

    faults: list[RosterFault]
    rows: tuple[tuple[int, dict[str, str]], ...] = ()
    unread: tuple[str, ...] = ()


def _read_table(source: bytes | str, columns: Mapping[str, tuple[str, ...]]) -> _Table:
    """Read a list whose heading names all ``columns``; without such a heading it has no rows.

    Lines above the heading are titles, and those that repeat it mean nothing.
    """
    faults: list[RosterFault] = []
    cleaned = clean_text(source, faults)
    if cleaned is None:
        return _Table(faults)
    _delimiter, grid = split_text(cleaned.text)
    if grid.fault:
        faults.append(grid.fault)
    heading = next(
        (row for row in grid.rows if _fields(row, columns).keys() == columns.keys()), None
    )
    if heading is None:
        return _Table([*faults, _heading_fault(grid.rows, columns)])
    fields = _fields(heading, columns)
    known = {place for places in fields.values() for place in places}
    unread = tuple(cell for place, cell in enumerate(heading.cells) if cell and place not in known)
    if twice := sorted(field for field, places in fields.items() if len(places) > 1):
        text = ", ".join(heading.cells[place] for field in twice for place in fields[field])
        faults.append(RosterFault(heading.line, "duplicate_column", text))
        return _Table(faults, unread=unread)
    rows = []
    for row in grid.rows[grid.rows.index(heading) + 1 :]:
        if any(row.cells[len(heading.cells) :]):
            faults.append(RosterFault(row.line, "wrong_columns", str(len(row.cells))))
        elif row.cells != heading.cells:
            cells = {field: _cell(row, places[0]) for field, places in fields.items()}
            rows.append((row.line, cells))
    return _Table(faults, tuple(rows), unread)


def _cell(row: Row, place: int) -> str:
    """Return a cell, which is empty in a line that is too short."""
    return row.cells[place] if place < len(row.cells) else ""


def _fields(row: Row, columns: Mapping[str, tuple[str, ...]]) -> dict[str, list[int]]:
    """Return the places of each field that a heading names."""
    keys = ["".join(tokens_of(cell)) for cell in row.cells]
    places = {
        field: [place for place, key in enumerate(keys) if key in names]
        for field, names in columns.items()
    }
    return {field: found for field, found in places.items() if found}


def _heading_fault(rows: tuple[Row, ...], columns: Mapping[str, tuple[str, ...]]) -> RosterFault:
    """Return the fault that names the columns which the best heading of a list lacks."""
    best = max(rows, key=lambda row: len(_fields(row, columns)), default=Row(1, ()))
    missing = columns.keys() - _fields(best, columns).keys()
    text = ", ".join(" / ".join(columns[field][:2]) for field in columns if field in missing)
    return RosterFault(best.line, "missing_column", text)
