"""Playouts are hands of State, card by card, with the same chances."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable

import pytest

import engine
from engine.actions import Kind
from engine.cards import cards_in
from engine.fast import masks
from engine.fast.playouts import TRIAL_STEP
from engine.state import State

EVERY_RULESET = pytest.mark.parametrize("rules", engine.RULESETS.values(), ids=engine.RULESETS)
STATES, HANDS = 10, 10
ONES = (1 << 48) - 1


def chances(seed: int) -> Callable[[], int]:
    """Return the chances of 31 bits of POSIX's drand48, the first of which is left out."""
    state = [seed & ONES]

    def draw() -> int:
        state[0] = (state[0] * 0x5DEECE66D + 11) & ONES
        return state[0] >> 17

    draw()
    return draw


def said_all(state: State) -> State:
    """Return a state between two tricks after all has been said that the rules admit."""
    for kind in (Kind.TUTE, Kind.EXCHANGE):
        for seat in state.players:
            calls = [action for action in state.calls(seat) if action.kind is kind]
            if calls:
                state = state.apply(calls[0].token)
            if state.over:
                return state
    suits = masks.Suits(state.trump, state.players)
    for seat in state.players:
        for suit in map(suits.suit, range(4)):
            what = "40" if suit == state.trump else f"20{engine.SUITS[suit]}"
            token = f"{engine.SEATS[seat]}:{what}"
            if token in [action.token for action in state.declarations(seat)]:
                state = state.apply(token)
    return state


def played_out(state: State, seed: int) -> State:
    draw, suits = chances(seed), masks.Suits(state.trump, state.players)
    while not state.over:
        cards = list(cards_in(suits.cards(state.legal())))
        card = suits.card(cards[draw() * len(cards) >> 31 if len(cards) > 1 else 0])
        state = state.apply(engine.CARD_NAMES[card])
        if not state.table and not state.over:
            state = said_all(state)
    return state


def after(state: State, cards: int, chance: random.Random) -> State:
    """Return a hand after some cards at random."""
    for _ in range(cards):
        card = chance.choice(list(cards_in(state.legal())))
        state = state.apply(engine.CARD_NAMES[card])
        if not state.table:
            state = said_all(state)
        if state.over:
            break
    return state


@EVERY_RULESET
def test_points_and_winner_are_those_of_the_same_cards(rules: engine.Ruleset) -> None:
    chance, compared = random.Random(rules.name), 0
    for number, game in zip(range(STATES), engine.games(rules, b"playouts"), strict=False):
        state = after(game.state, chance.randrange(20) if number % 2 else 0, chance)
        if state.over:
            continue
        rows = engine.playouts(state, HANDS, number).tolist()
        for trial, (*points, winner) in enumerate(rows):
            end = played_out(state, number + trial * TRIAL_STEP)
            assert tuple(points[: len(end.points)]) == end.points
            assert winner == (-1 if end.winner is None else end.winner)
            compared += 1
    assert compared > STATES * HANDS / 2


def test_the_dealer_who_sits_out_makes_no_points() -> None:
    rules = engine.agreed_rules(engine.RULESETS["arrastrado"], {}, 4)
    state = next(engine.games(rules, b"four")).state
    assert state.dealer is not None
    rows = engine.playouts(state, HANDS)
    assert not rows[:, state.dealer].any()
    assert set(rows[:, 4].tolist()) <= set(state.players)


def test_unknown_cards_and_a_hand_that_is_over_are_errors() -> None:
    game = next(engine.games(engine.RULESETS["cuatro"], b"unknown"))
    hidden = game.state._replace(hands=(None, *game.state.hands[1:]))
    with pytest.raises(ValueError, match="every card is known"):
        engine.playouts(hidden, 1)
    with pytest.raises(ValueError, match="the hand is over"):
        engine.playouts(played_out(game.state, 1), 1)


def test_without_numba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.fast.is_compiled", lambda: False)
    monkeypatch.delitem(sys.modules, "engine.fast.playouts")
    with pytest.raises(ImportError, match=r"tute-engine\[fast\]"):
        importlib.import_module("engine.fast.playouts")
