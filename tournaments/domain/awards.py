"""Match points of a table's sides: one function for each way of scoring.

A bye and a forfeit are worth what the :class:`Scale` says, with two exceptions: victory points read
the scale as shares of their 20, and a comparison gives averages (`tournaments.domain.comparison`).
By `SumRule.EXACT` a pairing bye under victory points is the mean of one's own rounds, unless the
scale gives it another worth than a win: 20 of 20 would be more than most tables give a winner.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Final

from tournaments.domain.comparison import HALF, comparison_awards, mean_points
from tournaments.domain.rows import (
    POINTS_BY_SIZE,
    Bye,
    Points,
    Scoring,
    Stage,
    StageRules,
    SumRule,
    Table,
)

Key = tuple[int, int]
"""A table of a stage: the round's number and the table's."""

VICTORY_POINTS: Final = Points(20)
"""What both sides of a table share out in victory points."""

PRECISE: Final = Context(prec=30)
"""Decimals in place of floats, so that every machine rounds alike."""

Awards = Mapping[Key, tuple[Points, ...]]
"""The match points of each side, for every table that counts; a bye has one side."""


def awards(stage: Stage) -> Awards:
    """Return the match points of every side of every table that counts."""
    if stage.rules.scoring is Scoring.COMPARISON:
        return comparison_awards(stage)
    points_at = SCORINGS[stage.rules.scoring]
    awarded = {
        (round_, table.number): points_at(stage.rules, table)
        for round_, table in stage.tables()
        if table.counts
    }
    return {**awarded, **_mean_byes(stage, awarded)} if byes_earn_mean(stage.rules) else awarded


def byes_earn_mean(rules: StageRules) -> bool:
    """Tell whether a pairing bye under victory points is worth the mean of one's own rounds."""
    is_exact = rules.scoring is Scoring.VICTORY and rules.sums is SumRule.EXACT
    return is_exact and rules.scale.bye == rules.scale.win


def _mean_byes(stage: Stage, awarded: Awards) -> Awards:
    """Return what pairing byes are worth: the mean of the tables played, half of 20 without any."""
    tables = {(round_, table.number): table for round_, table in stage.tables()}
    played = {key: points for key, points in awarded.items() if tables[key].marks is not None}
    means = mean_points(stage, played)
    return {
        key: (means.get(table.entrants[0], HALF * VICTORY_POINTS),)
        for key, table in tables.items()
        if table.bye is Bye.PAIRING
    }


def late_awards(stage: Stage, missed: Iterable[Key]) -> dict[Key, Points]:
    """Return what the rounds before a late entry are worth; keys are (round, entrant).

    By `SumRule.EXACT` what a bye of this kind (`StageRules.late`) earns there, under victory points
    and in a comparison too; else the points of the scale as they are.
    """
    rules, keys = stage.rules, tuple(missed)
    as_byes = rules.scoring in (Scoring.VICTORY, Scoring.COMPARISON)
    if not (keys and as_byes and rules.sums is SumRule.EXACT) or rules.late is Bye.ZERO:
        return dict.fromkeys(keys, rules.scale.bye_points(rules.late))
    # Tables that do not exist, below the numbers of all others.
    byes = {
        number: tuple(
            Table(-entrant, ((entrant,),), bye=rules.late) for n, entrant in keys if n == number
        )
        for number in {number for number, _ in keys}
    }
    rounds = (
        replace(round_, tables=round_.tables + byes.get(round_.number, ()))
        for round_ in stage.rounds
    )
    awarded = awards(replace(stage, rounds=tuple(rounds)))
    return {(number, entrant): awarded[number, -entrant][0] for number, entrant in keys}


def match_awards(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """Win, tie or loss, by hands won (:class:`Scale`)."""
    scale, winner = rules.scale, table.winner
    if points := points_without_play(rules, table):
        return points
    if winner is None:
        return (scale.tie,) * len(table.sides)
    return tuple(scale.win if n == winner else scale.loss for n in range(len(table.sides)))


def points_without_play(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """Return the match points of a bye or a forfeit; empty for a table that was played."""
    scale = rules.scale
    if table.bye is not None:
        return (scale.bye_points(table.bye),)
    if table.forfeits:
        return tuple(
            scale.forfeit_loss if index in table.forfeits else scale.forfeit_win
            for index in range(len(table.sides))
        )
    return ()


# --- the rank at the table ---------------------------------------------------------------------


def table_awards(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """Points by rank at the table; equals share theirs evenly.

    Stated places rank the sides; else two sides are ranked by the points that they made, then by
    hands won; three and more by hands won, then by points. Those who forfeit come last and get
    nothing; the others, where they did not play, share what is left.

    Where the stage states the size of its tables, the points are the list with as many places as
    there are sides, of `StageRules.points_by_size` or else of `POINTS_BY_SIZE`, and a forfeit is
    worth what the scale says. Elsewhere they are `StageRules.table_points`; of these, with fewer
    sides than places, the last place keeps its points and those before it fall away: of
    2, 1, 0 two sides get 2 and 0.
    """
    if table.is_bye:
        return points_without_play(rules, table)
    sides = len(table.sides)
    lists = (*rules.points_by_size, *POINTS_BY_SIZE) if rules.table_size else ()
    by_size = next((points for points in lists if len(points) == sides), ())
    places = by_size or _place_points(rules.table_points, sides)
    playing_sides = [index for index in range(sides) if index not in table.forfeits]

    def strength(index: int) -> tuple[int, int]:
        if table.marks is None:
            return 0, 0
        mark = table.marks[index]
        if table.places:
            return -table.places[index], 0
        return strength_at_table(mark.hands, mark.points, sides)

    points = [rules.scale.forfeit_loss if by_size else Points(0)] * sides
    offset = 0
    for _, group in groupby(sorted(playing_sides, key=strength, reverse=True), strength):
        equals = list(group)
        share = sum(places[offset : offset + len(equals)], Points(0)) / len(equals)
        for index in equals:
            points[index] = share
        offset += len(equals)
    return tuple(points)


def strength_at_table(hands: int, points: int, sides: int) -> tuple[int, int]:
    """Return what ranks a side at a table: of two the points first, of three and more the hands."""
    return (points, hands) if sides == 2 else (hands, points)


def _place_points(points: Sequence[Points], sides: int) -> Sequence[Points]:
    """Return the points of each place at a table, by its number of sides."""
    if len(points) <= sides:
        return [*points, *[Points(0)] * (sides - len(points))]
    return [*points[: sides - 1], points[-1]]


# --- hands and points as they are, and victory points ------------------------------------------


def hand_awards(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """The hands that each side won, and the bonus for the winner."""
    return points_without_play(rules, table) or tuple(
        mark.hands + (rules.match_bonus if index == table.winner else Points(0))
        for index, mark in enumerate(table.marks or ())
    )


def point_awards(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """The points that each side made."""
    return points_without_play(rules, table) or tuple(
        Points(mark.points) for mark in table.marks or ()
    )


def victory_awards(rules: StageRules, table: Table) -> tuple[Points, ...]:
    """Victory points from the difference of points, 20 between both sides (`victory_points`).

    Tables of more than two sides have no difference: ValueError.
    """
    if points := points_without_play(rules, table):
        return tuple(VICTORY_POINTS * award / (rules.scale.win or 1) for award in points)
    first, others = (mark.points for mark in table.marks or ())
    winner = victory_points(abs(first - others), rules.victory_margin, rules.deals or 1)
    loser = VICTORY_POINTS - winner
    return (winner, loser) if first >= others else (loser, winner)


@lru_cache(maxsize=4096)
def victory_points(difference: int, margin: int, deals: int = 1) -> Points:
    """Return the winner's victory points, from 10 to 20 in hundredths; the loser has the rest.

    The continuous scale of the World Bridge Federation (2013): with t = (√5 - 1) / 2 and B the
    difference that earns everything, 10 + 10 (1 - t^(3 d / B)) / (1 - t^3), at most 20. There B is
    15 √N international match points for N boards; here it is ``margin`` √N points for N ``deals``,
    because the differences of independent deals add up as their square root. The federation's
    printed tables are smoothed by hand and differ from the formula by a hundredth in places; this
    is the formula, rounded to hundredths. ValueError when a number makes no sense.
    """
    if difference < 0 or margin < 1 or deals < 1:
        raise ValueError(f"no victory points for {difference} of {margin} in {deals} deals")
    full = PRECISE.multiply(Decimal(margin), PRECISE.sqrt(Decimal(deals)))
    if difference >= full:
        return VICTORY_POINTS
    golden = PRECISE.divide(PRECISE.sqrt(Decimal(5)) - 1, Decimal(2))
    share = PRECISE.divide(Decimal(3 * difference), full)
    part = PRECISE.divide(1 - PRECISE.power(golden, share), 1 - PRECISE.power(golden, Decimal(3)))
    return Fraction(round(1000 + 1000 * part), 100)


SCORINGS: Final[Mapping[Scoring, Callable[[StageRules, Table], tuple[Points, ...]]]] = (
    MappingProxyType(
        {
            Scoring.MATCH: match_awards,
            Scoring.HANDS: hand_awards,
            Scoring.TABLE: table_awards,
            Scoring.POINTS: point_awards,
            Scoring.VICTORY: victory_awards,
        }
    )
)
"""The points of each side of a table, by the way of scoring; a comparison needs all tables."""
