"""Draws crosstables: everybody against everybody or round by round, over several pages."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tournaments.sheets.fonts import BOLD, PLAIN
from tournaments.sheets.paper import (
    BAND,
    FOOT,
    GREEN,
    INK,
    LINE,
    MARGIN,
    QUIET,
    RED,
    TOP,
    Colour,
    Paper,
    chunks,
    subtitle,
)
from tournaments.sheets.rows import SELF, Cell, CrossRow, Crosstable

NAME_WIDTH: Final = 56.0
NUMBER_WIDTH: Final = 9.0
POINTS_WIDTH: Final = 15.0
"""Widths of the columns beside the cells."""
MIN_WIDTH: Final = 12.5
MAX_WIDTH: Final = 20.0
"""A cell's width, at least and at most."""
MIN_HEIGHT: Final = 8.4
MAX_HEIGHT: Final = 12.0
"""A row's height, at least and at most."""
HEAD_HEIGHT: Final = 8.0

COLOURS: Final[Mapping[str, Colour]] = MappingProxyType(
    {"won": (220, 239, 220), "lost": (251, 223, 219), "tied": (251, 234, 194)}
)


class GroupPart(NamedTuple):
    """The part of a group on one page: some of its rows, some of its columns."""

    group: int
    rows: slice
    columns: slice
    heads: tuple[str, ...]


def draw_crosstable(paper: Paper, sheet: Crosstable) -> None:
    """Draw a crosstable on landscape pages; a large one goes on to the right and below."""
    message = paper.message
    title = message("by_rounds" if sheet.rounds else "crosstable")
    parts = list(_parts(sheet))
    for page, part in enumerate(parts, start=1):
        rows = dict(sheet.groups)[part.group]
        group = message("group", number=part.group) if part.group else ""
        columns = ""
        if part.columns.start or part.columns.stop < len(part.heads):
            last = min(part.columns.stop, len(part.heads))
            columns = message("columns", first=part.columns.start + 1, last=last)
        note = subtitle(sheet.head, message, group, columns)
        paper.start_page(sheet.head, title, page=page, pages=len(parts), note=note, landscape=True)
        _draw_part(paper, part, rows)
        foot = message("reads_rounds" if sheet.rounds else "reads")
        paper.draw_text(
            foot, MARGIN, paper.bottom - 5, paper.w - 2 * MARGIN, 5, size=8, colour=QUIET
        )


def _parts(sheet: Crosstable) -> Iterator[GroupPart]:
    wide = int((297 - 2 * MARGIN - NAME_WIDTH - NUMBER_WIDTH - POINTS_WIDTH) / MIN_WIDTH)
    high = int((210 - TOP - FOOT - HEAD_HEIGHT - 6) / MIN_HEIGHT)
    for group, rows in sheet.groups:
        heads = tuple(map(str, sheet.rounds or range(1, len(rows) + 1)))
        for row_slice in chunks(rows, high):
            for column_slice in chunks(heads, wide):
                yield GroupPart(group, row_slice, column_slice, heads)


def _draw_part(paper: Paper, part: GroupPart, rows: tuple[CrossRow, ...]) -> None:
    shown, heads = rows[part.rows], part.heads[part.columns]
    room = paper.w - 2 * MARGIN - NAME_WIDTH - NUMBER_WIDTH - POINTS_WIDTH
    width = min(MAX_WIDTH, room / max(1, len(heads)))
    height = max(
        MIN_HEIGHT, min(MAX_HEIGHT, (paper.bottom - TOP - HEAD_HEIGHT - 8) / max(1, len(shown)))
    )
    left, y = MARGIN + NUMBER_WIDTH + NAME_WIDTH, TOP
    end = left + width * len(heads)
    for number, head in enumerate(heads):
        paper.draw_text(
            head,
            left + number * width,
            y,
            width,
            HEAD_HEIGHT,
            font=BOLD,
            size=9,
            align="C",
            colour=QUIET,
        )
    points = paper.message("match_points")
    paper.draw_text(
        points, end, y, POINTS_WIDTH - 1, HEAD_HEIGHT, font=BOLD, size=8.5, align="R", colour=QUIET
    )
    y += HEAD_HEIGHT
    paper.draw_line(MARGIN, y, end + POINTS_WIDTH, y, colour=INK, width=0.35)
    for place, row in enumerate(shown, start=part.rows.start + 1):
        paper.draw_text(
            str(place), MARGIN, y, NUMBER_WIDTH - 2, height, size=9.5, align="R", colour=QUIET
        )
        paper.draw_text(
            row.name, MARGIN + NUMBER_WIDTH, y, NAME_WIDTH - 2, height, font=BOLD, size=10
        )
        for across, cell in enumerate(row.cells[part.columns]):
            _draw_cell(paper, cell, left + across * width, y, (width, height))
        text = paper.message.number(row.match_points)
        paper.draw_text(
            text, end, y, POINTS_WIDTH - 1, height, font=BOLD, size=11, align="R", colour=GREEN
        )
        y += height
        paper.draw_line(MARGIN, y, end + POINTS_WIDTH, y, colour=LINE, width=0.1)


DIAGONAL: Final = (217, 202, 172)
"""Colour of the cell of an entry against itself."""


def _draw_cell(paper: Paper, cell: Cell, x: float, y: float, size: tuple[float, float]) -> None:
    """Draw a cell: its outcome by colour, and a win in bold, to be visible in grey print too."""
    width, height = size
    if cell.outcome == SELF:
        paper.draw_box(
            x + 0.4, y + 0.4, width - 0.8, height - 0.8, line=0, fill=DIAGONAL, radius=0.8
        )
        return
    if cell.outcome in COLOURS:
        fill = COLOURS[cell.outcome]
        paper.draw_box(x + 0.4, y + 0.4, width - 0.8, height - 0.8, line=0, fill=fill, radius=0.8)
    elif cell.text:
        paper.draw_box(x + 0.4, y + 0.4, width - 0.8, height - 0.8, line=0, fill=BAND, radius=0.8)
    colour = RED if cell.outcome == "lost" else INK
    font = BOLD if cell.outcome == "won" else PLAIN
    texts = cell.text.split("\n") if cell.text else ["·"]
    step = height / len(texts)
    for number, text in enumerate(texts):
        is_small = len(texts) > 1 and number == 0
        paper.draw_text(
            text,
            x + 0.6,
            y + number * step,
            width - 1.2,
            step,
            font=PLAIN if is_small else font,
            size=7.5 if is_small else 9.5,
            align="C",
            colour=QUIET if is_small or not cell.text else colour,
            lines=1,
        )
