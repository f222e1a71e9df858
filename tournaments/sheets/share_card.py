"""Draws the picture of a tournament that is shown where its address is shared: PNG, 1200 x 630."""

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from tournaments.sheets.letters import (
    BOLD,
    INSTEAD,
    PLAIN,
    TITLE_BOLD,
    can_write,
    font_file,
    legible,
)
from tournaments.sheets.rows import CardRow, ShareCard

SIZE: Final = (1200, 630)  # Open Graph; others are cut off at the edges
MARGIN: Final = 64  # pixels, as the next two: the head and five rows fit the height
HEAD: Final = 214
ROW: Final = 66
MAX_ROWS: Final = 5  # chosen: what fits below the head

GREEN, GOLD, PAPER, INK, QUIET, WHITE = (
    "#123f2c",
    "#b47c10",
    "#f6efe0",
    "#2a1c17",
    "#665446",
    "#fdf8e8",
)


def draw_share_card(card: ShareCard) -> bytes:
    """Return the picture as PNG; some 110 ms, the same bytes for the same card."""
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    width, height = SIZE
    draw.rectangle((0, 0, width, HEAD), fill=GREEN)
    draw.rectangle((0, HEAD, width, HEAD + 6), fill=GOLD)
    room = width - 2 * MARGIN
    _write(draw, (MARGIN, 88), card.title, TITLE_BOLD, 68, WHITE, room)
    _write(draw, (MARGIN, 164), card.line, PLAIN, 32, WHITE, room)
    _rows(draw, card.rows[:MAX_ROWS])
    if not card.rows and card.note:
        _write(draw, (MARGIN, HEAD + 150), card.note, TITLE_BOLD, 48, INK, room)
    _write(draw, (MARGIN, height - 36), card.state, PLAIN, 28, QUIET, room - 160)
    _write(draw, (width - MARGIN, height - 36), "Baza", TITLE_BOLD, 36, GREEN, 160, anchor="rm")
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _rows(draw: ImageDraw.ImageDraw, rows: Iterable[CardRow]) -> None:
    right = SIZE[0] - MARGIN
    for number, row in enumerate(rows):
        middle = HEAD + 48 + number * ROW
        is_first = row.place == 1
        if is_first:
            draw.ellipse((MARGIN, middle - 24, MARGIN + 48, middle + 24), fill=GOLD)
        place = str(row.place)
        _write(draw, (MARGIN + 24, middle), place, BOLD, 28, WHITE if is_first else QUIET, 48, "mm")
        hand = BOLD if is_first else PLAIN
        _write(draw, (MARGIN + 76, middle), row.name, hand, 36, INK, right - MARGIN - 200)
        _write(draw, (right, middle), row.points, BOLD, 38, INK, 120, "rm")
        if number:
            draw.line(
                (MARGIN, middle - ROW // 2, right, middle - ROW // 2), fill="#d9caac", width=2
            )


def _write(
    draw: ImageDraw.ImageDraw,
    position: tuple[int, int],
    text: str,
    hand: str,
    size: int,
    fill: str,
    room: int,
    anchor: str = "lm",
) -> None:
    """Write a line, smaller where it does not fit, and at last cut off."""
    text = text if can_write(hand, text) else legible(text)
    hand = hand if can_write(hand, text) else INSTEAD.get(hand, PLAIN)
    font = _font(hand, size)
    while font.getlength(text) > room and font.size > size * 0.6:
        font = _font(hand, int(font.size) - 2)
    if font.getlength(text) > room:
        while text and font.getlength(f"{text}…") > room:
            text = text[:-1]
        text = f"{text.rstrip()}…"
    draw.text(position, text, font=font, fill=fill, anchor=anchor)


def _font(hand: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(hand), size)
