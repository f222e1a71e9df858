"""Draws the money of a tournament for the treasurer: its tables, one below the other."""

from typing import Final

from tournaments.sheets.fonts import BOLD
from tournaments.sheets.grid import Column, Grid, draw_pages
from tournaments.sheets.paper import FOOT, MARGIN, TOP, Paper
from tournaments.sheets.rows import Account, TextTable

WIDTH: Final = 210.0
HEIGHT: Final = 297.0
AMOUNT: Final = 26.0
"""Millimetres of a column of amounts: ``−10.000,00 €`` fits."""

ONE_LINE: Final = 7.0
TWO_LINES: Final = 9.4
"""Millimetres of a row, and of one with a smaller line below."""


def draw_account(paper: Paper, sheet: Account) -> None:
    """Draw the tables on as many pages as they need."""

    def begin(page: int, pages: int) -> None:
        paper.start_page(sheet.head, sheet.title, page=page, pages=pages, note=sheet.note)

    draw_pages(paper, [_grid(table) for table in sheet.tables], begin, HEIGHT - TOP - FOOT, "")


def _grid(table: TextTable) -> Grid:
    first, *others = table.columns
    columns = (Column(first, 0, font=BOLD), *(Column(head, AMOUNT, "R") for head in others))
    height = TWO_LINES if any("\n" in row[0] for row in table.rows) else ONE_LINE
    return Grid(columns, table.rows, height, table.caption).fill(WIDTH - 2 * MARGIN, 0)
