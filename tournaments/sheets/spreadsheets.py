"""Tables as CSV and as XLSX, from the same columns and rows.

Texts are texts in both: none is a formula, also not a name that begins like one.
"""

import csv
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import Final, Generic, NamedTuple, TypeVar

Row = TypeVar("Row")
Cell = str | int | float | None

CSV: Final = "csv"
XLSX: Final = "xlsx"
MEDIA_TYPES: Final = {
    CSV: "text/csv; charset=utf-8",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The kinds of file, with their media types."""

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that spreadsheet programs take for a formula when they read CSV."""

MAX_WIDTH: Final = 40  # characters of a column of an XLSX
MADE_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in every XLSX: the same rows give the same bytes, and an ETag holds."""


class Column(NamedTuple, Generic[Row]):
    """A column: its heading, and the function that returns its cell for a row."""

    heading: str
    cell: Callable[[Row], Cell]


class Table(NamedTuple):
    """A table in cells; the title names the sheet of an XLSX."""

    title: str
    heading: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def make_table(title: str, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> Table:
    """Return the table of some rows."""
    return Table(
        title,
        tuple(column.heading for column in columns),
        tuple(tuple(column.cell(row) for column in columns) for row in rows),
    )


def to_bytes(table: Table, kind: str) -> bytes:
    """Return a table as a file of a kind of `MEDIA_TYPES`."""
    return to_csv(table) if kind == CSV else to_xlsx(table)


def to_csv(table: Table) -> bytes:
    """Return a table as CSV (RFC 4180) in UTF-8, with the byte order mark that Excel needs."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerows([_harmless(cell) for cell in row] for row in (table.heading, *table.rows))
    return text.getvalue().encode("utf-8-sig")


def _harmless(cell: Cell) -> Cell:
    """Return a cell with an apostrophe before a text that would be read as a formula."""
    is_formula = isinstance(cell, str) and cell.startswith(FORMULA_STARTS)
    return f"'{cell}" if is_formula else cell


def to_xlsx(table: Table) -> bytes:
    """Return a table as XLSX."""
    import xlsxwriter

    content = BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        book.set_properties({"created": MADE_AT})
        sheet = book.add_worksheet(table.title[:31])  # Excel's limit
        bold = book.add_format({"bold": True})
        for number, row in enumerate((table.heading, *table.rows)):
            for place, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(number, place, cell, None if number else bold)
                elif cell is not None:
                    sheet.write_number(number, place, cell)
        for place, cells in enumerate(zip(table.heading, *table.rows, strict=True)):
            longest = max(len(str(cell)) for cell in cells if cell is not None)
            sheet.set_column(place, place, min(longest + 2, MAX_WIDTH))
        sheet.freeze_panes(1, 0)
    return content.getvalue()
