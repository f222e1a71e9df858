"""The solver says what trying every play says: both searches, every ruleset of two sides."""

from __future__ import annotations

import os
from random import Random

import pytest

from engine import solver
from engine.cards import CARD_NAMES, names
from engine.solver.fast import FastSearch
from engine.solver.moments import Moment, moment_of
from engine.solver.plain import PlainSearch
from tests.engine.solver.minimax import TWO_SIDED, Key, margin, margins, position
from tests.quick import IS_QUICK

DEALS = int(os.environ.get("BAZA_SOLVED_DEALS") or (3 if IS_QUICK else 8))
"""Of each size and ruleset; the long run has hundreds."""
SEED = int(os.environ.get("BAZA_SOLVED_SEED", "1"))
EACH = 60
"""Moments of one deal that are compared."""


def describe(moment: Moment) -> str:
    hands = "  ".join(" ".join(names(hand)) for hand in moment.hands)
    table = " ".join(CARD_NAMES[card] for card in moment.table)
    return f"{moment.rules.name}: {hands} | table {table} | trump {moment.trump} | {moment.turn}"


def moments(rng: Random, ruleset: str, cards: int) -> list[tuple[Moment, int]]:
    """Moments of one deal, with the margin that minimax finds in each."""
    first = position(rng, ruleset, cards)
    counts: dict[Key, int] = {}
    margin(first, counts)
    keys = rng.sample(sorted(counts, key=repr), min(EACH, len(counts)))
    return [
        (moment_of(first._replace(hands=hands, turn=turn, table=table)), counts[hands, turn, table])
        for hands, turn, table in keys
    ]


def sizes(ruleset: str) -> list[int]:
    """Cards a hand, as often as deals of that size are tried; of the largest there are few."""
    two = ruleset in ("habanero", "mano-a-mano")
    few = [5] * max(1, DEALS // 12) if not two else [5] * DEALS
    return [2] * DEALS + [3] * DEALS + [4] * (DEALS if two else DEALS // 2) + few


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_both_searches_find_the_value_that_trying_every_play_finds(ruleset: str) -> None:
    rng = Random(f"{SEED}{ruleset}")
    number = 0
    for cards in sizes(ruleset):
        for moment, expected in moments(rng, ruleset, cards):
            fast, plain = FastSearch(moment), PlainSearch(moment)
            assert 2 * fast.value(moment) - moment.rest == expected, describe(moment)
            assert 2 * plain.value(moment) - moment.rest == expected, describe(moment)
            number += 1
    assert number > 40 * DEALS


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_the_best_cards_are_those_that_keep_the_value(ruleset: str) -> None:
    rng = Random(f"{SEED}best{ruleset}")
    for number in range(3 * DEALS):
        state = position(rng, ruleset, 3, on_table=number % len(moment_of_two(ruleset)))
        after = margins(state)
        sign = -1 if state.rules.side_of(state.turn) else 1
        value = max(sign * points for points in after.values())
        for plain in (False, True):
            solution = solver.solve(state, line=True, plain=plain)
            assert solution.value == value
            assert set(solution.best) == {
                c for c, points in after.items() if sign * points == value
            }
            assert solver.card_values(state, plain=plain) == {c: sign * m for c, m in after.items()}
            played = state
            for card in solution.line:
                played = played.apply(card)
            assert played.over
            assert sign * (played.points[0] - played.points[1]) == value


def moment_of_two(ruleset: str) -> tuple[str, ...]:
    return TWO_SIDED[:2] if ruleset in ("habanero", "mano-a-mano") else TWO_SIDED[:4]
