"""A second table of the liguilla, made in another way, that `ranking` is held to.

The order of criteria for a round robin, each used only among those whom the ones before left tied:

1. **match points**: two for a win, one for a tie, none for a loss (:class:`Scale`).
2. **direct encounter** (FIDE handbook C.07, article 6, edition of 1 March 2026): a table of the
   match points that the tied took from one another; the average when two met several times (6.1.2).
   When all of them have met it ranks them, and is applied again to those still tied in it (6.2).
   When some have not met yet, only an entry that comes out alone on top *whatever the missing
   matches give* is placed first, then in the same way a second, and so on; the rule is then applied
   again to the rest (6.3, which FIDE needs for Swiss tournaments and we for unfinished liguillas).
   In a schedule fixed beforehand awarded matches count like played ones (15.2).
3. **hand difference**: hands won minus hands lost, over all matches.
4. **point difference**: card points and declarations made minus conceded, over all matches.

Entries still tied share the place, and the next one is counted on (1, 2, 2, 4). A bye gives
nothing: everybody has the same number of them at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Final

from tournaments.domain.scores import Score

__all__ = [
    "SCALE",
    "Block",
    "Criterion",
    "Played",
    "Scale",
    "Score",
    "Standing",
    "crosstable",
    "standings",
]


class Criterion(StrEnum):
    """What separates an entry from the one above it; ``FIRST`` has nobody above."""

    FIRST = ""
    MATCH_POINTS = "match_points"
    DIRECT_ENCOUNTER = "direct_encounter"
    HAND_DIFFERENCE = "hand_difference"
    POINT_DIFFERENCE = "point_difference"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Scale:
    """Match points for a win, a tie and a loss."""

    win: int = 2
    tie: int = 1
    loss: int = 0

    def award(self, score: Score) -> int:
        """Return the match points of the side that ``score`` calls home."""
        if score.home_hands == score.away_hands:
            return self.tie
        return self.win if score.home_hands > score.away_hands else self.loss


SCALE: Final = Scale()
"""The club's usual scale."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one match between two entries, by their numbers."""

    home: int
    away: int
    score: Score

    def seen_from(self, entry: int) -> Score:
        """Return the score with ``entry`` (one of the two) as home."""
        return self.score if entry == self.home else self.score.reversed()


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table.

    ``rank`` is shared when ``shared``; ``decided_by`` names what put this entry below the one above
    it. ``direct_points`` are the match points of the mini-table in which a direct encounter placed
    the entry, else ``None``.
    """

    entry: int
    rank: int
    shared: bool
    played: int
    won: int
    tied: int
    lost: int
    match_points: int
    hands_for: int
    hands_against: int
    points_for: int
    points_against: int
    decided_by: Criterion
    direct_points: Fraction | None = None

    @property
    def hand_difference(self) -> int:
        """Hands won minus hands lost."""
        return self.hands_for - self.hands_against

    @property
    def point_difference(self) -> int:
        """Points made minus points conceded."""
        return self.points_for - self.points_against


def standings(
    entries: Iterable[int], results: Sequence[Played], scale: Scale = SCALE
) -> tuple[Standing, ...]:
    """Return the table, best first; entries that share a place stand in the order of their numbers.

    Raises ValueError when a result names an entry that is not in the list.
    """
    numbers = sorted(entries)
    strangers = {n for result in results for n in (result.home, result.away)} - set(numbers)
    if strangers:
        raise ValueError(f"results of entries that do not play: {sorted(strangers)}")
    if not numbers:
        return ()
    blocks = [Block(tuple(_line(number, results, scale) for number in numbers), Criterion.FIRST)]
    for criterion, split in (
        (Criterion.MATCH_POINTS, _by_match_points),
        (Criterion.DIRECT_ENCOUNTER, partial(_by_direct_encounter, results=results, scale=scale)),
        (Criterion.HAND_DIFFERENCE, _by_hand_difference),
        (Criterion.POINT_DIFFERENCE, _by_point_difference),
    ):
        blocks = [part for block in blocks for part in _refined(block, criterion, split)]
    return _ranked(blocks)


def crosstable(results: Iterable[Played]) -> dict[tuple[int, int], tuple[Score, ...]]:
    """Return, for each (entry, opponent), the scores of their matches as the entry sees them."""
    cells: dict[tuple[int, int], tuple[Score, ...]] = {}
    for result in results:
        for entry, opponent in ((result.home, result.away), (result.away, result.home)):
            cell = cells.get((entry, opponent), ())
            cells[entry, opponent] = (*cell, result.seen_from(entry))
    return cells


Lines = tuple[Standing, ...]
Split = Callable[[Lines], list[Lines]]


@dataclass(frozen=True, slots=True)
class Block:
    """Entries that are still tied, and what put them below the block above."""

    lines: Lines
    decided_by: Criterion


def _line(entry: int, results: Sequence[Played], scale: Scale) -> Standing:
    """Add up one entry's matches; its rank comes later."""
    scores = [result.seen_from(entry) for result in results if entry in (result.home, result.away)]
    return Standing(
        entry=entry,
        rank=0,
        shared=False,
        played=len(scores),
        won=sum(s.home_hands > s.away_hands for s in scores),
        tied=sum(s.home_hands == s.away_hands for s in scores),
        lost=sum(s.home_hands < s.away_hands for s in scores),
        match_points=sum(scale.award(s) for s in scores),
        hands_for=sum(s.home_hands for s in scores),
        hands_against=sum(s.away_hands for s in scores),
        points_for=sum(s.home_points for s in scores),
        points_against=sum(s.away_points for s in scores),
        decided_by=Criterion.FIRST,
    )


def _refined(block: Block, criterion: Criterion, split: Split) -> list[Block]:
    """Split a block by one more criterion."""
    first, *others = split(block.lines)
    return [Block(first, block.decided_by), *(Block(lines, criterion) for lines in others)]


def _ranked(blocks: Iterable[Block]) -> Lines:
    """Number the places: the entries of a block share theirs."""
    table: list[Standing] = []
    for block in blocks:
        rank, shared = len(table) + 1, len(block.lines) > 1
        for line in block.lines:
            decided_by = block.decided_by if len(table) < rank else Criterion.SHARED
            table.append(replace(line, rank=rank, shared=shared, decided_by=decided_by))
    return tuple(table)


def _by_value(lines: Lines, value: Callable[[Standing], Fraction | int]) -> list[Lines]:
    """Group equal values, the highest first."""
    highest_first = sorted(lines, key=value, reverse=True)
    return [tuple(equals) for _, equals in groupby(highest_first, key=value)]


def _by_match_points(lines: Lines) -> list[Lines]:
    return _by_value(lines, lambda line: line.match_points)


def _by_hand_difference(lines: Lines) -> list[Lines]:
    return _by_value(lines, lambda line: line.hand_difference)


def _by_point_difference(lines: Lines) -> list[Lines]:
    return _by_value(lines, lambda line: line.point_difference)


def _by_direct_encounter(lines: Lines, *, results: Sequence[Played], scale: Scale) -> list[Lines]:
    """Apply article 6 to entries tied so far, again and again until it resolves nothing more."""
    if len(lines) == 1:
        return [lines]
    table = _mini_table(lines, results, scale)
    by_entry = {line.entry: replace(line, direct_points=table[line.entry].points) for line in lines}
    if any(row.missing for row in table.values()):
        parts = _certain_leaders(table, scale)
    else:
        parts = [
            [line.entry for line in part]
            for part in _by_value(lines, lambda line: table[line.entry].points)
        ]
    if len(parts) == 1:
        return [lines]
    subdivide = partial(_by_direct_encounter, results=results, scale=scale)
    return [
        finer for part in parts for finer in subdivide(tuple(by_entry[entry] for entry in part))
    ]


@dataclass(frozen=True, slots=True)
class MiniRow:
    """What one of the tied took from the others, and how many of them are not met yet."""

    points: Fraction
    missing: int


def _mini_table(lines: Lines, results: Sequence[Played], scale: Scale) -> dict[int, MiniRow]:
    """Return the separate standings of articles 6.1 and 6.1.2, by entry."""
    tied = {line.entry for line in lines}
    results_among = crosstable(result for result in results if {result.home, result.away} <= tied)
    return {
        entry: MiniRow(
            points=sum(
                (
                    Fraction(sum(scale.award(score) for score in scores), len(scores))
                    for (row_entry, _), scores in results_among.items()
                    if row_entry == entry
                ),
                Fraction(),
            ),
            missing=sum(other != entry and (entry, other) not in results_among for other in tied),
        )
        for entry in tied
    }


def _certain_leaders(table: dict[int, MiniRow], scale: Scale) -> list[list[int]]:
    """Return those whom no missing match can move from the top, one by one, then the rest (6.3)."""
    rest = sorted(table)
    leaders: list[list[int]] = []
    while (leader := _certain_leader({entry: table[entry] for entry in rest}, scale)) is not None:
        leaders.append([leader])
        rest.remove(leader)
    return [*leaders, rest] if rest else leaders


def _certain_leader(table: dict[int, MiniRow], scale: Scale) -> int | None:
    """Return who stays alone on top after losing all missing matches while others win theirs."""
    for entry, row in table.items():
        worst = row.points + row.missing * scale.loss
        if all(
            worst > other.points + other.missing * scale.win
            for number, other in table.items()
            if number != entry
        ):
            return entry
    return None
