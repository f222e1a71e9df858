"""Parses typed or pasted names: an entry a line, without a heading.

``Pepa Gil y Manolo Ruiz``, ``Pepa Gil, Manolo Ruiz``, ``Pepa Gil - Manolo Ruiz``, cells of a
spreadsheet (tabs), and before any of them the pair's own name with a colon. Numbers and bullets
of a list from a chat (``1. Pepa Gil``, ``- Pepa Gil``) are left out.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

SEPARATORS: Final = (";", "\t", ",", " / ", " + ", " & ", " – ", " - ")
"""Separators of two names: the first in this order that a line holds counts, else a word."""

_WORD: Final = re.compile(r"\s+(?:y|e|con|and|und)\s+", re.IGNORECASE)
_MARK: Final = re.compile(
    r"\s*(?:\d{1,4}(?:[.)]-?|\ufe0f?\u20e3)(?=\s|[^\W\dºª_])|[-–—*•·‣▪●])\s*(?=\S)"
)
"""A number with its mark (``1.``, ``2)``, ``3.-``, a keycap) or a bullet before a name."""

_CELLS: Final = re.compile(r"[;,\t]")


def is_plain(text: str, columns: Iterable[str]) -> bool:
    """Tell whether the first line that is not blank names none of the columns."""
    known = {name.casefold() for name in columns}
    first = next((line for line in text.splitlines() if line.strip()), "")
    cells = {cell.strip().strip('"').casefold() for cell in _CELLS.split(first)}
    return bool(first) and not cells & known


def plain_lines(text: str, *, pairs: bool) -> Iterator[tuple[int, str, list[str]]]:
    """Yield number, pair's own name (empty where it has none) and players of each line."""
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip():
            continue
        marked = _MARK.match(raw)
        line = raw[marked.end() :] if marked else raw
        name, colon, rest = line.partition(":") if pairs else ("", "", line)
        two = _split_names(rest if colon else line) if pairs else [line.strip()]
        yield number, name.strip() if colon else "", two


def _split_names(line: str) -> list[str]:
    """Return the names between the marks of a line."""
    mark = next((one for one in SEPARATORS if one in line), None)
    parts = _WORD.split(line) if mark is None else line.split(mark)
    return [part.strip() for part in parts if part.strip()]
