"""The effect of another result on the standings, and the attempts at a bot match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from tournaments.core.db import row_of
from tournaments.director.queries.snapshot import rows_of
from tournaments.domain.ranking import Effect, compare_tables
from tournaments.domain.rows import Mark, Stage, Table, TournamentRows
from tournaments.domain.scores import Score
from tournaments.domain.sides import SIDES
from tournaments.domain.stages import source_of
from tournaments.models import Attempt, Match, Result, Tournament

# --- Effects --------------------------------------------------------------------------------------
# The standings with another result of a match, computed before it is given.


class RulingOutcome(NamedTuple):
    """The results of a match ``before`` and ``after`` a ruling, None for no result.

    ``goes_on`` is the score in cotos at which a match without a result then goes on. ``surplus``:
    there are accepted cotos after the one that then decides the match.
    """

    before: Result | None
    after: Result | None
    goes_on: Score | None
    surplus: bool


def correction_effect(
    tournament: Tournament,
    match: Match,
    score: Score,
    *,
    forfeits: Sequence[str] = (),
    hand_scores: Sequence[Mapping[str, Any]] = (),
) -> Effect:
    """Return the tables of the match's stage before and after another result.

    ``hand_scores`` are those of a duplicate table, in the order of its deals. The changes among
    the qualified are given where a later stage takes the best of this one.
    """
    rows = rows_of(tournament)
    number = match.round.stage.number
    stage = next(stage for stage in rows.stages if stage.number == number)
    changed = {
        (round_.number, table.number): replace(
            _with_result(table, score, forfeits, hand_scores),
            cut=score.cut,
            decided=score.winner_at_time(stage.rules.level_cut),
        )
        for round_ in stage.rounds
        for table in round_.tables
        if (round_.number, table.number) == (match.round.number, match.table)
    }
    effect = compare_tables(rows, stage, changed, places=_places(rows, stage))
    filled = (one for one in rows.stages if one.published and source_of(rows, one) == stage)
    return replace(effect, filled=tuple(one.number for one in filled))


def effect_facts(effect: Effect) -> dict[str, Any]:
    """Return an effect as the facts of an event: places by the numbers of the entries."""
    return {
        "moves": [
            {"entry": move.entrant, "before": move.before, "after": move.after}
            for move in effect.moves
        ],
        "comes_in": list(effect.comes_in),
        "drops_out": list(effect.drops_out),
    }


def _with_result(
    table: Table, score: Score, forfeits: Sequence[str], hands: Sequence[Mapping[str, Any]]
) -> Table:
    marks = tuple(Mark(h, p) for h, p in zip(score.hands, score.points, strict=True))
    absent = tuple(SIDES.index(side) for side in forfeits)
    seats = SIDES[: len(table.sides)]
    boards = tuple(tuple(hand[side] for side in seats) for hand in hands if table.boards)
    return replace(
        table, marks=marks, forfeits=absent, board_points=boards, places=score.places or ()
    )


def _places(rows: TournamentRows, stage: Stage) -> int:
    """Return how many entries of the stage go on to a later one; 0 without such a cut."""
    later = (
        later_stage.rules.take_from + later_stage.rules.take
        for later_stage in rows.stages
        if later_stage.rules.take
        and later_stage.number > stage.number
        and (later_stage.rules.source or later_stage.number - 1) == stage.number
    )
    return max(later, default=0)


# --- Attempts -------------------------------------------------------------------------------------
# Attempts of workers at a match of bots, for the club's members.


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One lease of a match: its worker, its times, and its outcome.

    ``outcome`` is empty while it is running; ``ending`` is its name in the current language.
    """

    worker: str
    started_at: datetime
    ended_at: datetime | None
    outcome: str
    ending: str
    detail: str


MAX_ATTEMPTS = 50
"""Attempts shown, the latest first: a match that waits for remote bots has many."""


def attempts_of(match: Match) -> tuple[AttemptRow, ...]:
    """Return the last attempts at a match, the newest first: one query."""
    rows = Attempt.objects.filter(match=match).order_by("-started_at", "-pk")[:MAX_ATTEMPTS]
    return tuple(
        row_of(AttemptRow, row, ending=row.get_outcome_display(), detail=row.shown_detail)
        for row in rows
    )
