"""Duplicate scoring: compares each side's result on a deal with those who held the same cards.

A result on a deal is the points of the side less those of its opponents. Sides are compared with
the same side of the other tables that played the deal in the stage, never with their opponents.

**Match points** (`MATCH_POINTS`): two for each result that is lower than one's own, one for each
that is equal. Where a deal was played less often than the one played most (an entrant sat out, a
movement was cut short), its match points are brought to the same top by Neuberg's formula: with n
of N expected results, (N / n) (m + 1) - 1. A deal that one table alone has played gives
both sides half of the top.

**Average difference** (`AVERAGE`): one's result less the mean of the other results, as in Butler's
scoring but without its scale and without leaving out the extremes. It may be negative; the points
of a deal add up to nothing. By `SumRule.ROUNDED` each is rounded to hundredths.

Not played: the side that forfeits gets nothing in match points, the other three fifths of the top
a deal, as the laws of duplicate bridge have it (law 12C2, 2017: 60 % to those without fault), or
nothing for either side in average differences. A pairing bye gives entrants their own mean over
the rounds that they played, which ranks as the percentage of the possible points; one who has
played nothing gets half of the top. A full bye is worth three fifths, a half bye half.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from tournaments.domain.rows import AVERAGE, Bye, Points, Stage, SumRule, Table

MATCH_POINTS: Final = "matchpoints"

BLAMELESS_SHARE: Final = Fraction(3, 5)  # law 12C2 of duplicate bridge: 60 %
HALF: Final = Fraction(1, 2)
TWO_SIDES: Final = 2

Key = tuple[int, int]
"""A table of a stage: the round's number and the table's."""


class BoardResult(NamedTuple):
    """A deal at a table: the first side's result and what both sides took for it."""

    board: int
    round: int
    table: int
    difference: int
    awards: tuple[Points, Points]


def match_points(results: Sequence[int], expected: int | None = None) -> tuple[Points, ...]:
    """Return the match points of each of several results on one deal, the top 2 (expected - 1).

    ``expected`` is how many results were to be had, by default as many as there are.
    """
    count = len(results)
    field_size = count if expected is None else max(expected, count)
    frequencies = Counter(results)
    lower_counts, total = {}, 0
    for value in sorted(frequencies):
        lower_counts[value] = total
        total += frequencies[value]
    raw = [2 * lower_counts[value] + frequencies[value] - 1 for value in results]
    return tuple(Fraction(field_size, count) * (points + 1) - 1 for points in raw)


def average_differences(results: Sequence[int]) -> tuple[Points, ...]:
    """Return each result less the mean of the others; a lone result gives 0."""
    others = len(results) - 1
    if others < 1:
        return (Points(0),) * len(results)
    total = sum(results)
    return tuple(value - Fraction(total - value, others) for value in results)


def _in_hundredths(points: Iterable[Points]) -> tuple[Points, ...]:
    return tuple(Fraction(round(100 * value), 100) for value in points)


def score_sheet(stage: Stage) -> tuple[BoardResult, ...]:
    """Return every deal at every table with what it earned, by deal and round."""
    results_by_board = _results(stage)
    max_results = max(map(len, results_by_board.values()), default=0)
    lines = []
    for board in sorted(results_by_board):
        entries = results_by_board[board]
        differences = [difference for _, difference in entries]
        opposites = [-difference for difference in differences]
        if stage.rules.comparison == AVERAGE:
            first, second = average_differences(differences), average_differences(opposites)
            if stage.rules.sums is SumRule.ROUNDED:
                first, second = _in_hundredths(first), _in_hundredths(second)
        else:
            first, second = (
                match_points(differences, max_results),
                match_points(opposites, max_results),
            )
        lines += [
            BoardResult(board, round_, table, difference, (award, other))
            for ((round_, table), difference), award, other in zip(
                entries, first, second, strict=True
            )
        ]
    return tuple(lines)


def top_score(stage: Stage) -> Points:
    """Return the most that a deal can earn in match points; 0 for average differences."""
    if stage.rules.comparison == AVERAGE:
        return Points(0)
    max_results = max(map(len, _results(stage).values()), default=0)
    return Points(2 * max(max_results - 1, 0))


def possible_points(stage: Stage) -> Mapping[Key, Points]:
    """Return by table the most match points that a side can get; empty for average differences."""
    max_score = top_score(stage)
    if not max_score:
        return {}
    return {
        (round_, table.number): max_score * _deals(stage, table)
        for round_, table in stage.tables()
        if table.counts
    }


def comparison_awards(stage: Stage) -> Mapping[Key, tuple[Points, ...]]:
    """Return the points of each side of each table by comparison over all its deals."""
    awards: dict[Key, tuple[Points, ...]] = {}
    for line in score_sheet(stage):
        total = awards.get((line.round, line.table), (Points(0), Points(0)))
        awards[line.round, line.table] = (total[0] + line.awards[0], total[1] + line.awards[1])
    max_score = top_score(stage)
    means = mean_points(stage, awards)
    for round_, table in stage.tables():
        if table.is_bye:
            awards[round_, table.number] = (_bye_points(stage, table, means, max_score),)
        elif table.forfeits:
            awards[round_, table.number] = tuple(
                Points(0)
                if side in table.forfeits
                else BLAMELESS_SHARE * max_score * _deals(stage, table)
                for side in range(len(table.sides))
            )
        elif table.counts:
            awards.setdefault((round_, table.number), (Points(0),) * len(table.sides))
    return awards


def _results(stage: Stage) -> dict[int, list[tuple[Key, int]]]:
    """Return by deal the first side's results; ValueError for tables of more than two sides.

    A table with no points but their sum has nothing to compare, and earns nothing.
    """
    results_by_board: dict[int, list[tuple[Key, int]]] = defaultdict(list)
    for round_, table in stage.tables():
        if table.is_bye or table.forfeits or table.marks is None or not table.board_points:
            continue
        for board, (first, others) in _deals_of(table):
            results_by_board[board].append(((round_, table.number), first - others))
    return results_by_board


def _deals_of(table: Table) -> Iterable[tuple[int, tuple[int, ...]]]:
    if len(table.sides) != TWO_SIDES:
        raise ValueError(f"table {table.number} has {len(table.sides)} sides to compare")
    return zip(table.boards, table.board_points, strict=True)


def _deals(stage: Stage, table: Table) -> int:
    """Return the number of deals of a table, known or planned."""
    return len(table.boards) or stage.rules.deals or 1


def mean_points(stage: Stage, awards: Mapping[Key, tuple[Points, ...]]) -> dict[int, Points]:
    """Return by entrant the mean of the points from the rounds that have some in ``awards``."""
    results: dict[int, list[Points]] = defaultdict(list)
    for round_, table in stage.tables():
        if (points := awards.get((round_, table.number))) is None:
            continue
        for side, award in zip(table.sides, points, strict=True):
            for entrant in side:
                results[entrant].append(award)
    return {entrant: sum(all_, Points(0)) / len(all_) for entrant, all_ in results.items()}


def _bye_points(
    stage: Stage, table: Table, means: Mapping[int, Points], max_score: Points
) -> Points:
    """Return the points of a bye."""
    all_ = max_score * _deals(stage, table)
    if table.bye is Bye.PAIRING:
        return means.get(table.entrants[0], HALF * all_)
    if table.bye is Bye.FULL:
        return BLAMELESS_SHARE * all_
    return HALF * all_ if table.bye is Bye.HALF else Points(0)
