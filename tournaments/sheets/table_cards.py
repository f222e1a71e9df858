"""Draws a card for each table: its number, the players at their seats, and where to report."""

from typing import Final

from tournaments.sheets import ornaments
from tournaments.sheets.fonts import BOLD, TITLE_BOLD
from tournaments.sheets.pairings import number_ranges
from tournaments.sheets.paper import (
    BAND,
    GREEN,
    INK,
    LINE,
    MARGIN,
    QUIET,
    RED,
    WHITE,
    Paper,
    subtitle,
)
from tournaments.sheets.rows import Masthead, Seat, SheetTable, Side, TableCards

HEIGHT: Final = 148.5
"""Two to a page."""
SEAT_POSITIONS: Final = {
    2: ((0, 1), (0, -1)),
    3: ((0, 1), (1, 0), (-1, 0)),
    4: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    5: ((0, 1), (1, 0.4), (1, -0.8), (-1, -0.8), (-1, 0.4)),
}
"""Positions of A to E: across and down from the middle of the table."""


def draw_table_cards(paper: Paper, sheet: TableCards) -> None:
    """Draw the cards, two to a page, to be cut apart."""
    playing = [table for table in sheet.tables if not table.is_bye]
    for number, table in enumerate(playing):
        if number % 2 == 0:
            paper.add_page(orientation="portrait")
            paper.draw_cut_line(HEIGHT)
        _draw_card(paper, sheet, table, HEIGHT * (number % 2))


def _draw_card(paper: Paper, sheet: TableCards, table: SheetTable, top: float) -> None:
    message, width = paper.message, paper.w - 2 * MARGIN
    _draw_head(paper, sheet.head, top)
    suit = ornaments.SUITS[(table.number - 1) % len(ornaments.SUITS)]
    _draw_table(paper, table, 75, top + 88)
    left = 146.0
    paper.draw_text(
        message("table"), left, top + 34, 48, 8, font=BOLD, size=13, align="C", colour=QUIET
    )
    paper.draw_text(str(table.number), left, top + 39, 48, 30, font=TITLE_BOLD, size=78, align="C")
    paper.draw_qr(sheet.address, left + 5, top + 76, 38)
    paper.draw_text(
        message("report_here"), left, top + 115, 48, 6, font=BOLD, size=10.5, align="C", colour=RED
    )
    paper.draw_text(message("with_code"), left, top + 121, 48, 6, size=8.5, align="C", colour=QUIET)
    paper.draw_text(
        sheet.address, left - 4, top + 127.5, 56, 5, size=7, align="C", colour=QUIET, lines=1
    )
    if table.boards:
        boards = f"{message('boards')}: {number_ranges(table.boards)}"
        paper.draw_text(boards, MARGIN, top + 135, width, 6, font=BOLD, size=11)
    paper.draw_image(ornaments.pip_svg(suit), 66.5, top + 79.5, 17)


def _draw_head(paper: Paper, head: Masthead, top: float) -> None:
    width, note = paper.w - 2 * MARGIN, subtitle(head, paper.message)
    paper.draw_text(
        head.tournament, MARGIN, top + 9, width * 0.6, 8, font=BOLD, size=13, colour=GREEN
    )
    right = MARGIN + width * 0.62
    paper.draw_text(head.club, right, top + 9, width * 0.38, 8, size=10, align="R", colour=QUIET)
    paper.draw_text(note, MARGIN, top + 17, width, 6, size=10, colour=QUIET)
    paper.draw_line(MARGIN, top + 25.5, paper.w - MARGIN, top + 25.5, colour=RED, width=0.6)


def _draw_table(paper: Paper, table: SheetTable, x: float, y: float) -> None:
    """Draw a table from above around its middle, with a name at each of its sides."""
    paper.draw_box(x - 24, y - 21, 48, 42, fill=BAND, colour=LINE, line=0.5, radius=6)
    seats = sorted(
        ((seat, side) for side in table.sides for seat in side.seats), key=lambda one: one[0].letter
    )
    for (seat, side), place in zip(
        seats, SEAT_POSITIONS.get(len(seats), SEAT_POSITIONS[4]), strict=False
    ):
        _draw_seat(paper, seat, side, x, y, place)


def _draw_seat(
    paper: Paper, seat: Seat, side: Side, x: float, y: float, place: tuple[float, float]
) -> None:
    across, down = place
    middle_x, middle_y = x + across * 18.5, y + down * 15.5
    colour = GREEN if side.letters.startswith(("A", "C", "E")) else RED
    paper.set_fill_color(*colour)
    paper.ellipse(middle_x - 3.8, middle_y - 3.8, 7.6, 7.6, style="F")
    paper.draw_text(
        seat.letter,
        middle_x - 3.6,
        middle_y - 3.6,
        7.2,
        7.2,
        font=BOLD,
        size=11,
        align="C",
        colour=WHITE,
    )
    if not across:
        paper.draw_text(
            seat.name, x - 46, y + down * 30 - 8, 92, 16, font=BOLD, size=18, align="C", colour=INK
        )
        return
    width = 34.0
    left = x + 26 if across > 0 else x - 26 - width
    align = "L" if across > 0 else "R"
    height = 18 if down else 24
    top = middle_y - height / 2
    paper.draw_text(
        seat.name, left, top, width, height, font=BOLD, size=18, align=align, colour=INK
    )
