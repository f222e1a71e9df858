"""Tables as CSV and XLSX: the same cells, and no text that a spreadsheet takes for a formula."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from typing import Any

import openpyxl
import pytest

from tournaments.sheets.spreadsheets import Column, Table, make_table, to_bytes, to_csv, to_xlsx

HOSTILE = ["=1+1", "+34 600", "-2", "@SUM(A1)", "\tx", '=HYPERLINK("http://x")', "{=1}"]


def hostile_table() -> Table:
    """A table whose names begin like formulas, with numbers beside them."""
    rows: list[tuple[int, str]] = list(enumerate(HOSTILE))
    columns: list[Column[tuple[int, str]]] = [
        Column("=Nº", lambda row: row[0]),
        Column("Nombre", lambda row: row[1]),
        Column("Diferencia", lambda row: -row[0] / 2),
        Column("", lambda _: None),
    ]
    return make_table("Clasificación", columns, rows)


def cells_of(content: bytes) -> list[list[Any]]:
    """Return the cells of an XLSX, read by another library than the one that wrote it."""
    sheet = openpyxl.load_workbook(BytesIO(content)).active
    assert sheet is not None
    return [list(row) for row in sheet.iter_rows()]


def test_another_library_reads_texts_as_texts_and_numbers_as_numbers() -> None:
    heading, *rows = cells_of(to_xlsx(hostile_table()))
    assert [(cell.value, cell.data_type) for cell in heading[:2]] == [
        ("=Nº", "s"),
        ("Nombre", "s"),
    ]
    for number, (row, name) in enumerate(zip(rows, HOSTILE, strict=True)):
        assert [cell.value for cell in row[:3]] == [number, name, -number / 2]
        assert [cell.data_type for cell in row[:3]] == ["n", "s", "n"], "never f: a formula"
        assert row[3].value is None


def test_a_text_of_csv_that_begins_like_a_formula_has_an_apostrophe() -> None:
    text = to_csv(hostile_table()).decode("utf-8-sig")
    heading, *rows = csv.reader(StringIO(text))
    assert heading == ["'=Nº", "Nombre", "Diferencia", ""]
    assert [row[1] for row in rows] == [*(f"'{name}" for name in HOSTILE[:-1]), HOSTILE[-1]]
    assert rows[3] == ["3", "'@SUM(A1)", "-1.5", ""], "a negative number is one"


def test_csv_is_recognised_as_utf_8() -> None:
    assert to_csv(hostile_table()).startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_same_rows_give_the_same_bytes(kind: str) -> None:
    assert to_bytes(hostile_table(), kind) == to_bytes(hostile_table(), kind)


def test_a_table_without_rows_has_its_heading() -> None:
    empty = make_table("Nada", [Column[int]("Nº", lambda row: row)], [])
    assert [[cell.value for cell in row] for row in cells_of(to_xlsx(empty))] == [["Nº"]]
