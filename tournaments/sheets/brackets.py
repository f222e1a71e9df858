"""Draws a bracket: four rounds to a page, each match beside those that feed it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from tournaments.sheets.letters import BOLD, PLAIN
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
from tournaments.sheets.rows import Bracket, BracketColumn, Meeting

ACROSS: Final = 4
"""Rounds on a page."""
BOX: Final = 15.5
"""Height of a match with the gap below it, at least."""
HEAD: Final = 9.0


def bracket(paper: Paper, sheet: Bracket) -> None:
    """Draw every board on landscape pages."""
    message = paper.message
    pages = list(_pages(sheet))
    for number, columns in enumerate(pages, start=1):
        board = columns[0][0].board
        name = message(f"{board}_board") if sheet.is_double and board in {"main", "lower"} else ""
        note = subtitle(sheet.head, message, name)
        title = message("bracket")
        paper.start(sheet.head, title, page=number, pages=len(pages), note=note, landscape=True)
        _draw(paper, columns, sheet)


Shown = tuple[BracketColumn, tuple[Meeting, ...]]
"""A column and those of its matches that are on the page."""


def _pages(sheet: Bracket) -> Iterator[list[Shown]]:
    """Yield the content of each page: as many rounds as fit, each with as many matches as fit.

    The final and the match for third place follow the main board; a page takes as many matches of
    its first round as fit, and of each later round those that they lead to.
    """
    max_meetings = int((210 - TOP - FOOT - HEAD) // BOX)
    for columns in _boards(sheet):
        for start in range(0, len(columns), ACROSS):
            page_columns = columns[start : start + ACROSS]
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
    meetings: Sequence[Meeting], part: int, parts: int, *, max_meetings: int
) -> tuple[Meeting, ...]:
    """Return a column's matches for one of ``parts`` pages, in step with the other columns."""
    if parts == 1:
        return tuple(meetings)
    size = -(-len(meetings) // parts)
    return tuple(meetings[part * size : (part + 1) * size][:max_meetings])


def _draw(paper: Paper, columns: list[Shown], sheet: Bracket) -> None:
    width = (paper.w - 2 * MARGIN) / ACROSS
    room = paper.bottom - TOP - HEAD
    for index, (column, meetings) in enumerate(columns):
        x = MARGIN + index * width
        title = _title(paper.message, column, sheet)
        paper.put(title, x, TOP - 2, width - 6, HEAD, hand=BOLD, size=11, colour=GREEN)
        step = room / len(meetings)
        for number, meeting in enumerate(meetings):
            middle = TOP + HEAD + (number + 0.5) * step
            _meeting(paper, meeting, x, middle, width - 6)


def _title(message: PaperMessages, column: BracketColumn, sheet: Bracket) -> str:
    if column.board == "final":
        return message("final" if column.place == 1 else "final_again")
    if column.board == "third":
        return message("third")
    if column.board == "lower" or sheet.is_double:
        return message("round", number=column.place)
    names = {1: "final", 2: "last_2", 4: "last_4", 8: "last_8"}
    matches = len(column.meetings)
    return message(names[matches]) if matches in names else message("last", count=2 * matches)


def _meeting(paper: Paper, meeting: Meeting, x: float, middle: float, width: float) -> None:
    height = BOX - 2.5
    top = middle - height / 2
    paper.box(x + 6, top, width - 6, height, colour=LINE, line=0.3, fill=WHITE, radius=1.2)
    score = 12 if meeting.score else 0
    paper.rule(x + 6, middle, x + width - score, middle, width=0.15)
    paper.put(str(meeting.number), x, top, 5, height, size=8, align="R", colour=QUIET)
    for side, text in enumerate(meeting.sides):
        is_winner = meeting.winner == side
        paper.put(
            _side_text(paper.message, text),
            x + 7.5,
            top + side * height / 2,
            width - 9 - score,
            height / 2,
            hand=BOLD if is_winner else PLAIN,
            size=9.5 if isinstance(text, str) else 8,
            colour=GREEN if is_winner else QUIET,
            lines=1,
        )
    paper.put(
        meeting.score, x + width - 12, top, 10.5, height, hand=BOLD, size=9.5, align="R", lines=1
    )


def _side_text(message: PaperMessages, side: str | tuple[bool, int]) -> str:
    if isinstance(side, str):
        return side
    is_winner, number = side
    return message("winner_of" if is_winner else "loser_of", number=number)
