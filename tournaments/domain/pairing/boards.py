"""Converts a knock-out tree to the boards of a page: rounds, matches and their sides.

A known side is an entrant's number; an open side names the match that it comes out of. Matches
that nobody plays because of an empty place of the tree are left out, and those who go through
without playing are shown as such.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tournaments.domain.pairing import double, knockout, repesca
from tournaments.domain.pairing.brackets import Build, tree_progress
from tournaments.domain.pairing.knockout import STEP
from tournaments.domain.pairing.tree import Side, SideSource, TreeProgress
from tournaments.domain.rows import Entrant, Stage, Table

BUILDS: Final[Mapping[str, Build]] = MappingProxyType(
    {"knockout": knockout.build, "double": double.build, "repesca": repesca.build}
)
"""How the tree of each format is built."""


CONNECTOR_WIDTH: Final = 2
CONNECTOR_HEIGHT: Final = 4
"""Units of the box in which the connectors to a match are drawn: it is as high as the cell of the
match, and the two cells before it are half as high, so that their middles are at 1 and 3."""


class Board(StrEnum):
    """The parts of a tree."""

    MAIN = "main"
    LOWER = "lower"
    """Of those who have lost once."""
    FINAL = "final"
    """Between the winners of both boards."""
    THIRD = "third"
    """The match for third place."""


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match: an entrant, or the match that they come from.

    ``match`` is the number of the match that they come out of, as its winner or loser; 0 for a
    seed, or an empty side. ``hands`` are those that it won in the match, None before; ``absent``
    has lost by forfeit.
    """

    entrant: int | None
    match: int = 0
    won: bool = True
    hands: int | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Connector:
    """The line from the match that an entrant has won, or that is still open, to the next one.

    ``points`` are its corners in a box of `CONNECTOR_WIDTH` by `CONNECTOR_HEIGHT`, from the left
    edge to the middle of the right one.
    """

    entrant: int | None
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match, numbered from 1 through the tree; ``table`` is its round and table when drawn.

    ``is_walkover``: one side goes through without playing.
    """

    number: int
    places: tuple[BracketSide, BracketSide]
    winner: int | None = None
    table: tuple[int, int] | None = None
    is_walkover: bool = False

    @property
    def connectors(self) -> tuple[Connector, ...]:
        """The lines from the matches of the column before: of two a fork, of one a straight line.

        Those who lost in another board come from no match of the column before.
        """
        sources = [place for place in self.places if place.match and place.won]
        middle = CONNECTOR_HEIGHT // 2
        heights = (1, 3) if len(sources) > 1 else (middle,)
        half = CONNECTOR_WIDTH // 2
        return tuple(
            Connector(
                place.entrant,
                ((0, height), (half, height), (half, middle), (CONNECTOR_WIDTH, middle)),
            )
            for place, height in zip(sources, heights, strict=False)  # of none there is no line
        )


@dataclass(frozen=True, slots=True)
class Column:
    """The matches of one round of a board; ``place`` counts the board's rounds from 1."""

    board: Board
    place: int
    meetings: tuple[Meeting, ...]


def bracket(stage: Stage, entrants: Mapping[int, Entrant]) -> tuple[Column, ...]:
    """Return the columns of a stage that is played as a tree: board by board, round by round.

    Empty before it has begun. KeyError for a stage of another format.
    """
    build = BUILDS[stage.format]
    stage = replace(stage, rounds=stage.published)
    folded = tree_progress(build, stage, entrants, stage.next_round)
    open_tables = _open_tables(stage)
    tables = {(round_, table.number): table for round_, table in stage.tables()}
    numbered = [index for index in range(len(folded.tree)) if not _is_hole(folded, index)]
    numbers = {index: number for number, index in enumerate(numbered, start=1)}
    meetings: dict[tuple[Board, int], list[Meeting]] = {}
    for index in numbered:
        board = _board(stage.format, folded, index)
        key = board, folded.tree[index].place
        meetings.setdefault(key, []).append(
            _with_score(_meeting(folded, index, numbers, open_tables), tables)
        )
    return tuple(_columns(meetings))


def _columns(meetings: Mapping[tuple[Board, int], list[Meeting]]) -> list[Column]:
    columns = []
    for board in Board:
        places = sorted(place for column_board, place in meetings if column_board is board)
        columns += [
            Column(board, number, tuple(meetings[board, place]))
            for number, place in enumerate(places, start=1)
        ]
    return columns


def _board(format_: str, folded: TreeProgress, index: int) -> Board:
    match, last = folded.tree[index], len(folded.tree) - 1
    if format_ == "double":
        final = last - 1 if folded.tree[last].if_upset is not None else last
        if index >= final:
            return Board.FINAL
        return Board.MAIN if match.loser_rank is None else Board.LOWER
    if match.side_rank is not None:
        return Board.LOWER
    return Board.THIRD if match.loser_rank == STEP + 3 else Board.MAIN


def _is_hole(folded: TreeProgress, index: int) -> bool:
    """Tell whether nobody comes to a match, or a second final is not needed."""
    match = folded.tree[index]
    sides = folded.sides(match)
    if sides is not None:
        return sides == (None, None)
    return all(_is_empty_side(folded, side) for side in match.sides)


def _is_empty_side(folded: TreeProgress, side: Side) -> bool:
    """Tell whether it is known that nobody will come from a side."""
    if not isinstance(side, SideSource) or side.match in folded.outcomes:
        return folded.entrant_from(side) is None
    if side.won:
        return _is_hole(folded, side.match)
    return _is_hole(folded, side.match) or _has_single_side(folded, side.match)


def _has_single_side(folded: TreeProgress, index: int) -> bool:
    """Tell whether a match has one side at most, so that nobody loses it."""
    return any(_is_empty_side(folded, side) for side in folded.tree[index].sides)


def _meeting(
    folded: TreeProgress,
    index: int,
    numbers: Mapping[int, int],
    open_tables: Mapping[frozenset[int], tuple[int, int]],
) -> Meeting:
    match, outcome = folded.tree[index], folded.outcomes.get(index)
    places = tuple(_place(folded, side, numbers) for side in match.sides)
    if outcome is not None:
        places = tuple(
            replace(place, entrant=entrant)
            for place, entrant in zip(places, outcome.sides, strict=True)
        )
    entrants = frozenset(place.entrant for place in places if place.entrant is not None)
    alone = _has_single_side(folded, index)
    table = outcome.table if outcome is not None else None
    return Meeting(
        number=numbers[index],
        places=(places[0], places[1]),
        winner=None if outcome is None else outcome.winner,
        table=None if alone else table or open_tables.get(entrants),
        is_walkover=alone or (outcome is not None and table is None),
    )


def _with_score(meeting: Meeting, tables: Mapping[tuple[int, int], Table]) -> Meeting:
    """Return a meeting with the hands of its sides, where its table has a result that counts."""
    table = tables.get(meeting.table) if meeting.table else None
    if table is None or table.is_bye or not table.counts:
        return meeting
    first, second = (_place_with_score(place, table) for place in meeting.places)
    return replace(meeting, places=(first, second))


def _place_with_score(place: BracketSide, table: Table) -> BracketSide:
    if place.entrant is None or place.entrant not in table.entrants:
        return place
    side = table.side_of(place.entrant)
    hands = table.marks[side].hands if table.marks and not table.forfeits else None
    return replace(place, hands=hands, absent=side in table.forfeits)


def _place(folded: TreeProgress, side: Side, numbers: Mapping[int, int]) -> BracketSide:
    if not isinstance(side, SideSource):
        return BracketSide(folded.entrant_from(side))
    if side.match in folded.outcomes:
        entrant = folded.entrant_from(side)
        if entrant is None:  # a walkover has no loser: nobody is waited for
            return BracketSide(None)
        return BracketSide(entrant, numbers.get(side.match, 0), side.won)
    if _is_empty_side(folded, side):
        return BracketSide(None)
    if side.won and _has_single_side(folded, side.match):
        before = folded.tree[side.match].sides
        return _place(
            folded, next(origin for origin in before if not _is_empty_side(folded, origin)), numbers
        )
    return BracketSide(None, numbers[side.match], side.won)


def _open_tables(stage: Stage) -> dict[frozenset[int], tuple[int, int]]:
    """Return the tables of the last round by who sits there: those without a result yet."""
    last = stage.rounds[-1:]
    return {
        frozenset(table.entrants): (round_.number, table.number)
        for round_ in last
        for table in round_.tables
    }
