"""Draws guide cards: an entry's seat, partners, opponents and deals in every round."""

from collections.abc import Iterator
from typing import Final

from tournaments.sheets.letters import BOLD, PLAIN
from tournaments.sheets.pairings import number_ranges
from tournaments.sheets.paper import (
    BAND,
    GREEN,
    INK,
    LINE,
    QUIET,
    RED,
    Paper,
    chunks,
)
from tournaments.sheets.rows import GuideCard, GuideCards, Turn

PAGE: Final = 297.0
TOP: Final = 10.0
HEAD: Final = 25.0
ROW: Final = 8.4
WIDTH: Final = 105.0
"""Two cards side by side."""


def guide_cards(paper: Paper, sheet: GuideCards) -> None:
    """Draw the cards, two side by side and as many below each other as fit a page."""
    max_turns = int((PAGE - 2 * TOP - HEAD) / ROW)
    cards = list(_split_cards(sheet, max_turns))
    rows = max((len(card.turns) for card in cards), default=1) or 1
    height = HEAD + rows * ROW + 6
    down = max(1, int((PAGE - TOP) / height))
    for part in chunks(cards, 2 * down):
        paper.add_page(orientation="portrait")
        for index, card in enumerate(cards[part]):
            x, y = WIDTH * (index % 2), TOP + height * (index // 2)
            if index % 2 == 0 and index:
                paper.cut_line(y - 4)
            _card(paper, sheet, card, x, y)
        with paper.dashes():
            paper.rule(WIDTH, 0, WIDTH, PAGE, width=0.15)


def _split_cards(sheet: GuideCards, max_turns: int) -> Iterator[GuideCard]:
    """Yield the cards, a long one in parts."""
    for card in sheet.cards:
        for part in chunks(card.turns, max_turns):
            yield GuideCard(card.number, card.name, card.turns[part])


def _card(paper: Paper, sheet: GuideCards, card: GuideCard, x: float, y: float) -> None:
    left, width = x + 8, WIDTH - 16
    small = " · ".join(part for part in (sheet.head.tournament, sheet.head.stage) if part)
    paper.put(small, left, y, width, 5, size=8, colour=GREEN, hand=BOLD, lines=1)
    paper.put(str(card.number), left, y + 5.5, 13, 10, hand=BOLD, size=20, colour=RED)
    paper.put(card.name, left + 14, y + 5.5, width - 14, 10, hand=BOLD, size=14)
    column_x, top = left, y + 17
    for head, column in _columns(paper, card):
        paper.put(head, column_x, top, column - 1, 6, size=8, colour=QUIET, hand=BOLD)
        column_x += column
    top = y + HEAD - 1
    paper.rule(left, top, left + width, top, colour=INK, width=0.3)
    for number, turn in enumerate(card.turns):
        if number % 2:
            paper.box(left, top, width, ROW, line=0, fill=BAND)
        _turn(paper, card, turn, (left, top, width))
        top += ROW
        paper.rule(left, top, left + width, top, colour=LINE, width=0.1)


def _columns(paper: Paper, card: GuideCard) -> tuple[tuple[str, float], ...]:
    """Return the heads and widths of the columns before the names; with deals, if any."""
    message = paper.message
    columns = ((message("r"), 8.0), (message("table"), 12.0), (message("seat"), 14.0))
    has_boards = any(turn.boards for turn in card.turns)
    return (*columns, (message("boards"), 17.0)) if has_boards else columns


def _turn(paper: Paper, card: GuideCard, turn: Turn, box: tuple[float, float, float]) -> None:
    message = paper.message
    x, y, width = box
    end = x + width
    paper.put(str(turn.round), x, y, 7, ROW, hand=BOLD, size=10)
    if not turn.seat:
        paper.put(message("rests"), x + 8, y, width - 8, ROW, size=9.5, colour=QUIET)
        return
    texts = (str(turn.round), str(turn.table), turn.seat, number_ranges(turn.boards))
    for number, (_, column) in enumerate(_columns(paper, card)):
        if number:
            is_table = number == 1
            hand, size, colour = (BOLD, 12, RED) if is_table else (PLAIN, 10, INK)
            paper.put(texts[number], x, y, column - 1, ROW, hand=hand, size=size, colour=colour)
        x += column
    versus = message("versus", names=turn.opponents)
    if not turn.partners:
        paper.put(versus, x, y, end - x, ROW, size=9)
        return
    partner = message("partner", name=turn.partners)
    paper.put(partner, x, y + 0.3, end - x, ROW / 2, size=9, lines=1)
    paper.put(versus, x, y + ROW / 2 - 0.3, end - x, ROW / 2, size=8, colour=QUIET, lines=1)
