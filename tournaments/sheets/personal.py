"""Draws the personal sheets of a duplicate: an entry's result on each deal, and the field's."""

from typing import Final

from tournaments.sheets.fonts import BOLD
from tournaments.sheets.grid import Column, Grid, draw_pages
from tournaments.sheets.paper import FOOT, MARGIN, QUIET, TOP, Paper, subtitle
from tournaments.sheets.rows import PersonalSheet, PersonalSheets

MIDDLE: Final = 297.0 - TOP - FOOT - 8


def draw_personal_sheets(paper: Paper, sheet: PersonalSheets) -> None:
    """Draw a sheet for each entry, from a new page on."""
    for one in sheet.sheets:
        _draw_personal_sheet(paper, sheet, one)


def _draw_personal_sheet(paper: Paper, sheet: PersonalSheets, one: PersonalSheet) -> None:
    message = paper.message
    columns = (
        Column(message("board"), 15, "C", BOLD, 11),
        Column(message("r"), 9, "C", size=9),
        Column(message("seat"), 13, "C", size=9),
        Column(message("against"), 0, size=9.5),
        Column(message("points"), 20, "C", size=10),
        Column(message("field"), 44, "C", size=8.5, colour=QUIET),
        Column(message("match_points"), 15, "R", BOLD, 10),
        *([Column("%", 14, "R", size=9)] if sheet.has_percentages else []),
    )
    rows = tuple(
        (
            str(line.board),
            str(line.round),
            line.seats,
            line.against,
            f"{line.points[0]}–{line.points[1]}",
            "  ".join(f"{difference:+d}".replace("-", "−") for difference in line.field),
            message.number(line.award),
            *([message.number(line.percentage)] if sheet.has_percentages else []),
        )
        for line in one.lines
    )
    grid = Grid(columns, rows, 7.2).fill(paper.w - 2 * MARGIN, 3)
    total = message("personal_total", points=message.number(one.total))
    if one.percentage is not None:
        total = f"{total} · {message.number(one.percentage)} %"
    note = subtitle(sheet.head, message, total)

    def begin(page: int, pages: int) -> None:
        paper.start_page(sheet.head, f"{one.number}. {one.name}", page=page, pages=pages, note=note)

    draw_pages(paper, [grid], begin, MIDDLE, message("field_note"))
