"""Matches of deal sets: records that bots have played, one after another, until all is decided.

The records are numbered over sets and ways of sitting; each says by its tags which deals it was
played with (``deals``, the label that they were drawn under) and which ``seating`` it is. What was
taken stays, so that an attempt that is repeated goes on with the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import engine
from tournaments.domain.seating import sides_of
from tournaments.models.matches import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.domain.sets import DealSet
    from tournaments.models import Match

DEALS: Final = "deals"
SEATING: Final = "seating"
"""The tags of a record that say which it is: the label of its deals, and the seating from 1."""


class Place(NamedTuple):
    """Which record of a match of deal sets: the set and the seating, both from 1.

    ``order`` says which side of the match plays each side of the table.
    """

    number: int
    set: int
    seating: int
    order: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """At which side of the table each side of the match sits."""
        return tuple(self.order.index(side) for side in range(len(self.order)))

    @property
    def facts(self) -> dict[str, int]:
        """What the event of a record that decides nothing tells."""
        return {"set": self.set, "seating": self.seating}

    def label(self, match: Match) -> str:
        """Return what its deals are drawn under."""
        return f"{match.label}/{self.set}"

    def tags(self, match: Match) -> dict[str, str]:
        """Return what its record says of itself."""
        return {DEALS: self.label(match), SEATING: str(self.seating)}


def place_of(match: Match, number: int) -> Place:
    """Return which set and seating a record of a match is by its number, from 1."""
    orders = engine.seatings(len(match.sides))
    before, seating = divmod(number - 1, len(orders))
    return Place(number, before + 1, seating + 1, orders[seating])


def count_taken(match: Match) -> int:
    """Return how many records of the match are accepted."""
    return match.records.accepted().count()


def set_rows(sets: Iterable[DealSet]) -> tuple[dict[str, Any], ...]:
    """Return sets as a result keeps them: the points of each side, and who won it (or nobody)."""
    return tuple(
        {
            **dict(zip(SIDES, one.points, strict=False)),
            **({} if one.winner is None else {"winner": SIDES[one.winner]}),
        }
        for one in sets
    )


def is_at(match: Match, place: Place, record: engine.Record, side: str) -> bool:
    """Tell whether a record says that it is this set and seating, and the sides sat like that."""
    sides = engine.RULESETS[match.tournament.ruleset].sides
    is_seated_so = sides_of(side) == tuple(sides[at] for at in place.seats)
    return is_seated_so and identify_part(record) == place.tags(match)


def identify_part(record: engine.Record) -> dict[str, str | None]:
    """Return the tags by which a record says which one of its match it is."""
    return {name: record.tags.get(name) for name in (DEALS, SEATING)}
