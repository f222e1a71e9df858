"""Draws crosstables: everybody against everybody or round by round, over several pages."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tournaments.sheets.letters import BOLD, PLAIN
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

NAME: Final = 56.0
NUMBER: Final = 9.0
POINTS: Final = 15.0
"""Widths of the columns beside the cells."""
NARROW: Final = 12.5
BROAD: Final = 20.0
"""A cell's width, at least and at most."""
LOW: Final = 8.4
HIGH: Final = 12.0
"""A row's height, at least and at most."""
HEAD: Final = 8.0

COLOURS: Final[Mapping[str, Colour]] = MappingProxyType(
    {"won": (220, 239, 220), "lost": (251, 223, 219), "tied": (251, 234, 194)}
)


class Part(NamedTuple):
    """The part of a group on one page: some of its rows, some of its columns."""

    group: int
    rows: slice
    columns: slice
    heads: tuple[str, ...]


def crosstable(paper: Paper, sheet: Crosstable) -> None:
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
        paper.start(sheet.head, title, page=page, pages=len(parts), note=note, landscape=True)
        _draw(paper, part, rows)
        foot = message("reads_rounds" if sheet.rounds else "reads")
        paper.put(foot, MARGIN, paper.bottom - 5, paper.w - 2 * MARGIN, 5, size=8, colour=QUIET)


def _parts(sheet: Crosstable) -> Iterator[Part]:
    wide = int((297 - 2 * MARGIN - NAME - NUMBER - POINTS) / NARROW)
    high = int((210 - TOP - FOOT - HEAD - 6) / LOW)
    for group, rows in sheet.groups:
        heads = tuple(map(str, sheet.rounds or range(1, len(rows) + 1)))
        for row_slice in chunks(rows, high):
            for column_slice in chunks(heads, wide):
                yield Part(group, row_slice, column_slice, heads)


def _draw(paper: Paper, part: Part, rows: tuple[CrossRow, ...]) -> None:
    part_rows, heads = rows[part.rows], part.heads[part.columns]
    room = paper.w - 2 * MARGIN - NAME - NUMBER - POINTS
    width = min(BROAD, room / max(1, len(heads)))
    height = max(LOW, min(HIGH, (paper.bottom - TOP - HEAD - 8) / max(1, len(part_rows))))
    left, y = MARGIN + NUMBER + NAME, TOP
    end = left + width * len(heads)
    for number, head in enumerate(heads):
        paper.put(
            head, left + number * width, y, width, HEAD, hand=BOLD, size=9, align="C", colour=QUIET
        )
    points = paper.message("match_points")
    paper.put(points, end, y, POINTS - 1, HEAD, hand=BOLD, size=8.5, align="R", colour=QUIET)
    y += HEAD
    paper.rule(MARGIN, y, end + POINTS, y, colour=INK, width=0.35)
    for place, row in enumerate(part_rows, start=part.rows.start + 1):
        paper.put(str(place), MARGIN, y, NUMBER - 2, height, size=9.5, align="R", colour=QUIET)
        paper.put(row.name, MARGIN + NUMBER, y, NAME - 2, height, hand=BOLD, size=10)
        for across, cell in enumerate(row.cells[part.columns]):
            _cell(paper, cell, left + across * width, y, (width, height))
        text = paper.message.number(row.match_points)
        paper.put(text, end, y, POINTS - 1, height, hand=BOLD, size=11, align="R", colour=GREEN)
        y += height
        paper.rule(MARGIN, y, end + POINTS, y, colour=LINE, width=0.1)


BLANK: Final = (217, 202, 172)


def _cell(paper: Paper, cell: Cell, x: float, y: float, size: tuple[float, float]) -> None:
    """Draw a cell: its outcome by colour, and a win in bold, to be visible in grey print too."""
    width, height = size
    if cell.outcome == SELF:
        paper.box(x + 0.4, y + 0.4, width - 0.8, height - 0.8, line=0, fill=BLANK, radius=0.8)
        return
    if cell.outcome in COLOURS:
        fill = COLOURS[cell.outcome]
        paper.box(x + 0.4, y + 0.4, width - 0.8, height - 0.8, line=0, fill=fill, radius=0.8)
    elif cell.text:
        paper.box(x + 0.4, y + 0.4, width - 0.8, height - 0.8, line=0, fill=BAND, radius=0.8)
    colour = RED if cell.outcome == "lost" else INK
    hand = BOLD if cell.outcome == "won" else PLAIN
    texts = cell.text.split("\n") if cell.text else ["·"]
    step = height / len(texts)
    for number, text in enumerate(texts):
        is_small = len(texts) > 1 and number == 0
        paper.put(
            text,
            x + 0.6,
            y + number * step,
            width - 1.2,
            step,
            hand=PLAIN if is_small else hand,
            size=7.5 if is_small else 9.5,
            align="C",
            colour=QUIET if is_small or not cell.text else colour,
            lines=1,
        )
