"""Draws slips with the code of each entry, to be cut apart and handed out."""

from typing import Final

from tournaments.sheets.fonts import BOLD
from tournaments.sheets.paper import GREEN, QUIET, RED, Paper, chunks
from tournaments.sheets.rows import Code, Codes

ACROSS: Final = 2  # twelve slips of A4: 105 x 49.5 mm
DOWN: Final = 6
WIDTH: Final = 105.0
HEIGHT: Final = 49.5


def draw_codes(paper: Paper, sheet: Codes) -> None:
    """Draw the slips, twelve to a page."""
    for part in chunks(sheet.codes, ACROSS * DOWN):
        paper.add_page(orientation="portrait")
        for line in range(1, DOWN):
            paper.draw_cut_line(line * HEIGHT)
        with paper.dashed_lines():
            paper.draw_line(WIDTH, 0, WIDTH, DOWN * HEIGHT, width=0.15)
        for place, code in enumerate(sheet.codes[part]):
            _draw_slip(paper, sheet, code, WIDTH * (place % ACROSS), HEIGHT * (place // ACROSS))


def _draw_slip(paper: Paper, sheet: Codes, code: Code, x: float, y: float) -> None:
    message, left, width = paper.message, x + 8, 55.0
    paper.draw_text(
        sheet.head.tournament, left, y + 4, width, 5, font=BOLD, size=8.5, colour=GREEN, lines=1
    )
    paper.draw_text(f"{code.number}. {code.name}", left, y + 9, width, 11, font=BOLD, size=13)
    paper.draw_text(message("your_code"), left, y + 20, width, 5, size=8, colour=QUIET)
    paper.set_char_spacing(2)
    paper.draw_text(code.code, left, y + 24, width, 9, font=BOLD, size=19, colour=RED)
    paper.set_char_spacing(0)
    paper.draw_text(message("code_use"), left, y + 33.5, width, 5, size=8, colour=QUIET)
    paper.draw_text(message("keep"), left, y + 40, width, 5, font=BOLD, size=8, colour=QUIET)
    if sheet.commitment:
        text = message("draw_seed", commitment=sheet.commitment)
        paper.draw_text(text, left, y + 44.6, 93, 3, size=6.5, colour=QUIET, lines=1)
    paper.draw_qr(code.address, x + 65, y + 7, 35)
