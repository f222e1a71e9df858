"""Reads the ratings of a list, in which the point and the comma stand for thousands or decimals.

A group of three digits (``1.500``) may be either. It is read as thousands where the other ratings
of the list say so, and is asked about where they do not; it is never taken for decimals unasked.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

HIGHEST_RATING: Final = 100_000.0  # chosen: above every scale in use; more is a typing error
_LOWEST_OF_LARGE: Final = 100
"""From this rating on, ratings of one list are whole numbers of three digits and more."""

_PLAIN: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:[ '’][0-9]{3})+(?:[.,][0-9]{1,4})?", re.ASCII)
_AMBIGUOUS: Final = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}", re.ASCII)
_DECIMAL: Final = re.compile(r"[0-9]{1,6}([.,])[0-9]{1,4}", re.ASCII)
_BOTH: Final = re.compile(r"[0-9]{1,3}(?:([.,])[0-9]{3})+(?!\1)([.,])[0-9]{1,4}", re.ASCII)
_REPEATED: Final = re.compile(r"[0-9]{1,3}(?:([.,])[0-9]{3})(?:\1[0-9]{3})+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a column in its order: None for a cell that holds none.

    ``ambiguous`` are the places of cells that can be read in two ways; ``asked`` is the first of
    them, also once it is said which is meant.
    """

    values: tuple[float | None, ...]
    ambiguous: frozenset[int]
    asked: str = ""


def read_ratings(cells: Sequence[str], decimal_mark: str = "") -> Ratings:
    """Read the cells of a column; an empty one is 0.

    >>> read_ratings(["1.500", "900"]).values
    (1500.0, 900.0)
    >>> read_ratings(["1.500", "1.450"]).ambiguous
    frozenset({0, 1})
    """
    cells = [_without_spaces(cell.strip()) for cell in cells]
    known = _decimal_mark(cells)
    unclear = [
        place
        for place, cell in enumerate(cells)
        if _AMBIGUOUS.fullmatch(cell) and (not known or known in cell)
    ]
    mark = decimal_mark if decimal_mark and unclear else known
    return Ratings(
        tuple(_rating(cell, mark) for cell in cells),
        frozenset(() if decimal_mark else unclear),
        cells[unclear[0]] if unclear else "",
    )


def _without_spaces(cell: str) -> str:
    return re.sub("[ '’]", "", cell) if _GROUPED.fullmatch(cell) else cell


def _decimal_mark(cells: Sequence[str]) -> str:
    """Return the mark before decimals that the certain cells show; empty where they do not."""
    marks = {mark for cell in cells if (mark := _shown_mark(cell))}
    if len(marks) == 1:
        return marks.pop()
    thousands = {"," if "," in cell else "." for cell in cells if _AMBIGUOUS.fullmatch(cell)}
    if not marks and len(thousands) == 1 and _are_large(cells):
        return "." if "," in thousands else ","
    return ""


def _shown_mark(cell: str) -> str:
    """Return the decimal mark of a cell that can be read in one way only."""
    if both := _BOTH.fullmatch(cell):
        return both[2]
    if repeated := _REPEATED.fullmatch(cell):
        return "," if repeated[1] == "." else "."
    if not _AMBIGUOUS.fullmatch(cell) and (decimal := _DECIMAL.fullmatch(cell)):
        return decimal[1]
    return ""


def _are_large(cells: Iterable[str]) -> bool:
    """Tell whether there are whole numbers, and all of them have three digits or more."""
    whole = [int(cell) for cell in cells if _PLAIN.fullmatch(cell) and int(cell)]
    return bool(whole) and min(whole) >= _LOWEST_OF_LARGE


def _rating(cell: str, mark: str) -> float | None:
    if not cell:
        return 0.0
    if _AMBIGUOUS.fullmatch(cell) and mark not in cell:
        number = re.sub("[.,]", "", cell)
    elif _BOTH.fullmatch(cell) or _REPEATED.fullmatch(cell):
        own = _shown_mark(cell)
        number = re.sub("[.,]", "", cell) if own not in cell else _decimal(cell, own)
    elif _PLAIN.fullmatch(cell) or _DECIMAL.fullmatch(cell):
        number = cell.replace(",", ".")
    else:
        return None
    return value if (value := float(number)) <= HIGHEST_RATING else None


def _decimal(cell: str, mark: str) -> str:
    """Return a number in groups as Python writes it."""
    whole, _mark, decimals = cell.rpartition(mark)
    return f"{re.sub('[.,]', '', whole)}.{decimals}"
