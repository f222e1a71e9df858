"""A tournament on paper: frozen rows, enough to draw the next round and to rank everybody.

The same rows are read from the database, from a tournament file and from a report of another
program, so that pairing and standings never know where they came from. Entrants, tables and rounds
are numbered from 1; rounds run on through the stages of a tournament. A result that is unconfirmed,
disputed or postponed is no row: its table has no marks, and nothing follows from it but that the
entrants have met.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, Final

from tournaments.domain.marks import Always, Digits, Items, Length, Nullable, Numbered, Range
from tournaments.domain.names import shown_name

Points = Fraction
"""Match points: whole or broken, never a float."""

NONE: Final[Mapping[str, Any]] = MappingProxyType({})

# Limits keep a hostile file from costing memory; chosen above what the service makes.
MAX_AT_A_TABLE: Final = 16
MAX_DEALS: Final = 1_000
MAX_ENTRANTS: Final = 5_000
MAX_FIXED_TABLE: Final = 999
"""The highest number of a table that can be kept."""
MAX_LABELS: Final = 50
MAX_PENALTIES: Final = 10_000
MAX_PLAYERS: Final = 16
MAX_ROUNDS: Final = 500
"""Rounds of a stage: a tournament file holds no more, and every loop that draws ends by it."""
MAX_STAGES: Final = 100
MAX_TABLES: Final = 5_000

Number = Annotated[int, Range(1, 1_000_000)]
"""The number of an entrant, a table or a deal."""
RoundNumber = Annotated[int, Range(1, MAX_STAGES * MAX_ROUNDS)]
Score = Annotated[int, Range(-(10**9), 10**9)]
Seed = Annotated[str, Digits(r"(?:[0-9a-f]{2}){0,64}", "seed", 128)]
SideIndex = Annotated[int, Range(0, MAX_AT_A_TABLE)]


class Bye(StrEnum):
    """Why an entrant did not play in a round, and what it is worth (:class:`Scale`)."""

    PAIRING = "pairing"
    """Nobody was left to play with."""
    FULL = "full"
    """Asked for, at a win's worth."""
    HALF = "half"
    """Asked for, at a tie's worth."""
    ZERO = "zero"
    """Asked for, or absent: worth nothing."""


class State(StrEnum):
    """The state of a round; drafts are not yet facts."""

    DRAFT = "draft"
    PUBLISHED = "published"
    CLOSED = "closed"


class Scoring(StrEnum):
    """The scoring of a table, which decides its match points (see `tournaments.domain.awards`)."""

    MATCH = "match"
    """Win, tie or loss by hands won."""
    HANDS = "hands"
    """The hands won, and `StageRules.match_bonus` for the winner."""
    TABLE = "table"
    """By the rank at the table (`strength_at_table`); equals share."""
    POINTS = "points"
    """The points made, as they are."""
    VICTORY = "victory"
    """Victory points from the difference of points, their sum constant."""
    COMPARISON = "comparison"
    """Each deal compared with the same deal at the other tables."""


SCORED_BY_HANDS: Final = frozenset({Scoring.MATCH, Scoring.HANDS})
"""Where hands alone decide who wins, and card points count for criteria only."""

SCORED_BY_POINTS: Final = frozenset({Scoring.POINTS, Scoring.VICTORY, Scoring.COMPARISON})
"""Where a table without points is level, whoever won; by rank at the table hands decide then."""


AVERAGE: Final = "average"
"""`StageRules.comparison` of a Butler."""


class Edition(StrEnum):
    """The edition of FIDE's tie-break regulations (C.07) that the criteria follow."""

    E2024 = "2024"
    """In force from 1 August 2024."""
    E2026 = "2026"
    """In force from 1 March 2026."""


class Seeding(StrEnum):
    """The method of a stage's seeding order (`tournaments.domain.stages.begin_stage`)."""

    ORDER = "order"
    """By rating, in a later stage by the table it is filled from; equals as they were entered. How
    every stage was seeded before there was a choice, so files without the word mean it."""
    AUTO = "auto"
    """``lot`` where fewer than half have a rating, else ``rating``; ``rating`` in a later stage."""
    LOT = "lot"
    """The first ``seeded`` by rating or by the table, all others by lot."""
    RATING = "rating"
    """By rating, in a later stage by the table it is filled from; equals by lot."""
    MANUAL = "manual"
    """As the organiser entered it, for example drawn from an urn."""


class ByeRule(StrEnum):
    """The rule by which the Swiss system chooses who gets the bye (`docs/clubs/pairing.md`)."""

    GAPS = "gaps"
    """The bye counts among the differences of score. How every bye was given before there was a
    choice, so files without the word mean it."""
    LOWEST = "lowest"
    """The bye goes to the lowest score possible, before the differences of score count."""


class PairedBy(StrEnum):
    """The order by which the Swiss system pairs (`docs/clubs/pairing.md`)."""

    SCORES = "scores"
    """Equal scores meet, the top half of each the bottom half."""
    TABLE = "table"
    """Neighbours in the table meet: the first and the second, the third and the fourth."""


class SeatedBy(StrEnum):
    """How single players come to the tables of a round (`docs/clubs/movements.md`)."""

    PLANNED = "planned"
    """People meet as seldom as can be."""
    LOT = "lot"
    STANDING = "standing"
    """The best sit together; the first round is by lot."""


class PlaceRule(StrEnum):
    """The rule by which a stage gives its places (`docs/clubs/standings.md`)."""

    LISTED = "listed"
    """By what is listed, as every table was made before there was a choice, so files without the
    word mean it: a bracket as it would have been drawn from the results that count now, points
    that no table reported as 0, and who left without having played by differences of 0."""
    PLAYED = "played"
    """By what was played: the matches of a bracket as they were played on, points only where all
    the tied have them, who left without having played after all of the same match points, and
    byes of a round once a match of it has a result or it is closed."""


class SumRule(StrEnum):
    """The rule by which a stage adds up what was earned (`docs/clubs/standings.md`)."""

    ROUNDED = "rounded"
    """As every table was made before there was a choice, so files without the word mean it: each
    difference of a Butler is rounded to hundredths first, a pairing bye under victory points is
    worth a win, and points that a dropped round lacks block the sum that leaves the round out."""
    EXACT = "exact"
    """Differences are added exactly, a pairing bye under victory points is worth the mean of one's
    own rounds (or the scale's ``bye`` where that is no win), and only points of rounds that count
    can be missing."""


class SwitchRule(StrEnum):
    """The rounds of a Mitchell of which the sides change over in the last eighth, or none."""

    FULL = "full"
    """All of the movement, as before there was a choice, so files without the word mean it: where
    fewer are played, their sides may never change over."""
    PLAYED = "played"
    """Those that the stage plays."""
    NEVER = "never"
    """The sides never change over: each half has a table of its own."""


class LevelCut(StrEnum):
    """The worth of a match that was cut by time and is level in hands then."""

    TIE = "tie"
    """A tie; in a knock-out the arbiter decides who goes on."""
    HAND = "hand"
    """It is not over: one more hand is played, and a level result is refused."""
    POINTS = "points"
    """The side with more points has won; with equal points it is a tie."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The score of one side of a table: hands (or games) won, and card points."""

    hands: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Scale:
    """Match points for what can happen in a round.

    ``bye`` is the worth of a pairing bye and ``bye_mark`` what it adds to hands and points;
    ``half`` of a half bye, ``full`` of a full one. A forfeit counts as a win and a loss;
    ``forfeit_win_mark`` and ``forfeit_loss_mark`` are the hands and points that it adds.
    """

    win: Points = Points(2)
    tie: Points = Points(1)
    loss: Points = Points(0)
    bye: Points = Points(2)
    full: Points = Points(2)
    half: Points = Points(1)
    forfeit_win: Points = Points(2)
    forfeit_loss: Points = Points(0)
    bye_mark: Mark = Mark()
    forfeit_win_mark: Mark = Mark()
    forfeit_loss_mark: Mark = Mark()

    def bye_points(self, bye: Bye) -> Points:
        """Return the match points of a bye."""
        if bye is Bye.PAIRING:
            return self.bye
        if bye is Bye.FULL:
            return self.full
        return self.half if bye is Bye.HALF else Points(0)


POINTS_BY_SIZE: Final = (
    (Points(4), Points(5, 2), Points(1)),
    (Points(4), Points(3), Points(2), Points(1)),
    (Points(4), Points(13, 4), Points(5, 2), Points(7, 4), Points(1)),
)
"""Points by place at the tables of three to five of one stage: at each the first earns 4 and the
last 1, and a table shares out 2½ a player."""


@dataclass(frozen=True, slots=True)
class StageRules:
    """The settings of a stage; each format reads those in its `Format.settings`.

    ``order`` are the criteria after the match points, by code, most important first; ``None`` means
    the format's own order. ``take`` says who comes into this stage from the one before: how
    many of the best (of each group, when that had groups); 0 is everybody. ``take_from`` skips that
    many places first, so that a second board can take the others.
    """

    rounds: int | None = None
    turns: int = 1
    groups: int = 1
    take: int = 0
    take_from: int = 0
    take_out: bool = False
    """It takes all who are out of its source, such as *Three ceros*, as soon as at most
    ``take_from`` are still in; the others play on there."""
    source: int | None = None
    """Number of the stage whose standings fill this one; ``None``: the entry list, or for a later
    stage the one before it."""
    beside: int | None = None
    """Number of the stage that was being played when this one began: the tables of this one come
    after those of that one."""
    without: tuple[int, ...] = ()
    """Numbers of the stages filled from the same table that had a published round when this one got
    its first: their entrants stay there, and this one is filled from the others."""
    carry: bool = False
    """The results of the stage that fills this one count in its table too, as they do in theirs."""
    third_place: bool = False
    reset_final: bool = True
    lives: int = 3
    scoring: Scoring = Scoring.MATCH
    scale: Scale = Scale()
    table_points: tuple[Points, ...] = (Points(2), Points(1), Points(0))
    """Scoring.TABLE: by rank at the table."""
    points_by_size: tuple[tuple[Points, ...], ...] = ()
    """Tables: lists in place of `POINTS_BY_SIZE`, each for as many sides as it has places."""
    victory_margin: int = 60
    """Scoring.VICTORY: the difference of points that earns all 20 in one deal; in N deals it takes
    √N times as much."""
    comparison: str = ""
    """Scoring.COMPARISON: ``matchpoints`` or ``average``; empty means match points."""
    movement: str = ""
    """Duplicate: ``mitchell`` or ``howell``; empty chooses."""
    deals: int | None = None
    """Deals a table plays in a round, where that is fixed."""
    dealt_by: str = ""
    """Duplicate: ``baza``, from a seed that is committed to, or ``table``: the first table
    to play a deal deals it, and all others get the same cards; empty means ``baza``."""
    order: tuple[str, ...] | None = None
    edition: Edition = Edition.E2026
    lots: bool = False
    """Places still shared at the end are drawn by lot (recorded in `Stage.lots`)."""
    late: Bye = Bye.ZERO
    """What latecomers get for each round that they missed."""
    seeding: Seeding = Seeding.ORDER
    seeded: int = 0
    """Seeding.LOT: how many keep the place that their rating or the earlier table gives them."""
    byes: ByeRule = ByeRule.GAPS
    paired_by: PairedBy = PairedBy.SCORES
    places: PlaceRule = PlaceRule.LISTED
    sums: SumRule = SumRule.ROUNDED
    switch: SwitchRule = SwitchRule.FULL
    points_cap: int | None = None
    """Points of a result above it count as this many; who won stays."""
    table_size: int = 0
    other_size: int = 0
    """Tables: how many sit at one, and where those who are over sit; the same: these rest. 0 is for
    other formats: files leave it out, so that none whose default is another can have it."""
    seated_by: SeatedBy = SeatedBy.PLANNED
    typed_only: bool = False
    """Tables: results are typed, and there are no records, deals and bots."""
    drop_rounds: int = 0
    """So many of an entrant's worst rounds count for nothing (`Tally.dropped`)."""
    match_bonus: Points = Points(0)
    """Scoring.HANDS: what the winner gets beside the hands; where they are level, nobody."""
    level_cut: LevelCut = LevelCut.TIE
    length: int | None = None
    """Hands that win a match of the stage, or its deals where that is fixed; ``None``: as many as
    in the tournament. The deals of a duplicate have a number of their own."""

    @property
    def needs_points(self) -> bool:
        """Match points come from card points, so that no result can count without them."""
        return self.places is PlaceRule.PLAYED and self.scoring in SCORED_BY_POINTS

    @property
    def is_butler(self) -> bool:
        """Deals are compared by average differences."""
        return self.scoring is Scoring.COMPARISON and self.comparison == AVERAGE

    @property
    def sums_differ(self) -> bool:
        """`SumRule` can change the table."""
        return self.is_butler or self.scoring is Scoring.VICTORY or self.drop_rounds > 0


@dataclass(frozen=True, slots=True)
class Entrant:
    """A pair, a player or a bot that takes part.

    ``apart`` are labels: two who share one must not meet (a family, the two pairs of a bar);
    ``club`` is avoided where that costs nothing better. ``rating`` only ever orders the seeds.
    ``joined`` is the first round they can play in, ``absences`` are half-open intervals of rounds
    (from, until or ``None``) in which they are not paired; ``byes`` are those asked for, by round.
    ``fixed_table`` is the table where they always sit (`pairing.numbering`); 0: none.
    """

    number: Number
    name: str = ""
    players: Annotated[tuple[str, ...], Items(MAX_PLAYERS)] = ()
    rating: float = 0.0
    club: str = ""
    apart: Annotated[tuple[str, ...], Items(MAX_LABELS)] = ()
    joined: RoundNumber = 1
    absences: Annotated[tuple[tuple[int, int | None], ...], Items(MAX_ROUNDS)] = ()
    byes: tuple[tuple[int, Bye], ...] = ()
    fixed_table: Annotated[int, Range(0, MAX_FIXED_TABLE)] = 0

    @property
    def shown_name(self) -> str:
        """Its name on pages and papers."""
        return shown_name(self.name, self.players)

    def is_here(self, round_: int) -> bool:
        """Tell whether the entrant is to be paired in a round, or has a bye that was asked for."""
        return self.joined <= round_ and not any(
            start <= round_ and (end is None or round_ < end) for start, end in self.absences
        )

    def has_left(self, round_: int) -> bool:
        """Tell whether the entrant is away in a round and is not expected back."""
        return any(end is None and start <= round_ for start, end in self.absences)

    def bye_in(self, round_: int) -> Bye | None:
        """Return the bye that was asked for in a round."""
        return dict(self.byes).get(round_)


DRAW_FACTS: Final = tuple(
    field.name for field in fields(Entrant) if field.name not in ("number", "name", "players")
)
"""The fields of an entrant that a draw depends on, and that are stored with it."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a round: its sides in seat order, each with its entrants.

    Two pairs meet as ``((1,), (2,))``, four single players who play in pairs as ``((1, 3), (2,
    4))`` (seats A and C against B and D), three at a table as ``((1,), (2,), (3,))``, a bye is one
    side alone. The first side deals last: its first entrant sits at A. ``marks`` are what each side
    took, missing as long as nothing counts; ``forfeits`` the indices of the sides that did not
    play; ``decided`` the index of the side that goes on although the marks are level; ``cut`` says
    that time ended it. ``places`` are the places of the sides, 1 the best and shared ones the same,
    where these were stated instead of hands. ``boards`` are the deals of a duplicate table and
    ``board_points`` a row a deal: the points of each side.
    """

    number: Number
    sides: Annotated[
        tuple[Annotated[tuple[Number, ...], Items(MAX_AT_A_TABLE, 1)], ...],
        Items(MAX_AT_A_TABLE, 1),
    ]
    bye: Bye | None = None
    marks: tuple[Mark, ...] | None = None
    forfeits: Annotated[tuple[SideIndex, ...], Items(MAX_AT_A_TABLE)] = ()
    decided: Annotated[SideIndex | None, Nullable()] = None
    boards: Annotated[tuple[Number, ...], Items(MAX_DEALS)] = ()
    board_points: Annotated[
        tuple[Annotated[tuple[Score, ...], Items(MAX_AT_A_TABLE)], ...], Items(MAX_DEALS)
    ] = ()
    pinned: bool = False
    cut: bool = False
    places: Annotated[
        tuple[Annotated[int, Range(1, MAX_AT_A_TABLE)], ...], Items(MAX_AT_A_TABLE)
    ] = ()

    @property
    def entrants(self) -> tuple[int, ...]:
        """All who sit at the table, in the order of its sides."""
        return tuple(number for side in self.sides for number in side)

    @property
    def is_bye(self) -> bool:
        """Nobody else is at the table."""
        return len(self.sides) == 1

    @property
    def counts(self) -> bool:
        """The table has something that counts: marks, a forfeit or a bye."""
        return self.is_bye or self.marks is not None or bool(self.forfeits)

    def side_of(self, entrant: int) -> int:
        """Return the index of the side that the entrant sits on; ValueError when on none."""
        for index, side in enumerate(self.sides):
            if entrant in side:
                return index
        raise ValueError(f"entrant {entrant} is not at table {self.number}")

    @property
    def lacks_points(self) -> bool:
        """It was played, and its hands were reported without the card points."""
        was_played = self.marks is not None and not self.is_bye and not self.forfeits
        return was_played and not any(mark.points for mark in self.marks or ())

    @property
    def winner(self) -> int | None:
        """The index of the side that won: by decision, forfeit, place or hands.

        ``None`` when level or open.

        When all sides forfeit nobody has won.
        """
        if self.is_bye:
            return 0
        if self.decided is not None:
            return self.decided
        if self.forfeits:
            present = [index for index in range(len(self.sides)) if index not in self.forfeits]
            return present[0] if len(present) == 1 else None
        if self.marks is None:
            return None
        ranks = [-place for place in self.places] or [mark.hands for mark in self.marks]
        best = [index for index, rank in enumerate(ranks) if rank == max(ranks)]
        return best[0] if len(best) == 1 else None


@dataclass(frozen=True, slots=True)
class Round:
    """The tables that are played at the same time; ``number`` runs through all stages."""

    number: RoundNumber
    tables: Annotated[tuple[Table, ...], Items(MAX_TABLES), Numbered()]
    state: Annotated[State, Always()] = State.CLOSED


@dataclass(frozen=True, slots=True)
class Penalty:
    """Something taken from (or, negative, given to) an entrant, as a row of its own."""

    entrant: Number
    round: RoundNumber
    match_points: Points = Points(0)
    hands: Score = 0
    points: Score = 0
    reason: Annotated[str, Length(1000)] = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the tournament under one format.

    ``entrants`` are those who play in it, latecomers last, in seeding order. ``seed`` is what every
    choice is drawn from that the rules leave to chance (hexadecimal). ``lots`` are the numbers
    drawn by those who would share a place: the lowest goes first. ``drawn`` is how many of the
    ``entrants`` the seeding put in order, where others came after it; ``None``: all.
    """

    number: int
    format: str
    rules: StageRules = StageRules()
    entrants: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    seed: str = ""
    lots: Mapping[int, int] = field(default_factory=dict)
    name: str = ""
    drawn: int | None = None

    @property
    def published(self) -> tuple[Round, ...]:
        """The rounds that are no drafts."""
        return tuple(round_ for round_ in self.rounds if round_.state is not State.DRAFT)

    @property
    def next_round(self) -> int:
        """The number of the round after its last one; 1 before it has any."""
        return self.rounds[-1].number + 1 if self.rounds else 1

    def tables(self) -> Iterator[tuple[int, Table]]:
        """Yield every table of the rounds that are no drafts, with the round's number."""
        for round_ in self.published:
            for table in round_.tables:
                yield round_.number, table


@dataclass(frozen=True, slots=True)
class TournamentRows:
    """A whole tournament."""

    name: str
    ruleset: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    entrants: tuple[Entrant, ...] = ()
    stages: tuple[Stage, ...] = ()
    penalties: tuple[Penalty, ...] = ()

    @property
    def shown_names(self) -> dict[int, str]:
        """The names of the entrants on pages and papers, by number."""
        return {entrant.number: entrant.shown_name for entrant in self.entrants}

    @property
    def by_number(self) -> dict[int, Entrant]:
        """The entrants by their numbers."""
        return {entrant.number: entrant for entrant in self.entrants}

    def stage_of(self, number: int) -> Stage:
        """Return a stage by its number; LookupError when there is none."""
        for stage in self.stages:
            if stage.number == number:
                return stage
        raise LookupError(f"the tournament has no stage {number}")

    def source_of(self, stage: Stage) -> Stage | None:
        """Return the stage whose table fills another one; None for the first."""
        if stage.rules.source is not None:
            return self.stage_of(stage.rules.source)
        earlier = [other for other in self.stages if other.number < stage.number]
        return max(earlier, key=lambda other: other.number, default=None)
