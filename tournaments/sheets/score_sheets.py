"""Draws score sheets: a row for each possible hand with declarations and winner, and signatures."""

from collections.abc import Iterator
from typing import Final

from tournaments.domain.names import ruleset_name
from tournaments.sheets.fonts import BOLD
from tournaments.sheets.paper import (
    BAND,
    GREEN,
    INK,
    LINE,
    MARGIN,
    QUIET,
    RED,
    Paper,
    chunks,
    subtitle,
)
from tournaments.sheets.rows import ScoreSheets, SheetTable, Side

HALF_PAGE: Final = 148.5
WHOLE_PAGE: Final = 297.0
HEAD_HEIGHT: Final = 46.0
"""Height of the area above the rows of hands."""
FOOT_HEIGHT: Final = 33.0
"""Height of the area below them."""
MIN_ROW_HEIGHT: Final = 6.6
"""Minimal height of a row."""
NUMBER_WIDTH: Final = 17.0
LAST_TRICK_WIDTH: Final = 20.0
WINNER_WIDTH: Final = 20.0
"""Widths of columns."""


def draw_score_sheets(paper: Paper, sheet: ScoreSheets) -> None:
    """Draw a sheet for each table, two to a page if their rows fit."""
    height = (
        HALF_PAGE
        if len(sheet.hands) * MIN_ROW_HEIGHT <= HALF_PAGE - HEAD_HEIGHT - FOOT_HEIGHT
        else WHOLE_PAGE
    )
    most = int((height - HEAD_HEIGHT - FOOT_HEIGHT) / MIN_ROW_HEIGHT)
    top = WHOLE_PAGE
    for table, hands in _tables_with_hands(sheet, most):
        if top + height > WHOLE_PAGE:
            paper.add_page(orientation="portrait")
            top = 0.0
            if height == HALF_PAGE:
                paper.draw_cut_line(HALF_PAGE)
        _draw_sheet(paper, sheet, table, hands, (top, height))
        top += height


def _tables_with_hands(
    sheet: ScoreSheets, most: int
) -> Iterator[tuple[SheetTable, tuple[str, ...]]]:
    for table in sheet.tables:
        if not table.is_bye:
            hands = tuple(map(str, table.boards)) or sheet.hands
            for part in chunks(hands, most):
                yield table, hands[part]


def _draw_sheet(
    paper: Paper,
    sheet: ScoreSheets,
    table: SheetTable,
    hands: tuple[str, ...],
    place: tuple[float, float],
) -> None:
    top, height = place
    _draw_head(paper, sheet, table, top)
    y = top + 30
    step = min(10.0, (height - HEAD_HEIGHT - FOOT_HEIGHT) / len(hands))
    y = _draw_column_heads(paper, table, y)
    for number, hand in enumerate(hands):
        _draw_row(paper, table, hand, (y, step, number % 2 == 1))
        y += step
    _draw_foot(paper, sheet, table, y + 3.5)


def _draw_head(paper: Paper, sheet: ScoreSheets, table: SheetTable, top: float) -> None:
    message, width = paper.message, paper.w - 2 * MARGIN
    head = sheet.head
    paper.draw_text(
        head.tournament, MARGIN, top + 8, width - 40, 6, font=BOLD, size=11, colour=GREEN
    )
    length = message.count(sheet.counts, sheet.length)
    note = subtitle(sheet.head, message, ruleset_name(sheet.ruleset), length)
    paper.draw_text(message("score_sheet"), MARGIN, top + 13.4, 80, 8, font=BOLD, size=15)
    paper.draw_text(note, MARGIN, top + 20.6, width - 40, 5.5, size=9, colour=QUIET, lines=1)
    paper.draw_text(
        sheet.remark, MARGIN + 64, top + 14, width - 112, 7, size=7.5, colour=QUIET, lines=3
    )
    paper.draw_text(
        f"{message('table')} {table.number}",
        paper.w - MARGIN - 60,
        top + 9,
        60,
        13,
        font=BOLD,
        size=24,
        align="R",
        colour=RED,
    )
    paper.draw_line(MARGIN, top + 27.4, paper.w - MARGIN, top + 27.4, colour=RED, width=0.5)


def _side_width(paper: Paper, table: SheetTable) -> float:
    """Return the width of a side."""
    return (paper.w - 2 * MARGIN - NUMBER_WIDTH - LAST_TRICK_WIDTH - WINNER_WIDTH) / len(
        table.sides
    )


def _draw_column_heads(paper: Paper, table: SheetTable, y: float) -> float:
    message = paper.message
    side_width = _side_width(paper, table)
    x = MARGIN + NUMBER_WIDTH
    first = message("board") if table.boards else message("hand")
    paper.draw_text(first, MARGIN, y + 10, NUMBER_WIDTH, 5, size=8, align="C", colour=QUIET)
    for side in table.sides:
        _draw_side_head(paper, side, x, y, side_width)
        x += side_width
    paper.draw_text(
        message("last_trick"), x, y + 10, LAST_TRICK_WIDTH, 5, size=8, align="C", colour=QUIET
    )
    paper.draw_text(
        message("winner"),
        x + LAST_TRICK_WIDTH,
        y + 10,
        WINNER_WIDTH,
        5,
        size=8,
        align="C",
        colour=QUIET,
    )
    paper.draw_line(MARGIN, y + 15.5, paper.w - MARGIN, y + 15.5, colour=INK, width=0.35)
    return y + 15.5


def _draw_side_head(paper: Paper, side: Side, x: float, y: float, width: float) -> None:
    message = paper.message
    people = " · ".join(f"{seat.letter} {seat.name}" for seat in side.seats)
    title = f"{side.letters}  {side.name}" if side.has_own_name else people
    paper.draw_text(title, x + 1, y, width - 2, 6, font=BOLD, size=10.5, align="C")
    if side.has_own_name:
        paper.draw_text(people, x + 1, y + 5.6, width - 2, 4.5, size=7.5, align="C", colour=QUIET)
    half = width / 2
    paper.draw_text(message("sung"), x, y + 10, half, 5, size=8, align="C", colour=QUIET)
    paper.draw_text(message("points"), x + half, y + 10, half, 5, size=8, align="C", colour=QUIET)


def _draw_row(paper: Paper, table: SheetTable, hand: str, place: tuple[float, float, bool]) -> None:
    y, step, is_banded = place
    if is_banded:
        paper.draw_box(MARGIN, y, paper.w - 2 * MARGIN, step, line=0, fill=BAND)
    paper.draw_text(hand, MARGIN, y, NUMBER_WIDTH, step, font=BOLD, size=11, align="C")
    for x, is_side in _vertical_lines(paper, table):
        colour, width = (INK, 0.3) if is_side else (LINE, 0.15)
        paper.draw_line(x, y, x, y + step, colour=colour, width=width)
    paper.draw_line(MARGIN, y + step, paper.w - MARGIN, y + step, colour=LINE, width=0.2)


def _vertical_lines(paper: Paper, table: SheetTable) -> Iterator[tuple[float, bool]]:
    """Yield the positions of lines between columns; True at the end of a side."""
    side_width = _side_width(paper, table)
    x = MARGIN + NUMBER_WIDTH
    for _ in table.sides:
        yield x, True
        yield x + side_width / 2, False
        x += side_width
    yield x, True
    yield x + LAST_TRICK_WIDTH, False


def _draw_foot(paper: Paper, sheet: ScoreSheets, table: SheetTable, y: float) -> None:
    """Draw the boxes of the result below each side, and a signature line for each."""
    message = paper.message
    side_width = _side_width(paper, table)
    won = message("total_cotos" if sheet.counts == "cotos" else "total")
    if table.typed_only:
        won = message("total_place")
    x = MARGIN + NUMBER_WIDTH
    for side in table.sides:
        half = side_width / 2
        for place, label in enumerate((won, message("total_points"))):
            paper.draw_box(x + place * half + 1, y, half - 2, 12, colour=INK, line=0.35, radius=1.5)
            paper.draw_text(
                label, x + place * half + 1.5, y + 0.6, half - 3, 4, size=7, colour=QUIET, align="C"
            )
        paper.draw_line(x + 1, y + 23, x + side_width - 3, y + 23, colour=INK, width=0.25)
        signs = message("signature", letters=side.letters)
        paper.draw_text(signs, x + 1, y + 23.4, side_width - 4, 4, size=7.5, colour=QUIET)
        x += side_width
    paper.draw_line(x + 3, y + 23, paper.w - MARGIN, y + 23, colour=INK, width=0.25)
    paper.draw_text(message("arbiter"), x + 3, y + 23.4, 36, 4, size=7.5, colour=QUIET)
