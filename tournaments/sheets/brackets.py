"""Draws a bracket: four rounds to a page, each match beside those that feed it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from tournaments.sheets.fonts import BOLD, PLAIN
from tournaments.sheets.messages import PaperMessages
from tournaments.sheets.paper import (
    FOOT,
    GREEN,
    LINE,
    MARGIN,
    QUIET,
    TOP,
    WHITE,
    Paper,
    subtitle,
)
from tournaments.sheets.rows import Bracket, BracketColumn, BracketLine

ROUNDS_PER_PAGE: Final = 4
"""Rounds on a page."""
MIN_MATCH_HEIGHT: Final = 15.5
"""Height of a match with the gap below it, at least."""
HEAD_HEIGHT: Final = 9.0


def draw_bracket(paper: Paper, sheet: Bracket) -> None:
    """Draw every board on landscape pages."""
    message = paper.message
    pages = list(_pages(sheet))
    for number, columns in enumerate(pages, start=1):
        board = columns[0][0].board
        name = message(f"{board}_board") if sheet.is_double and board in {"main", "lower"} else ""
        note = subtitle(sheet.head, message, name)
        title = message("bracket")
        paper.start_page(
            sheet.head, title, page=number, pages=len(pages), note=note, landscape=True
        )
        _draw_columns(paper, columns, sheet)


Shown = tuple[BracketColumn, tuple[BracketLine, ...]]
"""A column and those of its matches that are on the page."""


def _pages(sheet: Bracket) -> Iterator[list[Shown]]:
    """Yield the content of each page: as many rounds as fit, each with as many matches as fit.

    The final and the match for third place follow the main board; a page takes as many matches of
    its first round as fit, and of each later round those that they lead to.
    """
    max_meetings = int((210 - TOP - FOOT - HEAD_HEIGHT) // MIN_MATCH_HEIGHT)
    for columns in _boards(sheet):
        for start in range(0, len(columns), ROUNDS_PER_PAGE):
            page_columns = columns[start : start + ROUNDS_PER_PAGE]
            longest = max(len(column.meetings) for column in page_columns)
            parts = -(-longest // max_meetings)
            for part in range(parts):
                yield [
                    (
                        column,
                        _page_meetings(column.meetings, part, parts, max_meetings=max_meetings),
                    )
                    for column in page_columns
                    if _page_meetings(column.meetings, part, parts, max_meetings=max_meetings)
                ]


def _boards(sheet: Bracket) -> Iterator[list[BracketColumn]]:
    for is_lower, columns in groupby(sheet.columns, key=lambda column: column.board == "lower"):
        board_columns = list(columns)
        if board_columns or is_lower:
            yield board_columns


def _page_meetings(
    meetings: Sequence[BracketLine], part: int, parts: int, *, max_meetings: int
) -> tuple[BracketLine, ...]:
    """Return a column's matches for one of ``parts`` pages, in step with the other columns."""
    if parts == 1:
        return tuple(meetings)
    size = -(-len(meetings) // parts)
    return tuple(meetings[part * size : (part + 1) * size][:max_meetings])


def _draw_columns(paper: Paper, columns: list[Shown], sheet: Bracket) -> None:
    width = (paper.w - 2 * MARGIN) / ROUNDS_PER_PAGE
    room = paper.bottom - TOP - HEAD_HEIGHT
    for place, (column, meetings) in enumerate(columns):
        x = MARGIN + place * width
        title = _column_title(paper.message, column, sheet)
        paper.draw_text(title, x, TOP - 2, width - 6, HEAD_HEIGHT, font=BOLD, size=11, colour=GREEN)
        step = room / len(meetings)
        for number, meeting in enumerate(meetings):
            middle = TOP + HEAD_HEIGHT + (number + 0.5) * step
            _draw_meeting(paper, meeting, x, middle, width - 6)


def _column_title(message: PaperMessages, column: BracketColumn, sheet: Bracket) -> str:
    if column.board == "final":
        return message("final" if column.place == 1 else "final_again")
    if column.board == "third":
        return message("third")
    if column.board == "lower" or sheet.is_double:
        return message("round", number=column.place)
    names = {
        1: "final",
        2: "last_2",
        4: "last_4",
        8: "last_8",
        16: "last_16",
        32: "last_32",
    }
    matches = len(column.meetings)
    return message(names[matches]) if matches in names else message("last", count=2 * matches)


def _draw_meeting(
    paper: Paper, meeting: BracketLine, x: float, middle: float, width: float
) -> None:
    height = MIN_MATCH_HEIGHT - 2.5
    top = middle - height / 2
    paper.draw_box(x + 6, top, width - 6, height, colour=LINE, line=0.3, fill=WHITE, radius=1.2)
    score = 12 if meeting.score else 0
    paper.draw_line(x + 6, middle, x + width - score, middle, width=0.15)
    paper.draw_text(str(meeting.number), x, top, 5, height, size=8, align="R", colour=QUIET)
    for side, text in enumerate(meeting.sides):
        won = meeting.winner == side
        paper.draw_text(
            _side_text(paper.message, text),
            x + 7.5,
            top + side * height / 2,
            width - 9 - score,
            height / 2,
            font=BOLD if won else PLAIN,
            size=9.5 if isinstance(text, str) else 8,
            colour=GREEN if won else QUIET,
        )
    paper.draw_text(
        meeting.score, x + width - 12, top, 10.5, height, font=BOLD, size=9.5, align="R", lines=1
    )


def _side_text(message: PaperMessages, side: str | tuple[bool, int]) -> str:
    if isinstance(side, str):
        return side
    is_winner, number = side
    return message("winner_of" if is_winner else "loser_of", number=number)
