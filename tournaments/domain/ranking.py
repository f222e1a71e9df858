"""Computes the standings of a stage, and which criterion decided each place, from its rows.

The places of the format come first, where it has any (who was knocked out when); then match points,
unless its rounds have no end; then, where the stage places by what was played (`PlaceRule`), those
who left without having played, behind all others of their match points; then the criteria of the
order, each used only among those whom the
ones before left level (FIDE C.07, article 4.2). A criterion of the games among the tied is computed
again for every tie it meets. By the rule ``"places": "played"`` a criterion of card points is
passed over among the tied of whom a played match lacks them. Entrants level at the end share the
place, and the next one is counted on (1, 2, 2, 4), unless the rules of the stage draw lots and the
lots are stored.

`terms` shows what any number is the sum of. `compare_tables` compares the table with the one that
corrections would give.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple, TypedDict

from tournaments.domain.comparison import possible_points
from tournaments.domain.ledger import Game, Ledger, Number, RoundKind, ledger
from tournaments.domain.pairing import FORMATS
from tournaments.domain.pairing.base import Format
from tournaments.domain.pairing.tree import OvertakenMatch
from tournaments.domain.rows import (
    SCORED_BY_POINTS,
    Entrant,
    Penalty,
    PlaceRule,
    Points,
    Round,
    Scoring,
    Stage,
    SumRule,
    Table,
    TournamentRows,
)
from tournaments.domain.tiebreaks import (
    CRITERIA,
    MATCH_POINTS,
    Criterion,
    Family,
    Tally,
    Terms,
    TiedPart,
)

Formats = Mapping[str, Format]
Blocks = list["Block"]

FIRST: Final = ""
SHARED: Final = "shared"
LOTS: Final = "lots"
EXIT_ROUND: Final = "exit_round"
GROUP_PLACE: Final = "group_place"
LEFT_UNPLAYED: Final = "left_unplayed"

WITH_EVERY_ROUND: Final = frozenset(("progressive", "mean_match_points"))
"""Criteria of one's own rounds of which none can be dropped."""

BEST_ROUND: Final = "best_round"
"""The one criterion of card points of one's own rounds that looks at dropped rounds too."""


class CannotRank(ValueError):  # noqa: N818 - a refusal is an answer, not an error
    """The rules cannot be used; ``code`` says why, ``criterion`` or ``rule`` which one is meant.

    Codes: ``unknown_criterion``, ``not_in_round_robin`` (FIDE C.07, article 8: Buchholz and its
    relatives say nothing where everybody meets everybody), ``cap_changes_winner`` (the points are
    the score), ``cannot_drop`` (places come from a bracket, or rounds have no end),
    ``drop_with_criterion`` (it adds up scores of opponents, or a score after each round).
    """

    def __init__(self, code: str, criterion: str, rule: str = "order") -> None:
        super().__init__(code, criterion)
        self.code = code
        self.criterion = criterion
        self.rule = rule


class Value(NamedTuple):
    """A number of one line.

    ``among`` are the tied whose games it is of; a criterion of the games among the tied that was
    not needed here has no number, nor has one of card points that were not reported.
    """

    code: str
    number: Fraction | None
    among: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One line of the table.

    ``rank`` is shared when ``shared``. ``decided_by`` is what put this entrant below the one
    above: a criterion's code, ``exit_round``, ``group_place``, ``left_unplayed``, ``lots``,
    ``shared``, or nothing for the first. ``played``, ``won``, ``tied`` and ``lost`` count awarded
    games too, ``byes`` only those at a table alone. ``hands`` to ``points_against`` are what was
    written down, without penalties; ``values`` are those of the order's criteria, with them. Only
    ``on_podium`` can get a diploma: not those who left without having played in the tournament
    (`PlaceRule.PLAYED`). ``possible`` are the most match points that the rounds that count could
    have given, where deals are compared by match points; else 0.
    """

    entrant: int
    rank: int
    shared: bool
    decided_by: str
    played: int
    won: int
    tied: int
    lost: int
    byes: int
    match_points: Points
    hands: int
    hands_against: int
    points: int
    points_against: int
    values: tuple[Value, ...]
    penalties: tuple[Penalty, ...] = ()
    withdrawn: bool = False
    lot: int | None = None
    on_podium: bool = True
    possible: Points = Points(0)


StandingsLines = tuple[StandingsLine, ...]


class GroupTable(NamedTuple):
    """The table of one group; ``group`` is 0 where the stage has no groups.

    ``passed_over`` are the codes of the criteria that were not used for a tie that they met,
    because card points were not reported.
    """

    group: int
    lines: StandingsLines
    passed_over: tuple[str, ...] = ()


class Block(NamedTuple):
    """Entrants level so far, and what put them below the block above."""

    entrants: tuple[int, ...]
    decided_by: str


def order_of(stage: Stage, *, formats: Formats = FORMATS) -> tuple[str, ...]:
    """Return the codes of the criteria after the match points: the stage's, or its format's.

    Raises `CannotRank` when one is unknown or must not be used in this format or with its rules.
    """
    if stage.rules.points_cap is not None and stage.rules.scoring in SCORED_BY_POINTS:
        raise CannotRank("cap_changes_winner", stage.rules.scoring, "points_cap")
    format_ = formats[stage.format]
    order = format_.order if stage.rules.order is None else stage.rules.order
    for code in order:
        if code not in CRITERIA:
            raise CannotRank("unknown_criterion", code)
        if format_.is_preset and not CRITERIA[code].in_preset:
            raise CannotRank("not_in_round_robin", code)
    if stage.rules.drop_rounds:
        _check_drops(format_, order)
    return order


def _check_drops(format_: Format, order: Sequence[str]) -> None:
    """Refuse dropped rounds where a number would still be made of them."""
    if format_.ranking is not None or format_.is_endless:
        raise CannotRank("cannot_drop", format_.name, "drop_rounds")
    for code in order:
        if CRITERIA[code].family is Family.OPPONENTS or code in WITH_EVERY_ROUND:
            raise CannotRank("drop_with_criterion", code, "drop_rounds")


def ranking(
    rows: TournamentRows,
    stage: Stage,
    last_round: int | None = None,
    *,
    formats: Formats = FORMATS,
) -> StandingsLines:
    """Return the table after a round (its number; ``None``: the last), best first.

    Those who share a place are listed by their numbers. In a stage with groups the first of
    the groups come before the second, and so on. Raises `CannotRank`, and ValueError for a table
    with an entrant who is not in the stage.
    """
    board = _Board(rows, stage, last_round, formats)
    groups = board.groups()
    if len(groups) == 1:
        return board.lines(board.start(groups[0]))
    places: dict[int, list[int]] = {}
    for group in groups:
        for line in board.lines(board.start(group)):
            places.setdefault(line.rank, []).append(line.entrant)
    return board.lines(_blocks((tuple(sorted(places[n])) for n in sorted(places)), GROUP_PLACE))


def tables(
    rows: TournamentRows,
    stage: Stage,
    last_round: int | None = None,
    *,
    formats: Formats = FORMATS,
    tally: Tally | None = None,
) -> tuple[GroupTable, ...]:
    """Return one table a group, the groups numbered from 1; a single one, 0, without groups.

    ``tally`` are the stage's sums where they are known already (`tally_of`).
    """
    board = _Board(rows, stage, last_round, formats, tally)
    groups = board.groups()
    first = int(len(groups) > 1)
    return tuple(
        GroupTable(number, board.lines(board.start(group)), tuple(board.passed_over))
        for number, group in enumerate(groups, first)
    )


def terms(
    rows: TournamentRows,
    stage: Stage,
    entrant: int,
    value: Value,
    last_round: int | None = None,
    *,
    formats: Formats = FORMATS,
) -> Terms:
    """Return the addends of a number in an entrant's line (all that is not cut)."""
    if value.number is None:
        return ()
    tally = tally_of(rows, stage, last_round, formats=formats)
    return CRITERIA[value.code].terms(tally, entrant, value.among)


def tally_of(
    rows: TournamentRows,
    stage: Stage,
    last_round: int | None = None,
    *,
    formats: Formats = FORMATS,
) -> Tally:
    """Return the sums that every criterion is computed from."""
    format_ = formats[stage.format]
    fill_absences = format_.ranking is None and not format_.is_preset
    lines = ledger(rows, stage, last_round, fill_absences=fill_absences)
    source = rows.source_of(stage) if stage.rules.carry else None
    if source is not None:
        lines = lines.after(tally_of(rows, source, last_round, formats=formats).ledger)
    return Tally(lines, is_preset=format_.is_preset)


class _Board:
    """A stage being ranked: the sums, the order, and each number computed once."""

    def __init__(
        self,
        rows: TournamentRows,
        stage: Stage,
        last_round: int | None,
        formats: Formats,
        tally: Tally | None = None,
    ) -> None:
        self.format = formats[stage.format]
        self.criteria = [CRITERIA[code] for code in order_of(stage, formats=formats)]
        self.tally = tally or tally_of(rows, stage, last_round, formats=formats)
        self.stage = stage if last_round is None else _rounds_through(stage, last_round)
        self.known = rows.by_number
        self.leavers = self._leavers()
        self.never_played = {n for n in self.leavers if not _played_in(rows, n)}
        self.numbers: dict[str, dict[int, Number]] = defaultdict(dict)
        self.passed_over: list[str] = []  # by `lines`: criteria not used for a tie they met
        compares = stage.rules.scoring is Scoring.COMPARISON
        self.possible = possible_points(self.stage) if compares else {}

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the entrants of each group; one group of all where there are none.

        Who is in no group yet is not forgotten: all such are in one of their own.
        """
        named_groups = self.format.groups(self.stage) if self.format.groups else ()
        members = {entrant for group in named_groups for entrant in group}
        rest = tuple(n for n in self.stage.entrants if n not in members)
        return (*named_groups, rest) if rest or not named_groups else named_groups

    def start(self, group: Sequence[int]) -> Blocks:
        """Return the blocks that the format's own places make of a group.

        Whom the format names no place for comes last, and never drops out of the table.
        """
        members = set(group)
        places: tuple[tuple[int, ...], ...] = ()
        if self.format.ranking is not None:
            places = self.format.ranking(self.stage, self.known)
        group_places = [tuple(sorted(members.intersection(place))) for place in places]
        group_places.append(tuple(sorted(members.difference(*places))))
        return _blocks(group_places, EXIT_ROUND)

    def lines(self, blocks: Blocks) -> StandingsLines:
        """Split the blocks by the criteria, one after the other, and number the places."""
        entrants = [entrant for block in blocks for entrant in block.entrants]
        values = {entrant: list[Value]() for entrant in entrants}
        decides = self.format.ranking is None or self.format.ranked_inside
        self.passed_over = []
        if decides and not self.format.is_endless:
            blocks = self._split_blocks(blocks, MATCH_POINTS, defaultdict(list))
        if not self.format.is_endless:  # before the criteria, of whose ties they are no part
            blocks = self._put_leavers_last(blocks)
        for criterion in self.criteria:
            if decides and any(self._is_passed_over(criterion, block.entrants) for block in blocks):
                self.passed_over.append(criterion.code)
            refined = self._split_blocks(blocks, criterion, values)
            blocks = refined if decides else blocks
        if self.format.is_endless:
            blocks = self._put_leavers_last(blocks)
        if self.stage.rules.lots:
            blocks = [part for block in blocks for part in self._order_by_lots(block)]
        return tuple(self._number_places(blocks, values))

    def _leavers(self) -> frozenset[int]:
        """Return those who left without a match played in the stage, where its rule asks for it."""
        if self.stage.rules.places is PlaceRule.LISTED:
            return frozenset()
        return frozenset(
            n
            for n in self.stage.entrants
            if _has_withdrawn(self.known.get(n), self.tally.ledger)
            and not any(game.kind is RoundKind.PLAYED for game in self.tally.games(n))
        )

    def _put_leavers_last(self, blocks: Blocks) -> Blocks:
        """Move the leavers behind the last block that has another with the same match points."""
        if self.leavers.isdisjoint(n for block in blocks for n in block.entrants):
            return blocks
        totals, last = self.tally.match.totals, dict[Number, int]()
        others = [
            Block(tuple(n for n in entrants if n not in self.leavers), decided_by)
            for entrants, decided_by in blocks
        ]
        for index, other in enumerate(others):
            last |= dict.fromkeys((totals[n] for n in other.entrants), index)
        moved: dict[int, Blocks] = defaultdict(list)
        for index, (entrants, decided_by) in enumerate(blocks):
            leavers = sorted(self.leavers.intersection(entrants), key=lambda n: -totals[n])
            for points, level in groupby(leavers, key=totals.__getitem__):
                place = max(index, last.get(points, index))
                is_alone = place == index and not others[index].entrants
                reason = decided_by if is_alone else LEFT_UNPLAYED
                moved[place].append(Block(tuple(level), reason))
        ordered = [
            block
            for index, other in enumerate(others)
            for block in (other, *moved[index])
            if block.entrants
        ]
        return [Block(ordered[0].entrants, FIRST), *ordered[1:]]

    def _split_blocks(
        self, blocks: Blocks, criterion: Criterion, values: dict[int, list[Value]]
    ) -> Blocks:
        """Split the blocks by one criterion, and store its numbers."""
        refined: Blocks = []
        for block in blocks:
            parts = self._parts(block.entrants, criterion)
            for entrant, value in self._values(parts, criterion):
                values[entrant].append(value)
            refined.append(Block(parts[0].entrants, block.decided_by))
            refined += [Block(part.entrants, criterion.code) for part in parts[1:]]
        return refined

    def _parts(self, tied: tuple[int, ...], criterion: Criterion) -> list[TiedPart]:
        if criterion.family is Family.AMONG and len(tied) == 1:
            return [TiedPart(tied, ())]
        if criterion.split is not None:
            return criterion.split(self.tally, tied)
        tied_group = tied if criterion.family is Family.AMONG else ()
        if self._is_passed_over(criterion, tied):
            return [TiedPart(tied, tied_group)]
        numbers = {n: self._number(criterion, n, tied_group) for n in tied}
        highest_first = sorted(tied, key=lambda n: numbers[n], reverse=True)
        levels = groupby(highest_first, key=lambda n: numbers[n])
        return [TiedPart(tuple(level), tied_group) for _, level in levels]

    def _values(
        self, parts: Iterable[TiedPart], criterion: Criterion
    ) -> Iterable[tuple[int, Value]]:
        for part in parts:
            for entrant in part.entrants:
                number = None
                needed = part.tied_group or criterion.family is not Family.AMONG
                if needed and not self._lacks_points(criterion, entrant, part.tied_group):
                    number = Fraction(self._number(criterion, entrant, part.tied_group))
                yield entrant, Value(criterion.code, number, part.tied_group)

    def _is_passed_over(self, criterion: Criterion, tied: tuple[int, ...]) -> bool:
        """Tell whether a criterion cannot be used for a tie: points of a match are missing."""
        tied_group = tied if criterion.family is Family.AMONG else ()
        return len(tied) > 1 and any(self._lacks_points(criterion, n, tied_group) for n in tied)

    def _lacks_points(
        self, criterion: Criterion, entrant: int, tied_group: tuple[int, ...]
    ) -> bool:
        """Tell whether points of a match that the criterion adds up were not reported."""
        if not criterion.of_points or self.stage.rules.places is PlaceRule.LISTED:
            return False
        leaves_out = criterion.family is Family.OWN and criterion.code != BEST_ROUND
        is_exact = self.stage.rules.sums is SumRule.EXACT
        dropped = self.tally.dropped(entrant) if leaves_out and is_exact else frozenset()
        return any(
            game.lacks_points
            and game.round not in dropped
            and (not tied_group or not set(tied_group).isdisjoint(game.opponents))
            for game in self.tally.games(entrant)
        )

    def _number(self, criterion: Criterion, entrant: int, tied_group: tuple[int, ...]) -> Number:
        if tied_group:
            return criterion.number(self.tally, entrant, tied_group)
        numbers = self.numbers[criterion.code]
        if entrant not in numbers:
            numbers[entrant] = criterion.number(self.tally, entrant)
        return numbers[entrant]

    def _order_by_lots(self, block: Block) -> Blocks:
        """Order the level by their lots, the lowest first; who has none comes last."""
        lots = self.stage.lots
        last = max(lots.values(), default=0) + 1

        def lot(entrant: int) -> int:
            return lots.get(entrant, last)

        levels = groupby(sorted(block.entrants, key=lot), key=lot)
        first, *others = (tuple(level) for _, level in levels)
        return [Block(first, block.decided_by), *(Block(entrants, LOTS) for entrants in others)]

    def _number_places(
        self, blocks: Blocks, values: dict[int, list[Value]]
    ) -> Iterable[StandingsLine]:
        rank = 1
        for block in blocks:
            for index, entrant in enumerate(sorted(block.entrants)):
                yield self._line(
                    entrant,
                    rank=rank,
                    shared=len(block.entrants) > 1,
                    decided_by=SHARED if index else block.decided_by,
                    values=tuple(values[entrant]),
                )
            rank += len(block.entrants)

    def _line(self, entrant: int, **placement: Any) -> StandingsLine:
        games = self.tally.games(entrant)
        return StandingsLine(
            entrant=entrant,
            **_counts(games),
            match_points=Fraction(self.tally.match.totals[entrant]),
            penalties=self.tally.penalties(entrant),
            withdrawn=_has_withdrawn(self.known.get(entrant), self.tally.ledger),
            lot=self.stage.lots.get(entrant) if self.stage.rules.lots else None,
            on_podium=entrant not in self.never_played,
            possible=self._possible(entrant),
            **placement,
        )

    def _possible(self, entrant: int) -> Points:
        """Return the most match points that an entrant's rounds could have given."""
        dropped = self.tally.dropped(entrant)
        return sum(
            (
                self.possible.get((game.round, game.table), Points(0))
                for game in self.tally.games(entrant)
                if game.round not in dropped
            ),
            Points(0),
        )


class Counts(TypedDict):
    """The columns of a line that are plain sums."""

    played: int
    won: int
    tied: int
    lost: int
    byes: int
    hands: int
    hands_against: int
    points: int
    points_against: int


def _counts(games: Sequence[Game]) -> Counts:
    """Count the games and add up what was written down at the tables."""
    won, lost = sum(game.won for game in games), sum(game.lost for game in games)
    tied = sum(game.tied for game in games)
    return {
        "played": won + tied + lost,
        "won": won,
        "tied": tied,
        "lost": lost,
        "byes": sum(not game.opponents and game.kind is not RoundKind.ZERO_BYE for game in games),
        "hands": sum(game.hands for game in games),
        "hands_against": sum(game.hands_against for game in games),
        "points": sum(game.points for game in games),
        "points_against": sum(game.points_against for game in games),
    }


def _has_withdrawn(entrant: Entrant | None, lines: Ledger) -> bool:
    """Tell whether an absence without end has begun, or begins with the next round."""
    next_round = lines.rounds[-1] + 1 if lines.rounds else 1
    absences = entrant.absences if entrant else ()
    return any(end is None and start <= next_round for start, end in absences)


def _played_in(rows: TournamentRows, entrant: int) -> bool:
    """Tell whether an entrant has played a match in any stage."""
    return any(
        entrant in table.entrants and table.marks is not None and not table.forfeits
        for stage in rows.stages
        for _, table in stage.tables()
    )


def _blocks(places: Iterable[tuple[int, ...]], decided_by: str) -> Blocks:
    filled_places = [place for place in places if place]
    return [Block(place, decided_by if n else FIRST) for n, place in enumerate(filled_places)]


def _rounds_through(stage: Stage, last_round: int) -> Stage:
    return replace(
        stage, rounds=tuple(round_ for round_ in stage.rounds if round_.number <= last_round)
    )


Changes = Mapping[tuple[int, int], Table]
"""Corrected tables, by the numbers of their round and table."""


class Move(NamedTuple):
    """An entrant's place before and after."""

    entrant: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of corrections on a table.

    ``moves`` are those whose place changes, in the new order; ``comes_in`` and ``drops_out`` change
    sides of the line between those who qualify and those who do not. ``overtaken`` are matches of a
    bracket whose next one was played by the other entrant than they now say. ``filled`` are the
    stages that were filled from the table already, so that nobody moves.
    """

    before: tuple[GroupTable, ...]
    after: tuple[GroupTable, ...]
    moves: tuple[Move, ...]
    comes_in: tuple[int, ...] = ()
    drops_out: tuple[int, ...] = ()
    overtaken: tuple[OvertakenMatch, ...] = ()
    filled: tuple[int, ...] = ()


def compare_tables(
    rows: TournamentRows,
    stage: Stage,
    changes: Changes,
    *,
    places: int = 0,
    formats: Formats = FORMATS,
) -> Effect:
    """Return the tables before and after corrections; ``places`` qualify from each group.

    Raises ValueError when a table to be replaced does not exist.
    """
    before = tables(rows, stage, formats=formats)
    corrected = with_corrections(stage, changes)
    after = tables(rows, corrected, formats=formats)
    old = {line.entrant: line.rank for table in before for line in table.lines}
    moves = tuple(
        Move(line.entrant, old[line.entrant], line.rank)
        for table in after
        for line in table.lines
        if line.rank != old[line.entrant]
    )
    qualifiers_before, qualifiers_after = _qualified(before, places), _qualified(after, places)
    return Effect(
        before,
        after,
        moves,
        tuple(n for n in qualifiers_after if n not in qualifiers_before),
        tuple(n for n in qualifiers_before if n not in qualifiers_after),
        tuple(
            match
            for match in overtaken_matches(rows, corrected, formats=formats)
            if (match.round, match.table) in changes
        ),
    )


def overtaken_matches(
    rows: TournamentRows, stage: Stage, *, formats: Formats = FORMATS
) -> tuple[OvertakenMatch, ...]:
    """Return the matches of a bracket whose next one was played by another than they now say."""
    overtaken = formats[stage.format].overtaken
    return overtaken(stage, rows.by_number) if overtaken else ()


def contradictions(rows: TournamentRows) -> tuple[OvertakenMatch, ...]:
    """Return the overtaken matches whose stage still gives places by the results alone."""
    listed = (stage for stage in rows.stages if stage.rules.places is PlaceRule.LISTED)
    return tuple(match for stage in listed for match in overtaken_matches(rows, stage))


def with_corrections(stage: Stage, changes: Changes) -> Stage:
    """Return the stage with tables replaced; ValueError when one does not exist."""
    table_keys = {
        (round_.number, table.number) for round_ in stage.rounds for table in round_.tables
    }
    if strangers := sorted(set(changes) - table_keys):
        raise ValueError(f"no such tables: {strangers}")
    return replace(stage, rounds=tuple(_correct_round(round_, changes) for round_ in stage.rounds))


def _correct_round(round_: Round, changes: Changes) -> Round:
    tables_ = (changes.get((round_.number, table.number), table) for table in round_.tables)
    return replace(round_, tables=tuple(tables_))


def _qualified(group_tables: Iterable[GroupTable], places: int) -> tuple[int, ...]:
    """Return the best of each table, as they stand (a shared last place by number)."""
    return tuple(line.entrant for table in group_tables for line in table.lines[:places])
