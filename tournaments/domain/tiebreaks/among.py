"""Criteria of the games that the tied played among themselves (FIDE's type A).

Direct encounter (articles 6.1 to 6.3): a table of the points that the tied took from one another,
the average where two met several times. When all have met it ranks them, and is applied again to
those still level in it (6.2). Otherwise only who is alone on top *whatever the missing games give*
is placed first, then in the same way a second, and so on, and the article is applied again to the
rest (6.3). Forfeits count in fixed schedules (15.2) and nowhere else (6.1.1).

A club's mini-leagues rank the tied by a difference of hands or of card points among them instead.
"""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from tournaments.domain.ledger import Game, Number, RoundKind
from tournaments.domain.tiebreaks.base import (
    Addends,
    Criterion,
    Family,
    Tally,
    Term,
    Terms,
    TiedPart,
    total,
)

Of = Callable[[Game], Number]


class MiniRow(NamedTuple):
    """The points that one of the tied took from the others, and how many of them were not met."""

    points: Number
    missing: int


def _match_points(game: Game) -> Number:
    return game.match_points


def _hands_won(game: Game) -> Number:
    return game.hands


def _meetings(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> dict[int, list[Game]]:
    """Return the games that count of an entrant against each of the others."""
    tied = set(tied_group)
    meetings: dict[int, list[Game]] = defaultdict(list)
    for game in tally.games(entrant):
        if game.kind is RoundKind.PLAYED or tally.is_preset:
            for opponent in game.opponents:
                if opponent in tied:
                    meetings[opponent].append(game)
    return meetings


def _mean(amounts: list[Number]) -> Number:
    """Return the average of one or more (6.1.2)."""
    return amounts[0] if len(amounts) == 1 else Fraction(sum(amounts)) / len(amounts)


def _direct_terms(tally: Tally, entrant: int, tied_group: tuple[int, ...], value_of: Of) -> Terms:
    return tuple(
        Term(
            games[-1].round,
            (opponent,),
            _mean([value_of(game) for game in games]),
            "average" if len(games) > 1 else "met",
        )
        for opponent, games in sorted(_meetings(tally, entrant, tied_group).items())
    )


def _mini_table(tally: Tally, tied_group: tuple[int, ...], value_of: Of) -> dict[int, MiniRow]:
    table = {}
    for entrant in tied_group:
        terms = _direct_terms(tally, entrant, tied_group, value_of)
        table[entrant] = MiniRow(total(terms), len(tied_group) - 1 - len(terms))
    return table


def _ranked(table: dict[int, MiniRow]) -> list[tuple[int, ...]]:
    """Group by points, the most first."""
    best_first = sorted(table, key=lambda entrant: table[entrant].points, reverse=True)
    return [tuple(level) for _, level in groupby(best_first, key=lambda n: table[n].points)]


def _certain_places(table: dict[int, MiniRow], tally: Tally) -> list[tuple[int, ...]]:
    """Place those whom no missing game can move from the top, one by one, then the rest (6.3)."""
    scale = tally.rules.scale
    worst = {n: row.points + row.missing * scale.loss for n, row in table.items()}
    best = {n: row.points + row.missing * scale.win for n, row in table.items()}
    reach = sorted(table, key=lambda n: best[n], reverse=True)
    leaders: list[tuple[int, ...]] = []
    while len(reach) > 1:
        leader = max(reach, key=lambda n: worst[n])
        rival = reach[1] if reach[0] == leader else reach[0]
        if worst[leader] <= best[rival]:
            break
        leaders.append((leader,))
        reach.remove(leader)
    return [*leaders, tuple(n for n in table if n in set(reach))]


def _step(tally: Tally, tied: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Apply articles 6.2 or 6.3 once."""
    table = _mini_table(tally, tied, _match_points)
    if any(row.missing for row in table.values()):
        return _certain_places(table, tally)
    return _ranked(table)


def _second_step(tally: Tally, tied: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Apply article 6.2 to the hands won; a missing game leaves everything open."""
    table = _mini_table(tally, tied, _hands_won)
    return [tied] if any(row.missing for row in table.values()) else _ranked(table)


def direct(tally: Tally, tied: tuple[int, ...]) -> list[TiedPart]:
    """Order the tied by article 6, again and again until it resolves nothing more."""
    return _split_repeatedly(tally, tied, (_step,))


def extended(tally: Tally, tied: tuple[int, ...]) -> list[TiedPart]:
    """Order the tied by article 13.3.

    Match points first; where they resolve nothing, hands; from the start for every new tie.
    """
    return _split_repeatedly(tally, tied, (_step, _second_step))


def _split_repeatedly(
    tally: Tally,
    tied: tuple[int, ...],
    steps: tuple[Callable[[Tally, tuple[int, ...]], list[tuple[int, ...]]], ...],
) -> list[TiedPart]:
    for step in steps:
        parts = step(tally, tied)
        if len(parts) > 1:
            return [
                finer
                for part in parts
                for finer in (
                    [TiedPart(part, tied)]
                    if len(part) == 1
                    else _split_repeatedly(tally, part, steps)
                )
            ]
    return [TiedPart(tied, tied)]


def direct_terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """Return the points taken from each of the others, the average of several meetings."""
    return _direct_terms(tally, entrant, tied_group, _match_points)


def extended_terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """Return the terms of `direct_terms`, in hands where match points left all of them level."""
    if tied_group not in tally.by_hands:
        level = len(_step(tally, tied_group)) == 1
        tally.by_hands[tied_group] = level and len(_second_step(tally, tied_group)) > 1
    value_of = _hands_won if tally.by_hands[tied_group] else _match_points
    return _direct_terms(tally, entrant, tied_group, value_of)


def direct_of_two(tally: Tally, tied: tuple[int, ...]) -> list[TiedPart]:
    """Order two by their own games, and leave three or more as they are."""
    return direct(tally, tied) if len(tied) == 2 else [TiedPart(tied, ())]


def sum_among(value_of: Of) -> Addends:
    """Add up something of the games among the tied."""

    def terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
        return tuple(
            Term(game.round, (opponent,), value_of(game), "met")
            for opponent, games in sorted(_meetings(tally, entrant, tied_group).items())
            for game in games
        )

    return terms


def _mini_difference(code: str, value_of: Of, *, of_points: bool = False) -> Criterion:
    terms = sum_among(value_of)
    return Criterion(code, Family.AMONG, terms, is_difference=True, of_points=of_points)


CRITERIA: Final = (
    Criterion("direct_encounter", Family.AMONG, direct_terms, "DE", "6", direct),
    Criterion("direct_of_two", Family.AMONG, direct_terms, split=direct_of_two),
    Criterion("extended_direct_encounter", Family.AMONG, extended_terms, "EDE", "13.3", extended),
    _mini_difference("mini_hand_difference", lambda game: game.hands - game.hands_against),
    _mini_difference(
        "mini_point_difference", lambda game: game.points - game.points_against, of_points=True
    ),
    Criterion("mini_points_for", Family.AMONG, sum_among(lambda game: game.points), of_points=True),
)
