"""The letters of a paper: which font has which, and names that no font can write."""

from __future__ import annotations

import unicodedata
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import fontpkg
from anyascii import anyascii
from fontTools.ttLib import TTFont

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PLAIN, BOLD, TITLE, TITLE_BOLD, TITLE_ITALIC = (
    "plain",
    "bold",
    "title",
    "title-bold",
    "title-italic",
)

FAMILIES: Final[Mapping[str, tuple[str, int, str]]] = MappingProxyType(
    {
        PLAIN: ("Fira Sans", 400, "normal"),
        BOLD: ("Fira Sans", 600, "normal"),
        TITLE: ("Spectral", 400, "normal"),
        TITLE_BOLD: ("Spectral", 600, "normal"),
        TITLE_ITALIC: ("Spectral", 400, "italic"),
    }
)
"""Family, weight and style of each hand that a paper is written in."""

INSTEAD: Final = MappingProxyType({TITLE: PLAIN, TITLE_BOLD: BOLD, TITLE_ITALIC: PLAIN})
"""Where a title has letters that its font lacks."""


@cache
def font_file(hand: str) -> Path:
    """Return where the font of a hand is."""
    family, weight, style = FAMILIES[hand]
    found: Path = fontpkg.path(family, weight, style)
    return found


@cache
def letters_of(hand: str) -> frozenset[int]:
    """Return the code points that a hand can write."""
    with TTFont(font_file(hand), lazy=True) as font:
        return frozenset(font.getBestCmap())


def can_write(hand: str, text: str) -> bool:
    """Tell whether a hand has every letter of a text."""
    return letters_of(hand).issuperset(map(ord, text))


def legible(text: str) -> str:
    """Return a text with nothing in it that cannot be written; others go into Latin letters.

    An accent is left out before its letter is. What has no Latin letters either is told by its
    number in Unicode: ``U+E000``.
    """
    text = unicodedata.normalize("NFC", text)
    if can_write(PLAIN, text):
        return text
    return " ".join("".join(map(_letter, text)).split())


def _letter(letter: str) -> str:
    if can_write(PLAIN, letter):
        return letter
    bare = "".join(
        one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one)
    )
    if bare and can_write(PLAIN, bare):
        return bare
    if unicodedata.combining(letter):
        return ""
    return anyascii(letter) or f"U+{ord(letter):04X}"
