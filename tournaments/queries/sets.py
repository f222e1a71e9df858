"""The deal sets of a match: what each came to, and the records that it was played in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.domain.sets import Part, part_of, sets_of
from tournaments.models import Hand, Match
from tournaments.models.matches import SIDES


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """A record of a set: its key, and the number of its first hand through all the match."""

    pk: int
    first_hand: int


@dataclass(frozen=True, slots=True)
class SideOfSet:
    """What a side made in a set."""

    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set, from 1: the points of each side in all its records, who won it (or nobody)."""

    number: int
    points: tuple[int, ...]
    winner: str
    records: tuple[PlayedRecord, ...]

    @property
    def sides(self) -> tuple[SideOfSet, ...]:
        """What each side made, and whether that won the set."""
        named = zip(SIDES, self.points, strict=False)
        return tuple(SideOfSet(points, side == self.winner) for side, points in named)


def parts_of(match: Match) -> tuple[Part, ...]:
    """Return the records that a match of deal sets has so far, in order: two queries."""
    return tuple(part for _, part in _played(match))


def set_rows_of(match: Match) -> tuple[SetRow, ...]:
    """Return the sets that have been played to their end: two queries."""
    sides, number, found = len(match.sides), 1, _played(match)
    rows, records = [], []
    for record, _ in found:
        records.append(PlayedRecord(record.pk, number))
        number += record.hands
    for at, one in enumerate(sets_of([part for _, part in found])):
        winner = "" if one.winner is None else SIDES[one.winner]
        of_set = tuple(records[at * sides : (at + 1) * sides])
        rows.append(SetRow(at + 1, one.points, winner, of_set))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Row:
    pk: int
    hands: int


def _played(match: Match) -> list[tuple[_Row, Part]]:
    hands: dict[int, list[Mapping[str, int]]] = defaultdict(list)
    records = match.records.accepted().order_by("coto")
    played = Hand.objects.filter(record__match=match, record__state="accepted")
    for pk, points in played.order_by().values_list("record", "points"):
        hands[pk].append(points)
    rows = records.values_list("pk", "verdict__score", "home_side")
    return [(_Row(pk, len(hands[pk])), part_of(score, hands[pk], side)) for pk, score, side in rows]
