"""Draws the papers of a duplicate: travelling slips, the record of the deals, slips of a seat.

A travelling slip goes with a deal from table to table. The record has the cards of all deals, many
on a page. A slip of a seat has the cards of one player, so that a deal is made up again without
anybody seeing it whole.
"""

from collections.abc import Sequence
from typing import Final

from tournaments.sheets import ornaments
from tournaments.sheets.fonts import BOLD
from tournaments.sheets.paper import (
    BAND,
    GREEN,
    INK,
    LINE,
    MARGIN,
    QUIET,
    RED,
    TOP,
    Paper,
    chunks,
    subtitle,
)
from tournaments.sheets.rows import (
    DealRecord,
    DealtBoard,
    Masthead,
    SeatCards,
    SeatSlips,
    TravellingSlip,
    TravellingSlips,
)

PAGE_HEIGHT: Final = 297.0
HALF_WIDTH: Final = 105.0
EDGE: Final = 8.0
"""Between the cut line and what is printed."""

# --- Travelling slips -----------------------------------------------------------------------------

SLIP_HEAD: Final = 27.0
SLIP_ROW: Final = 7.6
MAX_LINES: Final = 30
"""Tables on a slip: more do not fit a page."""


def draw_travelling_slips(paper: Paper, sheet: TravellingSlips) -> None:
    """Draw a slip for each deal, two side by side, as many below each other as fit a page."""
    slips = [
        TravellingSlip(slip.board, slip.dealer, slip.lines[part])
        for slip in sheet.slips
        for part in chunks(slip.lines, MAX_LINES)
    ]
    longest = max(len(slip.lines) for slip in slips)
    height = SLIP_HEAD + longest * SLIP_ROW + 2 * EDGE - 4
    down = max(1, int(PAGE_HEIGHT // height))
    for part in chunks(slips, 2 * down):
        paper.add_page(orientation="portrait")
        for place, slip in enumerate(slips[part]):
            x, y = HALF_WIDTH * (place % 2), height * (place // 2)
            _draw_slip(paper, sheet, slip, x + EDGE, y + EDGE)
            if place % 2 == 0:
                paper.draw_cut_line(y + height)
        with paper.dashed_lines():
            paper.draw_line(HALF_WIDTH, 0, HALF_WIDTH, PAGE_HEIGHT, width=0.15)


def _draw_slip(
    paper: Paper, sheet: TravellingSlips, slip: TravellingSlip, x: float, y: float
) -> None:
    message, width = paper.message, HALF_WIDTH - 2 * EDGE
    _draw_small_head(paper, sheet.head, x, y, width)
    paper.draw_text(message("board"), x, y + 6, 20, 10, size=11)
    paper.draw_text(str(slip.board), x + 20, y + 6, 20, 10, font=BOLD, size=24, colour=RED)
    dealer = message("dealer", seat=slip.dealer)
    paper.draw_text(dealer, x + 40, y + 6, width - 40, 10, size=11, align="R")
    columns = _slip_columns(paper)
    at, top = x, y + 18
    for head, column in columns:
        paper.draw_text(head, at, top, column, 7, size=8, align="C", font=BOLD, colour=QUIET)
        at += column
    top = y + SLIP_HEAD - 2
    paper.draw_line(x, top, x + width, top, colour=INK, width=0.3)
    for line in slip.lines:
        at = x
        texts = (str(line.round), str(line.table), str(line.first), str(line.second), "", "")
        for text, (_, column) in zip(texts, columns, strict=True):
            paper.draw_text(text, at, top, column, SLIP_ROW, size=10.5, align="C")
            at += column
            if at < x + width - 1:
                paper.draw_line(at, top, at, top + SLIP_ROW, width=0.15)
        top += SLIP_ROW
        paper.draw_line(x, top, x + width, top, width=0.2)


def _slip_columns(paper: Paper) -> tuple[tuple[str, float], ...]:
    """Return heads and widths: round, table, the numbers of both sides, the points of both."""
    message = paper.message
    first, second = message("first_side"), message("second_side")
    return (
        (message("r"), 9.0),
        (message("table"), 12.0),
        (first, 13.0),
        (second, 13.0),
        (message("points_of", side=first), 21.0),
        (message("points_of", side=second), 21.0),
    )


def _draw_small_head(paper: Paper, head: Masthead, x: float, y: float, width: float) -> None:
    small = " · ".join(part for part in (head.tournament, head.stage) if part)
    paper.draw_text(small, x, y, width, 5, size=8, colour=GREEN, font=BOLD, lines=1)


# --- The record of the deals ----------------------------------------------------------------------

ACROSS, DOWN = 4, 7
CELL_HEIGHT: Final = 34.0
PIP, PIP_GAP = 2.5, 1.3
RANK_SIZE: Final = 7.4
STOCK_ACROSS, STOCK_PIP = 8, 1.9
"""Cards in a row of the stock, and the size of their pips."""
SUITS: Final = ornaments.SUITS


def draw_deal_record(paper: Paper, sheet: DealRecord) -> None:
    """Draw all deals with the cards of each seat, 28 on a page."""
    message = paper.message
    width = (paper.w - 2 * MARGIN) / ACROSS
    parts = chunks(sheet.boards, ACROSS * DOWN)
    for page, part in enumerate(parts, start=1):
        note = subtitle(sheet.head, message, "" if sheet.is_open else message("deals_secret"))
        title = message("deal_record")
        paper.start_page(sheet.head, title, page=page, pages=len(parts), note=note)
        for place, board in enumerate(sheet.boards[part]):
            across, down = place % ACROSS, place // ACROSS
            _draw_board(paper, board, MARGIN + across * width, TOP - 2 + down * CELL_HEIGHT, width)


def _draw_board(paper: Paper, board: DealtBoard, x: float, y: float, width: float) -> None:
    message = paper.message
    paper.draw_box(x + 0.7, y + 0.7, width - 1.4, CELL_HEIGHT - 1.4, radius=1.2)
    paper.draw_text(str(board.number), x + 2.5, y + 1.4, 10, 6, font=BOLD, size=13, colour=RED)
    facts = f"{message('dealer', seat=board.dealer)} · {card_text(board.trump)}"
    paper.draw_text(facts, x + 12, y + 1.4, width - 14.5, 6, size=7.5, align="R", colour=QUIET)
    height = CELL_HEIGHT - 10
    step, top = height / max(len(board.seats), 4), y + 8
    for seat in board.seats:
        paper.draw_text(seat.seat, x + 2.5, top, 5, step, font=BOLD, size=8.5, lines=1)
        _draw_suits(paper, seat.cards, x + 7.5, top, width - 10, step)
        top += step
    if board.stock:
        paper.draw_text(message("stock"), x + 2.5, top, 5, step, font=BOLD, size=8.5, lines=1)
        _draw_stock(paper, board.stock, x + 8.5, top, width - 10, y + 8 + height - top)


def _draw_stock(
    paper: Paper, cards: Sequence[str], x: float, y: float, width: float, height: float
) -> None:
    """Write the cards in the order in which they are drawn, in rows, each behind its pip."""
    across, step = width / STOCK_ACROSS, height / -(-len(cards) // STOCK_ACROSS)
    for number, card in enumerate(cards):
        left, top = x + number % STOCK_ACROSS * across, y + number // STOCK_ACROSS * step
        paper.draw_image(ornaments.pip_svg(card[1]), left, top + (step - STOCK_PIP) / 2, STOCK_PIP)
        left += STOCK_PIP + 0.2
        paper.draw_text(card[0], left, top, across - STOCK_PIP, step, size=RANK_SIZE, lines=1)


def _draw_suits(
    paper: Paper, cards: Sequence[str], x: float, y: float, width: float, height: float
) -> None:
    """Write the ranks by suit in one line, each behind the pip of its suit."""
    texts = [(suit, " ".join(_ranks(cards, suit))) for suit in SUITS if _ranks(cards, suit)]
    pips = (PIP + PIP_GAP) * len(texts)
    needed = sum(paper.width_of(text, size=RANK_SIZE) for _, text in texts)
    scale = min(1.0, (width - pips) / needed) if needed else 1.0
    for suit, text in texts:
        paper.draw_image(ornaments.pip_svg(suit), x, y + (height - PIP) / 2, PIP)
        text_width = paper.width_of(text, size=RANK_SIZE) * scale + 0.1
        paper.draw_text(text, x + PIP + 0.4, y, text_width, height, size=RANK_SIZE, lines=1)
        x += PIP + PIP_GAP + text_width


def _ranks(cards: Sequence[str], suit: str) -> list[str]:
    return [card[0] for card in cards if card[1] == suit]


def card_text(card: str) -> str:
    """Return a card as papers write it: ``1 O``."""
    return f"{card[0]} {card[1].upper()}" if card else ""


# --- Slips of a seat ------------------------------------------------------------------------------

SLIPS_DOWN: Final = 7
SLIP_HEIGHT: Final = PAGE_HEIGHT / SLIPS_DOWN


def draw_seat_slips(paper: Paper, sheet: SeatSlips) -> None:
    """Draw a row of slips for each deal, one a seat, seven deals to a page."""
    for part in chunks(sheet.boards, SLIPS_DOWN):
        paper.add_page(orientation="portrait")
        for down, board in enumerate(sheet.boards[part]):
            width = paper.w / len(board.seats)
            for across, seat in enumerate(board.seats):
                place = (across * width, down * SLIP_HEIGHT, width)
                _draw_seat_slip(paper, sheet.head, board, seat, place)
            paper.draw_cut_line((down + 1) * SLIP_HEIGHT)
        seats = len(sheet.boards[part][0].seats)
        with paper.dashed_lines():
            for across in range(1, seats):
                x = across * paper.w / seats
                paper.draw_line(x, 0, x, PAGE_HEIGHT, width=0.15)


def _draw_seat_slip(
    paper: Paper,
    head: Masthead,
    board: DealtBoard,
    seat: SeatCards,
    place: tuple[float, float, float],
) -> None:
    x, y, width = place
    left, inner, message = x + 4, width - 8, paper.message
    _draw_small_head(paper, head, left, y + 2.5, inner)
    title = f"{message('board')} {board.number}"
    paper.draw_text(title, left, y + 7.5, inner - 12, 7, font=BOLD, size=12)
    paper.draw_text(
        seat.seat, left + inner - 12, y + 7, 12, 8, font=BOLD, size=18, align="R", colour=RED
    )
    facts = f"{message('dealer', seat=board.dealer)} · {card_text(board.trump)}"
    paper.draw_text(facts, left, y + 14, inner, 4.5, size=7.5, colour=QUIET, lines=1)
    for number, suit in enumerate(SUITS):
        top = y + 19 + number * 5.3
        if number % 2 == 0:
            paper.draw_box(left - 1, top, inner + 2, 5.3, line=0, fill=BAND)
        paper.draw_image(ornaments.pip_svg(suit), left, top + 0.5, 4.3)
        ranks = "  ".join(_ranks(seat.cards, suit)) or "–"
        paper.draw_text(ranks, left + 7, top, inner - 7, 5.3, font=BOLD, size=11, lines=1)
    paper.draw_line(left - 1, y + 40.4, left + inner + 1, y + 40.4, colour=LINE, width=0.1)
