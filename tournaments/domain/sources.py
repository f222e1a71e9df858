"""Who comes through from a tournament into the sign-up of another one, and the seeding by place."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.domain.season import FinalPlace

MOST_BY_PLACE: Final = 1000
"""The seeding rating of a place that would be before the first; above it stand ratings of people,
below it entrants without any (chosen: more than any tournament has places)."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Who comes ``through``; ``free`` of those who are ``level`` come too, which lots decide."""

    through: tuple[FinalPlace, ...]
    level: tuple[FinalPlace, ...] = ()
    free: int = 0


def cut_places(
    places: Sequence[FinalPlace],
    take: int,
    gone: Collection[int] = (),
    noted: Collection[int] = (),
) -> Cut:
    """Return who of the final places are the first ``take``, without those who are ``gone``.

    Where a place at the cut is shared, those of them who are ``noted`` already come, as lots
    decided; the others are level while there is room for some of them.

    >>> places = [FinalPlace(who, rank) for who, rank in ((5, 1), (2, 2), (3, 3), (4, 3))]
    >>> [place.who for place in cut_places(places, 3, gone=[5]).through]
    [2, 3, 4]
    >>> cut = cut_places(places, 3)
    >>> [place.who for place in cut.through], [place.who for place in cut.level], cut.free
    ([5, 2], [3, 4], 1)
    >>> [place.who for place in cut_places(places, 3, noted=[4]).through]
    [5, 2, 4]
    """
    left = [place for place in places if place.who not in gone]
    if len(left) <= take:
        return Cut(tuple(left))
    last = left[take - 1].rank
    above = [place for place in left if place.rank < last]
    level = [place for place in left if place.rank == last]
    free = take - len(above)
    if len(level) > free:
        chosen = [place for place in level if place.who in noted][:free]
        above, free = above + chosen, free - len(chosen)
        level = [place for place in level if place not in chosen]
    if len(level) > free > 0:
        return Cut(tuple(above), tuple(level), free)
    return Cut(tuple(above + level[:free]))


def rating_of_place(place: int) -> float:
    """Return the seeding rating of an entrant that came through with a place.

    >>> rating_of_place(1) > rating_of_place(2) > 0
    True
    """
    return float(max(MOST_BY_PLACE - place, 1))
