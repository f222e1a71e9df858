"""Plays a hand to its end many times, compiled: cards evenly at random, and all said that can be.

The rules are those of :mod:`engine.fast.masks`; a tute is declared before all else. A race is
played to the last card of the hand, without capote or claim, and a plate is not played for.
"""

from collections.abc import Sequence
from typing import Any, Final

from engine.actions import Kind
from engine.bots.strong.playing import declare_all, next_random, seed_random
from engine.cards import SUIT_MASKS, mask_of, points_in
from engine.fast import is_compiled
from engine.fast import masks as at
from engine.fast.kernel import may_call_tute
from engine.fast.masks import Suits
from engine.rules import declared_suit, winning_card
from engine.state import State

if not is_compiled():
    raise ImportError("playouts need numba: pip install 'tute-engine[fast]'")

import numpy as np

from engine.fast.compiling import compiled, subroutine, whole_numbers

TRIAL_STEP: Final = 2654435761
"""Distance between the seeds of two playouts: the golden ratio of 32 bits (Knuth's hash)."""


@subroutine()
def tute_of(game: Any) -> int:
    """Return the side that declares a tute after a trick, -1 for none."""
    for seat in range(game[at.PLAYERS] if game[at.TUTES] else 0):
        if may_call_tute(game, seat, 0) or may_call_tute(game, seat, 1):
            return int(at.side_of(game, seat))
    return -1


@subroutine()
def winner_of(game: Any) -> int:
    """Return the side that won a hand played to its end (R7.2, R7.3), -1 in an undecided race."""
    if game[at.RACE]:
        return int(game[at.FIRST_THERE] - 1)
    best = 0
    for side in range(1, 2 if game[at.PAIRS] else game[at.PLAYERS]):
        ahead = game[at.MADE + side] - game[at.MADE + best]
        if ahead > 0 or (not ahead and game[at.LAST_WON + side] > game[at.LAST_WON + best]):
            best = side
    return best


@compiled("void(int64[::1], int64[::1], int64, int64, int64[:, ::1])")
def play_many(start: Any, game: Any, count: int, seed: int, results: Any) -> None:
    """Fill a row of results for each hand: the points of four sides, and the side that won.

    ``game`` is a row to play on.
    """
    for trial in range(count):
        for number in range(at.MOVES):
            game[number] = start[number]
        seed_random(game, seed + trial * TRIAL_STEP)
        winner = -1
        while game[at.TRICKS_LEFT] and winner < 0:
            cards = at.legal(game)
            choices = at.count_bits(cards)
            for _ in range(next_random(game, at.CHANCE) * choices >> 31 if choices > 1 else 0):
                cards &= cards - 1
            if at.play_card(game, at.count_bits((cards & -cards) - 1)):
                at.take_trick(game)
                winner = tute_of(game) if game[at.TRICKS_LEFT] else -1
                if winner < 0:
                    declare_all(game)
        for side in range(4):
            results[trial, side] = game[at.MADE + side]
        results[trial, 4] = winner if winner >= 0 else winner_of(game)


def state_to_row(state: State) -> Any:
    """Return a state as a row, before or during a trick; all its cards must be known."""
    rules, players = state.rules, state.players
    suits = Suits(state.trump, players)
    game = whole_numbers([*at.rules_to_row(rules), *[0] * (at.GAME - at.RULES)])
    if state.table:
        best = winning_card(state.table, SUIT_MASKS[state.trump])
        leader = suits.seat(state.leader)
        game[at.BEST] = suits.card(best)
        game[at.HOLDER] = (leader + state.table.index(best)) % len(players)
        game[at.LED] = SUIT_MASKS[suits.card(state.table[0]) // 10]
        game[at.ON_POINTS] = points_in(mask_of(state.table))
    game[at.TURN], game[at.ON_TABLE] = suits.seat(state.turn), len(state.table)
    game[at.STOCK] = state.stock
    game[at.UPCARD] = -1 if state.upcard is None else suits.card(state.upcard)
    game[at.TRICK], game[at.TRICKS_LEFT] = sum(state.tricks_won), state.tricks_left
    game[at.SEEN] = suits.cards(state.seen)
    for action in state.declared:
        if action.kind is not Kind.TUTE:
            game[at.DECLARED] |= 1 << suits.suit(declared_suit(action, state.trump))
            game[at.SIDES_SPOKE] |= 1 << rules.side_of(action.seat)
    for _seat, suit in state.forfeited:
        game[at.FORFEITED] |= 1 << suits.suit(suit)
    for action in state.window:
        game[at.SPOKEN] += 1 << 8 * suits.seat(action.seat)
    game[at.PASSED_OVER] = sum(
        1 << index for index, seat in enumerate(players) if state.passed_over >> seat & 1
    )
    game[at.FIRST_THERE] = 0 if state.first_there is None else state.first_there + 1
    sides = _sides_of(state)
    game[at.LAST_SIDE] = -1 if state.last_side is None else sides.index(state.last_side)
    for index, side in enumerate(sides):
        game[at.MADE + index], game[at.WON + index] = state.points[side], state.tricks_won[side]
        game[at.LAST_WON + index] = state.last_won[side]
        game[at.CARRIED + index] = state.carried[side] if state.carried else 0
    for index, seat in enumerate(players):
        game[at.HANDS + index] = suits.cards(state.hands[seat] or 0)
    for index, card in enumerate(state.draws):
        game[at.DRAWS + index] = suits.card(card)
    return game


def playouts(state: State, count: int, seed: int = 0) -> Any:
    """Play a hand to its end ``count`` times; the same seed plays the same cards.

    Returns an int64 array of ``count`` rows: the points of each side in the order of
    ``state.points``, filled with 0 up to four, then the number of the side that won, -1 where a
    race is undecided. Raises ``ValueError`` for a state that is over or has unknown cards.
    """
    drawn = len(state.draws) + (state.upcard is not None)
    if any(state.hands[seat] is None for seat in state.players) or drawn < state.stock:
        raise ValueError("playouts need a state in which every card is known")
    if state.over:
        raise ValueError("the hand is over")
    start, ends = state_to_row(state), np.zeros((count, 5), np.int64)
    play_many(start, start.copy(), count, seed, ends)
    sides = [*_sides_of(state)]
    results = np.zeros_like(ends)
    results[:, sides] = ends[:, : len(sides)]
    results[:, 4] = np.array([*sides, -1])[ends[:, 4]]
    return results


def _sides_of(state: State) -> Sequence[int]:
    """Return the sides that play, in the order in which a row has them."""
    return range(2) if state.rules.pairs else state.players
