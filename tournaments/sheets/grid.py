"""Draws tables: columns of given widths, rows of one height, heads repeated on every page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tournaments.sheets.fonts import BOLD, PLAIN
from tournaments.sheets.paper import BAND, INK, LINE, MARGIN, QUIET, RED, TOP, Colour, Paper

HEAD_HEIGHT: Final = 8.0
GAP: Final = 1.6
"""Millimetres between the texts of neighbouring columns."""


class Column(NamedTuple):
    """A column: its head, width in millimetres, and alignment and style of its cells."""

    head: str
    width: float
    align: str = "L"
    font: str = PLAIN
    size: float = 10
    colour: Colour = INK


Row = Sequence[str]
"""A text for each column; the part after a line break is written smaller, below."""


class Grid(NamedTuple):
    """A table of columns and rows with an optional caption."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    height: float = 7.0
    caption: str = ""

    def fill(self, width: float, wide: int) -> Grid:
        """Return the table with column ``wide`` taking the width that the others leave."""
        others = sum(column.width for n, column in enumerate(self.columns) if n != wide)
        columns = list(self.columns)
        columns[wide] = columns[wide]._replace(width=width - others)
        return self._replace(columns=tuple(columns))

    def part(self, which: slice) -> Grid:
        """Return the table with some of its rows."""
        return self._replace(rows=self.rows[which])

    @property
    def width(self) -> float:
        """The width of all columns."""
        return sum(column.width for column in self.columns)


def rows_on_a_page(grid: Grid, height: float) -> int:
    """Return how many rows fit a page of a height, without its head and foot."""
    caption = HEAD_HEIGHT if grid.caption else 0
    return max(1, int((height - HEAD_HEIGHT - caption) // grid.height))


def draw_grid(paper: Paper, grid: Grid, y: float) -> float:
    """Draw a table from the left margin down; return the y of its end."""
    x = MARGIN
    if grid.caption:
        paper.draw_text(grid.caption, x, y, grid.width, HEAD_HEIGHT, font=BOLD, size=12, colour=RED)
        y += HEAD_HEIGHT
    _draw_cells(
        paper, grid, x, y, HEAD_HEIGHT, [column.head for column in grid.columns], is_head=True
    )
    y += HEAD_HEIGHT
    paper.draw_line(x, y, x + grid.width, y, colour=INK, width=0.35)
    for number in range(1, len(grid.rows), 2):
        paper.draw_box(x, y + number * grid.height, grid.width, grid.height, line=0, fill=BAND)
    for row in grid.rows:
        _draw_cells(paper, grid, x, y, grid.height, row, is_head=False)
        y += grid.height
        paper.draw_line(x, y, x + grid.width, y, colour=LINE, width=0.1)
    return y


def _draw_cells(
    paper: Paper, grid: Grid, x: float, y: float, height: float, texts: Row, *, is_head: bool
) -> None:
    for column, text in zip(grid.columns, texts, strict=True):
        shown = column._replace(font=BOLD, size=8.5, colour=QUIET) if is_head else column
        first, _, second = text.partition("\n")
        upper = height * 0.58 if second else height
        _draw_cell(paper, shown, first, x, (y, upper))
        small = shown._replace(font=PLAIN, size=shown.size * 0.74, colour=QUIET)
        _draw_cell(paper, small, second, x, (y + upper * 0.92, height - upper))
        x += column.width


def _draw_cell(
    paper: Paper, column: Column, text: str, x: float, place: tuple[float, float]
) -> None:
    y, height = place
    paper.draw_text(
        text,
        x + GAP / 2,
        y,
        column.width - GAP,
        height,
        font=column.font,
        size=column.size,
        align=column.align,
        colour=column.colour,
    )


def paginate(grids: Sequence[Grid], height: float) -> list[list[Grid]]:
    """Distribute tables over pages of a height: each begins where the last ended if a part fits.

    A table that continues has its head again on every page.
    """
    pages: list[list[Grid]] = [[]]
    free_height = height
    for grid in grids:
        rest = grid
        while True:
            fits = rows_on_a_page(rest, free_height)
            needed = HEAD_HEIGHT * (2 if grid.caption else 1) + min(3, len(rest.rows)) * grid.height
            if pages[-1] and needed > free_height:
                pages.append([])
                free_height = height
                continue
            pages[-1].append(rest.part(slice(0, fits)))
            if len(rest.rows) <= fits:
                free_height -= _height(rest) + HEAD_HEIGHT
                break
            rest = rest.part(slice(fits, None))
            pages.append([])
            free_height = height
    return pages


def _height(grid: Grid) -> float:
    return HEAD_HEIGHT * (2 if grid.caption else 1) + grid.height * len(grid.rows)


def draw_pages(
    paper: Paper,
    grids: Sequence[Grid],
    begin: Callable[[int, int], None],
    room: float,
    foot: str = "",
) -> None:
    """Draw tables over pages; ``begin`` opens each with its number and the number of pages.

    ``foot`` is a line below the last table.
    """
    pages = paginate(grids, room)
    for number, page in enumerate(pages, start=1):
        begin(number, len(pages))
        y = TOP
        for grid in page:
            y = draw_grid(paper, grid, y) + HEAD_HEIGHT
        if foot and number == len(pages):
            width = paper.w - 2 * MARGIN
            paper.draw_text(foot, MARGIN, paper.bottom - 7, width, 9, size=8, colour=QUIET)
