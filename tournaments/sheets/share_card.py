"""Draws the picture that is shown where an address is shared: PNG, 1200 x 630."""

from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont, ImageOps

from tournaments.sheets.fonts import (
    BOLD,
    FALLBACKS,
    PLAIN,
    TITLE_BOLD,
    font_file,
    has_letters,
    transliterate,
)
from tournaments.sheets.rows import CardRow, ShareCard

SIZE: Final = (1200, 630)  # Open Graph; others are cut off at the edges
MARGIN: Final = 64  # pixels, as the next two: the head and five rows fit the height
HEAD: Final = 214
PHOTO: Final = (380, HEAD)
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
    beside = room - PHOTO[0] if card.photo else room
    if card.photo:
        photo = ImageOps.fit(Image.open(BytesIO(card.photo)).convert("RGB"), PHOTO)
        image.paste(photo, (width - PHOTO[0], 0))
    _draw_text(draw, (MARGIN, 88), card.title, TITLE_BOLD, 68, WHITE, beside)
    _draw_text(draw, (MARGIN, 164), card.line, PLAIN, 32, WHITE, beside)
    _draw_rows(draw, card.rows[:MAX_ROWS])
    if card.note and len(card.rows) < MAX_ROWS - 1:
        top, size = (HEAD + 72 + len(card.rows) * ROW, 32) if card.rows else (HEAD + 150, 48)
        _draw_text(draw, (MARGIN, top), card.note, TITLE_BOLD, size, INK, room)
    _draw_text(draw, (MARGIN, height - 36), card.state, PLAIN, 28, QUIET, room - 160)
    _draw_text(draw, (width - MARGIN, height - 36), "Baza", TITLE_BOLD, 36, GREEN, 160, anchor="rm")
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_rows(draw: ImageDraw.ImageDraw, rows: Iterable[CardRow]) -> None:
    right = SIZE[0] - MARGIN
    for number, row in enumerate(rows):
        middle = HEAD + 48 + number * ROW
        if row.leads:
            draw.ellipse((MARGIN, middle - 24, MARGIN + 48, middle + 24), fill=GOLD)
        colour, font = (WHITE, BOLD) if row.leads else (QUIET, PLAIN)
        _draw_text(draw, (MARGIN + 24, middle), row.place, BOLD, 28, colour, 48, "mm")
        _draw_text(draw, (MARGIN + 76, middle), row.name, font, 36, INK, right - MARGIN - 200)
        _draw_text(draw, (right, middle), row.points, BOLD, 38, INK, 120, "rm")
        if number:
            draw.line(
                (MARGIN, middle - ROW // 2, right, middle - ROW // 2), fill="#d9caac", width=2
            )


def _draw_text(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    font: str,
    size: int,
    fill: str,
    room: int,
    anchor: str = "lm",
) -> None:
    """Write a line, smaller where it does not fit, and at last cut off."""
    text = text if has_letters(font, text) else transliterate(text)
    font = font if has_letters(font, text) else FALLBACKS.get(font, PLAIN)
    loaded = _load_font(font, size)
    while loaded.getlength(text) > room and loaded.size > size * 0.6:
        loaded = _load_font(font, int(loaded.size) - 2)
    if loaded.getlength(text) > room:
        while text and loaded.getlength(f"{text}…") > room:
            text = text[:-1]
        text = f"{text.rstrip()}…"
    draw.text(at, text, font=loaded, fill=fill, anchor=anchor)


def _load_font(font: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(font), size)
