"""Crosstables of a stage: all against all, round by round, a bracket, or guide cards.

The view follows from the stage's format (`VIEWS`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from tournaments.core.cache import get_or_compute
from tournaments.core.permissions import Actor
from tournaments.director.queries.filled import FilledBefore
from tournaments.director.queries.snapshot import TournamentSnapshot, key_of, tournament_snapshot
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.ledger import BYES, Game
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.boards import BUILDS, Column, bracket
from tournaments.domain.pairing.boards import Board as TreeBoard
from tournaments.domain.rows import Round, Stage, Table
from tournaments.domain.standing_rows import Number
from tournaments.models import Match
from tournaments.standings.queries.course import outcome_of
from tournaments.standings.queries.standings import (
    EntryName,
    StageTables,
    entry_name,
    filled_of,
    rounded,
    stage_tables,
)

CROSSTABLE, ROUNDS, BRACKET, CARDS = "crosstable", "rounds", "bracket", "cards"

VIEWS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "liguilla": CROSSTABLE,
        "groups": CROSSTABLE,
        **dict.fromkeys(BUILDS, BRACKET),
        "individual": CARDS,
        "threes": CARDS,
        "tables": CARDS,
        "duplicate": CARDS,
    }
)
"""The view of a stage by its format; round by round where the format is not listed."""

SEATS: Final = "ABCDE"
PARTNERS: Final = 2
"""Entries on a side, where single players form pairs."""


class Cell(NamedTuple):
    """One match seen from the row's side; ``outcome`` is ``won``, ``tied`` or ``lost``."""

    match_pk: int
    outcome: str
    hands_for: int
    hands_against: int
    points_for: int
    points_against: int


class RoundCell(NamedTuple):
    """One round seen from the row's side.

    ``kind`` is as in the sums (``played``, ``half_bye``, …, ``open``), or empty where the entry
    had no part in the round. ``opponents`` are numbers of entries.
    """

    kind: str
    outcome: str = ""
    match_pk: int | None = None
    opponents: tuple[int, ...] = ()
    hands_for: int = 0
    hands_against: int = 0
    match_points: Number = 0


class CrosstableRow(NamedTuple):
    """One entry against all, in the order of the standings.

    ``cells`` has a tuple for each column, empty where nothing was played; it is empty itself where
    the stage is not shown as a crosstable. ``rounds`` has a cell for each round of the stage.
    ``who`` identifies the player, pair or bot (``player-12``, ``pair-5``, ``bot-azar``).
    """

    rank: int
    number: int
    name: str
    shown_name: str
    match_points: Number
    cells: tuple[tuple[Cell, ...], ...]
    rounds: tuple[RoundCell, ...] = ()
    group: int = 0
    who: str = ""


class CrosstableGroup(NamedTuple):
    """The crosstable of a group; ``group`` is 0 where there are none."""

    group: int
    rows: tuple[CrosstableRow, ...]


class Turn(NamedTuple):
    """A line of a guide card: the seat of an entry in a round, its partners and opponents.

    ``seat`` is a letter, two where a pair fills both; empty in a bye. ``boards`` are the deals.
    """

    round: int
    table: int
    match_pk: int
    seat: str
    partners: tuple[EntryName, ...]
    opponents: tuple[EntryName, ...]
    boards: tuple[int, ...]


class Card(NamedTuple):
    """The guide card of an entry."""

    number: int
    name: str
    turns: tuple[Turn, ...]


class CachedCrosstable(NamedTuple):
    """The cached part of a crosstable page; ``entries`` are names by number."""

    groups: tuple[CrosstableGroup, ...]
    rounds: tuple[int, ...]
    columns: tuple[Column, ...]
    cards: tuple[Card, ...]
    matches: Mapping[tuple[int, int], int]
    entries: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    """A crosstable page; rows and columns (``names``) in the order of the standings.

    ``view`` is ``crosstable``, ``rounds`` (the numbers in ``rounds``), ``bracket`` (``columns``)
    or ``cards``. ``matches`` are the keys of matches by round and table, ``entries`` the names of
    entries by number, ``disputed`` the keys of matches under dispute. ``key`` changes whenever any
    of it does. ``filled`` as on the page of the standings.
    """

    head: TournamentHead
    stage: StageHead
    view: str
    groups: tuple[CrosstableGroup, ...]
    rounds: tuple[int, ...]
    columns: tuple[Column, ...]
    cards: tuple[Card, ...]
    matches: Mapping[tuple[int, int], int]
    entries: Mapping[int, str]
    disputed: frozenset[int]
    key: str
    filled: tuple[FilledBefore, ...] = ()

    @property
    def rows(self) -> tuple[CrosstableRow, ...]:
        """The rows of all groups, one group after the other."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def places(self) -> dict[int, int]:
        """The row of each entry in its group, from 1: cells of rounds name opponents by it."""
        return {
            row.number: place
            for group in self.groups
            for place, row in enumerate(group.rows, start=1)
        }

    @property
    def last_board(self) -> str:
        """The board that ends with the final: of two boards the final itself, if it is known."""
        boards = {column.board for column in self.columns}
        return TreeBoard.FINAL if TreeBoard.FINAL in boards else TreeBoard.MAIN

    @property
    def has_final(self) -> bool:
        """Whether one match decides the tree: a stage may end with several who go on."""
        return any(
            column.board == self.last_board and len(column.meetings) == 1 for column in self.columns
        )

    @property
    def champion(self) -> int | None:
        """The entrant who has won the final, the second one if it was played again."""
        finals = [column for column in self.columns if column.board == self.last_board]
        return finals[-1].meetings[-1].winner if self.has_final else None

    @property
    def has_two_boards(self) -> bool:
        """The losers play on in a board of their own."""
        return any(column.board is TreeBoard.LOWER for column in self.columns)

    @property
    def names(self) -> tuple[EntryName, ...]:
        """The entries in the order of the rows."""
        return tuple(EntryName(row.number, row.name, row.shown_name) for row in self.rows)


def crosstable_page(slug: str, viewer: Actor, stage: int | None = None) -> CrosstablePage:
    """Return the crosstable of a stage, by default the one in play.

    The head's queries when it is cached, ten more when it is not. Refuses NOT_FOUND.
    """
    access = open_tournament(slug, viewer)
    stage_head = access.head.stage(stage)
    snapshot = tournament_snapshot(access.tournament)
    board = stage_tables(access, stage_head, snapshot)
    key = key_of("crosstable", access.tournament, stage_head.number)
    crosstable = get_or_compute(key, lambda: _computed(snapshot, stage_head, board))
    disputed = _disputed(crosstable.matches.values()) if stage_head.disputed else frozenset()
    return CrosstablePage(
        head=access.head,
        stage=stage_head,
        view=VIEWS.get(stage_head.format, ROUNDS),
        disputed=disputed,
        key="-".join([key, *map(str, sorted(disputed))]),
        filled=filled_of(access, stage_head),
        **crosstable._asdict(),
    )


def _disputed(matches: Iterable[int]) -> frozenset[int]:
    """Return which of these matches are under dispute; it is not cached, as it moves no place."""
    rows = Match.objects.filter(pk__in=matches, state=Match.State.DISPUTED).order_by()
    return frozenset(rows.values_list("pk", flat=True))


def _computed(
    snapshot: TournamentSnapshot, head: StageHead, board: StageTables
) -> CachedCrosstable:
    stage, view = snapshot.stage(head.number), VIEWS.get(head.format, ROUNDS)
    public_stage = _PublicStage(snapshot, stage)
    return CachedCrosstable(
        groups=tuple(
            CrosstableGroup(group.group, tuple(_rows(public_stage, board, group.group, view)))
            for group in board.groups
        ),
        rounds=public_stage.rounds,
        columns=bracket(stage, snapshot.rows.by_number) if view == BRACKET else (),
        cards=_cards(public_stage, stage.published) if view == CARDS else (),
        matches=public_stage.matches,
        entries=snapshot.rows.shown_names,
    )


class _PublicStage:
    """The public part of a stage: each entry's games, open tables, keys of matches."""

    def __init__(self, snapshot: TournamentSnapshot, stage: Stage) -> None:
        self.stage = stage
        self.tally = snapshot.tally(stage.number)
        self.rounds = self.tally.ledger.rounds
        self.matches = snapshot.matches
        self.people = snapshot.rows.by_number
        self.is_rested = {
            (round_.number, table.number)
            for round_ in stage.rounds
            for table in round_.tables
            if table.is_bye
        }

    def key(self, game: Game) -> int | None:
        """Return the key of a game's match; ``None`` for a bye."""
        where = game.round, game.table
        return None if where in self.is_rested else self.matches.get(where)

    def meetings(self, number: int) -> dict[int, tuple[Cell, ...]]:
        """Return an entry's matches by opponent."""
        cells_by_opponent: dict[int, tuple[Cell, ...]] = {}
        for game in self.tally.games(number):
            if (key := self.key(game)) is not None:
                hands, points = (game.hands, game.hands_against), (game.points, game.points_against)
                cell = Cell(key, outcome_of(game), *hands, *points)
                for opponent in game.opponents:
                    cells_by_opponent[opponent] = (*cells_by_opponent.get(opponent, ()), cell)
        return cells_by_opponent

    def round_cells(self, number: int) -> tuple[RoundCell, ...]:
        """Return an entry's cell of each round."""
        lines = {game.round: self._cell(game) for game in self.tally.games(number)}
        for round_ in self.stage.published:
            if round_.number in self.tally.ledger.open[number]:
                table = next(table for table in round_.tables if number in table.entrants)
                own_side = table.sides[table.side_of(number)]
                others = tuple(n for n in table.entrants if n not in own_side)
                where = round_.number, table.number
                key = None if table.is_bye else self.matches.get(where)
                kind = "open" if table.bye is None else BYES[table.bye].value
                lines[round_.number] = RoundCell(kind, "", key, others)
        return tuple(lines.get(round_, RoundCell("")) for round_ in self.rounds)

    def _cell(self, game: Game) -> RoundCell:
        return RoundCell(
            game.kind.value,
            outcome_of(game),
            self.key(game),
            game.opponents,
            game.hands,
            game.hands_against,
            rounded(game.match_points),
        )


def _rows(
    public_stage: _PublicStage, board: StageTables, group: int, view: str
) -> Iterable[CrosstableRow]:
    """Yield the rows of a group, with its own entries as columns."""
    table = next(table for table in board.groups if table.group == group)
    columns = [row.number for row in table.rows] if view == CROSSTABLE else []
    for row in table.rows:
        cells_by_opponent = public_stage.meetings(row.number) if columns else {}
        yield CrosstableRow(
            rank=row.rank,
            number=row.number,
            name=row.name,
            shown_name=row.shown_name,
            match_points=row.match_points,
            cells=tuple(cells_by_opponent.get(number, ()) for number in columns),
            rounds=() if view == CARDS else public_stage.round_cells(row.number),
            group=group,
            who=row.who,
        )


def guide_cards(access: VisibleTournament, head: StageHead) -> tuple[Card, ...]:
    """Return the guide cards of a stage with the rounds that the viewer sees, also drafts.

    None where the partners or opponents of a stage do not follow a plan. Nine queries.
    """
    if VIEWS.get(head.format) != CARDS:
        return ()
    snapshot = tournament_snapshot(access.tournament)
    seen = set(access.visible_rounds)
    whole = snapshot.stage(head.number)
    rounds = tuple(round_ for round_ in whole.rounds if round_.number in seen)
    cards = _cards(_PublicStage(snapshot, whole), rounds)
    return tuple(card for card in cards if card.turns)


def _cards(public_stage: _PublicStage, rounds: Iterable[Round]) -> tuple[Card, ...]:
    turns: dict[int, list[Turn]] = {number: [] for number in public_stage.stage.entrants}
    for round_ in rounds:
        for table in round_.tables:
            for number in table.entrants:
                turns[number].append(_turn(public_stage, round_, table, number))
    numbers = sorted(turns)
    return tuple(
        Card(number, public_stage.people[number].shown_name, tuple(turns[number]))
        for number in numbers
    )


def _turn(public_stage: _PublicStage, round_: Round, table: Table, number: int) -> Turn:
    side = table.side_of(number)
    own_side = table.sides[side]

    def named(numbers: Iterable[int]) -> tuple[EntryName, ...]:
        return tuple(entry_name(public_stage.people[entrant]) for entrant in numbers)

    return Turn(
        round=round_.number,
        table=table.number,
        match_pk=0 if table.is_bye else public_stage.matches[round_.number, table.number],
        seat="" if table.is_bye else _seat(public_stage.stage, table, number),
        partners=named(entrant for entrant in own_side if entrant != number),
        opponents=named(entrant for entrant in table.entrants if entrant not in own_side),
        boards=table.boards,
    )


def _seat(stage: Stage, table: Table, number: int) -> str:
    """Return the letter of a seat; a pair that enters as one fills two."""
    side = table.side_of(number)
    own_side = table.sides[side]
    if len(own_side) == PARTNERS:
        return SEATS[side + PARTNERS * own_side.index(number)]
    if FORMATS[stage.format].seats == PARTNERS:
        return f"{SEATS[side]}{SEATS[side + PARTNERS]}"
    return SEATS[side]
