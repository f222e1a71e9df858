"""Standings of a stage, cached by tournament version, and the sums behind each number."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tournaments.core.cache import get_or_compute
from tournaments.core.find import or_404
from tournaments.core.permissions import Actor
from tournaments.director.queries.filled import FilledBefore, filled_before
from tournaments.director.queries.snapshot import TournamentSnapshot, key_of, tournament_snapshot
from tournaments.director.queries.tournaments import (
    StageHead,
    TournamentHead,
    VisibleTournament,
    open_tournament,
)
from tournaments.domain.card_points import columns_without_points, tables_without_points
from tournaments.domain.ledger import BYES, Game, RoundKind
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import SeparateLists
from tournaments.domain.prospects import Prospect, prospects
from tournaments.domain.ranking import (
    SHARED,
    GroupTable,
    StandingsLine,
    order_of,
    ranking,
    tables,
)
from tournaments.domain.rows import Entrant, Penalty, StageRules, SwitchRule
from tournaments.domain.standing_rows import GroupRows, Number, PenaltyRow, StandingRow, Value
from tournaments.domain.tiebreaks import CRITERIA, Term
from tournaments.models import Match
from tournaments.models.matches import length_of
from tournaments.standings.queries.course import Course, course_of

# --- Standings ------------------------------------------------------------------------------------


DIRECT_CRITERIA = ("direct_encounter", "direct_of_two", "extended_direct_encounter")
"""Criteria of the games that the tied entries played among themselves, in match points."""


class StageTables(NamedTuple):
    """A stage's tables as they are cached, one a group, and the codes of its criteria in order.

    ``lists`` are the numbers of entries that were hardly or not compared with the others
    (`Format.lists`), best first, with the ``note`` on them; none where the table is one list.
    ``hidden`` are the criteria
    without data, ``passed_over`` those not used for a tie that they met because card points were
    not reported, which ``tables_without_points`` tables lack.
    """

    columns: tuple[str, ...]
    groups: tuple[GroupRows, ...]
    lists: tuple[tuple[int, ...], ...] = ()
    note: str = ""
    hidden: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    tables_without_points: int = 0
    rules: StageRules = StageRules()


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The standings of a stage; ``columns`` are the criteria in their order.

    ``filled`` is it, or a stage that it fills, if a result was corrected since. ``lists`` are the
    rows of the lists that the table consists of; none where it is one. The other fields are those
    of `StageTables`.
    """

    head: TournamentHead
    stage: StageHead
    columns: tuple[str, ...]
    groups: tuple[GroupRows, ...]
    lists: tuple[tuple[StandingRow, ...], ...] = ()
    note: str = ""
    hidden: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    tables_without_points: int = 0
    rules: StageRules = StageRules()
    filled: tuple[FilledBefore, ...] = ()

    @property
    def rows(self) -> tuple[StandingRow, ...]:
        """The lines of all groups, one group after the other."""
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def by_line(self) -> bool:
        """The table is two, one for each line of a Mitchell whose sides never change over."""
        return bool(self.lists) and self.rules.switch is SwitchRule.NEVER

    @property
    def parts(self) -> tuple[GroupRows, ...]:
        """The tables as they are shown: by line (1 and 2), else by group."""
        if not self.by_line:
            return self.groups
        return tuple(GroupRows(n, _ranked_alone(part)) for n, part in enumerate(self.lists, 1))

    @property
    def has_percentages(self) -> bool:
        """Deals are compared by match points, and some have been."""
        return any(row.possible for row in self.rows)

    @property
    def has_results(self) -> bool:
        """Something was played: before, all would share the first place."""
        return any(row.played for row in self.rows)

    @property
    def filled_next(self) -> StageHead | None:
        """The stage of which something is certain for an entry of this one; None without one."""
        numbers = {row.prospect.stage for row in self.rows if row.prospect is not None}
        return next((stage for stage in self.head.stages if stage.number in numbers), None)

    @property
    def has_ties(self) -> bool:
        """A match was tied."""
        return any(row.tied for row in self.rows)

    @property
    def empty_columns(self) -> frozenset[str]:
        """The criteria that the page leaves out: hidden ones, and those at 0 or unused for all."""
        filled = {value.code for row in self.rows for value in row.values if value.number}
        return frozenset(self.hidden) | (frozenset(self.columns) - filled)

    @property
    def podium(self) -> tuple[StandingRow, ...]:
        """The podium, of several groups or lines that of the first."""
        return self.parts[0].podium if self.parts else ()

    @property
    def people_podium(self) -> tuple[StandingRow, ...]:
        """The podium without bots."""
        return self.parts[0].people_podium if self.parts else ()

    @property
    def provisional(self) -> bool:
        """Some results are unconfirmed, disputed or postponed, and the table may change by them."""
        return self.stage.is_provisional


@dataclass(frozen=True, slots=True)
class StandingsFrame:
    """The head of a standings page; :func:`standings_of` reads the tables themselves.

    ``key`` changes whenever the tables do, so that the rendered tables can be cached.
    """

    access: VisibleTournament
    stage: StageHead
    key: str
    has_rows: bool

    @property
    def head(self) -> TournamentHead:
        """The header of the tournament's pages."""
        return self.access.head


def _ranked_alone(rows: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
    """Return rows of a table with the ranks that they have among themselves."""
    ranks = [row.rank for row in rows]
    ranked = []
    for number, row in enumerate(rows):
        shared = ranks.count(row.rank) > 1
        decided_by = row.decided_by if shared or row.decided_by != SHARED else ""
        ranked.append(
            row._replace(
                rank=ranks.index(row.rank) + 1,
                shared=shared,
                decided_by=decided_by if number else "",
                climbed=None,
            )
        )
    return tuple(ranked)


def standings_page(slug: str, viewer: Actor, stage: int | None = None) -> StandingsPage:
    """Return the standings of a stage, by default the one in play.

    The head's queries when they are cached, nine more when they are not. Refuses NOT_FOUND.
    """
    return standings_of(standings_frame(slug, viewer, stage))


def standings_frame(slug: str, viewer: Actor, stage: int | None = None) -> StandingsFrame:
    """Return the head of a stage's standings page: the head's queries. Refuses NOT_FOUND."""
    access = open_tournament(slug, viewer)
    stage_head = access.head.stage(stage)
    is_first = stage_head.number == access.head.stages[0].number
    return StandingsFrame(
        access,
        stage_head,
        key=key_of("standings", access.tournament, stage_head.number),
        has_rows=bool(stage_head.entries or (is_first and access.head.entries)),
    )


def standings_of(frame: StandingsFrame) -> StandingsPage:
    """Return the standings of a stage whose page's head was read."""
    return standings_in(frame.access, frame.stage)


def standings_in(access: VisibleTournament, stage: StageHead) -> StandingsPage:
    """Return the standings of a stage of a tournament that was read."""
    board = stage_tables(access, stage, tournament_snapshot(access.tournament))
    by_number = {row.number: row for group in board.groups for row in group.rows}
    lists = tuple(tuple(by_number[number] for number in part) for part in board.lists)
    return StandingsPage(
        access.head,
        stage,
        board.columns,
        board.groups,
        lists,
        board.note,
        board.hidden,
        board.passed_over,
        board.tables_without_points,
        board.rules,
        filled_of(access, stage),
    )


def filled_of(access: VisibleTournament, stage: StageHead) -> tuple[FilledBefore, ...]:
    """Return what is to be said of who qualified for a stage, or from it."""
    if len(access.head.stages) == 1:
        return ()
    return tuple(one for one in filled_before(access.tournament) if stage.number in one.stages)


def stage_tables(
    access: VisibleTournament, stage: StageHead, snapshot: TournamentSnapshot
) -> StageTables:
    """Return a stage's tables in this version of the tournament, computed once."""
    key = key_of("board", access.tournament, stage.number)
    return get_or_compute(key, lambda: _computed(snapshot, stage))


def rounded(number: Fraction | int, digits: int = 4) -> Number:
    """Return a whole number as ``int``, any other rounded to ``digits`` decimals."""
    if number.denominator == 1:
        return number.numerator
    return round(float(number), digits)


def _computed(snapshot: TournamentSnapshot, head: StageHead) -> StageTables:
    stage = snapshot.stage(head.number)
    course, certain = Course(), dict[int, Prospect]()
    if head.state == "waiting":
        group_tables: tuple[GroupTable, ...] = (GroupTable(0, ranking(snapshot.rows, stage)),)
    else:
        tally = snapshot.tally(head.number)
        group_tables = tables(snapshot.rows, stage, tally=tally)
        course = course_of(snapshot.rows, stage, tally)
        certain = prospects(snapshot.rows, stage, length_of(snapshot.tournament, stage.rules))
    people, who_by_number = snapshot.rows.by_number, snapshot.competitor_refs
    lines = [line for table in group_tables for line in table.lines]
    order = [line.entrant for line in lines]
    lists_of = FORMATS[stage.format].lists
    separate = lists_of(stage) if lists_of else SeparateLists()
    passed_over = {code for table in group_tables for code in table.passed_over}
    columns = order_of(stage)
    return StageTables(
        columns,
        tuple(
            GroupRows(
                table.group,
                tuple(
                    row._replace(
                        on_podium=row.on_podium and row.number not in snapshot.expelled,
                        prospect=certain.get(row.number),
                    )
                    for row in _rows(table.lines, table.group, people, who_by_number, course)
                ),
            )
            for table in group_tables
        ),
        tuple(tuple(sorted(part, key=order.index)) for part in separate.lists),
        separate.note,
        columns_without_points(stage, lines),
        tuple(code for code in columns if code in passed_over),
        tables_without_points(stage),
        stage.rules,
    )


def _rows(
    lines: Sequence[StandingsLine],
    group: int,
    people: Mapping[int, Entrant],
    who_by_number: Mapping[int, str],
    course: Course,
) -> Iterable[StandingRow]:
    told_apart = _separated_groups(lines)
    for line in lines:
        entrant = people[line.entrant]
        yield StandingRow(
            rank=line.rank,
            shared=line.shared,
            number=line.entrant,
            name=entrant.name,
            players=entrant.players,
            is_bot=who_by_number[line.entrant].startswith("bot-"),
            played=line.played,
            won=line.won,
            tied=line.tied,
            lost=line.lost,
            match_points=rounded(line.match_points),
            hands_for=line.hands,
            hands_against=line.hands_against,
            points_for=line.points,
            points_against=line.points_against,
            decided_by=line.decided_by,
            direct_points=_direct_points(line, told_apart),
            values=tuple(
                Value(code, None if number is None else rounded(number), peers)
                for code, number, peers in line.values
            ),
            penalties=tuple(_penalty(penalty) for penalty in line.penalties),
            withdrawn=line.withdrawn,
            lot=line.lot,
            group=group,
            who=who_by_number[line.entrant],
            on_podium=line.on_podium,
            possible=rounded(line.possible),
            climbed=course.climbed(line.entrant, line.rank),
            outcomes=course.outcomes(line.entrant),
        )


def _separated_groups(lines: Sequence[StandingsLine]) -> set[tuple[int, ...]]:
    """Return the groups of tied entries that a direct encounter separated."""
    decided = {line.entrant for line in lines if line.decided_by in DIRECT_CRITERIA}
    groups = set()
    leads: set[tuple[int, ...]] = set()
    for line in lines:
        for value in line.values:
            if value.code in DIRECT_CRITERIA and value.among:
                if value.among in leads and line.entrant in decided:
                    groups.add(value.among)
                leads.add(value.among)
    return groups


def _direct_points(line: StandingsLine, told_apart: set[tuple[int, ...]]) -> Number | None:
    values = (
        value
        for value in line.values
        if value.code in DIRECT_CRITERIA and value.among in told_apart
    )
    value = next(values, None)
    return None if value is None or value.number is None else rounded(value.number, 2)


def _penalty(penalty: Penalty) -> PenaltyRow:
    points = rounded(penalty.match_points)
    return PenaltyRow(penalty.round, points, penalty.hands, penalty.points, penalty.reason)


# --- Sums -----------------------------------------------------------------------------------------
# The addends of an entry's numbers in the standings, down to its matches.


@dataclass(frozen=True, slots=True)
class EntryName:
    """Number and name of an entry."""

    number: int
    name: str
    shown_name: str


def entry_name(row: Entrant) -> EntryName:
    """Return number and name of an entry."""
    return EntryName(row.number, row.name, row.shown_name)


@dataclass(frozen=True, slots=True)
class RoundLine:
    """An entry's round.

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

    @property
    def lacks_points(self) -> bool:
        """It was played, and its card points were not reported."""
        return self.kind == RoundKind.PLAYED and not (self.points_for or self.points_against)


@dataclass(frozen=True, slots=True)
class TermRow:
    """One addend; with a reason in ``cut`` it is shown and not counted.

    ``factors`` are those of a product; ``note`` is the code of its kind, ``cut`` that of the
    reason why it does not count (messages ``term.…`` and ``cut.…``).
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
    """A number with its addends; ``among`` are the tied entries whose games it is computed from.

    With ``lacks_points`` there is no number because card points were not reported.
    """

    code: str
    number: Number | None
    among: tuple[EntryName, ...]
    terms: tuple[TermRow, ...]
    lacks_points: bool = False


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

    The head's queries, one where a table of the entry is open, and nine where the version is not
    cached. Refuses NOT_FOUND, also for an entry that is not in the stage.
    """
    access = open_tournament(slug, viewer)
    stage_head = access.head.stage(stage)
    snapshot = tournament_snapshot(access.tournament)
    row, row_above = _lines(stage_tables(access, stage_head, snapshot), number)
    entry = _Entry(snapshot, stage_head, row)
    values = (Value("match_points", row.match_points), *row.values)
    return SumsPage(
        head=access.head,
        stage=stage_head,
        row=row,
        above=row_above,
        rounds=entry.rounds(),
        sums=tuple(entry.sum(value) for value in values),
    )


def _lines(board: StageTables, number: int) -> tuple[StandingRow, StandingRow | None]:
    """Return an entry's line and the one above it; refuses NOT_FOUND."""
    for group in board.groups:
        row_above = None
        for row in group.rows:
            if row.number == number:
                return row, row_above
            row_above = row
    return or_404(None)


class _Entry:
    """An entry of a stage, with the facts that its sums are computed from."""

    def __init__(self, snapshot: TournamentSnapshot, head: StageHead, row: StandingRow) -> None:
        self.stage = snapshot.stage(head.number)
        self.number = row.number
        self.people = snapshot.rows.by_number
        self.tally = snapshot.tally(head.number)
        table_keys = (
            (round_, table.number)
            for stage in snapshot.rows.stages
            for round_, table in stage.tables()
            if not table.is_bye and row.number in table.entrants
        )
        self.matches = {where[0]: snapshot.matches.get(where) for where in table_keys}

    def rounds(self) -> tuple[RoundLine, ...]:
        """Return its rounds in order, including those without a result that counts.

        One query for the states of its tables without such a result.
        """
        lines = [self._line(game) for game in self.tally.games(self.number)]
        open_ = [
            round_.number
            for round_ in self.stage.published
            if round_.number in self.tally.ledger.open[self.number]
        ]
        if open_:
            keys = [key for number in open_ if (key := self.matches.get(number)) is not None]
            rows = Match.objects.filter(pk__in=keys).values_list("pk", "state")
            states: dict[int | None, str] = dict(rows)
            lines += [self._open_line(number, states) for number in open_]
        return tuple(sorted(lines, key=lambda line: line.round))

    def sum(self, value: Value) -> SumRow:
        """Return a number with its addends; without addends where the criterion was not needed."""
        terms: Iterable[Term] = ()
        if value.number is not None:
            terms = CRITERIA[value.code].terms(self.tally, self.number, value.among)
        peers = self._named(n for n in value.among if n != self.number)
        rows = tuple(self._term(term) for term in terms)
        return SumRow(value.code, value.number, peers, rows, value.lacks_points)

    def _term(self, term: Term) -> TermRow:
        return TermRow(
            round=term.round,
            match_pk=self.matches.get(term.round),
            entries=self._named(term.entrants),
            amount=rounded(term.amount),
            factors=tuple(rounded(factor) for factor in term.factors),
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
            match_points=rounded(game.match_points),
        )

    def _open_line(self, number: int, states: Mapping[int | None, str]) -> RoundLine:
        round_ = next(round_ for round_ in self.stage.rounds if round_.number == number)
        table = next(table for table in round_.tables if self.number in table.entrants)
        own_side = table.sides[table.side_of(self.number)]
        pk = self.matches.get(number)
        return RoundLine(
            round=number,
            table=table.number,
            match_pk=pk,
            kind="open" if table.bye is None else BYES[table.bye].value,
            state=states.get(pk, Match.State.PENDING),
            outcome="",
            opponents=self._named(n for n in table.entrants if n not in own_side),
            partners=self._named(n for n in own_side if n != self.number),
            hands_for=0,
            hands_against=0,
            points_for=0,
            points_against=0,
            match_points=0,
        )

    def _named(self, numbers: Iterable[int]) -> tuple[EntryName, ...]:
        return tuple(entry_name(self.people[number]) for number in numbers)


KINDS = (*(kind.value for kind in RoundKind), "open")
"""Kinds of a round for an entry."""
