"""The fonts of the pages: small, licensed, and with every letter that the pages' words need."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest
from fontTools.ttLib import TTFont

from tools.fonts import FACES, FOLDER, LETTERS

PROJECT = Path(__file__).parents[2]
MAX_BYTES = 60_000
DRAWN = re.compile(r"[^\W\d_]")
"""A letter: signs such as arrows may be those of the system."""


def test_all_fonts_together_are_small_and_have_their_licence_beside_them() -> None:
    faces = sorted(FOLDER.glob("*.woff2"))
    assert [face.stem for face in faces] == sorted(FACES)
    assert sum(face.stat().st_size for face in faces) <= MAX_BYTES
    for face in faces:
        licence = FOLDER / f"{face.stem.rpartition('-')[0]}-OFL.txt"
        assert "SIL Open Font License" in licence.read_text()


@pytest.mark.parametrize("face", sorted(FACES))
def test_a_font_has_every_letter_of_the_catalogues(face: str) -> None:
    with TTFont(FOLDER / f"{face}.woff2") as font:
        letters = set(font.getBestCmap())
    catalogues = [*PROJECT.glob("*/locale/*/LC_MESSAGES/*.po")]
    assert len(catalogues) > 4
    words = "".join(
        text for path in catalogues for entry in polib.pofile(str(path)) for text in _texts(entry)
    )
    missing = {letter for letter in DRAWN.findall(words) if ord(letter) not in letters}
    assert not missing


def _texts(entry: polib.POEntry) -> list[str]:
    return [entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values()]


def test_the_style_sheet_asks_for_a_font_only_where_it_has_the_letter() -> None:
    tokens = (PROJECT / "tournaments/static/css/tokens.css").read_text()
    ranges = re.findall(r"unicode-range: ([^;]+);", tokens)
    assert len(ranges) == len(FACES)
    for font_range in ranges:
        numbers: set[int] = set()
        for part in font_range.replace("U+", "").split(", "):
            first, _, last = part.partition("-")
            numbers |= set(range(int(first, 16), int(last or first, 16) + 1))
        assert numbers == {letter for part in LETTERS for letter in part}
