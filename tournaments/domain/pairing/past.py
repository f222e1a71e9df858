"""The history that the next round's pairing needs: meetings, byes, floats, first sides.

A game that was forfeited was not played (FIDE handbook C.04.1, basic rules of Swiss systems): the
two have not met, and nobody dealt. A table that is still open, disputed or postponed has been
played as far as this is concerned: the two have met, only no points follow from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Final

from tournaments.domain.awards import awards
from tournaments.domain.rows import Bye, Entrant, Points, Stage, Table

TWO_SIDES: Final = 2
NOTHING: Final = Points(0)
COUNTED_BYES: Final = frozenset({Bye.PAIRING, Bye.FULL})
"""Byes that are worth a win; half and zero byes leave the claim to one."""


def pair(entrant: int, other: int) -> tuple[int, int]:
    """Return two numbers as the key of `StageHistory.meeting_rounds`."""
    return (entrant, other) if entrant < other else (other, entrant)


@dataclass(slots=True)
class StageHistory:
    """The earlier rounds of a stage, summed up by entrant.

    ``scores`` are match points without penalties; ``meeting_rounds`` the rounds in which two sat on
    different sides, the lower number first; ``byes`` the rounds in which an entrant got a win's
    worth without playing (pairing bye, full bye, forfeit of the others, or a latecomer's credit);
    ``first`` for each game played whether the entrant was on the first side, oldest first. ``down``
    and ``up`` are those who floated in the last round: who met one with fewer (more) points, and,
    down only, who got more than a loss's worth without playing.
    """

    scores: dict[int, Points] = field(default_factory=dict)
    meeting_rounds: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    byes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    first: dict[int, list[bool]] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)
    up: set[int] = field(default_factory=set)

    def score(self, entrant: int) -> Points:
        """Return the match points of an entrant, 0 for one who is new."""
        return self.scores.get(entrant, NOTHING)

    def meetings(self, entrant: int, other: int) -> tuple[int, ...]:
        """Return the rounds in which two have met."""
        return self.meeting_rounds.get(pair(entrant, other), ())

    def first_side_counts(self, entrant: int) -> tuple[int, int]:
        """Return how often an entrant was on the first side of a table, and how often not."""
        turns = self.first.get(entrant, [])
        return sum(turns), len(turns) - sum(turns)

    def balance(self, entrant: int) -> int:
        """Return the times on the first side less those on another."""
        first_count, others = self.first_side_counts(entrant)
        return first_count - others


def stage_history(stage: Stage, entrants: Mapping[int, Entrant]) -> StageHistory:
    """Sum up the published rounds of a stage."""
    history = StageHistory()
    points = awards(stage)
    rounds: dict[int, list[Table]] = {}
    for round_, table in stage.tables():
        rounds.setdefault(round_, []).append(table)
    last = max(rounds, default=0)
    for round_ in sorted(rounds):
        tables = rounds[round_]
        if round_ == last:
            _record_floats(
                history, stage, tables, {t.number: points.get((round_, t.number)) for t in tables}
            )
        for table in tables:
            _add(history, round_, table, points.get((round_, table.number)))
        _credit_latecomers(history, stage, entrants, round_, tables)
    return history


def _add(
    history: StageHistory, round_: int, table: Table, points: tuple[Points, ...] | None
) -> None:
    """Add a table: its points, who met, who had a bye, who was on the first side."""
    is_played = was_played(table)
    for index, side in enumerate(table.sides):
        for entrant in side:
            if points is not None:
                history.scores[entrant] = history.score(entrant) + points[index]
            if is_played:
                history.first.setdefault(entrant, []).append(index == 0)
            elif _is_rest(table, index):
                history.byes[entrant] = (*history.byes.get(entrant, ()), round_)
    if is_played:
        for first_side, other in combinations(table.sides, 2):
            for a, b in product(first_side, other):
                key = pair(a, b)
                history.meeting_rounds[key] = (*history.meeting_rounds.get(key, ()), round_)


def was_played(table: Table) -> bool:
    """Tell whether the sides of a table have met: no bye and no forfeit."""
    return not table.is_bye and not table.forfeits


def _is_rest(table: Table, index: int) -> bool:
    """Tell whether a side got a win's worth without playing."""
    if table.is_bye:
        return table.bye in COUNTED_BYES
    return bool(table.forfeits) and table.winner == index


def _credit_latecomers(
    history: StageHistory,
    stage: Stage,
    entrants: Mapping[int, Entrant],
    round_: int,
    tables: list[Table],
) -> None:
    """Give those who had not yet joined what the stage gives to latecomers (`StageRules.late`)."""
    latecomers = [
        entrant
        for entrant in stage.entrants
        if entrant in entrants and entrants[entrant].joined > round_
    ]
    if not latecomers:
        return
    seated_entrants = {entrant for table in tables for entrant in table.entrants}
    for entrant in latecomers:
        if entrant not in seated_entrants:
            history.scores[entrant] = history.score(entrant) + stage.rules.scale.bye_points(
                stage.rules.late
            )
            if stage.rules.late in COUNTED_BYES:
                history.byes[entrant] = (*history.byes.get(entrant, ()), round_)


def _record_floats(
    history: StageHistory,
    stage: Stage,
    tables: list[Table],
    points: Mapping[int, tuple[Points, ...] | None],
) -> None:
    """Note who floated in the last round, by the scores before it."""
    for table in tables:
        if was_played(table):
            if len(table.sides) == TWO_SIDES:
                _float_at(history, table)
            continue
        for side, got in zip(table.sides, points[table.number] or (), strict=True):
            if got > stage.rules.scale.loss:
                history.down.update(side)


def _float_at(history: StageHistory, table: Table) -> None:
    score, other = (max(map(history.score, side)) for side in table.sides)
    if score != other:
        history.down.update(table.sides[0 if score > other else 1])
        history.up.update(table.sides[1 if score > other else 0])
