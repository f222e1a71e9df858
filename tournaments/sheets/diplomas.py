"""Draws diplomas: a framed landscape page, with cards fanned out above the name."""

from typing import Final

from tournaments.sheets import ornaments
from tournaments.sheets.fonts import TITLE, TITLE_BOLD, TITLE_ITALIC
from tournaments.sheets.paper import GOLD, GREEN, INK, QUIET, RED, Paper
from tournaments.sheets.rows import Diplomas, Winner

WIDTH: Final = 297.0
HEIGHT: Final = 210.0
CARDS_BY_PLACE: Final = {
    1: ("1o", "1c", "1e", "1b"),
    2: ("Ro", "Rc", "Re", "Rb"),
    3: ("Co", "Cc", "Ce", "Cb"),
}
OTHER_CARDS: Final = ("So", "Sc", "Se", "Sb")
"""Aces for the first, kings for the second, knights for the third, jacks for all others."""


def draw_diplomas(paper: Paper, sheet: Diplomas) -> None:
    """Draw a diploma for each winner."""
    for winner in sheet.winners:
        paper.add_page(orientation="landscape")
        _draw_frame(paper)
        _draw_cards(paper, CARDS_BY_PLACE.get(winner.place, OTHER_CARDS))
        _draw_text(paper, sheet, winner)


def _draw_frame(paper: Paper) -> None:
    paper.draw_box(9, 9, WIDTH - 18, HEIGHT - 18, colour=RED, line=1.4)
    paper.draw_box(11.6, 11.6, WIDTH - 23.2, HEIGHT - 23.2, colour=GOLD, line=0.5)
    paper.draw_box(13, 13, WIDTH - 26, HEIGHT - 26, colour=RED, line=0.25)
    corners = ((18, 18), (WIDTH - 32, 18), (18, HEIGHT - 32), (WIDTH - 32, HEIGHT - 32))
    for suit, (x, y) in zip(ornaments.SUITS, corners, strict=True):
        paper.draw_image(ornaments.pip_svg(suit), x, y, 14)


def _draw_cards(paper: Paper, cards: tuple[str, ...]) -> None:
    """Draw four cards side by side, turned around a point below them."""
    width = 25.0
    height = width * ornaments.CARD_HEIGHT / ornaments.CARD_WIDTH
    middle, top = WIDTH / 2, 20.0
    for number, code in enumerate(cards):
        turn = (number - (len(cards) - 1) / 2) * -15
        with paper.rotation(turn, middle, top + height * 1.75):
            paper.draw_image(ornaments.card_svg(code), middle - width / 2, top, width)


def _draw_text(paper: Paper, sheet: Diplomas, winner: Winner) -> None:
    message, left, width = paper.message, 30.0, WIDTH - 60
    head = sheet.head

    def write(text: str, y: float, height: float, size: float, font: str = TITLE) -> None:
        colour = {TITLE_BOLD: INK, TITLE_ITALIC: QUIET}.get(font, GREEN)
        paper.draw_text(
            text, left, y, width, height, font=font, size=size, align="C", colour=colour
        )

    write(head.club, 73, 9, 17)
    paper.set_char_spacing(7)
    title = message("diploma").upper()
    paper.draw_text(title, left, 81, width + 2, 17, font=TITLE, size=36, align="C", colour=RED)
    paper.set_char_spacing(0)
    write(message("awarded"), 99, 8, 14, TITLE_ITALIC)
    write(winner.name, 107, 21, 42, TITLE_BOLD)
    write(" · ".join(winner.players), 127, 8, 15, TITLE_ITALIC)
    write(message.ordinal(winner.place), 137, 10, 20)
    in_tournament = " · ".join(part for part in (head.tournament, head.stage) if part)
    write(in_tournament, 147, 11, 19, TITLE_BOLD)
    day = message.long_date(sheet.day) if sheet.day else ""
    write(", ".join(part for part in (sheet.city, day) if part), 158, 7, 12, TITLE_ITALIC)
    if winner.prize:
        write(winner.prize, 168, 8, 14)
    for x, label in ((62.0, message("organiser")), (WIDTH - 62.0 - 60, message("arbiter"))):
        paper.draw_line(x, 183, x + 60, 183, colour=INK, width=0.25)
        paper.draw_text(label, x, 184, 60, 6, font=TITLE_ITALIC, size=11, align="C", colour=QUIET)
