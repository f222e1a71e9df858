"""Matches the seats of a record with the sides of a match, by names.

Two pairs sit crossed, four at a table (R2.2); two or three single players have a seat each. In
words for records, a side of a pair is ``AC`` or ``BD``, that of a single player ``A`` or ``B``, and
of three players ``BCA`` says that home sat at B, away at C and the third at A.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final, Protocol

from engine import Verdict
from tournaments.domain.names import folded
from tournaments.domain.scores import Score

CROSSED: Final = ("AC", "BD")
ALONE: Final = ("A", "B")
SEATS: Final = "ABCD"
PAIRS_AT_A_TABLE: Final = 4
THREE: Final = 3


class Called(Protocol):
    """A person or entry with a name, and the earlier names that were corrected."""

    @property
    def name(self) -> str:
        """The present name."""

    @property
    def earlier_names(self) -> Sequence[str]:
        """The names before corrections."""


def renamed(people: Iterable[Called]) -> dict[str, str]:
    """Return the present name for each earlier one of some people, as names are compared.

    A name that another of them has or had is ambiguous, and left out.
    """
    taken: set[str] = set()
    found: dict[str, set[str]] = {}
    for one in people:
        taken.add(folded(one.name))
        for name in one.earlier_names:
            found.setdefault(folded(name), set()).add(one.name)
    known = {name: names for name, names in found.items() if name not in taken}
    return {name: min(names) for name, names in known.items() if len(names) == 1}


def current_names(seats: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names at seats with the earlier ones among them (`renamed`) put right."""
    if not names:
        return tuple(seats)
    return tuple(names.get(folded(name), name) for name in seats)


def partners(seats: Sequence[str]) -> tuple[frozenset[str], ...]:
    """Return the names of each side, in comparison form: A and C, B and D, or each alone."""
    names = [folded(name) for name in seats]
    if len(names) == PAIRS_AT_A_TABLE:
        return frozenset(names[0::2]), frozenset(names[1::2])
    return tuple(frozenset((name,)) for name in names)


@lru_cache(maxsize=1024)
def home_side(seats: tuple[str, ...], *sides: tuple[str, ...]) -> str:
    """Return at which seats home sat (see the module), or nothing when the names do not fit.

    Partners sit opposite each other, in either order, and either pair at A and C; the people of a
    side are as many as its seats, and nobody sits twice.
    """
    ours = [frozenset(map(folded, side)) for side in sides]
    people = {name for side in ours for name in side}
    if len(people) != len(seats) or sum(map(len, sides)) != len(seats):
        return ""
    there = partners(seats)
    if len(there) != len(ours):
        return ""
    for side, places in _seatings(len(seats)):
        if all(there[place] == ours[n] for n, place in enumerate(places)):
            return side
    return ""


def _seatings(seats: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each way to sit down, by its word, with the place of each side of the match."""
    if seats == THREE:
        for places in permutations(range(THREE)):
            yield "".join(SEATS[place] for place in places), places
    else:
        words = CROSSED if seats == PAIRS_AT_A_TABLE else ALONE
        yield from zip(words, ((0, 1), (1, 0)), strict=True)


def sides_of(side: str) -> tuple[str, ...]:
    """Return the sides as a record names them, in the order of the match's, by home's word.

    Raises ValueError for a word that is none.
    """
    for words in (CROSSED, ALONE):
        if side in words:
            return (side, words[1 - words.index(side)])
    if sorted(side) != list(SEATS[:THREE]):
        raise ValueError(f"{side!r} says of no side where it sat")
    return tuple(side)


def score_of(verdict: Verdict, side: str) -> Score:
    """Return the score of a valid, finished record, home having sat at ``side``."""
    names, hands = sides_of(side), verdict.score or {}
    points = [hand.points for hand in verdict.hands if hand.points is not None]
    return Score.of(
        tuple(hands[name] for name in names),
        tuple(sum(of_hand[name] for of_hand in points) for name in names),
    )
