"""A world dealt again from the beginning, so that its whole hand can be played: for tests.

Without a stock that is its hands with the cards played. With one, an order has to be found in which
the opponent may have come by his cards: whatever would have forbidden one of his plays came later.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.actions import ACTIONS, Kind
from engine.cards import CARDS, COUPLES, RANKS, SUIT_MASKS, cards_in
from engine.rules import declared_suit, legal_cards

if TYPE_CHECKING:
    from engine.state import State
    from engine.worlds import World

NEVER = 1 << 30


def without_stock(start: State, tokens: list[str], world: World) -> State:
    """The hands of a world with what was played, before exchanges."""
    hands, state = list(world.hands), start
    for token in tokens:
        if token in CARDS:
            hands[state.turn] |= 1 << CARDS[token]
        state = state.apply(token)
    for token in reversed(tokens):
        action = ACTIONS[token]
        if action.kind is Kind.EXCHANGE:  # the seven was exchanged first, then perhaps the two
            given = 10 * start.trump + RANKS.index(action.rank)
            taken = _upcard_before(start, tokens, token)
            hands[action.seat] ^= 1 << given | 1 << taken
    return start._replace(hands=tuple(hands))


def _upcard_before(start: State, tokens: list[str], token: str) -> int:
    state = start
    for each in tokens[: tokens.index(token)]:
        state = state.apply(each)
    assert state.upcard is not None
    return state.upcard


@dataclass
class Story:
    """What the opponent did: when cards came to him unseen, and when they were gone or shown."""

    slots: list[int] = field(default_factory=list)
    due: dict[int, int] = field(default_factory=dict)
    plays: list[tuple[int, int, tuple[int, ...], int]] = field(default_factory=list)
    drawers: list[int] = field(default_factory=list)


def story_of(start: State, tokens: list[str], other: int) -> Story:
    """Follow the real hand."""
    told, state, taken = Story([0] * start.rules.cards_each), start, set[int]()
    for moment, token in enumerate(tokens, 1):
        action, after = ACTIONS[token], state.apply(token)
        gone: list[int] = []
        if action.kind is Kind.PLAY and state.turn == other:
            told.plays.append((moment, action.value, state.table, state.stock))
            gone = [action.value]
        elif action.kind is Kind.EXCHANGE and action.seat == other:
            gone = [10 * state.trump + RANKS.index(action.rank)]
            taken.add(state.upcard or 0)
        elif action.kind in (Kind.TWENTY, Kind.FORTY) and action.seat == other:
            gone = list(cards_in(COUPLES[declared_suit(action, state.trump)]))
        for card in gone:
            if card in taken:
                taken.discard(card) if action.kind is Kind.PLAY else None
            else:
                told.due.setdefault(card, moment)
        if after.stock < state.stock:
            for n, seat in enumerate((after.turn, 1 - after.turn)):
                if state.stock - n == 1:
                    taken |= {state.upcard or 0} if seat == other else set()
                else:
                    told.drawers.append(seat)
                    told.slots += [moment] if seat == other else []
        state = after
    return told


def with_stock(start: State, tokens: list[str], world: World, other: int, unseen: int) -> State:
    """The deal and the draws that lead to a world; fails where there are none."""
    told = story_of(start, tokens, other)
    waiting = dict(told.due)
    waiting.update(dict.fromkeys(cards_in(world.hands[other] & unseen), NEVER))
    came: list[tuple[int, int]] = []
    for slot in told.slots:
        free = [card for card in waiting if _released(start, told, card, waiting[card]) <= slot]
        assert free, "no card can have come at this moment"
        first = min(free, key=lambda card: waiting[card])
        assert slot < waiting.pop(first), "a card was seen before it came"
        came.append((slot, first))
    assert not waiting
    dealt = sum(1 << card for slot, card in came if not slot)
    theirs = [card for slot, card in came if slot]
    draws = [
        theirs.pop(0) if seat == other else card
        for seat, card in zip(told.drawers, start.draws, strict=False)
    ]
    hands = tuple(dealt if seat == other else hand for seat, hand in enumerate(start.hands))
    return start._replace(hands=hands, draws=(*draws, *world.stock))


def _released(start: State, told: Story, card: int, due: int) -> int:
    """The last moment before ``due`` at which the card would have forbidden what was played."""
    return max(
        (
            moment
            for moment, played, table, stock in told.plays
            if moment < due and not _allows(start, played, card, table, stock)
        ),
        default=-1,
    )


def _allows(start: State, played: int, card: int, table: tuple[int, ...], stock: int) -> bool:
    both = 1 << played | 1 << card
    legal = legal_cards(start.rules, both, table, SUIT_MASKS[start.trump], stock)
    return bool(legal >> played & 1)
