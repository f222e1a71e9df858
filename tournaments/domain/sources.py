"""Who comes through from a tournament into the sign-up of another one, and the seeding by place."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple

from tournaments.domain.ledger import Game
from tournaments.domain.ranking import tally_of
from tournaments.domain.rows import Penalty, TournamentRows
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


class Means(NamedTuple):
    """What an entrant made a match: match points, and the differences of hands and card points.

    ``card_points`` is None where a table did not report them. ``scores`` is whether a match gave it
    a point.
    """

    match_points: Fraction
    hands: Fraction
    card_points: Fraction | None
    scores: bool


def means_of(rows: TournamentRows) -> dict[int, Means]:
    """Return the means of all entrants over their matches, played or awarded, by number.

    So entrants of tournaments with more and fewer rounds are comparable. As in
    ``mean_match_points``, byes are no matches, and a penalty is taken from the sum. Dropped rounds
    do not count.
    """
    games: dict[int, list[Game]] = defaultdict(list)
    penalties: dict[int, list[Penalty]] = defaultdict(list)
    for stage in rows.stages:
        if stage.published:
            tally = tally_of(rows, stage)
            for n in stage.entrants:
                out = tally.dropped(n)
                games[n] += [g for g in tally.games(n) if g.opponents and g.round not in out]
                penalties[n] += [one for one in tally.penalties(n) if one.round not in out]
    return {n: _means(played, penalties[n]) for n, played in games.items() if played}


def worth_of(rows: TournamentRows) -> str:
    """Return what a match of a tournament is worth, as a text: means compare where it is equal."""
    rules = [stage.rules for stage in rows.stages if stage.published]
    worth = {(r.scoring, r.scale, r.table_points, r.comparison, r.match_bonus) for r in rules[:1]}
    return f"{sorted(rows.options.items())} {worth}"


def _means(games: Sequence[Game], penalties: Sequence[Penalty]) -> Means:
    def mean(total: Any, taken: Any) -> Fraction:
        return Fraction(total - taken) / len(games)

    points = sum(game.points - game.points_against for game in games)
    lacks_points = any(game.lacks_points for game in games)
    return Means(
        mean(sum(g.match_points for g in games), sum(p.match_points for p in penalties)),
        mean(sum(g.hands - g.hands_against for g in games), sum(p.hands for p in penalties)),
        None if lacks_points else mean(points, sum(p.points for p in penalties)),
        any(game.match_points > 0 for game in games),
    )


def rank_others(
    others: Mapping[int, tuple[int, Means]], *, by_place: bool
) -> tuple[FinalPlace, ...]:
    """Return those who are through in no source in the order in which the best of them come.

    ``others`` are their places and means by a number of the caller. The order is that of the means,
    with ``by_place`` after the place: thirds before fourths. Card points decide where all have
    them. Those without a point do not come.

    >>> others = {1: (4, Means(Fraction(1), Fraction(1), None, True)),
    ...           2: (3, Means(Fraction(1, 2), Fraction(0), Fraction(9), True))}
    >>> [place.who for place in rank_others(others, by_place=True)]
    [2, 1]
    >>> [place.who for place in rank_others(others, by_place=False)]
    [1, 2]
    """
    compared = {who: other for who, other in others.items() if other[1].scores}
    has_points = all(means.card_points is not None for _, means in compared.values())

    def key(who: int) -> tuple[Any, ...]:
        place, means = compared[who]
        points = means.card_points if has_points else None
        return (place if by_place else 0, -means.match_points, -means.hands, -(points or 0))

    ranked: list[FinalPlace] = []
    for _, level in groupby(sorted(compared, key=key), key=key):
        rank = len(ranked) + 1
        ranked += [FinalPlace(who, rank) for who in level]
    return tuple(ranked)


def stated_places(lines: Sequence[str]) -> list[int]:
    """Return the places of the lines of a list: their numbers, or where they stand in it.

    The numbers with which the lines begin are places if all have one and none is lower than the
    one before.

    >>> stated_places(["1. Ana y Luis", "3º Eva y Pau", "3º Gil y Sol"])
    [1, 3, 3]
    >>> stated_places(["Ana y Luis", "Eva y Pau"])
    [1, 2]
    """
    found = [re.match(r"\D{0,2}([1-9][0-9]{0,3})(?![0-9])", line) for line in lines]
    numbers = [int(one[1]) for one in found if one]
    are_places = len(numbers) == len(lines) and numbers == sorted(numbers)
    return numbers if are_places else list(range(1, len(lines) + 1))


def rating_of_place(place: int) -> float:
    """Return the seeding rating of an entrant that came through with a place.

    >>> rating_of_place(1) > rating_of_place(2) > 0
    True
    """
    return float(max(MOST_BY_PLACE - place, 1))
