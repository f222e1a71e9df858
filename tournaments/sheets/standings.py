"""Draws the standings of a stage, a table for each group."""

from typing import Final

from tournaments.domain.standing_rows import StandingRow
from tournaments.sheets.fonts import BOLD
from tournaments.sheets.grid import Column, Grid, draw_pages
from tournaments.sheets.messages import PaperMessages
from tournaments.sheets.paper import FOOT, MARGIN, QUIET, TOP, Paper, subtitle
from tournaments.sheets.rows import Standings

MAX_CRITERIA_IN_PORTRAIT: Final = 3
"""Criteria that fit a portrait page beside the other columns."""
MAX_CRITERIA: Final = 8
"""Criteria that fit a landscape page; later ones are left out, as they decide the least."""


def draw_standings(paper: Paper, sheet: Standings) -> None:
    """Draw the standings; in portrait unless the criteria need the width."""
    message = paper.message
    left_out = {*WITH_OWN_COLUMN, *sheet.hidden}
    shown = [n for n, code in enumerate(sheet.columns) if code not in left_out][:MAX_CRITERIA]
    is_landscape = len(shown) > MAX_CRITERIA_IN_PORTRAIT
    width, height = (297.0, 210.0) if is_landscape else (210.0, 297.0)
    after = message.count("after", sheet.after) if sheet.after else ""
    title = message("final_standings" if sheet.is_final else "standings")
    note = subtitle(sheet.head, message, "" if sheet.is_final else after)
    if sheet.is_provisional:
        note = f"{note}. {message('provisional')}".removeprefix(". ")
    grids = [
        Grid(
            _columns(sheet, message, shown),
            tuple(_row(row, message, shown, sheet.has_percentages) for row in rows),
            9.4,
            _caption(sheet, message, group),
        ).fill(width - 2 * MARGIN, 1)
        for group, rows in sheet.groups
    ]

    def begin(page: int, pages: int) -> None:
        paper.start_page(
            sheet.head, title, page=page, pages=pages, note=note, landscape=is_landscape
        )

    draw_pages(paper, grids, begin, height - TOP - FOOT - 8, _legend(sheet, message))


def _caption(sheet: Standings, message: PaperMessages, group: int) -> str:
    """Return the heading of a table: its line, its group, or nothing."""
    if sheet.by_line:
        return message("first_line" if group == 1 else "second_line")
    return message("group", number=group) if group else ""


WITH_OWN_COLUMN: Final = frozenset({"match_points"})
"""Criteria that always have a column of their own."""


def _columns(sheet: Standings, message: PaperMessages, indexes: list[int]) -> tuple[Column, ...]:
    hands = "hands_cotos" if sheet.cotos > 1 else "hands"
    small = [Column(message(key), 7.5, "C") for key in ("played", "won", "tied", "lost")]
    criteria = [
        Column(message.criterion(sheet.columns[n], "column", sheet.cotos), 16, "R", size=9)
        for n in indexes
    ]
    return (
        Column("", 11, "R", BOLD, 12),
        Column(message("name"), 0, font=BOLD, size=11),
        *small,
        Column(message(hands), 13, "C", size=9, colour=QUIET),
        Column(message("points"), 20, "C", size=9, colour=QUIET),
        *criteria,
        *([Column("%", 13, "R", size=9)] if sheet.has_percentages else []),
        Column(message("match_points"), 14, "R", BOLD, 12),
    )


def _row(
    row: StandingRow, message: PaperMessages, indexes: list[int], has_percentages: bool
) -> tuple[str, ...]:
    name = f"{row.shown_name} ({message('withdrawn')})" if row.withdrawn else row.shown_name
    if row.shown_players:
        name = f"{name}\n{' · '.join(row.shown_players)}"
    points = f"{row.points_for}–{row.points_against}"
    return (
        f"{row.rank}.",
        name,
        *map(str, (row.played, row.won, row.tied, row.lost)),
        f"{row.hands_for}–{row.hands_against}",
        points if row.points_for or row.points_against else "",
        *(message.number(row.values[n].number) for n in indexes),
        *((message.number(row.percentage),) if has_percentages else ()),
        message.number(row.match_points),
    )


def _legend(sheet: Standings, message: PaperMessages) -> str:
    order = [message("order")]
    order += [message.criterion(code, "criterion", sheet.cotos) for code in sheet.columns]
    return f"{sheet.remark} {message('key')} {'; '.join(order)}.".strip()
