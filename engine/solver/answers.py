"""The solver's functions on positions: `solve`, `card_values`, `margins_along`, `par_of_deal`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from engine.cards import CARD_NAMES, CARDS, mask_of, names
from engine.fast import is_compiled
from engine.solver.moments import Moment, SolverError, moment_of, state_of
from engine.solver.plain import PlainSearch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.dealing import Deal
    from engine.rulesets import Ruleset
    from engine.solver.fast import FastSearch
    from engine.state import State


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of a position.

    ``value`` is what the side in turn makes from here on less what the other makes: card points
    and the last ten, no declarations to come. ``best`` are all cards that keep it, ``line`` one
    line of best play to the end, empty unless it was asked for. ``points`` are those of each side
    at the end of it, with what was made and declared before. ``nodes`` counts the positions looked
    at. ``compiled`` is false when the plain search did it.
    """

    side: str
    value: int
    best: tuple[str, ...]
    points: Mapping[str, int]
    line: tuple[str, ...]
    nodes: int
    compiled: bool


def warm_solver() -> bool:
    """Compile the search or load what was compiled; false where numba is missing.

    A worker calls it when it starts, so that no request waits for the compiler: seconds the first
    time that a user's account solves, half a second in each process after that.
    """
    return _fast_search() is not None


@cache
def _fast_search() -> type[FastSearch] | None:
    if not is_compiled():
        return None
    search_class: type[FastSearch] = import_module("engine.solver.fast").FastSearch
    return search_class


def _new_search(moment: Moment, *, plain: bool) -> FastSearch | PlainSearch:
    fast = None if plain else _fast_search()
    return PlainSearch(moment) if fast is None else fast(moment)


def solve(position: State, *, line: bool = False, plain: bool = False) -> Solution:
    """The value of a position, the best cards, and with ``line`` one line of best play.

    ``plain`` asks for the plain search. Raises :class:`SolverError` where something is not known.
    """
    moment = moment_of(position)
    search = _new_search(moment, plain=plain)
    even = search.value(moment)
    best = _best(search, moment, even)
    sides = position.rules.sides
    gains = (even, moment.rest - even)
    return Solution(
        side=sides[moment.turn & 1],
        value=_margin_in_turn(moment, even),
        best=names(mask_of(best)),
        points={
            side: points + gains[n]
            for n, (side, points) in enumerate(zip(sides, position.points, strict=True))
        },
        line=_line(search, moment, even) if line else (),
        nodes=search.nodes,
        compiled=search.compiled,
    )


def card_values(position: State, *, plain: bool = False) -> dict[str, int]:
    """For every legal card the value of the position after it, seen by the side that plays it.

    The greatest is the value of the position. Raises :class:`SolverError`.
    """
    moment = moment_of(position)
    values = _new_search(moment, plain=plain).values(moment)
    return {CARD_NAMES[card]: _margin_in_turn(moment, values[card]) for card in sorted(values)}


def values_in(
    moment: Moment, worlds: Sequence[Sequence[int]], *, plain: bool = False
) -> list[dict[int, int]]:
    """The value after every legal card in each of many deals of the cards that are not seen.

    A world holds a card set for each seat; table, turn and trump are those of ``moment``, and so
    are the cards in all hands together. Cards are numbers, values as in :func:`card_values`.
    """
    fast = None if plain else _fast_search()
    if fast is None:
        moments = [moment._replace(hands=tuple(world)) for world in worlds]
        values = [PlainSearch(deal_moment).values(deal_moment) for deal_moment in moments]
    else:
        values = fast(moment).values_in(moment, worlds)
    return [{card: _margin_in_turn(moment, even) for card, even in each.items()} for each in values]


def reached_in(
    moment: Moment,
    worlds: Sequence[Sequence[int]],
    targets: Sequence[Mapping[int, int]],
    *,
    plain: bool = False,
) -> list[dict[int, bool]]:
    """Whether the even side makes a target after legal cards, in each of many deals.

    Worlds as in :func:`values_in`; ``targets`` holds for each the points to make from ``moment``
    on, for the same cards in all, and the same for worthless cards of a suit. Several times as
    fast as the values.
    """
    fast = None if plain else _fast_search()
    if fast is not None:
        return fast(moment).reached_in(moment, worlds, targets)
    answers = []
    for world, goals in zip(worlds, targets, strict=True):
        deal_moment = moment._replace(hands=tuple(world))
        search = PlainSearch(deal_moment)
        reached = {}
        for card in goals:
            next_moment, points = deal_moment.after(card)
            reached[card] = search.reaches(next_moment, goals[card] - points)
        answers.append(reached)
    return answers


def margins_along(position: State, cards: Sequence[str], *, plain: bool = False) -> tuple[int, ...]:
    """The first side's margin before each card of a play, and after the last one.

    A margin is what the first side makes from ``position`` to the end less what the other makes,
    if best play follows from there. So a card leaves it as it is or costs the side that played it.
    The cards must be legal; raises :class:`SolverError` at the one that is not.
    """
    moment = moment_of(position)
    total, points = moment.rest, 0
    path = [(moment, points)]
    for number, name in enumerate(cards):
        card = CARDS.get(name, -1)
        if card < 0 or not moment.legal >> card & 1:
            raise SolverError(f"/play/{number}", f"{name!r} may not be played")
        moment, gained = moment.after(card)
        points += gained
        path.append((moment, points))
    search = _new_search(path[0][0], plain=plain)
    margins: list[int] = []
    even = points + moment.rest // 2
    for past_moment, before in reversed(path):  # the last first: the earlier ones come to it
        even = before + search.value(past_moment, even - before)
        margins.append(2 * even - total)
    return tuple(reversed(margins))


def values_along(moments: Sequence[Moment], *, plain: bool = False) -> list[dict[int, int]]:
    """The value after every legal card at each of several moments of one play, in their order.

    Cards are numbers, values as in :func:`card_values`. Later moments are solved first, as their
    results speed up the earlier ones. No moments, no values.
    """
    if not moments:
        return []
    search = _new_search(moments[0], plain=plain)
    values = [search.values(moment) for moment in reversed(moments)]
    return [
        {card: _margin_in_turn(moment, even) for card, even in each.items()}
        for moment, each in zip(moments, reversed(values), strict=True)
    ]


def lines_along(
    moments: Sequence[Moment], *, plain: bool = False
) -> list[dict[int, tuple[str, ...]]]:
    """One line of best play after every legal card at each of several moments of one play.

    Cards are numbers, moments as in :func:`values_along`.
    """
    if not moments:
        return []
    search = _new_search(moments[0], plain=plain)
    lines = []
    for moment in reversed(moments):
        after = {card: moment.after(card)[0] for card in _legal(moment)}
        lines.append(
            {card: _line(search, each, search.value(each)) for card, each in after.items()}
        )
    return lines[::-1]


def par_of_deal(rules: Ruleset, deal: Deal, *, plain: bool = False) -> int:
    """The first side's points less the other's, if a deal without stock is played best by all."""
    moment = moment_of(state_of(rules, deal))
    return 2 * _new_search(moment, plain=plain).value(moment) - moment.rest


def _margin_in_turn(moment: Moment, even: int) -> int:
    margin = 2 * even - moment.rest
    return -margin if moment.turn & 1 else margin


def _best(search: FastSearch | PlainSearch, moment: Moment, even: int) -> list[int]:
    """The legal cards after which the even side still makes ``even`` and no more."""
    return [card for card in _legal(moment) if _keeps_value(search, moment, even, card)]


def _legal(moment: Moment) -> list[int]:
    return [card for card in range(40) if moment.legal >> card & 1]


def _keeps_value(search: FastSearch | PlainSearch, moment: Moment, even: int, card: int) -> bool:
    next_moment, points = moment.after(card)
    if moment.turn & 1:
        return not search.reaches(next_moment, even + 1 - points)
    return search.reaches(next_moment, even - points)


def _line(search: FastSearch | PlainSearch, moment: Moment, even: int) -> tuple[str, ...]:
    line: list[str] = []
    while any(moment.hands):
        card = next(card for card in _legal(moment) if _keeps_value(search, moment, even, card))
        moment, points = moment.after(card)
        even -= points
        line.append(CARD_NAMES[card])
    return tuple(line)
