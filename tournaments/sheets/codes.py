"""Draws slips with the code of each entry, to be cut apart and handed out."""

from typing import Final

from tournaments.sheets.letters import BOLD
from tournaments.sheets.paper import GREEN, QUIET, RED, Paper, chunks
from tournaments.sheets.rows import Code, Codes

ACROSS: Final = 2  # twelve slips of A4: 105 x 49.5 mm
DOWN: Final = 6
WIDTH: Final = 105.0
HEIGHT: Final = 49.5


def codes(paper: Paper, sheet: Codes) -> None:
    """Draw the slips, twelve to a page."""
    for part in chunks(sheet.codes, ACROSS * DOWN):
        paper.add_page(orientation="portrait")
        for line in range(1, DOWN):
            paper.cut_line(line * HEIGHT)
        with paper.dashes():
            paper.rule(WIDTH, 0, WIDTH, DOWN * HEIGHT, width=0.15)
        for index, code in enumerate(sheet.codes[part]):
            _slip(paper, sheet, code, WIDTH * (index % ACROSS), HEIGHT * (index // ACROSS))


def _slip(paper: Paper, sheet: Codes, code: Code, x: float, y: float) -> None:
    message, left, width = paper.message, x + 8, 55.0
    paper.put(
        sheet.head.tournament, left, y + 4, width, 5, hand=BOLD, size=8.5, colour=GREEN, lines=1
    )
    paper.put(f"{code.number}. {code.name}", left, y + 9, width, 11, hand=BOLD, size=13)
    paper.put(message("your_code"), left, y + 20, width, 5, size=8, colour=QUIET)
    paper.set_char_spacing(2)
    paper.put(code.code, left, y + 24, width, 9, hand=BOLD, size=19, colour=RED)
    paper.set_char_spacing(0)
    paper.put(message("code_use"), left, y + 33.5, width, 5, size=8, colour=QUIET)
    paper.put(message("keep"), left, y + 40, width, 5, hand=BOLD, size=8, colour=QUIET)
    if sheet.commitment:
        text = message("draw_seed", commitment=sheet.commitment)
        paper.put(text, left, y + 44.6, 93, 3, size=6.5, colour=QUIET, lines=1)
    paper.qr(code.address, x + 65, y + 7, 35)
