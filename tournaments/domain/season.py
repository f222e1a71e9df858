"""A season: the best results of several tournaments, added up.

Every event gives each place a worth (:class:`PlaceScale`); who share a place share the worths of
the places they fill. A person's season is the sum of their best results, as many as count, or their
mean; then come the criteria. The scales are those of carrom clubs (SoL: fixed, fixed40, centesimal,
millesimal), or a list of the club's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tournaments.domain.ranking import StandingsLine, StandingsLines, ranking, tables
from tournaments.domain.rows import Points, Stage, TournamentRows
from tournaments.domain.stages import source_of

MAX_COUNTBACK: Final = 100
"""The last place that is counted in a countback; an own scale has as many places."""


class PlaceScale(StrEnum):
    """The scale of an event: the worth of its places."""

    POINTS = "points"
    """The match points made in it."""
    FIXED = "fixed"
    """18, 16, 14, 13, 12 … 1 to the sixteenth, then nothing."""
    FIXED40 = "fixed40"
    """1000, 900, 800, 750 … 1 to the fortieth, then nothing."""
    LINEAR = "linear"
    """From 100 for the first to 1 for the last, in equal steps."""
    MILLESIMAL = "millesimal"
    """A thousandth of the field below and oneself: 1000 · (n + 1 - place) / n."""


class SeasonCriterion(StrEnum):
    """A criterion that places those who are level on points."""

    WINS = "wins"
    """Events won."""
    COUNTBACK = "countback"
    """First places, then second places, and so on, of the results that are not struck out."""
    BEST_RESULT = "best_result"
    """The points of the best result."""
    PLAYED = "played"
    """Events played."""
    ALL_RESULTS = "all_results"
    """The points of all results, those that do not count too."""
    LAST_EVENT = "last_event"
    """The points of the last event, then of the one before it, and so on."""


FIXED: Final = (18, 16, 14, *range(13, 0, -1))
FIXED40: Final = (
    *(1000, 900, 800),
    *range(750, 399, -50),
    *range(375, 149, -25),
    *range(140, 39, -10),
    *range(35, 4, -5),
    1,
)


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """How a season counts.

    ``own_scale`` are the points of the first, second … place, nothing after the last; where it is
    empty ``scale`` counts. ``best`` is how many results count, ``None`` all of them. With
    ``mean_of`` their mean counts, and who has played fewer events stands below all who have not;
    with ``missed_as_zero`` each event that they lack of ``mean_of`` is a result of 0 instead.
    """

    scale: PlaceScale = PlaceScale.FIXED
    own_scale: tuple[int, ...] = ()
    best: int | None = None
    mean_of: int | None = None
    missed_as_zero: bool = False
    criteria: tuple[SeasonCriterion, ...] = (SeasonCriterion.WINS, SeasonCriterion.LAST_EVENT)


class FinalPlace(NamedTuple):
    """The final place of a person in an event: ``who`` is the same in every event.

    ``others`` shared the entry, and each takes the same from it: the two of a pair, where the
    season is counted by person.
    """

    who: int
    rank: int
    points: Points = Points(0)
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament of the season, by its number; the events are given in the order of time.

    What its places are worth counts ``weight`` times.
    """

    number: int
    places: tuple[FinalPlace, ...]
    weight: Fraction = Fraction(1)


class Result(NamedTuple):
    """A person's points from an event, and whether they are among the best that count."""

    event: int
    rank: int
    worth: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One line of the season; ``total`` is the sum or the mean of the results that count.

    ``missing`` is how many events they lack of those that a mean needs.
    """

    who: int
    rank: int
    shared: bool
    total: Fraction
    wins: int
    results: tuple[Result, ...]
    decided_by: str
    missing: int = 0


def final_places(rows: TournamentRows) -> tuple[FinalPlace, ...]:
    """Return the final places of a whole tournament, by entrant number; best first.

    A stage that is filled from a table comes in place of its entrants there: before those who did
    not get into it, and after those whom its `StageRules.take_from` skipped. Points are the match
    points of all stages together.
    """
    points: dict[int, Points] = {}
    tables_ = {stage.number: ranking(rows, stage) for stage in rows.stages if stage.published}
    carries = {stage.number: stage.rules.carry for stage in rows.stages}
    for number, lines in tables_.items():
        for line in lines:
            before = Points(0) if carries[number] else points.get(line.entrant, Points(0))
            points[line.entrant] = line.match_points + before
    places: list[FinalPlace] = []
    seen: set[int] = set()
    for stage in rows.stages:
        if source_of(rows, stage) is None:
            for level in _levels(rows, stage, tables_):
                new = [entrant for entrant in level if entrant not in seen]
                seen.update(new)
                rank = len(places) + 1
                places += [FinalPlace(entrant, rank, points[entrant]) for entrant in sorted(new)]
    return tuple(places)


def _levels(
    rows: TournamentRows, stage: Stage, tables_: Mapping[int, StandingsLines]
) -> Iterator[tuple[int, ...]]:
    """Yield those who share a place in a stage and in all stages filled from it, best first."""
    boards = [board for board in rows.stages if _is_filled_from(rows, board, stage)]
    boards.sort(key=lambda board: (board.rules.take_from, board.number))
    levels_of = {board.number: tuple(_levels(rows, board, tables_)) for board in boards}
    in_boards = {entrant for levels in levels_of.values() for level in levels for entrant in level}
    others = [line for line in tables_.get(stage.number, ()) if line.entrant not in in_boards]
    ahead = _ahead(rows, stage) if others and boards else {}
    for board in boards:
        skipped = [line for line in others if ahead[line.entrant] < board.rules.take_from]
        others = [line for line in others if line not in skipped]
        yield from _by_rank(skipped)
        yield from levels_of[board.number]
    yield from _by_rank(others)


def _is_filled_from(rows: TournamentRows, board: Stage, stage: Stage) -> bool:
    source = source_of(rows, board)
    return source is not None and source.number == stage.number


def _ahead(rows: TournamentRows, stage: Stage) -> dict[int, int]:
    """Return how many are above each entrant in their table, without those who have left."""
    ahead: dict[int, int] = {}
    for group in tables(rows, stage):
        present = 0
        for _, level in groupby(group.lines, key=lambda line: line.rank):
            lines = tuple(level)
            ahead |= dict.fromkeys((line.entrant for line in lines), present)
            present += sum(not line.withdrawn for line in lines)
    return ahead


def _by_rank(lines: Iterable[StandingsLine]) -> Iterator[tuple[int, ...]]:
    for _, level in groupby(lines, key=lambda line: line.rank):
        yield tuple(line.entrant for line in level)


def place_values(
    scale: PlaceScale, field: int, own_scale: Sequence[int] = ()
) -> tuple[Fraction, ...]:
    """Return the worth of each place, the first to the last, in a field of this size.

    Raises ValueError for `PlaceScale.POINTS`, which are not given by place.
    """
    if scale is PlaceScale.POINTS and not own_scale:
        raise ValueError("points are made, not given by place")
    if own_scale:
        return tuple(Fraction(value) for value in (*own_scale, *(0 for _ in range(field)))[:field])
    if scale is PlaceScale.LINEAR:
        steps = max(field - 1, 1)
        return tuple(100 - Fraction(99 * place, steps) for place in range(field))
    if scale is PlaceScale.MILLESIMAL:
        return tuple(Fraction(1000 * (field - place), field) for place in range(field))
    values = FIXED if scale is PlaceScale.FIXED else FIXED40
    return tuple(Fraction(value) for value in (*values, *(0 for _ in range(field)))[:field])


def season(events: Sequence[Event], rules: SeasonRules) -> tuple[SeasonLine, ...]:
    """Return the season's table.

    Of results of the same worth the later ones count. Who are level in everything share the place.
    Raises ValueError when ``best`` is below 1.
    """
    if rules.best is not None and rules.best < 1:
        raise ValueError("at least one result must count")
    lines = [
        _Results(person, results, len(events), rules)
        for person, results in sorted(_results_by_person(events, rules).items())
    ]
    return tuple(_rank_lines(lines, [event.number for event in events]))


def running_totals(
    events: Sequence[Event], rules: SeasonRules, people: Collection[int]
) -> Mapping[int, tuple[Fraction, ...]]:
    """Return the totals of some people after each event, 0 before their first."""
    by_person = _results_by_person(events, rules)
    return {
        who: tuple(
            _Results(who, until, count, rules).total if until else Fraction()
            for count in range(1, len(events) + 1)
            for until in [{n: result for n, result in by_person[who].items() if n < count}]
        )
        for who in people
    }


def _results_by_person(
    events: Sequence[Event], rules: SeasonRules
) -> dict[int, dict[int, tuple[int, Fraction]]]:
    """Return each person's results (rank, worth) by the event's place in time."""
    by_person: dict[int, dict[int, tuple[int, Fraction]]] = {}
    for index, event in enumerate(events):
        for place, value in _event_values(event, rules).items():
            for person in (place.who, *place.others):
                # The best place first: a person who was entered twice keeps that one.
                results = by_person.setdefault(person, {})
                results.setdefault(index, (place.rank, value * event.weight))
    return by_person


def _event_values(event: Event, rules: SeasonRules) -> Mapping[FinalPlace, Fraction]:
    """Return each person's worth from an event; those of one rank get the mean of their places."""
    if rules.scale is PlaceScale.POINTS and not rules.own_scale:
        return {place: place.points for place in event.places}
    values = place_values(rules.scale, len(event.places), rules.own_scale)
    values_by_place: dict[FinalPlace, Fraction] = {}
    in_order = sorted(event.places, key=lambda place: (place.rank, place.who))
    for _, level in groupby(in_order, key=lambda place: place.rank):
        start, level_ = len(values_by_place), tuple(level)
        share = sum(values[start : start + len(level_)], Fraction()) / len(level_)
        values_by_place |= dict.fromkeys(level_, share)
    return MappingProxyType(values_by_place)


class _Results:
    """A season being added up; ``results`` are (rank, worth) by the event's place in time."""

    def __init__(
        self,
        person: int,
        results: dict[int, tuple[int, Fraction]],
        events: int,
        rules: SeasonRules,
    ) -> None:
        self.who = person
        self.results = results
        best_first = sorted(results, key=lambda n: (results[n][1], n), reverse=True)
        self.counted = set(best_first[: rules.best])
        self.total = sum((results[n][1] for n in self.counted), Fraction())
        self.missing = 0
        if rules.mean_of is not None:
            self.missing = max(rules.mean_of - len(results), 0)
            zeros = self.missing if rules.missed_as_zero else 0
            self.total /= min(rules.best or len(results) + zeros, len(results) + zeros)
        self.wins = sum(rank == 1 for rank, _ in results.values())
        self.events = events
        self.keys = (
            ("too_few", rules.missed_as_zero or not self.missing),
            ("total", self.total),
            *((criterion.value, self._value(criterion)) for criterion in rules.criteria),
        )
        """The sorting keys of a line, the most important first."""

    def _value(self, criterion: SeasonCriterion) -> Any:
        """Return what is compared by a criterion; more is better."""
        if criterion is SeasonCriterion.WINS:
            return self.wins
        if criterion is SeasonCriterion.COUNTBACK:
            ranks = [self.results[n][0] for n in self.counted]
            return [ranks.count(rank) for rank in range(1, MAX_COUNTBACK + 1)]
        if criterion is SeasonCriterion.BEST_RESULT:
            return max(worth for _, worth in self.results.values())
        if criterion is SeasonCriterion.PLAYED:
            return len(self.results)
        if criterion is SeasonCriterion.ALL_RESULTS:
            return sum((worth for _, worth in self.results.values()), Fraction())
        nothing = (0, Fraction(-1))
        return [self.results.get(n, nothing)[1] for n in reversed(range(self.events))]

    def decided_by(self, previous: _Results) -> str:
        """Return the key that places it below another; empty when they are level."""
        pairs = zip(self.keys, previous.keys, strict=True)
        return next((name for (name, value), (_, other) in pairs if value != other), "")


def _rank_lines(lines: Iterable[_Results], numbers: Sequence[int]) -> Iterable[SeasonLine]:
    def key(line: _Results) -> list[Any]:
        return [value for _, value in line.keys]

    previous: _Results | None = None
    rank = 1
    for _, level in groupby(sorted(lines, key=key, reverse=True), key=key):
        tied = list(level)
        for index, line in enumerate(tied):
            yield SeasonLine(
                who=line.who,
                rank=rank,
                shared=len(tied) > 1,
                total=line.total,
                wins=line.wins,
                results=tuple(
                    Result(numbers[n], place_, value, n in line.counted)
                    for n, (place_, value) in sorted(line.results.items())
                ),
                decided_by="shared" if index else line.decided_by(previous) if previous else "",
                missing=line.missing,
            )
        previous = tied[-1]
        rank += len(tied)
