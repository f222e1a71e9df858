"""Frozen rows with all the data of a paper. Nothing here uses a framework."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from tournaments.domain.names import PARTNERS
from tournaments.domain.scores import Length
from tournaments.domain.standing_rows import GroupRows


@dataclass(frozen=True, slots=True)
class Masthead:
    """The head of a paper; ``stage`` is empty if there is only one, ``round`` 0 if it has none.

    ``has_draft``: the round is not published, and the paper says so.
    """

    tournament: str
    club: str
    stage: str = ""
    round: int = 0
    has_draft: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """The player at a seat letter."""

    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a table: its name, its people at their seats, the numbers of its entries."""

    name: str
    seats: tuple[Seat, ...]
    entries: tuple[int, ...]

    @property
    def letters(self) -> str:
        """The seats of the side: ``A-C``."""
        return "-".join(seat.letter for seat in self.seats)

    @property
    def has_own_name(self) -> bool:
        """Whether its name is more than the names of its people."""
        return self.name != PARTNERS.join(seat.name for seat in self.seats)


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table of a round, or a bye, with the ``length`` of its match.

    ``boards`` are the deals of a duplicate table; ``typed_only``: its places are written down.
    """

    number: int
    sides: tuple[Side, ...]
    boards: tuple[int, ...] = ()
    length: Length | None = None
    typed_only: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether no match is played there."""
        return len(self.sides) == 1


@dataclass(frozen=True, slots=True)
class PairingsByTable:
    """The pairings of a round in table order."""

    head: Masthead
    tables: tuple[SheetTable, ...]


@dataclass(frozen=True, slots=True)
class NameLine:
    """A line of the pairings by name, one a person; ``table`` is 0 for a person who has the bye."""

    name: str
    table: int
    letters: str
    with_: str
    against: str


@dataclass(frozen=True, slots=True)
class PairingsByName:
    """The pairings of a round in name order."""

    head: Masthead
    lines: tuple[NameLine, ...]


@dataclass(frozen=True, slots=True)
class TableCards:
    """A card for each table, with the address at which its people find it and report."""

    head: Masthead
    tables: tuple[SheetTable, ...]
    address: str


@dataclass(frozen=True, slots=True)
class ScoreSheets:
    """A sheet for each table, with as many rows as a match can have hands.

    ``hands`` names its rows: ``1``, ``2`` …, ``1.2`` for a hand of a coto; a table with its own
    deals has their numbers instead. ``counts`` is the unit of ``length``: ``first_to`` or ``fixed``
    hands, or ``cotos``, at most. ``remark`` is what lateness costs, or empty.
    """

    head: Masthead
    tables: tuple[SheetTable, ...]
    ruleset: str
    length: int
    counts: str
    hands: tuple[str, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of a stage, a table for each group (0: none), after ``after`` closed rounds.

    ``by_line``: the groups are the two lines of a Mitchell.

    ``hidden`` columns have no data; ``remark`` is what to know before reading them, or empty.
    """

    head: Masthead
    after: int
    is_final: bool
    is_provisional: bool
    columns: tuple[str, ...]
    groups: tuple[GroupRows, ...]
    cotos: int = 1
    hidden: tuple[str, ...] = ()
    remark: str = ""
    by_line: bool = False

    @property
    def has_percentages(self) -> bool:
        """Whether deals are compared by match points, and some have been."""
        return any(row.possible for group in self.groups for row in group.rows)


SELF: Final = "self"
"""The outcome of the cell of an entry against itself."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The outcome of a meeting or a round: ``won``, ``tied``, ``lost``, ``self`` or empty.

    Text after a line break is written below; an empty text is a match not played.
    """

    text: str
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A row of a crosstable."""

    name: str
    cells: tuple[Cell, ...]
    match_points: float


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A crosstable. ``rounds`` are the columns, or, if empty, the rows themselves."""

    head: Masthead
    rounds: tuple[int, ...]
    groups: tuple[tuple[int, tuple[CrossRow, ...]], ...]


@dataclass(frozen=True, slots=True)
class BracketLine:
    """A match of a bracket.

    ``sides`` are names, or ``(True, 3)`` for the winner of match 3, ``(False, 3)`` for its loser.
    """

    number: int
    sides: tuple[str | tuple[bool, int], str | tuple[bool, int]]
    winner: int | None
    score: str


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of a board (``main``, ``lower``, ``final``, ``third``), counted from 1."""

    board: str
    place: int
    meetings: tuple[BracketLine, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket, round by round. ``is_double``: losers play on."""

    head: Masthead
    columns: tuple[BracketColumn, ...]
    is_double: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of a guide card; without a ``seat`` the entry has a bye."""

    round: int
    table: int
    seat: str
    partners: str
    opponents: str
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GuideCard:
    """An entry's seats in every round."""

    number: int
    name: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class GuideCards:
    """A guide card for each entry."""

    head: Masthead
    cards: tuple[GuideCard, ...]


@dataclass(frozen=True, slots=True)
class Winner:
    """The recipient of a diploma, with the prize of the place."""

    place: int
    name: str
    players: tuple[str, ...]
    prize: str = ""


@dataclass(frozen=True, slots=True)
class Diplomas:
    """A diploma for each winner; ``day`` is missing until a round has been closed."""

    head: Masthead
    city: str
    day: date | None
    winners: tuple[Winner, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """An entry's code and its address."""

    number: int
    name: str
    code: str
    address: str


@dataclass(frozen=True, slots=True)
class Codes:
    """A slip for each entry, to be handed to its people alone.

    ``commitment`` binds the seed of the draw to come, so that every entry has it beforehand.
    """

    head: Masthead
    codes: tuple[Code, ...]
    commitment: str = ""


@dataclass(frozen=True, slots=True)
class Poster:
    """A poster for the wall: lines in words, and the address where people sign up.

    ``notice`` says that the tournament is cancelled, ``call`` what the QR code is for.
    """

    head: Masthead
    when: str
    place: str
    lines: tuple[str, ...]
    notice: str
    call: str
    address: str


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of texts: its first column is wide, the others are aligned to the right."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Account:
    """The money of a tournament for the treasurer, in words and amounts of one language."""

    head: Masthead
    title: str
    note: str
    tables: tuple[TextTable, ...]


@dataclass(frozen=True, slots=True)
class WeekSheet:
    """The matches of some days: a table for each, of the number, the sides and an empty score."""

    head: Masthead
    title: str
    days: tuple[TextTable, ...]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of a picture: place or table, names, points or score; ``leads`` marks the first."""

    place: str
    name: str
    points: str
    leads: bool = False


@dataclass(frozen=True, slots=True)
class ShareCard:
    """What the picture says; ``line`` is below the title, ``state`` at the foot.

    ``note`` is below the rows, where there are few, or in their place. ``photo`` is a picture in
    any format, at the right of the head; empty for none.
    """

    title: str
    line: str
    rows: tuple[CardRow, ...]
    state: str
    note: str = ""
    photo: bytes = b""


@dataclass(frozen=True, slots=True)
class TravellingLine:
    """A table that plays a deal: round, table, and the numbers of the entries on both sides."""

    round: int
    table: int
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class TravellingSlip:
    """The slip that goes with a deal from table to table; ``dealer`` is a seat."""

    board: int
    dealer: str
    lines: tuple[TravellingLine, ...]


@dataclass(frozen=True, slots=True)
class TravellingSlips:
    """A slip for each deal of a stage."""

    head: Masthead
    slips: tuple[TravellingSlip, ...]


@dataclass(frozen=True, slots=True)
class SeatCards:
    """The cards of a seat, the highest first."""

    seat: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealtBoard:
    """A deal with its cards; ``trump`` is the card that shows trumps, ``stock`` may be empty."""

    number: int
    dealer: str
    trump: str
    seats: tuple[SeatCards, ...]
    stock: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DealRecord:
    """The cards of all deals of a stage; ``is_open`` once all have been played."""

    head: Masthead
    boards: tuple[DealtBoard, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class SeatSlips:
    """A slip with the cards of each seat of each deal."""

    head: Masthead
    boards: tuple[DealtBoard, ...]


@dataclass(frozen=True, slots=True)
class PersonalLine:
    """A deal of an entry: points of its side and the other, the differences of the field.

    ``field`` are those of all tables on the same side, the best first.
    """

    board: int
    round: int
    seats: str
    against: str
    points: tuple[int, ...]
    field: tuple[int, ...]
    award: float
    percentage: float | None


@dataclass(frozen=True, slots=True)
class PersonalSheet:
    """The deals of an entry, with what they earned together."""

    number: int
    name: str
    lines: tuple[PersonalLine, ...]
    total: float
    percentage: float | None


@dataclass(frozen=True, slots=True)
class PersonalSheets:
    """A sheet for each entry of a duplicate."""

    head: Masthead
    sheets: tuple[PersonalSheet, ...]
    has_percentages: bool


Sheet = (
    PairingsByTable
    | PairingsByName
    | TableCards
    | ScoreSheets
    | Standings
    | Crosstable
    | Bracket
    | GuideCards
    | Diplomas
    | Codes
    | Poster
    | Account
    | TravellingSlips
    | DealRecord
    | SeatSlips
    | PersonalSheets
    | WeekSheet
)
"""All kinds of rows that can be drawn."""
