"""Assigns the players of a table to its sides, and the first deal to one of them."""

import random
from collections.abc import Mapping, Sequence

from tournaments.domain.movements.history import Facts
from tournaments.domain.movements.rotating import PlannedRound
from tournaments.domain.movements.whist import Seated


def balance_sides(
    rounds: Sequence[PlannedRound], past: Facts, chance: random.Random
) -> list[tuple[Seated, ...]]:
    """Turn the tables so that all sit on both sides, and deal first, as often as each other.

    Each round in turn does what is best after those before; then tables are turned round again as
    long as that evens anybody's sides out.
    """
    sides, leads = _side_counts(past)
    turned = []
    for round_ in rounds:
        tables = []
        for table in round_.tables:
            first, second = sorted(
                table, key=lambda side: (_side_sum(sides, side), chance.random())
            )
            tables.append((first, second))
            _turn_table(sides, (first, second), 1)
        turned.append(tables)
    _even_out(turned, sides)
    return [tuple(_order_partners(table, leads, chance) for table in tables) for tables in turned]


def _side_counts(past: Facts) -> tuple[dict[int, int], dict[int, int]]:
    """Return rounds on the first side less rounds on the second, and rounds first on one's side."""
    sides: dict[int, int] = {}
    leads: dict[int, int] = {}
    for table in (table for round_ in past for table in round_ if len(table) > 1):
        for index, side in enumerate(table):
            for player in side:
                sides[player] = sides.get(player, 0) + (1 if index == 0 else -1)
            if side:
                leads[side[0]] = leads.get(side[0], 0) + 1
    return sides, leads


def _side_sum(counts: Mapping[int, int], side: tuple[int, int]) -> int:
    return sum(counts.get(player, 0) for player in side)


def _turn_table(sides: dict[int, int], table: Seated, step: int) -> None:
    for side, sign in zip(table, (step, -step), strict=True):
        for player in side:
            sides[player] = sides.get(player, 0) + sign


def _even_out(rounds: list[list[Seated]], sides: dict[int, int]) -> None:
    """Turn tables as long as the squares of the differences fall."""
    better = True
    while better:
        better = False
        for tables in rounds:
            for index, (first, second) in enumerate(tables):
                # Each player's count changes by 2: the squares fall beyond a difference of 4.
                if _side_sum(sides, first) - _side_sum(sides, second) > 4:
                    _turn_table(sides, (first, second), -2)
                    tables[index] = (second, first)
                    better = True


def _order_partners(table: Seated, leads: dict[int, int], chance: random.Random) -> Seated:
    """Order two partners so that the one who has led the side less often leads it."""
    ordered = []
    for side in table:
        lead, other = sorted(side, key=lambda player: (leads.get(player, 0), chance.random()))
        leads[lead] = leads.get(lead, 0) + 1
        ordered.append((lead, other))
    return ordered[0], ordered[1]
