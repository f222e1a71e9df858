"""Marks cards as slip, mistake or blunder where both losses name the same better card."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple


class Grade(NamedTuple):
    """A mark: its name, its sign, and the least that both losses must be, in points."""

    name: str
    sign: str
    open_loss: int
    fair_loss: float


SLIP: Final = Grade("slip", "?!", 3, 2.0)
MISTAKE: Final = Grade("mistake", "?", 5, 5.0)
BLUNDER: Final = Grade("blunder", "??", 10, 10.0)
GRADES: Final = (SLIP, MISTAKE, BLUNDER)
"""In ascending order; a card gets the highest grade whose thresholds it reaches."""

CERTAINTY: Final = 2.0
"""Standard errors that a fair loss must exceed to count for a mark."""


class Rival(NamedTuple):
    """Another legal card, and what it would have gained over the one that was played.

    ``open`` with all cards seen, ``fair`` on average over the deals that the player could not tell
    apart, ``error`` its standard error.
    """

    card: int
    open: int
    fair: float
    error: float


def find_mark(rivals: Sequence[Rival]) -> tuple[Grade, Rival] | None:
    """The grade of a card and the card that was better; ``None`` where there is nothing to mark."""
    for grade in reversed(GRADES):
        better = [rival for rival in rivals if _reaches(grade, rival)]
        if better:
            return grade, max(better, key=lambda rival: (rival.fair, rival.open, -rival.card))
    return None


def _reaches(grade: Grade, rival: Rival) -> bool:
    sure = rival.fair > CERTAINTY * rival.error
    return sure and rival.open >= grade.open_loss and rival.fair >= grade.fair_loss


def no_marks() -> dict[str, int]:
    """No card marked yet, by grade."""
    return {grade.name: 0 for grade in GRADES}


MARKS: Final[Mapping[str, str]] = {grade.name: grade.sign for grade in GRADES}
"""The sign of each mark, as chess writes them."""
