"""Recognises what the columns of a list of entries hold, by their headings and their cells."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tournaments.domain.names import fold_name
from tournaments.domain.roster.checks import is_number
from tournaments.domain.roster.headings import field_of, is_number_heading
from tournaments.domain.roster.plain import is_inverted, split_names, split_reserve
from tournaments.domain.roster.tables import Table, group_keys

PAIR_FIELDS: Final = (
    "first",
    "second",
    "both",
    "first_surname",
    "second_surname",
    "pair",
    "club",
    "rating",
    "",
)
PLAYER_FIELDS: Final = ("first", "first_surname", "club", "rating", "")

_NAMES: Final = frozenset(PAIR_FIELDS[:5])
_OF_PLAYERS: Final = _NAMES | {"person", "name", "surname"}

_COUNTER: Final = re.compile(r"[0-9]{1,4}[.)ºª]*", re.ASCII)


def entry_fields(*, pairs: bool) -> tuple[str, ...]:
    """Return what a column of a list of entries can hold; the empty text is left out."""
    return PAIR_FIELDS if pairs else PLAYER_FIELDS


def recognise_columns(table: Table, *, pairs: bool) -> tuple[str, ...]:
    """Return the field of each column; where none is a player's, it has to be asked.

    Of tables side by side, whose headings are repeated, the fields are repeated, too. A column that
    seems to hold players beside others that do is a reason to ask.
    """
    known = entry_fields(pairs=pairs)
    fields = [_checked_field(table, column) for column in range(table.width)]
    if beside := _fields_of_tables_beside(table, pairs=pairs):
        return beside
    if not table.headings:
        names = [column for column in range(table.width) if _hold_names(table.cells(column))]
        if len(names) <= 1 + pairs:  # of more, none is known to be the players'
            for column in names:
                fields[column] = "person"
    resolved = _pair_columns(table, fields) if pairs else _player_columns(fields)
    first = [field in known and field not in resolved[:at] for at, field in enumerate(resolved)]
    is_doubtful = any(
        not first[column] and field in _OF_PLAYERS and _hold_names(table.cells(column))
        for column, field in enumerate(resolved)
        if not (pairs and field == resolved[column] == "both")
    )
    return tuple(
        field
        if (first[column] or field == "both") and not (is_doubtful and field in _NAMES)
        else ""
        for column, field in enumerate(resolved)
    )


def _checked_field(table: Table, column: int) -> str:
    """Return what the heading of a column names; no player, where most cells are numbers."""
    field, cells = field_of(table.heading(column)), table.cells(column)
    is_numbers = 2 * sum(map(is_number, cells)) > len(cells)
    return "" if field in _OF_PLAYERS and is_numbers else field


def _fields_of_tables_beside(table: Table, *, pairs: bool) -> tuple[str, ...]:
    """Return the fields of tables side by side; nothing if the headings are not of such."""
    headings = [fold_name(table.heading(column)) for column in range(table.width)]
    given = [column for column, heading in enumerate(headings) if heading]
    for count in range(2, len(given) + 1):
        size, rest = divmod(len(given), count)
        names = [headings[column] for column in given]
        if rest or names != names[:size] * count:
            continue
        one = replace(table, headings=table.headings[: given[size]])
        one = replace(
            one, rows=tuple(replace(row, cells=row.cells[: given[size]]) for row in one.rows)
        )
        fields = recognise_columns(one, pairs=pairs)
        enters = {"both"} <= {*fields} or {"first", "second"} <= {*fields}
        if enters if pairs else "first" in fields:
            repeated = [""] * table.width
            for at, column in enumerate(given):
                repeated[column] = fields[given[at % size]]
            return tuple(repeated)
    return ()


def are_counters(cells: Sequence[str]) -> bool:
    """Tell whether cells number the rows."""
    return bool(cells) and all(_COUNTER.fullmatch(cell) for cell in cells)


def _player_columns(fields: list[str]) -> list[str]:
    """Return the fields of a list of single players."""
    _name_seats(fields, ("person", "first", "name"), ("first",))
    _name_seats(fields, ("surname",), ("first_surname",))
    if "first" not in fields:
        _name_seats(fields, ("first_surname",), ("first",))
    return fields


def _pair_columns(table: Table, fields: list[str]) -> list[str]:
    """Return the fields of a list of pairs."""
    _find_both(table, fields)
    _name_seats(fields, ("person",), ("first", "second"))
    if "both" in fields:
        _name_seats(fields, ("name",), ("pair",))
    elif "first" not in fields or "pair" in fields:
        _name_seats(fields, ("name",), ("first", "second"))
    else:  # Nombre;Jugador 1;Jugador 2: the name is the pair's
        _name_seats(fields, ("name",), ("second", "pair"))
    _name_seats(fields, ("surname",), ("first_surname", "second_surname"))
    if "first" not in fields:
        _name_seats(fields, ("first_surname",), ("first",))
        _name_seats(fields, ("second_surname",), ("second",))
    if "second" not in fields and "both" not in fields:
        _find_second(table, fields)
    if "pair" in fields and ("second" in fields or "both" in fields):
        pair = fields.index("pair")
        if are_counters(table.cells(pair)):
            fields[pair] = ""
    return fields


def _find_both(table: Table, fields: list[str]) -> None:
    """Find the columns with both players: the only one of players, or several of pairs."""
    persons = [column for column, field in enumerate(fields) if field in {"person", "first"}]
    pairs = [column for column, field in enumerate(fields) if field == "pair"]
    columns = persons if len(persons) == 1 and "second" not in fields else []
    if len(pairs) > 1 and not persons:
        columns = pairs
    if all(_are_two(table.cells(column)) for column in columns):
        for column in columns:
            fields[column] = "both"


def _name_seats(fields: list[str], kinds: Sequence[str], seats: Sequence[str]) -> None:
    """Give the columns of these kinds, in their order, the seats that no other column has."""
    free = [seat for seat in seats if seat not in fields or seat in kinds]
    columns = [column for column, field in enumerate(fields) if field in kinds]
    for column, seat in zip(columns, free, strict=False):
        fields[column] = seat


def _find_second(table: Table, fields: list[str]) -> None:
    """Find the second players of a list that has no column for them.

    They stand in the cell of the first, in the column beside it below a merged heading, in the
    column of the pair, or in a row of their own with the same pair.
    """
    shown = next((fields.index(field) for field in ("first", "pair") if field in fields), None)
    if shown is None:
        return
    beside = shown + 1
    is_merged = beside < table.width and not table.heading(beside) and not fields[beside]
    if is_merged and _hold_names(table.cells(beside)) and not _are_inverted(table, shown):
        fields[shown], fields[beside] = "first", "second"
    elif _are_two(table.cells(shown)):
        fields[shown] = "both"
    elif fields[shown] == "pair":
        return
    elif "pair" in fields:
        pair = fields.index("pair")
        is_one_of_two = field_of(table.heading(shown)) == "first"  # the second has no column
        is_partner = not _put_together(table.column(pair)) and _hold_names(table.cells(pair))
        if is_partner and not is_one_of_two:
            fields[pair] = "second"
    else:
        numbers = (
            column
            for column in range(table.width)
            if not fields[column] and is_number_heading(table.heading(column))
        )
        for column in numbers:
            if _put_together(table.column(column)):
                fields[column] = "pair"
                return


def _put_together(cells: Sequence[str]) -> bool:
    """Tell whether the cells of a column put most rows together by two or more."""
    counts = Counter(group_keys(cells))
    return 2 * sum(count > 1 for count in counts.values()) > len(counts)


def _hold_names(cells: Sequence[str]) -> bool:
    """Tell whether most cells are words of three letters or more, and not the same few."""
    names = {
        fold_name(cell)
        for cell in cells
        if sum(letter.isalpha() for letter in cell) >= 3
        and sum(character.isdigit() for character in cell) < 3
    }
    return 2 * len(names) > len(cells)


def _are_inverted(table: Table, column: int) -> bool:
    """Tell whether most rows may be a surname of several words and the name beside it."""
    rows = list(zip(table.column(column), table.column(column + 1), strict=True))
    inverted = sum(len(left.split()) > 1 == len(right.split()) for left, right in rows)
    return 2 * inverted > len(rows)


def _are_two(cells: Sequence[str]) -> bool:
    """Tell whether most cells hold two names; “Gil Rey, Ana” is one."""
    two = 0
    for cell in cells:
        names = split_names(split_reserve(cell.rpartition(":")[2])[0])
        is_surname = is_inverted(cell, names) or not any(" " in name for name in names)
        two += len(names) == 2 and not ("," in cell and is_surname)
    return 2 * two > len(cells)
