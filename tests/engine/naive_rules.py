"""The rules said a second time, as plainly as possible: R1 to R3, and what a verdict remarks.

Nothing here is fast and nothing is shared with the engine: cards are strings such as ``"Ro"``,
hands are lists, a row of R3 is a plain dict, and each function is beside the rule of
``rules.md`` whose number it cites (``F1`` and ``F3`` are sections of ``record-format.md``).
`tests.engine.naive` is where to begin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# --------------------------------------------------------------------------- R1: words

SUITS = ["o", "c", "e", "b"]
RANKS = ["1", "3", "R", "C", "S", "7", "6", "5", "4", "2"]  # R1: high to low
TANTOS = {"1": 11, "3": 10, "R": 4, "C": 3, "S": 2, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}
PACK = [rank + suit for suit in SUITS for rank in RANKS]
LAST_TEN = 10  # R1: últimas


def rank_of(card: str) -> str:
    return card[0]


def suit_of(card: str) -> str:
    return card[1]


def is_stronger(card: str, other: str) -> bool:
    """R1: of two cards of one suit, the first beats the second."""
    return RANKS.index(rank_of(card)) < RANKS.index(rank_of(other))


def strongest(cards: Iterable[str]) -> str:
    return min(cards, key=lambda card: RANKS.index(rank_of(card)))


def of_suit(suit: str, cards: Iterable[str]) -> list[str]:
    return [card for card in cards if suit_of(card) == suit]


# --------------------------------------------------------------------------- R2: seats

SEATS = ["A", "B", "C", "D"]  # R2.1: in playing order
SIDES = ["AC", "BD"]  # R2.2: in pairs


def seat_after(seat: str, seats: Sequence[str] = SEATS) -> str:
    """R2.1: the seat after the last is A."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def side_of(seat: str) -> str:
    """R2.2: in pairs the sides are AC and BD."""
    return "AC" if seat in ["A", "C"] else "BD"


# --------------------------------------------------------------------------- R3: the rulesets


NAMES = ["habanero", "mano-a-mano", "parejas", "parejas-online", "cuatro", "arrastrado"]

Cell = TypeVar("Cell")


def row(*cells: Cell) -> dict[str, Cell]:
    """A row of R3, in its order of columns."""
    return dict(zip(NAMES, cells, strict=True))


ANY = 99
PLAYERS = row([2], [2], [4], [4], [4], [3, 4])
IN_PAIRS = row(False, False, True, True, True, False)
CARDS_EACH = row(8, 8, 10, 10, 10, 13)
STOCK = row(24, 24, 0, 0, 0, 0)
TRUMP_SHOWN = row("stock", "stock", "dealer", "dealer", "dealer", "set aside")
FOLLOW_ONLY = row(False, True, False, False, False, False)  # R4.6, while the stock lasts
PISAR = row(False, False, False, True, True, True)  # R4.4a, else R4.4b
EXCHANGE = row("R5.3", "R5.4", "", "", "", "R5.5")
MAX_DECLARATIONS = row(ANY, 1, ANY, 1, 1, 1)  # R6.4
ORDER = row("R6.5a", "", "R6.5b", "R6.5c", "", "R6.5d")
STOCK_TO_DECLARE = row(3, 0, 0, 0, 0, 0)  # until: the number of cards that must be left
OMITTED_IS_LOST = row(False, False, True, True, False, False)  # R6.6
FIRST_WON_TRICK_ONLY = row(False, False, True, False, False, False)
TUTES = row("R", "", "R", "RC", "RC", "RC")
RACE_TO_101 = row(False, True, False, False, False, False)  # R9
TARGET = row(3, 1, 3, 3, 3, 3)  # R7.4, unless the record says otherwise


@dataclass(frozen=True)
class Table:
    """What is the same for all hands of a match: the ruleset, who sits there, the stakes (R8)."""

    ruleset: str = "parejas-online"
    players: int = 4
    stakes: str = "none"

    @property
    def seats(self) -> list[str]:
        return SEATS[: self.players]

    @property
    def sides(self) -> list[str]:
        """R2.2."""
        return SIDES if IN_PAIRS[self.ruleset] else self.seats

    def sitting_out(self, dealer: str) -> str | None:
        """R8.1: with four at the table of `arrastrado`, the dealer."""
        return dealer if self.ruleset == "arrastrado" and self.players == 4 else None

    def active(self, dealer: str) -> list[str]:
        """Who plays a hand, in playing order from A."""
        return [seat for seat in self.seats if seat != self.sitting_out(dealer)]

    def sides_of_hand(self, dealer: str) -> list[str]:
        return SIDES if IN_PAIRS[self.ruleset] else self.active(dealer)


LIGA = Table()  # the ruleset of the club's liga, where nothing else is said


def table_of(record: Mapping[str, Any]) -> Table:
    stakes = record.get("options", {}).get("stakes", "none")
    return Table(record["ruleset"], len(record["seats"]), stakes)


# --------------------------------------------------------------------------- F3: what is remarked


@dataclass(frozen=True)
class Remark:
    """A fault, or a notice: F3's fields that the rules decide (never its words)."""

    code: str
    rule: str
    hand: int | None = None
    trick: int | None = None
    token: int | None = None
    seat: str | None = None
    card: str | None = None
    legal: frozenset[str] = frozenset()
    declaration: str | None = None
