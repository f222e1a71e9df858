"""The standings of a stage, kept under the tournament's version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tournaments.domain.ranking import GroupTable, Line, order_of, ranking, tables
from tournaments.domain.rows import Entrant, Penalty
from tournaments.domain.standing_rows import GroupRows, Number, PenaltyRow, StandingRow, Value
from tournaments.permissions import Actor
from tournaments.queries.cached import remembered
from tournaments.queries.heads import Opened, StageHead, TournamentHead, open_tournament
from tournaments.queries.versions import Paper, key_of, paper_of

DIRECT = ("direct_encounter", "direct_of_two", "extended_direct_encounter")
"""Criteria of the games that the tied played among themselves, in match points."""


class Board(NamedTuple):
    """A stage's table as it is kept: the criteria of its order by code, and a table a group."""

    columns: tuple[str, ...]
    groups: tuple[GroupRows, ...]


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The standings of a stage; ``columns`` are the criteria of its order."""

    head: TournamentHead
    stage: StageHead
    columns: tuple[str, ...]
    groups: tuple[GroupRows, ...]

    @property
    def rows(self) -> tuple[StandingRow, ...]:
        """The lines of all groups, one group after the other."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def provisional(self) -> bool:
        """Results wait to be confirmed, are under dispute or were put off: they do not count."""
        return self.stage.is_provisional


@dataclass(frozen=True, slots=True)
class StandingsFrame:
    """What stands around the tables of a stage; ``read`` reads the tables themselves.

    ``key`` changes whenever the tables do, so that what is made of them can be kept.
    """

    head: TournamentHead
    stage: StageHead
    key: str
    has_rows: bool
    read: Callable[[], StandingsPage]


def standings_page(slug: str, viewer: Actor, stage: int | None = None) -> StandingsPage:
    """Return the standings of a stage, by default the one in play.

    The head's queries alone where they are kept, eight more where they are not. Refuses NOT_FOUND.
    """
    return standings_frame(slug, viewer, stage).read()


def standings_frame(slug: str, viewer: Actor, stage: int | None = None) -> StandingsFrame:
    """Return what stands around the standings of a stage: the head's queries. Refuses NOT_FOUND."""
    this = open_tournament(slug, viewer)
    chosen = this.head.stage(stage)
    is_first = chosen.number == this.head.stages[0].number

    def read() -> StandingsPage:
        board = board_of(this, chosen, paper_of(this.tournament))
        return StandingsPage(this.head, chosen, board.columns, board.groups)

    return StandingsFrame(
        head=this.head,
        stage=chosen,
        key=key_of("standings", this.tournament, chosen.number),
        has_rows=bool(chosen.entries or (is_first and this.head.entries)),
        read=read,
    )


def board_of(this: Opened, stage: StageHead, paper: Paper) -> Board:
    """Return a stage's table in this version of the tournament, computed once."""
    key = key_of("board", this.tournament, stage.number)
    return remembered(key, lambda: _computed(paper, stage))


def plain(number: Fraction | int, digits: int = 4) -> Number:
    """Return a whole number as one, anything else as a decimal of so many digits."""
    if number.denominator == 1:
        return number.numerator
    return round(float(number), digits)


def _computed(paper: Paper, head: StageHead) -> Board:
    stage = paper.stage(head.number)
    if head.state == "waiting":
        found: tuple[GroupTable, ...] = (GroupTable(0, ranking(paper.rows, stage)),)
    else:
        found = tables(paper.rows, stage, tally=paper.tally(head.number))
    people, whose = paper.rows.by_number, paper.whose
    return Board(
        order_of(stage),
        tuple(
            GroupRows(table.group, tuple(_rows(table.lines, table.group, people, whose)))
            for table in found
        ),
    )


def _rows(
    lines: Sequence[Line], group: int, people: Mapping[int, Entrant], whose: Mapping[int, str]
) -> Iterable[StandingRow]:
    told_apart = _told_apart(lines)
    for line in lines:
        entrant = people[line.entrant]
        yield StandingRow(
            rank=line.rank,
            shared=line.shared,
            number=line.entrant,
            name=entrant.name,
            players=entrant.players,
            is_bot=whose[line.entrant].startswith("bot-"),
            played=line.played,
            won=line.won,
            tied=line.tied,
            lost=line.lost,
            match_points=plain(line.match_points),
            hands_for=line.hands,
            hands_against=line.hands_against,
            points_for=line.points,
            points_against=line.points_against,
            decided_by=line.decided_by,
            direct_points=_direct_points(line, told_apart),
            values=tuple(
                Value(code, None if number is None else plain(number), among)
                for code, number, among in line.values
            ),
            penalties=tuple(_penalty(one) for one in line.penalties),
            withdrawn=line.withdrawn,
            lot=line.lot,
            group=group,
            who=whose[line.entrant],
        )


def _told_apart(lines: Sequence[Line]) -> set[tuple[int, ...]]:
    """Return those whom a direct encounter told apart, as they were level before it."""
    decided = {line.entrant for line in lines if line.decided_by in DIRECT}
    found = set()
    leads: set[tuple[int, ...]] = set()
    for line in lines:
        for value in line.values:
            if value.code in DIRECT and value.among:
                if value.among in leads and line.entrant in decided:
                    found.add(value.among)
                leads.add(value.among)
    return found


def _direct_points(line: Line, told_apart: set[tuple[int, ...]]) -> Number | None:
    values = (value for value in line.values if value.code in DIRECT and value.among in told_apart)
    value = next(values, None)
    return None if value is None or value.number is None else plain(value.number, 2)


def _penalty(penalty: Penalty) -> PenaltyRow:
    points = plain(penalty.match_points)
    return PenaltyRow(penalty.round, points, penalty.hands, penalty.points, penalty.reason)
