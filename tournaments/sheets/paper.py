"""A4 PDF pages on which every text is made to fit. Lengths are millimetres, font sizes points.

The same rows give the same bytes: no clock, no chance.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from math import inf
from typing import Final, NamedTuple

from fpdf import FPDF

from tournaments.sheets import fonts, ornaments
from tournaments.sheets.fonts import BOLD, PLAIN
from tournaments.sheets.messages import PaperMessages
from tournaments.sheets.rows import Masthead

MARGIN: Final = 15.0
TOP: Final = 38.0
"""Where a page's content begins, below its head."""
FOOT: Final = 16.0
"""Height reserved at the bottom for the foot."""
POINT: Final = 25.4 / 72
"""Millimetres."""
LINE_HEIGHT: Final = 1.08 * POINT
"""Millimetres from a line to the next for each point of its font size."""
MIN_SCALE: Final = 0.72
"""Smallest scale of a text before it is broken into two lines."""
MIN_SCALE_OF_WORD: Final = 0.5
"""The same of a text without blanks: a number is not to be broken."""

INK, QUIET, LINE, BAND = (42, 28, 23), (102, 84, 70), (150, 135, 112), (246, 239, 224)
RED, GOLD, GREEN, WHITE = (163, 34, 42), (180, 124, 16), (28, 90, 63), (255, 255, 255)
Colour = tuple[int, int, int]

CREATED_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The creation date in every file, fixed so that equal papers have equal bytes."""


class FittedText(NamedTuple):
    """The lines of a fitted text, and their font size."""

    lines: tuple[str, ...]
    size: float


class Paper(FPDF):
    """A document of A4 pages, each with the head and the foot of its paper."""

    def __init__(self, language: str) -> None:
        super().__init__(orientation="portrait", unit="mm", format="A4")
        self.message = PaperMessages(language)
        self.set_auto_page_break(False)
        self.set_margin(0)
        self.c_margin = 0
        self.set_creation_date(CREATED_AT)
        self.set_lang(self.message.language)
        self.set_creator("Baza")
        self.added_fonts: set[str] = set()

    # --- text ----------------------------------------------------------------------------------

    def use_font(self, font: str, size: float) -> None:
        """Set the font, one of `fonts.FAMILIES`, and its size."""
        if font not in self.added_fonts:
            self.add_font(font, "", fonts.font_file(font))
            self.added_fonts.add(font)
        self.set_font(font, size=size)

    def width_of(self, text: str, font: str = PLAIN, size: float = 10) -> float:
        """Return the width of a text."""
        text, font = _with_printable_font(text, font)
        self.use_font(font, size)
        return float(self.get_string_width(text))

    def fit_text(
        self,
        text: str,
        width: float,
        *,
        height: float = inf,
        font: str = PLAIN,
        size: float = 10,
        lines: int = 2,
    ) -> FittedText:
        """Return a text fitted to a box: smaller, then in two lines if it is larger so.

        A long text without blanks is broken within its word.
        """
        text, _ = _with_printable_font(text, font)
        full_width = self.width_of(text, font, size)
        if full_width <= width:
            return FittedText((text,), size)
        one_line = FittedText((text,), size * width / full_width * 0.999)
        min_scale = MIN_SCALE if " " in text else MIN_SCALE_OF_WORD
        if full_width * min_scale <= width or lines == 1:
            return one_line
        halves = self._split_in_half(text, font, size)
        widest = max(self.width_of(half, font, size) for half in halves)
        sizes = (size * MIN_SCALE, size * width / widest * 0.999, height / 2 / LINE_HEIGHT)
        return max(one_line, FittedText(halves, min(sizes)), key=lambda fitted: fitted.size)

    def _split_in_half(self, text: str, font: str, size: float) -> tuple[str, str]:
        blank = " " if " " in text else ""
        parts = text.split(" ") if blank else text
        splits = [(blank.join(parts[:n]), blank.join(parts[n:])) for n in range(1, len(parts))]
        return min(splits, key=lambda two: max(self.width_of(half, font, size) for half in two))

    def draw_text(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        font: str = PLAIN,
        size: float = 10,
        align: str = "L",
        colour: Colour = INK,
        lines: int = 2,
    ) -> None:
        """Write a text into a box, in the middle of its height; ``align`` is L, C or R."""
        if not text:
            return
        shown = self.fit_text(text, width, height=height, font=font, size=size, lines=lines)
        _, font = _with_printable_font(text, font)
        self.use_font(font, shown.size)
        self.set_text_color(*colour)
        step = shown.size * LINE_HEIGHT
        top = y + (height - step * len(shown.lines)) / 2
        for number, line in enumerate(shown.lines):
            self.set_xy(x, top + number * step)
            self.cell(width, step, line, align=align)

    # --- lines and ornaments -------------------------------------------------------------------

    def draw_line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        colour: Colour = LINE,
        width: float = 0.2,
    ) -> None:
        """Draw a line."""
        self.set_draw_color(*colour)
        self.set_line_width(width)
        self.line(x1, y1, x2, y2)

    def draw_box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        colour: Colour = LINE,
        line: float = 0.2,
        fill: Colour | None = None,
        radius: float = 0,
    ) -> None:
        """Draw a rectangle, optionally with round corners."""
        self.set_draw_color(*colour)
        self.set_line_width(line)
        style = "D" if line else "F"
        if fill is not None:
            self.set_fill_color(*fill)
            style = "DF" if line else "F"
        self.rect(x, y, width, height, style=style, round_corners=radius > 0, corner_radius=radius)

    def draw_cut_line(self, y: float) -> None:
        """Draw a dashed line to cut along, across the page."""
        with self.dashed_lines():
            self.draw_line(0, y, self.w, y, width=0.15)

    @contextmanager
    def dashed_lines(self) -> Iterator[None]:
        """Draw dashed lines in the block."""
        self.set_dash_pattern(dash=1.6, gap=1.6)
        try:
            yield
        finally:
            self.set_dash_pattern()

    def draw_image(self, drawing: bytes, x: float, y: float, width: float) -> None:
        """Place a drawing by its upper left corner."""
        self.image(BytesIO(drawing), x=x, y=y, w=width)

    def draw_qr(self, text: str, x: float, y: float, width: float) -> None:
        """Draw a QR code, its white border included in the width; it is a link, too."""
        rows = ornaments.qr_modules(text)
        module = width / (len(rows) + 2 * ornaments.QUIET_ZONE)
        self.set_fill_color(0, 0, 0)
        for down, row in enumerate(rows, start=ornaments.QUIET_ZONE):
            for across, count in _runs(row):
                left = x + (across + ornaments.QUIET_ZONE) * module
                self.rect(left, y + down * module, count * module, module, style="F")
        self.link(x, y, width, width, text)

    # --- pages ---------------------------------------------------------------------------------

    def start_page(
        self,
        head: Masthead,
        title: str,
        *,
        page: int,
        pages: int,
        note: str = "",
        landscape: bool = False,
    ) -> None:
        """Begin a page: the tournament in the head, the title, and the page number in the foot."""
        self.add_page(orientation="landscape" if landscape else "portrait")
        width, message = self.w - 2 * MARGIN, self.message
        self.draw_text(
            head.tournament, MARGIN, 9, width * 0.64, 7, font=BOLD, size=11, colour=GREEN
        )
        right = MARGIN + width * 0.66
        self.draw_text(head.club, right, 9, width * 0.34, 7, size=9.5, align="R", colour=QUIET)
        self.draw_text(title, MARGIN, 16, width - 48, 11, font=BOLD, size=19)
        self.draw_text(note, MARGIN, 26.4, width, 6, size=9.5, colour=QUIET, lines=1)
        for number, suit in enumerate(ornaments.SUITS if page == 1 else ""):
            self.draw_image(
                ornaments.pip_svg(suit), self.w - MARGIN - 7.4 * (4 - number) + 1, 18, 6.4
            )
        self.draw_line(MARGIN, 33.5, self.w - MARGIN, 33.5, colour=RED, width=0.6)
        self.draw_foot(f"{head.tournament} · {title}", message("page", page=page, pages=pages))

    def draw_foot(self, left: str, right: str) -> None:
        """Write the foot of a page."""
        y, width = self.h - 12, self.w - 2 * MARGIN
        self.draw_text(left, MARGIN, y, width * 0.75, 5, size=8, colour=QUIET, lines=1)
        self.draw_text(right, MARGIN, y, width, 5, size=8, align="R", colour=QUIET)

    @property
    def bottom(self) -> float:
        """The y at which a page's content has to end."""
        return float(self.h) - FOOT


def subtitle(head: Masthead, message: PaperMessages, *details: str) -> str:
    """Return the line below a title: stage, round, further notes, and the mark of a draft."""
    parts = [head.stage, message("round", number=head.round) if head.round else "", *details]
    parts.append(message("draft") if head.has_draft else "")
    return " · ".join(part for part in parts if part)


def _with_printable_font(text: str, font: str) -> tuple[str, str]:
    text = fonts.transliterate(text)
    if font in fonts.FALLBACKS and not fonts.has_letters(font, text):
        font = fonts.FALLBACKS[font]
    return text, font


def _runs(row: str) -> Iterator[tuple[int, int]]:
    """Yield the start and length of each run of dark modules in a row."""
    start = None
    for index, module in enumerate(f"{row}0"):
        if module == "1" and start is None:
            start = index
        elif module == "0" and start is not None:
            yield start, index - start
            start = None


def chunks(items: Sequence[object], size: int) -> list[slice]:
    """Return slices of a list, ``size`` items to a page; one empty slice for an empty list."""
    return [slice(n, n + size) for n in range(0, max(len(items), 1), size)]
