"""Draws the poster of a tournament: A4, its lines, and a QR code to sign up."""

from typing import Final

from tournaments.sheets.fonts import BOLD
from tournaments.sheets.paper import GREEN, LINE_HEIGHT, QUIET, RED, Paper
from tournaments.sheets.rows import Poster

LEFT: Final = 20.0
WIDTH: Final = 170.0
QR: Final = 80.0
QR_TOP: Final = 190.0


def draw_poster(paper: Paper, sheet: Poster) -> None:
    """Draw the poster on one page."""
    paper.add_page(orientation="portrait")
    paper.draw_text(sheet.head.club, LEFT, 22, WIDTH, 8, size=16, colour=QUIET, lines=1)
    paper.draw_text(sheet.head.tournament, LEFT, 34, WIDTH, 40, font=BOLD, size=40, colour=GREEN)
    y = 80.0
    if sheet.notice:
        paper.draw_text(sheet.notice, LEFT, y, WIDTH, 14, font=BOLD, size=20, colour=RED)
        y += 16
    paper.draw_text(sheet.when, LEFT, y, WIDTH, 12, font=BOLD, size=22, lines=1)
    paper.draw_text(sheet.place, LEFT, y + 12, WIDTH, 10, size=18, lines=1)
    y += 28
    step = min(9.0, (QR_TOP - 4 - y) / max(1, len(sheet.lines)))  # many prizes are set smaller
    for line in sheet.lines:
        paper.draw_text(line, LEFT, y, WIDTH, step, size=min(14.0, step / LINE_HEIGHT), lines=1)
        y += step
    paper.draw_qr(sheet.address, LEFT, QR_TOP, QR)
    paper.draw_text(sheet.call, LEFT + QR + 8, 205, WIDTH - QR - 8, 20, font=BOLD, size=24)
    paper.draw_text(sheet.address, LEFT + QR + 8, 230, WIDTH - QR - 8, 14, size=12, colour=QUIET)
