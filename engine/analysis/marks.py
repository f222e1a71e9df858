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
"""Standard errors to either side that may not lead to another grade (docs/programs/analysis.md)."""


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
    """The mildest grade within the error, and the card that was better; ``None`` for no mark.

    The mildest, because a mark accuses: what the sample leaves open is not held against a player.
    """
    grade = _grade(rivals, -CERTAINTY)
    if grade is None:
        return None
    better = [rival for rival in rivals if _reaches(grade, rival, -CERTAINTY)]
    return grade, max(better, key=lambda rival: (rival.fair, rival.open, -rival.card))


def is_stable(rivals: Sequence[Rival]) -> bool:
    """Whether every value of the gains within the error gives the same grade."""
    return _grade(rivals, -CERTAINTY) == _grade(rivals, CERTAINTY)


def _grade(rivals: Sequence[Rival], errors: float) -> Grade | None:
    """The highest grade if every fair gain lies ``errors`` standard errors above its estimate."""
    grades = (
        grade
        for grade in reversed(GRADES)
        if any(_reaches(grade, rival, errors) for rival in rivals)
    )
    return next(grades, None)


def _reaches(grade: Grade, rival: Rival, errors: float) -> bool:
    fair = rival.fair + errors * rival.error
    return rival.open >= grade.open_loss and fair >= grade.fair_loss


def no_marks() -> dict[str, int]:
    """No card marked yet, by grade."""
    return {grade.name: 0 for grade in GRADES}


MARKS: Final[Mapping[str, str]] = {grade.name: grade.sign for grade in GRADES}
"""The sign of each mark, as chess writes them."""
