"""Contrast of colours (WCAG 2.2, 1.4.3): whether a line of one is seen on paper of another."""

import re
from typing import Final

COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
PAPERS: Final = ("#f6efe0", "#17130e")
"""What lies under a club's colour: ``--paper`` of `css/tokens.css` and of `css/dark.css`."""

LEAST_CONTRAST: Final = 3.0
"""Of what is no text (WCAG 1.4.11). Text would need 4.5, which no colour has on all papers."""


def is_club_colour(text: str) -> bool:
    """Return whether a text is a colour (``#b47c10``) that is seen in light and dark scheme."""
    return COLOUR.fullmatch(text) is not None and all(
        contrast(text, paper) >= LEAST_CONTRAST for paper in PAPERS
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
