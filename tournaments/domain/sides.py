"""The sides of a table and the places on them, by the names of their columns."""

from typing import Final

PLACES_BY_SIDE: Final = (
    ("home", "home_partner"),
    ("away", "away_partner"),
    ("third",),
    ("fourth",),
    ("fifth",),
)
"""The entries at a table by side, in seat order; partners only where two sides play."""

PLACES: Final = tuple(place for places in PLACES_BY_SIDE for place in places)
"""The entries at a table."""

SIDES: Final = tuple(places[0] for places in PLACES_BY_SIDE)
"""The sides of a table, in seat order."""

COUNTED: Final = ("hands", "points")
SCORES: Final = tuple(f"{side}_{counted}" for side in SIDES for counted in COUNTED)
"""The columns of a result that hold its score."""

MORE_SIDES: Final = SIDES[3:]
"""Sides added after the API and events were published: left out of both where they are not."""

WINNERS: Final = (*SIDES, "tie", "nobody")
"""The words for the winner of a match."""
