"""Recognises what the columns of a list of entries hold, by their headings and their cells."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tournaments.domain.names import fold_name
from tournaments.domain.roster.headings import field_of, is_number_heading
from tournaments.domain.roster.plain import split_names
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

_COUNTER: Final = re.compile(r"[0-9]{1,4}[.)ºª]*", re.ASCII)


def entry_fields(*, pairs: bool) -> tuple[str, ...]:
    """Return what a column of a list of entries can hold; the empty text is left out."""
    return PAIR_FIELDS if pairs else PLAYER_FIELDS


def recognise_columns(table: Table, *, pairs: bool) -> tuple[str, ...]:
    """Return the field of each column; where none is a player's, it has to be asked."""
    fields = [field_of(table.heading(column)) for column in range(table.width)]
    if not table.headings:
        names = [column for column in range(table.width) if _hold_names(table.cells(column))]
        if len(names) <= 1 + pairs:  # of more, none is known to be the players'
            for column in names:
                fields[column] = "person"
    resolved = _pair_columns(table, fields) if pairs else _player_columns(fields)
    return tuple(
        field if field in entry_fields(pairs=pairs) and field not in resolved[:column] else ""
        for column, field in enumerate(resolved)
    )


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
    _name_seats(fields, ("person",), ("first", "second"))
    if "first" not in fields or "pair" in fields:
        _name_seats(fields, ("name",), ("first", "second"))
    else:  # Nombre;Jugador 1;Jugador 2: the name is the pair's
        _name_seats(fields, ("name",), ("second", "pair"))
    _name_seats(fields, ("surname",), ("first_surname", "second_surname"))
    if "first" not in fields:
        _name_seats(fields, ("first_surname",), ("first",))
        _name_seats(fields, ("second_surname",), ("second",))
    if "second" not in fields:
        _find_second(table, fields)
    if "pair" in fields and ("second" in fields or "both" in fields):
        pair = fields.index("pair")
        if are_counters(table.cells(pair)):
            fields[pair] = ""
    return fields


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
    if is_merged and _hold_names(table.cells(beside)):
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


def _are_two(cells: Sequence[str]) -> bool:
    """Tell whether most cells hold two names."""
    two = sum(len(split_names(cell.rpartition(":")[2])) == 2 for cell in cells)
    return 2 * two > len(cells)
