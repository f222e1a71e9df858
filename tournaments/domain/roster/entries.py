"""Reads lists of entries: columns with a heading or without, or names that are pasted."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tournaments.domain.names import fold_name
from tournaments.domain.roster.checks import (
    DuplicateCheck,
    escape_invisible,
    in_order,
    is_given,
    read_name,
)
from tournaments.domain.roster.columns import are_counters, recognise_columns
from tournaments.domain.roster.headings import is_number_of_pair, is_title, is_total
from tournaments.domain.roster.plain import plain_lines
from tournaments.domain.roster.ratings import read_ratings
from tournaments.domain.roster.rows import (
    MIRRORED,
    OPEN,
    RECOGNISE,
    REPEATED,
    SAME,
    TITLE,
    Column,
    EnteredLine,
    EntryList,
    LeftOut,
    ListedEntrant,
    Reading,
    RosterFault,
    Source,
)
from tournaments.domain.roster.tables import NamedRow, Table, divide_rows, read_table
from tournaments.domain.roster.text import clean_text, split_text

MAX_EXAMPLES: Final = 3
"""Cells of a column that a preview shows."""

_QUOTED: Final = re.compile(r'(?:^|[,;\t|]) *"', re.MULTILINE)
"""The beginning of a cell in quotes, in which a comma divides nothing."""


@dataclass(slots=True)
class _Draft:
    """A list while it is read: rows of named cells by line, and what goes into `EntryList`."""

    rows: list[NamedRow] = field(default_factory=list)
    faults: list[RosterFault] = field(default_factory=list)
    columns: tuple[Column, ...] = ()
    left_out: list[LeftOut] = field(default_factory=list)
    first_line: int = 1
    asked_rating: str = ""
    marks: int = 0


def read_entries(
    source: Source,
    *,
    pairs: bool,
    reading: Reading = RECOGNISE,
    current_name: Callable[[str], str] = str,
) -> EntryList:
    """Read a list of entries, all by their names; nobody may be in it twice.

    The lines of what a program says are counted from 1. ``current_name`` returns the name that a
    player who was renamed has now, and every other name as it is. A single player who is the same
    as one of an earlier line is left out.
    """
    draft = _Draft()
    if isinstance(source, (bytes, str)):
        _read_text(source, draft, reading, pairs=pairs)
    else:
        draft.rows += _entrant_rows(source, draft.faults, pairs=pairs)
    values = _ratings(draft, reading.decimal_mark)
    faults = draft.faults
    names = DuplicateCheck("duplicate_name", faults)
    players = DuplicateCheck("player_in_two_pairs" if pairs else "duplicate_name", faults)
    seated: set[tuple[str, str]] = set()
    lines = []
    for (line, row), rating in zip(draft.rows, values, strict=True):
        name = read_name(row["name"], line, faults) if is_given(row.get("name", "")) else ""
        people = [read_name(row[seat], line, faults) for seat in ("first", "second")[: 1 + pairs]]
        current = [
            read_name(reading.same[key], line, faults)
            if (key := fold_name(person)) in reading.same
            else current_name(person)
            for person in people
        ]
        earlier = {new: old for new, old in zip(current, people, strict=True) if new != old}
        first, second = (*current, "")[:2]
        if not pairs and fold_name(people[0]) in reading.same and fold_name(first) in players.texts:
            draft.left_out.append(LeftOut(line, people[0], SAME))
            continue
        if first and (fold_name(second), fold_name(first)) in seated:
            draft.left_out.append(LeftOut(line, " / ".join(people), MIRRORED))
            continue
        seated.add((fold_name(first), fold_name(second)))
        club = read_name(row["club"], line, faults) if is_given(row.get("club", "")) else ""
        names.add(name, line)
        if first and fold_name(first) == fold_name(second):
            faults.append(RosterFault(line, "same_player_twice", first))
        else:
            players.add(first, line)
            players.add(second, line)
        lines.append(EnteredLine(line, name, first, second, club, rating, earlier))
    return EntryList(
        tuple(lines),
        in_order(faults),
        draft.columns,
        tuple(sorted(draft.left_out, key=lambda left: left.line)),
        draft.first_line,
        draft.asked_rating,
        draft.marks,
    )


def _ratings(draft: _Draft, decimal_mark: str) -> list[float]:
    """Read the ratings of all rows together: each is read as the others say."""
    cells = [row.get("rating", "") for _line, row in draft.rows]
    cells = [cell if is_given(cell) else "" for cell in cells]
    ratings = read_ratings(cells, decimal_mark)
    for place, (line, _row) in enumerate(draft.rows):
        text = escape_invisible(cells[place].strip())[:40]
        if place in ratings.ambiguous:
            draft.faults.append(RosterFault(line, "ambiguous_rating", text))
        elif ratings.values[place] is None:
            draft.faults.append(RosterFault(line, "bad_rating", text))
    draft.asked_rating = ratings.asked
    return [value or 0.0 for value in ratings.values]


def _entrant_rows(
    source: Sequence[ListedEntrant], faults: list[RosterFault], *, pairs: bool
) -> Iterator[NamedRow]:
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


def _read_text(source: bytes | str, draft: _Draft, reading: Reading, *, pairs: bool) -> None:
    """Read a text into the draft, by its columns if it has any."""
    cleaned = clean_text(source, draft.faults)
    if cleaned is None or not cleaned.text.strip():  # an empty list is the caller's to refuse
        return
    draft.marks = cleaned.marks
    delimiter, grid = split_text(cleaned.text)
    table = divide_rows(grid.rows, reading.first_line)
    is_chosen = any(reading.columns) and len(reading.columns) == table.width
    is_table = grid.fault is None and _has_columns(table, delimiter, cleaned.text, pairs=pairs)
    if not (is_chosen or is_table or table.headings):
        _read_plain(cleaned.text, draft, reading.first_line, pairs=pairs)
        if draft.faults and table.width > 1:  # it is asked what the columns hold
            draft.columns = _columns(table, ("",) * table.width)
        return
    if grid.fault:
        draft.faults.append(grid.fault)
    fields = reading.columns if is_chosen else recognise_columns(table, pairs=pairs)
    draft.columns = _columns(table, fields)
    draft.first_line = table.rows[0].line if table.rows else 1
    for why, rows in ((TITLE, table.titles), (REPEATED, table.repeated)):
        draft.left_out += [
            LeftOut(row.line, " ".join(filter(None, row.cells)), why) for row in rows
        ]
    draft.rows += read_table(table, fields, draft.faults, draft.left_out, pairs=pairs)


def _has_columns(table: Table, delimiter: str, text: str, *, pairs: bool) -> bool:
    """Tell whether a list that can be divided into cells is more than names."""
    columns = [table.cells(column) for column in range(table.width)]
    is_divided = table.width > 1 + pairs and (delimiter != "," or any(map(_are_notes, columns)))
    is_numbered = table.width > 1 and are_counters(columns[0])
    return is_divided or is_numbered or _QUOTED.search(text) is not None


def _are_notes(cells: Sequence[str]) -> bool:
    """Tell whether cells are too short for names: a cross, a tick, a telephone number."""
    return all(sum(map(str.isalpha, cell)) < 3 for cell in cells)


def _columns(table: Table, fields: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns as a preview shows them."""
    return tuple(
        Column(table.heading(column), field, tuple(table.cells(column)[:MAX_EXAMPLES]))
        for column, field in enumerate(fields)
    )


def _read_plain(text: str, draft: _Draft, first_line: int, *, pairs: bool) -> None:
    """Read names a line each into the draft; titles above them are left out."""
    draft.first_line = 0
    for line in plain_lines(text, pairs=pairs):
        is_right = len(line.players) == 1 + pairs
        if line.line < first_line or (
            not (draft.first_line or first_line)
            and is_title(line.content)
            and not (line.name and is_right)
        ):
            draft.left_out.append(LeftOut(line.line, line.text, TITLE))
            continue
        if line.is_open or is_total(line.content):
            draft.left_out.append(LeftOut(line.line, line.text, OPEN))
            continue
        draft.first_line = draft.first_line or line.line
        if is_right:
            seats = dict(zip(("first", "second"), line.players, strict=False))
            name = "" if is_number_of_pair(line.name) else line.name
            draft.rows.append((line.line, {"name": name, **seats}))
        else:
            count = str(len(line.players))
            draft.faults.append(RosterFault(line.line, "not_two_names", count))
