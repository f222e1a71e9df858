"""What a list holds once it is read: players, pairs, entrants, faults."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from tournaments.domain.names import fold_name

MAX_CODE_LENGTH: Final = 20
"""Characters of a player's or a pair's code."""


@dataclass(frozen=True, slots=True)
class RosterFault:
    """A fault in one line, with the text at fault. The first line of the file is 1.

    ``accepted`` are the fields that there are, of ``unknown_column``.
    """

    line: int
    code: str
    text: str = ""
    accepted: str = ""


FAULTS_OF_LISTS: Final = frozenset(
    {"too_large", "bad_encoding", "bad_csv", "players_unknown", "duplicate_column"}
    | {"misread_letters", "too_many", "file_sheet", "file_packed", "file_pdf", "file_record"}
    | {"file_deal", "file_report", "file_html"}
)
"""Faults that concern the whole list, not its line."""

DOUBTS: Final = frozenset(
    {"name_bracket", "name_sign", "name_open", "name_remark", "name_greeting"}
    | {"line_remark", "line_struck", "line_below", "line_label", "line_inverted", "misread_name"}
)
"""Faults of a line that may be right as it was read: it enters once that is said."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player of a list."""

    line: int
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class PairLine:
    """One pair of a list; ``first`` and ``second`` are codes of players."""

    line: int
    code: str
    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """An entrant to be entered, by names: a pair, or a player, who has no ``second``.

    ``name`` is the pair's own, empty where it has none. ``earlier`` are the names in the list of
    players whom the club knows by another name, by that name, which ``first`` and ``second`` have.
    """

    line: int
    name: str
    first: str
    second: str
    club: str
    rating: float
    earlier: Mapping[str, str] = field(default_factory=dict)


Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Roster(Generic[Line]):
    """A list as read; lines at fault are among the ``lines``, too.

    ``unread`` are the headings of the columns that are left out, of a list with codes.
    """

    lines: tuple[Line, ...]
    faults: tuple[RosterFault, ...]
    unread: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class ListedEntrant:
    """An entrant to be entered, as the API gives it: one player or two, by their names."""

    players: tuple[str, ...]
    name: str = ""
    club: str = ""
    rating: int = 0


Source = bytes | str | Sequence[ListedEntrant]
"""A list of entries: CSV, names as they are pasted, or what a program says."""


@dataclass(frozen=True, slots=True)
class WhoAnswer:
    """Which person a name of a list means: the one of this ``name``, else a new one.

    A new one has the ``mark`` that tells it from a namesake, if any. ``code`` is that of a player,
    before it is looked up. ``of`` is the folded name that it was given for, empty for any: a list
    that was corrected has other names in its lines.
    """

    name: str = ""
    mark: str = ""
    code: str = ""
    of: str = ""

    def is_for(self, text: str) -> bool:
        """Tell whether it is the answer for a name of the list."""
        return self.of in {"", fold_name(text)}


Seat = tuple[int, int]
"""A line of a list, and which of its players, from 1."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a list of entries is to be read; what is left out is recognised.

    ``columns`` are a field of `entry_fields` for each column. ``first_line`` is the first line with
    names. ``decimal_mark`` is the point or the comma. ``same`` are the names that persons of the
    list have in the club or in an earlier line, by the folded names in their lines. ``lines`` are
    the players of lines that were asked about; a line without players is left out. With
    ``repair`` letters that were decoded wrongly (“Ã±”) are put right. ``who`` says which persons
    names mean, by line and seat; with ``is_new_in_doubt`` names that are nearly those of others are
    new persons.
    """

    columns: tuple[str, ...] = ()
    first_line: int = 0
    decimal_mark: str = ""
    same: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    repair: bool = False
    who: Mapping[Seat, WhoAnswer] = field(default_factory=dict)
    is_new_in_doubt: bool = False

    def answer_to(self, seat: Seat, text: str) -> WhoAnswer | None:
        """Return which person a name means, if it was said."""
        answer = self.who.get(seat)
        if answer is not None and answer.is_for(text):
            return answer
        name = self.same.get(fold_name(text))
        return None if name is None else WhoAnswer(name)


RECOGNISE: Final = Reading()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list of entries: its heading, what it was taken for, and its first cells."""

    heading: str
    field: str
    examples: tuple[str, ...]


TITLE: Final = "title"
REPEATED: Final = "heading"
OPEN: Final = "open"
SAME: Final = "same"
MIRRORED: Final = "pair"
RESERVE: Final = "reserve"
"""Why a line enters nobody: a title, a repeated heading, a number without a name or a total, the
same single player, a pair from the other player's side, or the reserve of a pair."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that enters nobody: ``why`` is `TITLE` and the like."""

    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class EntryList(Roster[EnteredLine]):
    """A list of entries as read, and how.

    ``columns`` is empty for names that are pasted a line each. ``asked_rating`` is one that may
    be thousands or decimals, if any. ``marks`` counts the invisible characters taken off.
    ``texts`` are the lines as they are written, ``seen`` the names that were read of them.
    """

    columns: tuple[Column, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    first_line: int = 1
    asked_rating: str = ""
    marks: int = 0
    texts: Mapping[int, str] = field(default_factory=dict)
    seen: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
