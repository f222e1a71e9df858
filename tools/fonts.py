"""Writes the fonts of the pages: the faces of the papers, with the letters that pages need.

    python -m tools.fonts

The faces come from the packages that the papers use (`tournaments/sheets/fonts.py`); the files
and the licence of each family are written to `tournaments/static/fonts/`. What they leave out, the
browser shows in a face of its own: `unicode-range` in `css/tokens.css` names the same letters.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import fontpkg
from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER: Final = Path(__file__).parents[1] / "tournaments" / "static" / "fonts"
FACES: Final = {
    "fira-sans-400": ("Fira Sans", 400),
    "fira-sans-600": ("Fira Sans", 600),
    "spectral-600": ("Spectral", 600),
}
LETTERS: Final = (
    range(0x20, 0x7F),  # ASCII
    range(0xA0, 0x180),  # Latin-1 and Latin Extended-A: names of western and central Europe
    tuple(map(ord, "–—‘’“”„•…‹›€←→−≈✓★")),
)
FEATURES: Final = ["kern", "tnum"]  # tables of numbers need digits of one width
NAMES: Final = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # with copyright and licence


def write_face(file: str, family: str, weight: int, letters: list[int]) -> int:
    """Write one face as WOFF2 and return its size in bytes."""
    options = subset.Options(
        layout_features=FEATURES, hinting=False, name_IDs=NAMES, notdef_outline=True
    )
    with TTFont(fontpkg.path(family, weight, "normal"), recalcTimestamp=False) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=letters)
        subsetter.subset(font)
        font.flavor = "woff2"
        target = FOLDER / f"{file}.woff2"
        font.save(target)
    return target.stat().st_size


def main() -> None:
    """Write every face, and the licence of each family."""
    FOLDER.mkdir(exist_ok=True)
    letters = [letter for part in LETTERS for letter in part]
    for file, (family, weight) in FACES.items():
        print(f"{write_face(file, family, weight, letters):6} bytes  {file}.woff2")
        licence = Path(fontpkg.path(family, weight, "normal")).parents[1] / "LICENSE"
        shutil.copyfile(licence, FOLDER / f"{file.rpartition('-')[0]}-OFL.txt")


if __name__ == "__main__":
    main()
