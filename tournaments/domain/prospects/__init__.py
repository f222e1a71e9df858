"""Says who goes on to the next stage, or no longer can, whatever the matches left may give.

For stages ranked by match points of two sides (liguilla, groups, Swiss) that fill a later one with
their best. The results that are left are enumerated where they are few, by groups: with every
result a table is ranked by `ranking.tables`, by those criteria alone whose numbers the results
state (`BY_POINTS`, `IF_PLAYED`, `BY_MARGIN`), and entrants level after them are not certain. Where
they are many, each match gives the most or the least that it can to the number of entrants above
one, by match points. Rounds of a Swiss that are not drawn count as their best and worst for
everybody.

A result is any that the length of the match allows, cut by time too, and a forfeit of one side.
Penalties, corrections, decisions of the arbiter, forfeits of both sides, lots, late entries and
withdrawals are not foreseen.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from tournaments.domain.pairing import FORMATS
from tournaments.domain.prospects.bounds import Bounds
from tournaments.domain.prospects.cases import Cases
from tournaments.domain.prospects.contest import (
    MAX_CASES,
    Contest,
    Prospect,
    ResultLines,
    Verdict,
    filled_by,
    outcomes_of,
    parts_of,
    schedule_of,
)
from tournaments.domain.ranking import order_of
from tournaments.domain.rows import Scoring, Stage, TournamentRows
from tournaments.domain.scores import Length
from tournaments.domain.stages import next_round

BY_POINTS: Final = frozenset(
    (
        "mean_match_points",
        "mean_table_points_of_opponents",
        "opponent_match_wins",
        "opponents_points",
        "progressive",
        "standard_points",
        "wins",
    )
)
"""Criteria whose numbers follow from the match points of every match."""

BY_POINTS_PRESET: Final = BY_POINTS | {
    "direct_encounter",
    "direct_of_two",
    "emmsb",
    "koya",
    "sonneborn_berger",
    "sonneborn_berger_cut1",
}
"""The same in a fixed schedule, where a forfeit counts like a match (FIDE C.07, article 15.2)."""

IF_PLAYED: Final = BY_POINTS_PRESET | {
    "buchholz",
    "buchholz_cut1",
    "buchholz_cut2",
    "median2",
    "median_buchholz",
    "rounds_elected",
    "tables_won",
    "won",
}
"""Criteria for which it also counts whether a match was played or forfeited."""

BY_MARGIN: Final = IF_PLAYED | {"hand_difference", "mini_hand_difference"}
"""Criteria for which the difference of hands counts too, bounded by the length of a match."""


def prospects(rows: TournamentRows, stage: Stage, length: Length) -> dict[int, Prospect]:
    """Return what is certain for the entrants of a stage, by number; those left out are not.

    ``length`` is that of the stage's matches. Empty where no later stage takes the best of this
    one, or where it has begun, and where match points come from card points.
    """
    target = filled_by(rows, stage)
    schedule = None if target is None else schedule_of(rows, stage)
    if target is None or schedule is None:
        return {}
    round_, drawn = next_round(rows), frozenset(one.number for one in stage.published)
    found: dict[int, Prospect] = {}
    parts = tuple(parts_of(schedule.stage))
    for part in parts:
        here = frozenset(n for n in part.entrants if not rows.by_number[n].has_left(round_))
        if len(here) <= target.rules.take:
            continue  # all go on who stay
        contest = Contest(schedule.rows, part, target, here, drawn)
        most_cases = MAX_CASES // len(parts)
        found.update(_prospects_of(contest, length, schedule.unknown, most_cases))
    return found


def _prospects_of(
    contest: Contest, length: Length, unknown: int, most_cases: int
) -> dict[int, Prospect]:
    """Return the prospects of one contest: by all cases where they are few, else by bounds."""
    stage, scale = contest.stage, contest.stage.rules.scale
    awarded_alike = stage.rules.scoring is Scoring.MATCH and (
        (scale.forfeit_win, scale.forfeit_loss) == (scale.win, scale.loss)
    )
    plain = outcomes_of(stage.rules, length, margins=False, forfeits=not awarded_alike)
    if unknown or len(plain) ** len(contest.open) > most_cases:
        return dict(Bounds(contest, ResultLines(contest, plain), unknown).prospects())
    order = order_of(stage)
    if not contest.open:
        return dict(Cases(contest, ResultLines(contest, plain), order, stage).prospects())
    by_points = BY_POINTS_PRESET if FORMATS[stage.format].is_preset else BY_POINTS
    outcomes, used = plain, _used(order, by_points)
    for margins, criteria in ((False, IF_PLAYED), (True, BY_MARGIN)):
        finer, more = (
            outcomes_of(stage.rules, length, margins=margins, forfeits=True),
            _used(order, criteria),
        )
        if len(more) > len(used) and len(finer) ** len(contest.open) <= most_cases:
            outcomes, used = finer, more
    ranked = replace(stage, rules=replace(stage.rules, order=used, lots=False))
    return dict(Cases(contest, ResultLines(contest, outcomes), used, ranked).prospects())


def _used(order: Sequence[str], criteria: frozenset[str]) -> tuple[str, ...]:
    """Return the criteria of an order before the first that is none of some."""
    return tuple(takewhile(criteria.__contains__, order))


__all__ = ["Prospect", "Verdict", "prospects"]
