"""Comparison of a tournament's bots: points, wins and forfeits, overall and pair by pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, NamedTuple

from django.db.models import OuterRef, Subquery

import engine
from tournaments.core.cache import get_or_compute
from tournaments.core.find import or_404
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import key_of
from tournaments.director.queries.tournaments import TournamentHead, open_tournament
from tournaments.domain.contest import ComparedMatch, Test, tally_of, test_of
from tournaments.domain.match_parts import has_two_sides, part_of
from tournaments.domain.ratings import Estimate
from tournaments.domain.scores import sides_of
from tournaments.domain.sides import SCORES, SIDES
from tournaments.models import BotForfeit, Entry, Match, Rating, Record, Result, Tournament

POINTS: Final = "points"
"""Model of a sequential test on point margins; other models count the records won."""


MAX_TESTS: Final = 24
"""Limit of tests on one page."""


class BotLine(NamedTuple):
    """A bot compared with all its opponents, by its entry's number.

    ``margin`` is in points a record above the mean of the opponents, ``won`` is the share of deal
    sets won: each with its 95 % interval over deal sets (`engine.Interval`). ``forfeits`` counts
    hands lost by faults. With no ``sets`` there are no figures.
    """

    number: int
    name: str
    bot: int
    matches: int
    sets: int
    margin: engine.Interval | None
    won: engine.Interval | None
    forfeits: int


class PairLine(NamedTuple):
    """Two bots that met, by their entries' numbers: the margin of the first, and the test."""

    one: int
    other: int
    matches: int
    sets: int
    margin: engine.Interval
    test: Test | None = None

    @property
    def verdict(self) -> str:
        """``won`` or ``lost`` if the interval excludes 0, else ``tied``."""
        low, high = self.margin.low, self.margin.high
        if low is None or high is None or low <= 0 <= high:
            return "tied"
        return "won" if low > 0 else "lost"

    @property
    def reversed(self) -> PairLine:
        """The pair seen from the other bot; the test stays that of the first."""
        low, high = self.margin.low, self.margin.high
        margin = engine.Interval(
            -self.margin.mean,
            None if high is None else -high,
            None if low is None else -low,
            self.margin.observed,
        )
        return self._replace(one=self.other, other=self.one, margin=margin)


class Comparison(NamedTuple):
    """All bots of a tournament with their comparisons, best first."""

    bots: tuple[BotLine, ...]
    pairs: tuple[PairLine, ...]
    matches: int
    sets: int


@dataclass(frozen=True, slots=True)
class ArenaPage:
    """The comparison of a tournament's bots. ``deal_sets`` is 0 if matches are not in deal sets.

    ``ratings`` and ``slugs`` are by the bots' primary keys.
    """

    head: TournamentHead
    key: str
    deal_sets: int
    compared: Comparison
    ratings: Mapping[int, Estimate]
    slugs: Mapping[int, str]

    @property
    def rows(self) -> tuple[tuple[BotLine, tuple[PairLine | None, ...]], ...]:
        """The table of all against all: each bot with its margin against each other one."""
        pair_lines = {(pair.one, pair.other): pair for pair in self.compared.pairs}
        pair_lines |= {(pair.other, pair.one): pair.reversed for pair in self.compared.pairs}
        bots = self.compared.bots
        return tuple(
            (bot, tuple(pair_lines.get((bot.number, o.number)) for o in bots)) for bot in bots
        )

    @property
    def compared_bots(self) -> tuple[dict[str, Any], ...]:
        """The bots with their short names and ratings."""
        return tuple(
            {**bot._asdict(), "slug": self.slugs[bot.bot], "rating": self.ratings.get(bot.bot)}
            for bot in self.compared.bots
        )

    @property
    def leads(self) -> bool:
        """Whether the first is ahead of those it met by more than chance: zero is outside."""
        margin = self.compared.bots[0].margin if self.compared.bots else None
        return margin is not None and margin.low is not None and margin.low > 0

    @property
    def forfeits(self) -> bool:
        """Whether any bot lost a match by a forfeit."""
        return any(bot.forfeits for bot in self.compared.bots)

    @property
    def names(self) -> dict[int, str]:
        """Names of the bots by number."""
        return {bot.number: bot.name for bot in self.compared.bots}

    @property
    def tests(self) -> tuple[PairLine, ...]:
        """The pairs with a test, most deal sets first, at most `MAX_TESTS`."""
        tested = [pair for pair in self.compared.pairs if pair.test is not None]
        return tuple(sorted(tested, key=lambda pair: -pair.sets)[:MAX_TESTS])

    @property
    def tests_left(self) -> int:
        """Number of tests beyond that limit."""
        return sum(pair.test is not None for pair in self.compared.pairs) - len(self.tests)


@dataclass(frozen=True, slots=True)
class BotMeetingRow:
    """A match of two bots: the first one's ``margin`` in points a record, and sets ``won``."""

    match_pk: int
    round: int
    table: int
    sets: int
    margin: float
    won: float


@dataclass(frozen=True, slots=True)
class MeetingsPage:
    """All matches of two bots that count."""

    head: TournamentHead
    one: BotLine
    other: BotLine
    pair: PairLine
    matches: tuple[BotMeetingRow, ...]
    deal_sets: int

    @property
    def names(self) -> dict[int, str]:
        """Names of both bots by number."""
        return {self.one.number: self.one.name, self.other.number: self.other.name}

    @property
    def tested(self) -> PairLine:
        """The pair in the order of the test: the lower number first."""
        return min(self.pair, self.pair.reversed)


def arena_page(slug: str, viewer: Actor) -> ArenaPage:
    """Return the comparison of a tournament's bots.

    Two queries besides the head's; three more with a cold cache, four if a test counts the records
    won. Refuses NOT_FOUND.
    """
    access = open_tournament(slug, viewer)
    tournament = access.tournament
    bots = dict(
        Entry.objects.filter(tournament=tournament, bot__isnull=False)
        .order_by("number")
        .values_list("bot", "bot__slug")
    )
    return ArenaPage(
        head=access.head,
        key=key_of("arena", tournament, 0),
        deal_sets=tournament.deal_sets,
        compared=comparison_of(tournament),
        ratings=_ratings(tournament, bots),
        slugs=bots,
    )


def meetings_page(slug: str, one: int, other: int, viewer: Actor) -> MeetingsPage:
    """Return the matches of two bots, by their entries' numbers. Refuses NOT_FOUND."""
    access = open_tournament(slug, viewer)
    tournament = access.tournament
    compared = comparison_of(tournament)
    lines = {line.number: line for line in compared.bots}
    pairs = (pair if pair.one == one else pair.reversed for pair in compared.pairs)
    pair = or_404(next((pair for pair in pairs if {pair.one, pair.other} == {one, other}), None))
    both = [row for row in _counted_results(tournament) if {one, other} <= set(row.who)]
    return MeetingsPage(
        head=access.head,
        one=lines[one],
        other=lines[other],
        pair=pair,
        matches=tuple(_meeting(row, one, other) for row in both),
        deal_sets=tournament.deal_sets,
    )


def comparison_of(tournament: Tournament) -> Comparison:
    """Return the comparison, cached for this version of the tournament."""
    return get_or_compute(key_of("arena", tournament, 0), lambda: _compute_comparison(tournament))


class _Row(NamedTuple):
    """A result that counts as an observation: round, table, numbers of the entries."""

    round: int
    table: int
    who: tuple[int, ...]
    meeting: ComparedMatch


def _counted_results(tournament: Tournament) -> list[_Row]:
    """Return the results between bots that count and were played; one query."""
    results = (
        Result.objects.counting()
        .filter(
            match__in=Match.objects.of_bots().filter(round__stage__tournament=tournament),
            match__home_partner__isnull=True,
        )
        .exclude(depth=Result.Depth.FORFEIT)
        .exclude(winner=Result.Winner.NOBODY)
        .order_by("match__round__number", "match__table")
        .values(
            "match",
            "match__round__number",
            "match__table",
            "winner",
            "forfeits",
            "hand_scores",
            *(f"match__{side}__number" for side in SIDES),
            *SCORES,
        )
    )
    rows = (_row(result, in_sets=tournament.deal_sets > 0) for result in results)
    return [row for row in rows if row.meeting.sets]


def _row(result: Mapping[str, Any], *, in_sets: bool) -> _Row:
    sides = [side for side in SIDES if result[f"match__{side}__number"] is not None]
    sets = () if result["forfeits"] else _sets(result, sides, in_sets=in_sets)
    numbers = tuple(result[f"match__{side}__number"] for side in sides)
    meeting = ComparedMatch(result["match"], numbers, sets, len(numbers) if in_sets else 1)
    return _Row(result["match__round__number"], result["match__table"], numbers, meeting)


def _sets(
    result: Mapping[str, Any], sides: list[str], *, in_sets: bool
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return the observations of a result: its deal sets, or the match as a single one.

    None of a score without points, as an arbiter may give it: each hand played has points.
    """
    if in_sets:
        return tuple(
            (points := tuple(row[side] for side in sides), _winners(row.get("winner"), points))
            for row in result["hand_scores"]
        )
    points, hands = (
        tuple(result[f"{side}_{field}"] or 0 for side in sides) for field in ("points", "hands")
    )
    return ((points, _winners(result["winner"], hands)),) if any(points) else ()


def _winners(winner: str | None, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sides that won: the winner, or all sides with the maximum."""
    if winner in SIDES:
        return (SIDES.index(winner),)
    return tuple(side for side, score in enumerate(scores) if score == max(scores))


def _compute_comparison(tournament: Tournament) -> Comparison:
    entries = Entry.objects.filter(tournament=tournament, bot__isnull=False).order_by("number")
    bots = list(entries.values_list("number", "name", "bot"))
    index_by_number = {number: index for index, (number, _, _) in enumerate(bots)}
    rows = _counted_results(tournament)
    forfeits = _forfeits(tournament, rows)
    meetings = [
        row.meeting._replace(bots=tuple(index_by_number[number] for number in row.who))
        for row in rows
    ]
    tally = tally_of([name for _, name, _ in bots], meetings)
    matches = Counter(bot for meeting in meetings for bot in meeting.bots)
    lines = [
        BotLine(
            number,
            name,
            bot,
            matches[index],
            len(tally.accounts[index].margins),
            tally.margin(index) if matches[index] else None,
            tally.won(index) if matches[index] else None,
            forfeits[number],
        )
        for index, (number, name, bot) in enumerate(bots)
    ]
    lines.sort(key=_best_first)
    return Comparison(
        tuple(lines), _pairs(tournament, bots, tally, meetings), tally.matches, tally.sets
    )


def _best_first(line: BotLine) -> tuple[bool, float, int]:
    return line.margin is None, 0.0 if line.margin is None else -line.margin.mean, line.number


def _pairs(
    tournament: Tournament,
    bots: list[tuple[int, str, int]],
    tally: engine.Tally,
    meetings: Iterable[ComparedMatch],
) -> tuple[PairLine, ...]:
    matches = Counter(
        pair for meeting in meetings for pair in combinations(sorted(meeting.bots), 2)
    )
    tested = bool(tournament.stop) and has_two_sides(tournament.ruleset)
    wins = _wins(tournament, meetings) if tested else {}
    pairs = []
    for (one, other), margins in sorted(tally.between.items()):
        test = test_of(tournament.stop, margins, wins.get((one, other), ())) if tested else None
        margin = tally.margin_between(one, other)
        if margin is not None:
            numbers = bots[one][0], bots[other][0]
            pairs.append(PairLine(*numbers, matches[one, other], len(margins), margin, test))
    return tuple(pairs)


def _wins(
    tournament: Tournament, meetings: Iterable[ComparedMatch]
) -> Mapping[tuple[int, int], list[float]]:
    """Return the records of each set won by the first of two bots; one query at most.

    A test on points needs none.
    """
    if tournament.stop.get("model", POINTS) == POINTS:
        return {}
    records = Record.objects.accepted().filter(match__round__stage__tournament=tournament)
    shares: dict[int, list[float]] = defaultdict(list)
    rows = records.order_by("match", "coto").values_list("match", "home_side", "verdict__score")
    for match, side, score in rows:
        shares[match].append(part_of(score, (), side).shares[0])
    wins: dict[tuple[int, int], list[float]] = defaultdict(list)
    for meeting in meetings:
        home, away = meeting.bots
        halves = shares[meeting.match]
        for number in range(len(meeting.sets)):
            set_share = sum(halves[2 * number : 2 * number + 2])
            wins[min(home, away), max(home, away)].append(
                set_share if home < away else 2 - set_share
            )
    return wins


def _forfeits(tournament: Tournament, rows: Iterable[_Row]) -> Counter[int]:
    """Return how many hands each bot lost by faults, by entry number; one query."""
    numbers_by_match = {row.meeting.match: row.who for row in rows}
    sat = Record.objects.accepted().filter(match=OuterRef("match"), coto=OuterRef("part"))
    forfeits = BotForfeit.objects.filter(match__round__stage__tournament=tournament)
    forfeit_rows = forfeits.annotate(home_side=Subquery(sat.values("home_side")[:1])).order_by()
    counted: Counter[int] = Counter()
    for match, seat, side, unplayed in forfeit_rows.values_list(
        "match", "seat", "home_side", "unplayed"
    ):
        if match in numbers_by_match and side:
            counted[numbers_by_match[match][_side_at(seat, side)]] += 1 + unplayed
    return counted


def _side_at(seat: str, home_side: str) -> int:
    """Return which side of a match sat at a seat; ``home_side`` are the seats of home."""
    names = sides_of(home_side)
    return next(side for side, name in enumerate(names) if seat in name)


def _meeting(row: _Row, one: int, other: int) -> BotMeetingRow:
    first, second = row.who.index(one), row.who.index(other)
    margins = [points[first] - points[second] for points, _ in row.meeting.sets]
    return BotMeetingRow(
        match_pk=row.meeting.match,
        round=row.round,
        table=row.table,
        sets=len(margins),
        margin=sum(margins) / len(margins) / row.meeting.records,
        won=sum((first in winners) / len(winners) for _, winners in row.meeting.sets),
    )


def _ratings(tournament: Tournament, bots: Mapping[int, str]) -> dict[int, Estimate]:
    rated = Rating.objects.filter(ledger__ruleset=tournament.ruleset, bot__in=bots)
    return {row.bot_id: row.estimate for row in rated if row.bot_id is not None}
