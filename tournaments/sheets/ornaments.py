"""Ornaments: cards and pips of our own deck as drawings, and QR codes as squares."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import segno

DECK: Final = Path(__file__).parents[1] / "static" / "cards" / "deck.svg"
SUITS: Final = "oceb"
CARD_WIDTH: Final = 200
CARD_HEIGHT: Final = 308
"""Size of a card in its own units."""
PIPS: Final = {
    "o": "-30 -30 60 60",
    "c": "-38 -38 76 76",
    "e": "-62 -62 124 124",
    "b": "-62 -62 124 124",
}
QUIET_ZONE: Final = 4
"""Modules that have to be white around a QR code (ISO/IEC 18004)."""


@cache
def _deck() -> str:
    return DECK.read_text(encoding="utf-8")


@cache
def card_svg(code: str) -> bytes:
    """Return a card (``1o`` … ``Rb``) as an SVG drawing. Raises LookupError for unknown codes."""
    found = re.search(
        f'<symbol id="card-{re.escape(code)}"[^>]*>(.*?)</symbol>', _deck(), re.DOTALL
    )
    if found is None:
        raise LookupError(code)
    return _svg(f"0 0 {CARD_WIDTH} {CARD_HEIGHT}", found[1])


@cache
def pip_svg(suit: str) -> bytes:
    """Return the pip of a suit (``o``, ``c``, ``e``, ``b``) as an SVG drawing."""
    return _svg(PIPS[suit], f'<use href="#pip-{suit}"/>')


@cache
def _definitions() -> dict[str, str]:
    """Return the shared drawings by name: one a line of the deck's file."""
    start, end = _deck().index("<defs>"), _deck().index("</defs>")
    lines = _deck()[start:end].splitlines()
    return {match[1]: line for line in lines if (match := re.match(r'<g id="([^"]+)"', line))}


def _definitions_used(inside: str) -> dict[str, str]:
    """Return the definitions that a drawing uses, each after those that it uses itself."""
    needed: dict[str, str] = {}
    for name in re.findall(r'<use href="#([^"]+)"', inside):
        definition = _definitions()[name]
        needed |= {**_definitions_used(definition), name: definition}
    return needed


def _svg(box: str, inside: str) -> bytes:
    width, height = box.split()[2:]
    around = f'xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" height="{height}"'
    definitions = "".join(_definitions_used(inside).values())
    return f"<svg {around}><defs>{definitions}</defs>{inside}</svg>".encode()


@lru_cache(maxsize=512)
def qr_modules(text: str) -> tuple[str, ...]:
    """Return a QR code row by row, ``1`` for a dark module; a seventh of it may be damaged."""
    rows = segno.make_qr(text, error="m").matrix
    return tuple("".join("1" if module else "0" for module in row) for row in rows)
