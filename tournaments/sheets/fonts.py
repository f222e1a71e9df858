"""Fonts of the papers: the letters in each, and a transliteration of names that no font has."""

import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import fontpkg
from anyascii import anyascii
from fontTools.ttLib import TTFont

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
"""Family, weight and style of each font of a paper."""

FALLBACKS: Final = MappingProxyType({TITLE: PLAIN, TITLE_BOLD: BOLD, TITLE_ITALIC: PLAIN})
"""The replacement for a title whose font lacks a letter."""


@cache
def font_file(font: str) -> Path:
    """Return the path of a font's file."""
    family, weight, style = FAMILIES[font]
    path: Path = fontpkg.path(family, weight, style)
    return path


@cache
def characters_of(font: str) -> frozenset[int]:
    """Return the code points that a font has."""
    with TTFont(font_file(font), lazy=True) as file:
        return frozenset(file.getBestCmap())


def has_letters(font: str, text: str) -> bool:
    """Return whether a font has every letter of a text."""
    return characters_of(font).issuperset(map(ord, text))


def transliterate(text: str) -> str:
    """Return a text with every letter that no font has replaced by Latin letters.

    An accent is dropped before its letter is, and so is a letter that Latin does not write, such
    as the alef of Arabic. What else has no Latin form becomes its Unicode number: ``U+E000``.
    """
    text = unicodedata.normalize("NFC", text)
    if has_letters(PLAIN, text):
        return text
    return " ".join("".join(map(_letter, text)).split()) or "".join(map(_number, text))


def _letter(letter: str) -> str:
    if has_letters(PLAIN, letter):
        return letter
    bare = "".join(
        char for char in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(char)
    )
    if bare and has_letters(PLAIN, bare):
        return bare
    if unicodedata.combining(letter):
        return ""
    return anyascii(letter) or ("" if _is_unwritten(letter) else _number(letter))


def _is_unwritten(letter: str) -> bool:
    """Return whether `anyascii` writes nothing on purpose: of an ideograph it has no reading."""
    is_letter = unicodedata.category(letter).startswith("L")
    return is_letter and not unicodedata.name(letter, "CJK").startswith("CJK")


def _number(letter: str) -> str:
    return f"U+{ord(letter):04X}"
