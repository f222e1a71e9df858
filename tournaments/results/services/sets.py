"""Matches of deal sets: bots play records one after another until the match is decided.

The records are numbered over sets and seatings. Their tags name their deals (``deals``, the label
under which they were drawn) and their ``seating``. Accepted records stay, so that a repeated
attempt goes on with the next one.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import engine
from tournaments.domain.seating import sides_of
from tournaments.domain.sets import DealSet
from tournaments.models import Match
from tournaments.models.matches import SIDES

DEALS: Final = "deals"
SEATING: Final = "seating"
"""The tags of a record with the label of its deals, and the seating from 1."""


class Place(NamedTuple):
    """A record's place in a match of deal sets: the set and the seating, both from 1.

    ``order`` gives the side of the match at each side of the table.
    """

    number: int
    set: int
    seating: int
    order: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The side of the table of each side of the match."""
        return tuple(self.order.index(side) for side in range(len(self.order)))

    @property
    def facts(self) -> dict[str, int]:
        """The facts of the event of a record that does not decide the match."""
        return {"set": self.set, "seating": self.seating}

    def label(self, match: Match) -> str:
        """Return the label under which its deals are drawn."""
        return f"{match.label}/{self.set}"

    def tags(self, match: Match) -> dict[str, str]:
        """Return the tags of its record."""
        return {DEALS: self.label(match), SEATING: str(self.seating)}


def place_of(match: Match, number: int) -> Place:
    """Return the set and seating of a match's record by its number, from 1."""
    orders = engine.seatings(len(match.sides))
    before, seating = divmod(number - 1, len(orders))
    return Place(number, before + 1, seating + 1, orders[seating])


def set_rows(sets: Iterable[DealSet]) -> tuple[dict[str, Any], ...]:
    """Return sets in the form of `Result.hand_scores`: points of each side, and any winner."""
    return tuple(
        {
            **dict(zip(SIDES, one.points, strict=False)),
            **({} if one.winner is None else {"winner": SIDES[one.winner]}),
        }
        for one in sets
    )


def is_at(match: Match, place: Place, record: engine.Record, side: str) -> bool:
    """Return whether a record has the tags of this set and seating, and its seats."""
    sides = engine.RULESETS[match.tournament.ruleset].sides
    is_seated_so = sides_of(side) == tuple(sides[at] for at in place.seats)
    return is_seated_so and identify_part(record) == place.tags(match)


def identify_part(record: engine.Record) -> dict[str, str | None]:
    """Return the tags that identify a record within its match."""
    return {name: record.tags.get(name) for name in (DEALS, SEATING)}
