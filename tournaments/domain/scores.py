"""Scores of matches, and which seats of a record are which side of the match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import permutations, product
from typing import Any, Final, Protocol

from engine import Verdict
from tournaments.domain.names import fold_name
from tournaments.domain.rows import LevelCut
from tournaments.domain.sides import SCORES, SIDES


@dataclass(frozen=True, slots=True)
class Score:
    """Hands won and points made by home, away and, where more play, the third to the fifth.

    ``cut``: time ended the match before either side had won it. ``places`` are those of the sides
    at the table, where these were stated; hands are 0 then.
    """

    home_hands: int
    away_hands: int
    home_points: int
    away_points: int
    third_hands: int | None = None
    third_points: int | None = None
    fourth_hands: int | None = None
    fourth_points: int | None = None
    fifth_hands: int | None = None
    fifth_points: int | None = None
    cut: bool = field(default=False, kw_only=True)
    places: tuple[int, ...] | None = field(default=None, kw_only=True)

    @classmethod
    def of(cls, hands: tuple[int, ...], points: tuple[int, ...]) -> Score:
        """Return the score of two or more sides, in the order of the sides."""
        counted = (number for side in zip(hands, points, strict=True) for number in side)
        values: dict[str, Any] = dict(zip(SCORES, counted, strict=False))
        return cls(**values)

    @property
    def hands(self) -> tuple[int, ...]:
        """Hands won, side by side."""
        hands = (getattr(self, f"{side}_hands") for side in SIDES)
        return tuple(number for number in hands if number is not None)

    @property
    def points(self) -> tuple[int, ...]:
        """Points made, side by side."""
        points = (getattr(self, f"{side}_points") or 0 for side in SIDES)
        return tuple(points)[: len(self.hands)]

    @property
    def winner(self) -> int | None:
        """The index of the side in the first place or with most hands; ``None`` when shared."""
        ranks = tuple(-place for place in self.places or ()) or self.hands
        return ranks.index(max(ranks)) if ranks.count(max(ranks)) == 1 else None

    @property
    def ranked(self) -> Score:
        """The score with the places that follow from its points, where these alone were typed."""
        if self.places is not None or any(self.hands):
            return self
        order = sorted(self.points, reverse=True)
        return replace(self, places=tuple(order.index(points) + 1 for points in self.points))

    @property
    def has_points(self) -> bool:
        """Points were written down, not hands alone."""
        return any(self.points)

    def agrees_with(self, other: Score) -> bool:
        """Tell whether both say the same: hands, places, and points where both have them."""
        if (self.hands, self.places) != (other.hands, other.places):
            return False
        return self.points == other.points or not (self.has_points and other.has_points)

    def is_typed(self, sides: int) -> bool:
        """Tell whether it is places, or points alone, which no rules of a game check."""
        is_said = self.has_points if self.places is None else are_places(self.places, sides)
        return len(self.hands) == sides and is_said and not any(self.hands)

    def reversed(self) -> Score:
        """Return the score of two sides, seen from the other."""
        numbers = self.away_hands, self.home_hands, self.away_points, self.home_points
        return Score(*numbers, cut=self.cut)

    def winner_at_time(self, rule: LevelCut) -> int | None:
        """Return the side that a stage's rule lets win a match that time ended level."""
        if not self.cut or self.winner is not None or rule is not LevelCut.POINTS:
            return None
        level = [n for n, hands in enumerate(self.hands) if hands == max(self.hands)]
        most = max(self.points[n] for n in level)
        ahead = [n for n in level if self.points[n] == most]
        return ahead[0] if len(ahead) == 1 else None


def are_places(places: Sequence[int], sides: int) -> bool:
    """Tell whether these can be the places of so many sides, shared ones the same.

    >>> are_places((1, 2, 2, 4), 4), are_places((1, 2, 2, 3), 4)
    (True, False)
    """
    ranked = sorted(places)
    return len(places) == sides and all(place == ranked.index(place) + 1 for place in places)


@dataclass(frozen=True, slots=True)
class Length:
    """The length of a match: a number of hands to win, or of deals; exactly one is given.

    ``most`` are the points that one hand can give at most, all sides together. With more than one
    of ``cotos``, the side that wins this number of cotos first wins the match, each coto played to
    the number of hands; the hands of its score are the cotos won, the points are those of all
    hands. A match of deal ``sets`` has this number at most; the hands of its score are the sets
    won, and a level one counts for neither side.
    """

    to: int | None
    deals: int | None
    most: int
    cotos: int = 1
    sets: int = 0

    @property
    def wins(self) -> int | None:
        """The number of cotos, or of hands, that wins the match; ``None`` where deals are fixed."""
        if self.sets:
            return None
        return self.cotos if self.cotos > 1 else self.to

    def most_hands(self, sides: int) -> int:
        """Return the most hands that a coto can have, or a match without cotos."""
        return self.deals or sides * ((self.to or 1) - 1) + 1

    def most_cotos(self, sides: int) -> int:
        """Return the most cotos that a match can have."""
        return sides * (self.cotos - 1) + 1

    def options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return options of a record (F1) with this length in place of theirs."""
        others = {name: value for name, value in options.items() if name not in {"to", "deals"}}
        return others | ({"deals": self.deals} if self.to is None else {"to": self.to})

    def allows(self, score: Score) -> bool:
        """Tell whether a match can stand like this, at its end or when it was cut short."""
        hands, points = score.hands, score.points
        # A hand that time ended is not won, but its points may have been counted.
        most_hands = self._hands_in(score) + score.cut
        if min(*hands, *points) < 0 or sum(points) > self.most * most_hands:
            return False
        if self.wins is None:
            return sum(hands) <= (self.sets or self.deals or 0)
        return max(hands) <= self.wins and hands.count(self.wins) <= 1

    def ends_with(self, score: Score) -> bool:
        """Tell whether a match that was played to its end can end like this."""
        hands = score.hands
        if self.sets:
            return self.allows(score)
        is_over = sum(hands) == self.deals if self.wins is None else self.wins in hands
        return is_over and self.allows(score)

    @property
    def most_of_a_side(self) -> int:
        """Return the most hands (cotos, sets) that one side can have in its score."""
        return self.sets or self.wins or self.deals or 0

    def endings(self, sides: int) -> tuple[tuple[int, ...], ...]:
        """Return the hands of every score that a match played to its end can have.

        >>> Length(to=2, deals=None, most=130).endings(2)
        ((0, 2), (1, 2), (2, 0), (2, 1))
        """
        numbers: Iterable[tuple[int, ...]]
        numbers = product(range(self.most_of_a_side + 1), repeat=sides)
        if self.wins is None and not self.sets:
            # The last side has what is left: at a table of four it would be 28,561 scores to check.
            others = product(range(self.most_of_a_side + 1), repeat=sides - 1)
            numbers = ((*hands, (self.deals or 0) - sum(hands)) for hands in others)
            numbers = (hands for hands in numbers if hands[-1] >= 0)
        return tuple(hands for hands in numbers if self.ends_with(Score.of(hands, (0,) * sides)))

    def _hands_in(self, score: Score) -> int:
        """Return the most hands that there can have been; of cotos, with one that was cut short."""
        sides = len(score.hands)
        if self.sets:
            return self.sets * sides * self.most_hands(sides)
        if self.cotos == 1:
            return sum(score.hands)
        is_over = self.cotos in score.hands
        return (sum(score.hands) + (not is_over)) * self.most_hands(sides)


# --- Seats and sides ------------------------------------------------------------------------------
# Two pairs sit crossed, four at a table (R2.2); two to four single players have a seat each. In
# words for records, a side of a pair is ``AC`` or ``BD``, that of a single player ``A`` or ``B``,
# and of three players ``BCA`` says that home sat at B, away at C and the third at A; so of four.


CROSSED: Final = ("AC", "BD")
ALONE: Final = ("A", "B")
SEATS: Final = "ABCD"
TWO_SIDES: Final = 2


class NamedPerson(Protocol):
    """A person or entry with a name, and the earlier names that were corrected."""

    @property
    def name(self) -> str:
        """The present name."""

    @property
    def earlier_names(self) -> Sequence[str]:
        """The names before corrections."""


def name_changes(people: Iterable[NamedPerson]) -> dict[str, str]:
    """Return the present name for each earlier one of some people, as names are compared.

    A name that another of them has or had is ambiguous, and left out.
    """
    present_names: set[str] = set()
    names_by_earlier: dict[str, set[str]] = {}
    for person in people:
        present_names.add(fold_name(person.name))
        for name in person.earlier_names:
            names_by_earlier.setdefault(fold_name(name), set()).add(person.name)
    unused_names = {
        name: names for name, names in names_by_earlier.items() if name not in present_names
    }
    return {name: min(names) for name, names in unused_names.items() if len(names) == 1}


def current_names(seats: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names at seats with the earlier ones among them (`name_changes`) put right."""
    if not names:
        return tuple(seats)
    return tuple(names.get(fold_name(name), name) for name in seats)


def partners(seats: Sequence[str], sides: int) -> tuple[frozenset[str], ...]:
    """Return the names of each side, in comparison form: A and C, B and D, or each alone."""
    names = [fold_name(name) for name in seats]
    if sides == TWO_SIDES < len(names):
        return frozenset(names[0::2]), frozenset(names[1::2])
    return tuple(frozenset((name,)) for name in names)


@lru_cache(maxsize=1024)
def home_side(seats: tuple[str, ...], *sides: tuple[str, ...]) -> str:
    """Return at which seats home sat (see above), or nothing when the names do not fit.

    Partners sit opposite each other, in either order, and either pair at A and C; the people of a
    side are as many as its seats, and nobody sits twice.
    """
    match_sides = [frozenset(map(fold_name, side)) for side in sides]
    people = {name for side in match_sides for name in side}
    if len(people) != len(seats) or sum(map(len, sides)) != len(seats):
        return ""
    seat_partners = partners(seats, len(sides))
    if len(seat_partners) != len(match_sides):
        return ""
    for side, places in _seatings(len(seats), len(sides)):
        if all(seat_partners[place] == match_sides[n] for n, place in enumerate(places)):
            return side
    return ""


def _seatings(seats: int, sides: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each way to sit down, by its word, with the place of each side of the match."""
    if sides > TWO_SIDES:
        for places in permutations(range(sides)):
            yield "".join(SEATS[place] for place in places), places
    else:
        words = CROSSED if seats > TWO_SIDES else ALONE
        yield from zip(words, ((0, 1), (1, 0)), strict=True)


def sides_of(side: str) -> tuple[str, ...]:
    """Return the sides as a record names them, in the order of the match's, by home's word.

    Raises ValueError for a word that is none.
    """
    for words in (CROSSED, ALONE):
        if side in words:
            return (side, words[1 - words.index(side)])
    if len(side) <= TWO_SIDES or sorted(side) != list(SEATS[: len(side)]):
        raise ValueError(f"{side!r} says of no side where it sat")
    return tuple(side)


def score_of(verdict: Verdict, side: str) -> Score:
    """Return the score of a valid, finished record, home having sat at ``side``.

    With four single players the dealer sits out (R8.1), and has no points in the hand.
    """
    names, hands = sides_of(side), verdict.score or {}
    points = [hand.points for hand in verdict.hands if hand.points is not None]
    return Score.of(
        tuple(hands[name] for name in names),
        tuple(sum(of_hand.get(name, 0) for of_hand in points) for name in names),
    )
