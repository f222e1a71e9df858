"""The limits, codes and scale that writing and reading a report share."""

from collections.abc import Mapping
from typing import Final

from tournaments.domain.rows import Bye, Points, Scale

MAX_NUMBER: Final = 9999  # four columns
MAX_NAME_LENGTH: Final = 33  # columns 15 to 47
ROUNDS_AT: Final = 91
"""Columns before the first round; each round has ten."""

BYES: Final[Mapping[Bye, str]] = {
    Bye.PAIRING: "U",
    Bye.FULL: "F",
    Bye.HALF: "H",
    Bye.ZERO: "Z",
}
BYE_OF: Final[Mapping[str, Bye]] = {code: bye for bye, code in BYES.items()}
HEADERS: Final = ("022", "032", "042", "052", "082", "102", "112", "122", "132", "152")
"""Records about the event that are kept as they are, in the tournament's option ``trf``."""

SWISS, ROUND_ROBIN = "swiss", "liguilla"
TYPES: Final[Mapping[str, str]] = {
    SWISS: "Individual: Swiss-System",
    ROUND_ROBIN: "Individual: Round-Robin",
}


def with_defaults(win: Points, tie: Points, loss: Points, bye: Points) -> Scale:
    """A scale as a report can state it: byes and forfeits are worth what they stand for."""
    return Scale(
        win=win,
        tie=tie,
        loss=loss,
        bye=bye,
        full=win,
        half=tie,
        forfeit_win=win,
        forfeit_loss=Points(0),
    )
