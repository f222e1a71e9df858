"""Draws guide cards: an entry's seat, partners, opponents and deals in every round."""

from collections.abc import Iterator
from typing import Final

from tournaments.sheets.fonts import BOLD, PLAIN
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

PAGE_HEIGHT: Final = 297.0
TOP: Final = 10.0
HEAD_HEIGHT: Final = 25.0
ROW_HEIGHT: Final = 8.4
CARD_WIDTH: Final = 105.0
"""Two cards side by side."""


def draw_guide_cards(paper: Paper, sheet: GuideCards) -> None:
    """Draw the cards, two side by side and as many below each other as fit a page."""
    most = int((PAGE_HEIGHT - 2 * TOP - HEAD_HEIGHT) / ROW_HEIGHT)
    cards = list(_split_cards(sheet, most))
    rows = max((len(card.turns) for card in cards), default=1) or 1
    height = HEAD_HEIGHT + rows * ROW_HEIGHT + 6
    down = max(1, int((PAGE_HEIGHT - TOP) / height))
    for part in chunks(cards, 2 * down):
        paper.add_page(orientation="portrait")
        for place, card in enumerate(cards[part]):
            x, y = CARD_WIDTH * (place % 2), TOP + height * (place // 2)
            if place % 2 == 0 and place:
                paper.draw_cut_line(y - 4)
            _draw_card(paper, sheet, card, x, y)
        with paper.dashed_lines():
            paper.draw_line(CARD_WIDTH, 0, CARD_WIDTH, PAGE_HEIGHT, width=0.15)


def _split_cards(sheet: GuideCards, max_turns: int) -> Iterator[GuideCard]:
    """Yield the cards, a long one in parts."""
    for card in sheet.cards:
        for part in chunks(card.turns, max_turns):
            yield GuideCard(card.number, card.name, card.turns[part])


def _draw_card(paper: Paper, sheet: GuideCards, card: GuideCard, x: float, y: float) -> None:
    left, width = x + 8, CARD_WIDTH - 16
    small = " · ".join(part for part in (sheet.head.tournament, sheet.head.stage) if part)
    paper.draw_text(small, left, y, width, 5, size=8, colour=GREEN, font=BOLD, lines=1)
    paper.draw_text(str(card.number), left, y + 5.5, 13, 10, font=BOLD, size=20, colour=RED)
    paper.draw_text(card.name, left + 14, y + 5.5, width - 14, 10, font=BOLD, size=14)
    at, top = left, y + 17
    for head, column in _columns(paper, card):
        paper.draw_text(head, at, top, column - 1, 6, size=8, colour=QUIET, font=BOLD)
        at += column
    top = y + HEAD_HEIGHT - 1
    paper.draw_line(left, top, left + width, top, colour=INK, width=0.3)
    for number, turn in enumerate(card.turns):
        if number % 2:
            paper.draw_box(left, top, width, ROW_HEIGHT, line=0, fill=BAND)
        _draw_turn(paper, card, turn, (left, top, width))
        top += ROW_HEIGHT
        paper.draw_line(left, top, left + width, top, colour=LINE, width=0.1)


def _columns(paper: Paper, card: GuideCard) -> tuple[tuple[str, float], ...]:
    """Return the heads and widths of the columns before the names; with deals, if any."""
    message = paper.message
    columns = ((message("r"), 8.0), (message("table"), 12.0), (message("seat"), 14.0))
    has_boards = any(turn.boards for turn in card.turns)
    return (*columns, (message("boards"), 17.0)) if has_boards else columns


def _draw_turn(
    paper: Paper, card: GuideCard, turn: Turn, place: tuple[float, float, float]
) -> None:
    message = paper.message
    x, y, width = place
    end = x + width
    paper.draw_text(str(turn.round), x, y, 7, ROW_HEIGHT, font=BOLD, size=10)
    if not turn.seat:
        paper.draw_text(message("rests"), x + 8, y, width - 8, ROW_HEIGHT, size=9.5, colour=QUIET)
        return
    texts = (str(turn.round), str(turn.table), turn.seat, number_ranges(turn.boards))
    for number, (_, column) in enumerate(_columns(paper, card)):
        if number:
            is_table = number == 1
            font, size, colour = (BOLD, 12, RED) if is_table else (PLAIN, 10, INK)
            paper.draw_text(
                texts[number], x, y, column - 1, ROW_HEIGHT, font=font, size=size, colour=colour
            )
        x += column
    versus = message("versus", names=turn.opponents)
    if not turn.partners:
        paper.draw_text(versus, x, y, end - x, ROW_HEIGHT, size=9)
        return
    partner = message("partner", name=turn.partners)
    paper.draw_text(partner, x, y + 0.3, end - x, ROW_HEIGHT / 2, size=9)
    paper.draw_text(
        versus, x, y + ROW_HEIGHT / 2 - 0.3, end - x, ROW_HEIGHT / 2, size=8, colour=QUIET
    )
