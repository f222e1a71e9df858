"""Draws score sheets: a row for each possible hand with declarations and winner, and signatures."""

from collections.abc import Iterator
from typing import Final

from tournaments.domain.names import ruleset_name
from tournaments.sheets.letters import BOLD
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
from tournaments.sheets.rows import ScoreSheets, Side, Table

HALF: Final = 148.5
WHOLE: Final = 297.0
HEADS: Final = 46.0
"""Height of the area above the rows of hands."""
FEET: Final = 33.0
"""Height of the area below them."""
LOW: Final = 6.6
"""Minimal height of a row."""
NUMBER: Final = 17.0
LAST: Final = 20.0
WINNER: Final = 20.0
"""Widths of columns."""


def score_sheets(paper: Paper, sheet: ScoreSheets) -> None:
    """Draw a sheet for each table, two to a page if their rows fit."""
    height = HALF if len(sheet.hands) * LOW <= HALF - HEADS - FEET else WHOLE
    max_hands = int((height - HEADS - FEET) / LOW)
    top = WHOLE
    for table, hands in _sheets(sheet, max_hands):
        if top + height > WHOLE:
            paper.add_page(orientation="portrait")
            top = 0.0
            if height == HALF:
                paper.cut_line(HALF)
        _sheet(paper, sheet, table, hands, (top, height))
        top += height


def _sheets(sheet: ScoreSheets, max_hands: int) -> Iterator[tuple[Table, tuple[str, ...]]]:
    for table in sheet.tables:
        if not table.rests:
            hands = tuple(map(str, table.boards)) or sheet.hands
            for part in chunks(hands, max_hands):
                yield table, hands[part]


def _sheet(
    paper: Paper,
    sheet: ScoreSheets,
    table: Table,
    hands: tuple[str, ...],
    box: tuple[float, float],
) -> None:
    top, height = box
    _head(paper, sheet, table, top)
    y = top + 30
    step = min(10.0, (height - HEADS - FEET) / len(hands))
    y = _heads_of_columns(paper, table, y)
    for number, hand in enumerate(hands):
        _row(paper, table, hand, (y, step, number % 2 == 1))
        y += step
    _foot(paper, sheet, table, y + 3.5)


def _head(paper: Paper, sheet: ScoreSheets, table: Table, top: float) -> None:
    message, width = paper.message, paper.w - 2 * MARGIN
    head = sheet.head
    paper.put(head.tournament, MARGIN, top + 8, width - 40, 6, hand=BOLD, size=11, colour=GREEN)
    length = message.count(sheet.counts, sheet.length)
    note = subtitle(sheet.head, message, ruleset_name(sheet.ruleset), length)
    paper.put(message("score_sheet"), MARGIN, top + 13.4, 80, 8, hand=BOLD, size=15)
    paper.put(note, MARGIN, top + 20.6, width - 40, 5.5, size=9, colour=QUIET, lines=1)
    paper.put(
        f"{message('table')} {table.number}",
        paper.w - MARGIN - 60,
        top + 9,
        60,
        13,
        hand=BOLD,
        size=24,
        align="R",
        colour=RED,
    )
    paper.rule(MARGIN, top + 27.4, paper.w - MARGIN, top + 27.4, colour=RED, width=0.5)


def _width(paper: Paper, table: Table) -> float:
    """Return the width of a side."""
    return (paper.w - 2 * MARGIN - NUMBER - LAST - WINNER) / len(table.sides)


def _heads_of_columns(paper: Paper, table: Table, y: float) -> float:
    message = paper.message
    side_width = _width(paper, table)
    x = MARGIN + NUMBER
    first = message("board") if table.boards else message("hand")
    paper.put(first, MARGIN, y + 10, NUMBER, 5, size=8, align="C", colour=QUIET)
    for side in table.sides:
        _side_head(paper, side, x, y, side_width)
        x += side_width
    paper.put(message("last_trick"), x, y + 10, LAST, 5, size=8, align="C", colour=QUIET)
    paper.put(message("winner"), x + LAST, y + 10, WINNER, 5, size=8, align="C", colour=QUIET)
    paper.rule(MARGIN, y + 15.5, paper.w - MARGIN, y + 15.5, colour=INK, width=0.35)
    return y + 15.5


def _side_head(paper: Paper, side: Side, x: float, y: float, width: float) -> None:
    message = paper.message
    people = " · ".join(f"{seat.letter} {seat.name}" for seat in side.seats)
    title = f"{side.letters}  {side.name}" if side.has_own_name else people
    paper.put(title, x + 1, y, width - 2, 6, hand=BOLD, size=10.5, align="C")
    if side.has_own_name:
        paper.put(people, x + 1, y + 5.6, width - 2, 4.5, size=7.5, align="C", colour=QUIET)
    half = width / 2
    paper.put(message("sung"), x, y + 10, half, 5, size=8, align="C", colour=QUIET)
    paper.put(message("points"), x + half, y + 10, half, 5, size=8, align="C", colour=QUIET)


def _row(paper: Paper, table: Table, hand: str, box: tuple[float, float, bool]) -> None:
    y, step, is_banded = box
    if is_banded:
        paper.box(MARGIN, y, paper.w - 2 * MARGIN, step, line=0, fill=BAND)
    paper.put(hand, MARGIN, y, NUMBER, step, hand=BOLD, size=11, align="C")
    for x, is_side in _verticals(paper, table):
        colour, width = (INK, 0.3) if is_side else (LINE, 0.15)
        paper.rule(x, y, x, y + step, colour=colour, width=width)
    paper.rule(MARGIN, y + step, paper.w - MARGIN, y + step, colour=LINE, width=0.2)


def _verticals(paper: Paper, table: Table) -> Iterator[tuple[float, bool]]:
    """Yield the positions of lines between columns; True at the end of a side."""
    side_width = _width(paper, table)
    x = MARGIN + NUMBER
    for _ in table.sides:
        yield x, True
        yield x + side_width / 2, False
        x += side_width
    yield x, True
    yield x + LAST, False


def _foot(paper: Paper, sheet: ScoreSheets, table: Table, y: float) -> None:
    """Draw the boxes of the result below each side, and a signature line for each."""
    message = paper.message
    side_width = _width(paper, table)
    total_label = message("total_cotos" if sheet.counts == "cotos" else "total")
    x = MARGIN + NUMBER
    for side in table.sides:
        half = side_width / 2
        for index, label in enumerate((total_label, message("total_points"))):
            paper.box(x + index * half + 1, y, half - 2, 12, colour=INK, line=0.35, radius=1.5)
            paper.put(
                label, x + index * half + 1.5, y + 0.6, half - 3, 4, size=7, colour=QUIET, align="C"
            )
        paper.rule(x + 1, y + 23, x + side_width - 3, y + 23, colour=INK, width=0.25)
        signs = message("signature", letters=side.letters)
        paper.put(signs, x + 1, y + 23.4, side_width - 4, 4, size=7.5, colour=QUIET)
        x += side_width
    paper.rule(x + 3, y + 23, paper.w - MARGIN, y + 23, colour=INK, width=0.25)
    paper.put(message("arbiter"), x + 3, y + 23.4, 36, 4, size=7.5, colour=QUIET)
