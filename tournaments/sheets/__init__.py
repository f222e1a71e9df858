"""Draws the papers of a tournament: rows and a language in, the bytes of a PDF out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tournaments.sheets import rows

LAYOUT_VERSION: Final = 2
"""Version of the layout, part of the cache key: raise it when the same rows are drawn
differently."""


def render_papers(sheets: Sequence[rows.Sheet], language: str, title: str) -> bytes:
    """Return papers as one PDF, one after the other; ``title`` is its title in a viewer.

    Equal input gives equal bytes.
    """
    # Fonts, images and numpy are 60 MiB, which a web process needs only once it prints.
    from tournaments.sheets.drawing import DRAW_FUNCTIONS
    from tournaments.sheets.paper import Paper

    paper = Paper(language)
    paper.set_title(title)
    for sheet in sheets:
        DRAW_FUNCTIONS[type(sheet)](paper, sheet)
    return bytes(paper.output())


def draw_share_card(card: rows.ShareCard) -> bytes:
    """Return the picture shown where an address is shared, as PNG."""
    from tournaments.sheets import share_card

    return share_card.draw_share_card(card)
