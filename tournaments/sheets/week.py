"""Draws the matches of a week by day, with room to write down each score."""

from typing import Final

from tournaments.sheets.fonts import BOLD
from tournaments.sheets.grid import Column, Grid, draw_pages
from tournaments.sheets.paper import FOOT, MARGIN, QUIET, TOP, Paper
from tournaments.sheets.rows import TextTable, WeekSheet

WIDTH: Final = 210.0 - 2 * MARGIN
HEIGHT: Final = 297.0 - TOP - FOOT - 2
TABLE: Final = 16.0
SCORE: Final = 44.0
"""Millimetres of the column to write in: two numbers and a signature."""

ROW: Final = 11.0
"""Millimetres of a row, which is written by hand."""


def draw_week(paper: Paper, sheet: WeekSheet) -> None:
    """Draw a table for each day, on as many pages as they need."""

    def begin(page: int, pages: int) -> None:
        paper.start_page(sheet.head, sheet.title, page=page, pages=pages)

    draw_pages(paper, [_grid(table) for table in sheet.days], begin, HEIGHT)


def _grid(table: TextTable) -> Grid:
    """Return the table of a day: the number of a table, its sides, the empty score."""
    first, *sides, last = table.columns
    side = (WIDTH - TABLE - SCORE) / len(sides)
    columns = (
        Column(first, TABLE, "C", BOLD, 13),
        *(Column(head, side, size=11) for head in sides),
        Column(last, SCORE, "C", size=14, colour=QUIET),
    )
    return Grid(columns, table.rows, ROW, table.caption)
