"""What an entry's numbers in the standings are the sums of, down to its matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q

from tournaments.domain.ledger import Game, Kind
from tournaments.domain.ranking import tally_of
from tournaments.domain.rows import State
from tournaments.domain.tiebreaks import CRITERIA, Tally, Term
from tournaments.models import Match, Tournament
from tournaments.permissions import Actor
from tournaments.queries.find import found
from tournaments.queries.heads import StageHead, TournamentHead, open_tournament
from tournaments.queries.standings import Board, Number, Paper, StandingRow, Value, board_of, plain

PLACES = ("home", "home_partner", "away", "away_partner", "third")


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
    ``cut`` why it does not count (both in `tournaments.domain.words.standings`).
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

    The head's queries and nine, ten where the standings are not kept. Refuses NOT_FOUND, also for
    an entry that is not in the stage.
    """
    this = open_tournament(slug, viewer)
    chosen = this.head.stage(stage)
    paper = Paper(this.tournament)
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
        self.names = {entrant.number: entrant.name for entrant in paper.rows.entrants}
        self.matches = _matches(paper.tournament, row.number)
        self.tally: Tally = tally_of(paper.rows, self.stage)

    def rounds(self) -> tuple[RoundLine, ...]:
        """Return its rounds in order, those without a result that counts among them."""
        lines = [self._line(game) for game in self.tally.games(self.number)]
        lines += [
            self._open_line(round_.number)
            for round_ in self.stage.rounds
            if round_.state is not State.DRAFT
            and round_.number in self.tally.ledger.open[self.number]
        ]
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
            match_pk=self._match(term.round),
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
            match_pk=self._match(game.round) if game.table else None,
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

    def _open_line(self, number: int) -> RoundLine:
        round_ = next(one for one in self.stage.rounds if one.number == number)
        table = next(one for one in round_.tables if self.number in one.entrants)
        mine = table.sides[table.side_of(self.number)]
        return RoundLine(
            round=number,
            table=table.number,
            match_pk=self._match(number),
            kind="open",
            state=self.matches[number][1],
            outcome="",
            opponents=self._named(n for n in table.entrants if n not in mine),
            partners=self._named(n for n in mine if n != self.number),
            hands_for=0,
            hands_against=0,
            points_for=0,
            points_against=0,
            match_points=0,
        )

    def _match(self, round_: int) -> int | None:
        """Return the key of its match in a round; a bye is a page of no interest."""
        pk, state = self.matches.get(round_, (None, ""))
        return None if state == Match.State.BYE else pk

    def _named(self, numbers: Iterable[int]) -> tuple[EntryName, ...]:
        return tuple(EntryName(number, self.names[number]) for number in numbers)


def _matches(tournament: Tournament, number: int) -> Mapping[int, tuple[int, str]]:
    """Return key and state of an entry's matches by round; one query."""
    mine = Q()
    for place in PLACES:
        mine |= Q(**{f"{place}__number": number})
    matches = Match.objects.filter(mine, round__stage__tournament=tournament)
    rows = matches.values_list("round__number", "pk", "state")
    return {round_: (pk, state) for round_, pk, state in rows}


KINDS = (*(kind.value for kind in Kind), "open")
"""What a round can be for an entry."""
