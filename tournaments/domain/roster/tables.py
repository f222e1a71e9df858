"""A list in columns: its titles, its heading, and the rows below as named cells."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from tournaments.domain.names import fold_name
from tournaments.domain.roster.headings import (
    count_headings,
    is_heading,
    is_number_of_pair,
    is_title,
    is_total,
    tokens_of,
)
from tournaments.domain.roster.plain import split_line, split_reserve
from tournaments.domain.roster.rows import OPEN, RESERVE, LeftOut, RosterFault
from tournaments.domain.roster.text import Row

LINES_OF_HEADING: Final = 12
"""Rows at the top among which the heading is looked for; above it are titles."""

_NAMES: Final = ("first", "second", "both", "first_surname", "second_surname")

_SEATS: Final = frozenset({"1", "2", "a", "b", "i", "ii"})

MAX_COLUMNS: Final = 100
"""Columns of a list; a row with more cells is a fault."""

NamedRow = tuple[int, dict[str, str]]
"""The line of an entrant, and its cells by field."""


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a list below its heading; without one the headings are empty."""

    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    titles: tuple[Row, ...]
    repeated: tuple[Row, ...]

    @property
    def width(self) -> int:
        """The number of columns that have a heading or, in half of the rows, a cell."""
        lengths = Counter(len(row.cells) for row in self.rows)
        usual = [length for length, count in lengths.items() if 2 * count >= len(self.rows)]
        widest = max(len(self.headings), *usual, 0) if self.headings else max(lengths, default=0)
        return min(widest, MAX_COLUMNS)

    def heading(self, column: int) -> str:
        """Return the heading of a column, or an empty text."""
        return self.headings[column] if column < len(self.headings) else ""

    def column(self, column: int) -> list[str]:
        """Return the cells of a column, an empty text where a row is shorter."""
        return [row.cells[column] if column < len(row.cells) else "" for row in self.rows]

    def cells(self, column: int) -> list[str]:
        """Return the cells of a column that are not blank."""
        return [cell for cell in self.column(column) if cell]


def divide_rows(rows: Sequence[Row], first_line: int = 0) -> Table:
    """Find the titles and the heading of a list; ``first_line`` is the first of names, if known."""
    above = [row for row in rows if row.line < first_line] if first_line else rows
    place = _heading_place(above[:LINES_OF_HEADING])
    if place is None:
        titles = above if first_line else list(takewhile(_is_title_row, rows))
        return Table((), tuple(rows[len(titles) :]), tuple(titles), ())
    heading = rows[place]
    below = rows[place + 1 :]
    repeated = [row for row in below if _folded(row) == _folded(heading)]
    titles = [*rows[:place], *(row for row in below if row.line < first_line)]
    names = [row for row in below if row not in repeated and row.line >= first_line]
    return Table(heading.cells, tuple(names), tuple(titles), tuple(repeated))


def _heading_place(rows: Sequence[Row]) -> int | None:
    """Return the place of the row with the most known headings, the first of several."""
    known = {
        place: count_headings(row.cells) for place, row in enumerate(rows) if is_heading(row.cells)
    }
    if known:
        return max(known, key=lambda place: known[place])
    titles = len(list(takewhile(_is_title_row, rows)))
    return titles if _is_unlike_others(rows[titles:]) else None


def _is_unlike_others(rows: Sequence[Row]) -> bool:
    """Tell whether the first of these rows seems to be a heading in words that are not known.

    Its cells are one text with 1 and 2, or questions, or it has words above numbers, or single
    words above names of several.
    """
    if not rows or len(rows[0].cells) < 2:
        return False
    head, below = [cell for cell in rows[0].cells if cell], rows[1:]
    numbered = Counter(
        " ".join(words[:-1])
        for cell in head
        if (words := tokens_of(cell))[-1:] and words[-1] in _SEATS
    )
    if any(text and count > 1 for text, count in numbered.items()):
        return True
    if any(cell.endswith("?") and any(map(str.isalpha, cell)) for cell in head):
        return True
    if len(below) < 2:
        return False
    columns = [
        (cell, [row.cells[at] for row in below if at < len(row.cells) and row.cells[at]])
        for at, cell in enumerate(rows[0].cells)
        if any(map(str.isalpha, cell))
    ]
    if any(cells and not any(map(_has_word, cells)) and _has_word(cell) for cell, cells in columns):
        return True
    return len(columns) > 1 and all(
        len(cell.split()) == 1 and all(len(below_it.split()) > 1 for below_it in cells)
        for cell, cells in columns
    )


def _has_word(cell: str) -> bool:
    """Tell whether a cell has a word of three letters."""
    return any(len(word) > 2 and word.isalpha() for word in tokens_of(cell))


def _is_title_row(row: Row) -> bool:
    return len(row.cells) == 1 and is_title(row.cells[0])


def _folded(row: Row) -> list[str]:
    return [fold_name(cell) for cell in row.cells]


def read_table(
    table: Table,
    fields: Sequence[str],
    faults: list[RosterFault],
    left_out: list[LeftOut],
    *,
    pairs: bool,
) -> list[NamedRow]:
    """Return the entrants of a table whose columns hold ``fields``.

    The fields of a row are ``first``, ``second``, ``name``, ``club`` and ``rating``. Rows that name
    nobody are added to ``left_out``.
    """
    if not _are_possible(table, fields, faults, pairs=pairs):
        return []
    rows: list[NamedRow] = []
    for row in table.rows:
        if len(row.cells) > len(fields):
            faults.append(RosterFault(row.line, "wrong_columns", str(len(row.cells))))
            continue
        named = [cells for cells in _beside(row, fields) if not _names_nobody(cells)]
        rows += [(row.line, cells) for cells in named]
        if not named:
            left_out.append(LeftOut(row.line, " ".join(filter(None, row.cells)), OPEN))
    if pairs and "both" in fields:
        return list(_divided(rows, faults, left_out))
    if table.width == 1:  # it may be a list of a chat below a title
        rows = [
            (line, {"first": split_line(row["first"], pairs=False)[1][0]}) for line, row in rows
        ]
    rows = [(line, _with_surnames(row)) for line, row in rows]
    return list(_grouped(rows, faults)) if pairs and "second" not in fields else rows


def _beside(row: Row, fields: Sequence[str]) -> list[dict[str, str]]:
    """Return the named cells of a row, of tables side by side those of each."""
    tables: list[dict[str, str]] = []
    for at, (field, cell) in enumerate(zip(fields, row.cells, strict=False)):
        if field:
            number = list(fields[:at]).count(field)
            tables += [{} for _ in range(number + 1 - len(tables))]
            tables[number][field] = cell
    return tables


def _are_possible(
    table: Table, fields: Sequence[str], faults: list[RosterFault], *, pairs: bool
) -> bool:
    """Tell whether the columns say who plays, each once; else it is a fault of the heading."""
    named = Counter(field for field in fields if field)
    tables = {named[field] for field in ("both", "first", "second") if field in named}
    is_beside = len(tables) == 1 and max(tables) > 1 and (not pairs or named.keys() != {"first"})
    twice = [
        place
        for place, field in enumerate(fields)
        if named[field] > (max(tables) if is_beside else 1)
    ]
    ways = ({"both"}, {"first", "second"}, {"first", "pair"}) if pairs else ({"first"},)
    line = max(1, table.rows[0].line - bool(table.headings)) if table.rows else 1
    if twice:
        text = ", ".join(table.heading(place) or str(place + 1) for place in twice)
        faults.append(RosterFault(line, "duplicate_column", text))
    elif not any(way <= named.keys() for way in ways):
        faults.append(RosterFault(line, "players_unknown"))
    else:
        return True
    return False


def _names_nobody(row: Mapping[str, str]) -> bool:
    """Tell whether a row is a place that is still open, with a number at most, or a total."""
    names = [row[field] for field in _NAMES if row.get(field)]
    if names:
        return len(names) == 1 and is_total(names[0])
    return is_number_of_pair(row.get("pair", ""))


def _with_surnames(row: Mapping[str, str]) -> dict[str, str]:
    """Return the cells with each surname behind its name, the pair's own name as ``name``."""
    cells = {"name": row.get("pair", ""), **row}
    for seat in ("first", "second"):
        surname = row.get(f"{seat}_surname", "")
        cells[seat] = f"{row.get(seat, '')} {surname}".strip()
    return cells


def _divided(
    rows: Sequence[NamedRow], faults: list[RosterFault], left_out: list[LeftOut]
) -> Iterator[NamedRow]:
    """Yield the rows with the two names of one cell as two cells."""
    for line, row in rows:
        both, reserve = split_reserve(row.get("both", ""))
        if reserve:
            left_out.append(LeftOut(line, reserve, RESERVE))
        name, players = split_line(both, pairs=True)
        if len(players) != 2:
            faults.append(RosterFault(line, "not_two_names", str(len(players))))
            continue
        first, second = players
        yield line, {**row, "name": row.get("pair", "") or name, "first": first, "second": second}


def _grouped(rows: Sequence[NamedRow], faults: list[RosterFault]) -> Iterator[NamedRow]:
    """Yield a pair for every two rows whose cells of the pair are the same."""
    keys = group_keys([row["name"] for _line, row in rows])
    groups: dict[str, list[NamedRow]] = {}
    for key, row in zip(keys, rows, strict=True):
        groups.setdefault(key, []).append(row)
    for group in groups.values():
        line, first = group[0]
        if len(group) != 2:
            faults.append(RosterFault(line, "wrong_number", str(len(group))))
            continue
        second = group[1][1]
        ratings = list(dict.fromkeys(filter(None, (first.get("rating"), second.get("rating")))))
        if len(ratings) > 1:
            faults.append(RosterFault(line, "two_ratings", " / ".join(ratings)))
        yield (
            line,
            {
                "first": first["first"],
                "second": second["first"],
                "name": "" if is_number_of_pair(first["name"]) else first["name"],
                "club": first.get("club") or second.get("club", ""),
                "rating": ratings[0] if ratings else "",
            },
        )


def group_keys(cells: Sequence[str]) -> list[str]:
    """Return the key of each row's pair: a blank cell, as of merged ones, repeats that above."""
    keys: list[str] = []
    for cell in cells:
        keys.append(fold_name(cell) if cell or not keys else keys[-1])
    return keys
