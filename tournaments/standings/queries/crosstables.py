"""Crosstables of a stage: all against all, round by round, a bracket, or guide cards.

The view follows from the stage's format (`VIEWS`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from tournaments.core.cache import get_or_compute
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import TournamentSnapshot, key_of, tournament_snapshot
from tournaments.director.queries.tournaments import StageHead, TournamentHead, open_tournament
from tournaments.domain.ledger import Game, Kind
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.boards import BUILDS, Column, bracket
from tournaments.domain.pairing.boards import Board as TreeBoard
from tournaments.domain.rows import Round, Stage, Table
from tournaments.domain.standing_rows import Number
from tournaments.models import Match
from tournaments.standings.queries.standings import (
    EntryName,
    StageTables,
    entry_name,
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
        "duplicate": CARDS,
    }
)
"""The view of a stage by its format; round by round where the format is not listed."""

SEATS: Final = "ABCD"
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
    of it does.
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

    @property
    def rows(self) -> tuple[CrosstableRow, ...]:
        """The rows of all groups, one group after the other."""
        return tuple(row for group in self.groups for row in group.rows)

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

    The head's queries when it is cached, nine more when it is not. Refuses NOT_FOUND.
    """
    opened = open_tournament(slug, viewer)
    chosen = opened.head.stage(stage)
    snapshot = tournament_snapshot(opened.tournament)
    board = stage_tables(opened, chosen, snapshot)
    key = key_of("crosstable", opened.tournament, chosen.number)
    shown = get_or_compute(key, lambda: _computed(snapshot, chosen, board))
    disputed = _disputed(shown.matches.values()) if chosen.disputed else frozenset()
    return CrosstablePage(
        head=opened.head,
        stage=chosen,
        view=VIEWS.get(chosen.format, ROUNDS),
        disputed=disputed,
        key="-".join([key, *map(str, sorted(disputed))]),
        **shown._asdict(),
    )


def _disputed(matches: Iterable[int]) -> frozenset[int]:
    """Return which of these matches are under dispute; it is not cached, as it moves no place."""
    rows = Match.objects.filter(pk__in=matches, state=Match.State.DISPUTED).order_by()
    return frozenset(rows.values_list("pk", flat=True))


def _computed(
    snapshot: TournamentSnapshot, head: StageHead, board: StageTables
) -> CachedCrosstable:
    stage, view = snapshot.stage(head.number), VIEWS.get(head.format, ROUNDS)
    seen = _PublicStage(snapshot, stage)
    return CachedCrosstable(
        groups=tuple(
            CrosstableGroup(one.group, tuple(_rows(seen, board, one.group, view)))
            for one in board.groups
        ),
        rounds=seen.rounds,
        columns=bracket(stage, snapshot.rows.by_number) if view == BRACKET else (),
        cards=_cards(seen) if view == CARDS else (),
        matches=seen.matches,
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
        found: dict[int, tuple[Cell, ...]] = {}
        for game in self.tally.games(number):
            if (key := self.key(game)) is not None:
                hands, points = (game.hands, game.hands_against), (game.points, game.points_against)
                cell = Cell(key, _outcome(game), *hands, *points)
                for opponent in game.opponents:
                    found[opponent] = (*found.get(opponent, ()), cell)
        return found

    def round_cells(self, number: int) -> tuple[RoundCell, ...]:
        """Return an entry's cell of each round."""
        lines = {game.round: self._cell(game) for game in self.tally.games(number)}
        for round_ in self.stage.published:
            if round_.number in self.tally.ledger.open[number]:
                table = next(one for one in round_.tables if number in one.entrants)
                mine = table.sides[table.side_of(number)]
                others = tuple(n for n in table.entrants if n not in mine)
                key = self.matches.get((round_.number, table.number))
                lines[round_.number] = RoundCell("open", "", key, others)
        return tuple(lines.get(round_, RoundCell("")) for round_ in self.rounds)

    def _cell(self, game: Game) -> RoundCell:
        return RoundCell(
            game.kind.value,
            _outcome(game),
            self.key(game),
            game.opponents,
            game.hands,
            game.hands_against,
            rounded(game.match_points),
        )


def _outcome(game: Game) -> str:
    """Return the outcome of a game; if both sides were absent, both have lost."""
    if game.won:
        return "won"
    return "lost" if game.lost else "tied" if game.kind is Kind.PLAYED else ""


def _rows(seen: _PublicStage, board: StageTables, group: int, view: str) -> Iterable[CrosstableRow]:
    """Yield the rows of a group, with its own entries as columns."""
    table = next(one for one in board.groups if one.group == group)
    columns = [row.number for row in table.rows] if view == CROSSTABLE else []
    for row in table.rows:
        met = seen.meetings(row.number) if columns else {}
        yield CrosstableRow(
            rank=row.rank,
            number=row.number,
            name=row.name,
            shown_name=row.shown_name,
            match_points=row.match_points,
            cells=tuple(met.get(number, ()) for number in columns),
            rounds=() if view == CARDS else seen.round_cells(row.number),
            group=group,
            who=row.who,
        )


def _cards(seen: _PublicStage) -> tuple[Card, ...]:
    turns: dict[int, list[Turn]] = {number: [] for number in seen.stage.entrants}
    for round_ in seen.stage.published:
        for table in round_.tables:
            for number in table.entrants:
                turns[number].append(_turn(seen, round_, table, number))
    numbers = sorted(turns)
    return tuple(
        Card(number, seen.people[number].shown_name, tuple(turns[number])) for number in numbers
    )


def _turn(seen: _PublicStage, round_: Round, table: Table, number: int) -> Turn:
    side = table.side_of(number)
    mine = table.sides[side]

    def named(numbers: Iterable[int]) -> tuple[EntryName, ...]:
        return tuple(entry_name(seen.people[one]) for one in numbers)

    return Turn(
        round=round_.number,
        table=table.number,
        match_pk=0 if table.is_bye else seen.matches[round_.number, table.number],
        seat="" if table.is_bye else _seat(seen.stage, table, number),
        partners=named(one for one in mine if one != number),
        opponents=named(one for one in table.entrants if one not in mine),
        boards=table.boards,
    )


def _seat(stage: Stage, table: Table, number: int) -> str:
    """Return the letter of a seat; a pair that enters as one fills two."""
    side = table.side_of(number)
    mine = table.sides[side]
    if len(mine) == PARTNERS:
        return SEATS[side + PARTNERS * mine.index(number)]
    if FORMATS[stage.format].seats == PARTNERS:
        return f"{SEATS[side]}{SEATS[side + PARTNERS]}"
    return SEATS[side]
