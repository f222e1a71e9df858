"""What an entry's numbers in the standings are the sums of, down to its matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.domain.ledger import Game, Kind
from tournaments.domain.rows import State
from tournaments.domain.standing_rows import Number, StandingRow, Value
from tournaments.domain.tiebreaks import CRITERIA, Term
from tournaments.models import Match
from tournaments.permissions import Actor
from tournaments.queries.find import found
from tournaments.queries.heads import StageHead, TournamentHead, open_tournament
from tournaments.queries.standings import Board, board_of, plain
from tournaments.queries.versions import Paper, paper_of


@dataclass(frozen=True, slots=True)
class EntryName:
    """An entry by number and name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class RoundLine:
    """What a round was for the entry.

    ``kind`` is ``played``, ``forfeit_win``, ``forfeit_loss``, ``pairing_bye``, ``full_bye``,
    ``half_bye``, ``zero_bye``, or ``open`` while the table has no result that counts; then
    ``state`` is the match's. ``outcome`` is ``won``, ``tied``, ``lost`` or empty. ``table`` is 0
    and ``match_pk`` missing where the entry sat at no table.
    """

    round: int
    table: int
    match_pk: int | None
    kind: str
    state: str
    outcome: str
    opponents: tuple[EntryName, ...]
    partners: tuple[EntryName, ...]
    hands_for: int
    hands_against: int
    points_for: int
    points_against: int
    match_points: Number


@dataclass(frozen=True, slots=True)
class TermRow:
    """One addend; with a reason in ``cut`` it is shown and not counted.

    ``factors`` are what it is the product of, where it is one; ``note`` says by a code what it is,
    ``cut`` why it does not count (messages ``term.…`` and ``cut.…``).
    """

    round: int
    match_pk: int | None
    entries: tuple[EntryName, ...]
    amount: Number
    factors: tuple[Number, ...]
    note: str
    cut: str


@dataclass(frozen=True, slots=True)
class SumRow:
    """A number and what it is the sum of; ``among`` are the tied whose games it is of."""

    code: str
    number: Number | None
    among: tuple[EntryName, ...]
    terms: tuple[TermRow, ...]


@dataclass(frozen=True, slots=True)
class SumsPage:
    """An entry's line, its rounds and its sums; ``above`` is the line above it in its table."""

    head: TournamentHead
    stage: StageHead
    row: StandingRow
    above: StandingRow | None
    rounds: tuple[RoundLine, ...]
    sums: tuple[SumRow, ...]


def entry_sums(slug: str, number: int, viewer: Actor, stage: int | None = None) -> SumsPage:
    """Return an entry's numbers with their addends.

    The head's queries, one where a table of the entry is open, and nine where the version is not at
    hand. Refuses NOT_FOUND, also for an entry that is not in the stage.
    """
    this = open_tournament(slug, viewer)
    chosen = this.head.stage(stage)
    paper = paper_of(this.tournament)
    row, above = _lines(board_of(this, chosen, paper), number)
    entry = _Entry(paper, chosen, row)
    values = (Value("match_points", row.match_points), *row.values)
    return SumsPage(
        head=this.head,
        stage=chosen,
        row=row,
        above=above,
        rounds=entry.rounds(),
        sums=tuple(entry.sum(value) for value in values),
    )


def _lines(board: Board, number: int) -> tuple[StandingRow, StandingRow | None]:
    """Return an entry's line and the one above it; refuses NOT_FOUND."""
    for group in board.groups:
        above = None
        for row in group.rows:
            if row.number == number:
                return row, above
            above = row
    return found(None)


class _Entry:
    """An entry of a stage, with what its sums are made of."""

    def __init__(self, paper: Paper, head: StageHead, row: StandingRow) -> None:
        self.stage = paper.stage(head.number)
        self.number = row.number
        self.names = paper.names
        self.tally = paper.tally(head.number)
        mine = (
            (round_, table.number)
            for round_, table in self.stage.tables()
            if not table.is_bye and row.number in table.entrants
        )
        self.matches = {where[0]: paper.matches.get(where) for where in mine}

    def rounds(self) -> tuple[RoundLine, ...]:
        """Return its rounds in order, those without a result that counts among them.

        One query for how the tables stand that have none.
        """
        lines = [self._line(game) for game in self.tally.games(self.number)]
        open_ = [
            round_.number
            for round_ in self.stage.rounds
            if round_.state is not State.DRAFT
            and round_.number in self.tally.ledger.open[self.number]
        ]
        if open_:
            keys = [key for number in open_ if (key := self.matches[number]) is not None]
            known = Match.objects.filter(pk__in=keys).values_list("pk", "state")
            states: dict[int | None, str] = dict(known)
            lines += [self._open_line(number, states) for number in open_]
        return tuple(sorted(lines, key=lambda line: line.round))

    def sum(self, value: Value) -> SumRow:
        """Return a number with its addends; none where it was not needed."""
        terms: Iterable[Term] = ()
        if value.number is not None:
            terms = CRITERIA[value.code].terms(self.tally, self.number, value.among)
        among = self._named(n for n in value.among if n != self.number)
        rows = tuple(self._term(term) for term in terms)
        return SumRow(value.code, value.number, among, rows)

    def _term(self, term: Term) -> TermRow:
        return TermRow(
            round=term.round,
            match_pk=self.matches.get(term.round),
            entries=self._named(term.entrants),
            amount=plain(term.amount),
            factors=tuple(plain(factor) for factor in term.factors),
            note=term.note,
            cut=term.cut,
        )

    def _line(self, game: Game) -> RoundLine:
        outcome = "won" if game.won else "lost" if game.lost else "tied" if game.tied else ""
        return RoundLine(
            round=game.round,
            table=game.table,
            match_pk=self.matches.get(game.round) if game.table else None,
            kind=game.kind.value,
            state="",
            outcome=outcome,
            opponents=self._named(game.opponents),
            partners=self._named(game.partners),
            hands_for=game.hands,
            hands_against=game.hands_against,
            points_for=game.points,
            points_against=game.points_against,
            match_points=plain(game.match_points),
        )

    def _open_line(self, number: int, states: Mapping[int | None, str]) -> RoundLine:
        round_ = next(one for one in self.stage.rounds if one.number == number)
        table = next(one for one in round_.tables if self.number in one.entrants)
        mine = table.sides[table.side_of(self.number)]
        pk = self.matches[number]
        return RoundLine(
            round=number,
            table=table.number,
            match_pk=pk,
            kind="open",
            state=states.get(pk, Match.State.PENDING),
            outcome="",
            opponents=self._named(n for n in table.entrants if n not in mine),
            partners=self._named(n for n in mine if n != self.number),
            hands_for=0,
            hands_against=0,
            points_for=0,
            points_against=0,
            match_points=0,
        )

    def _named(self, numbers: Iterable[int]) -> tuple[EntryName, ...]:
        return tuple(EntryName(number, self.names[number]) for number in numbers)


KINDS = (*(kind.value for kind in Kind), "open")
"""What a round can be for an entry."""
