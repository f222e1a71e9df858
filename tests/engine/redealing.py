"""A world dealt again from the beginning, so that its whole hand can be played: for tests.

Without a stock that is its hands with the cards played. With one, an order has to be found in which
the opponent may have drawn those cards: what would have forbidden a play of theirs came later.
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
            exchanged_card = 10 * start.trump + RANKS.index(action.rank)
            upcard = _upcard_before(start, tokens, token)
            hands[action.seat] ^= 1 << exchanged_card | 1 << upcard
    return start._replace(hands=tuple(hands))


def _upcard_before(start: State, tokens: list[str], token: str) -> int:
    state = start
    for each in tokens[: tokens.index(token)]:
        state = state.apply(each)
    assert state.upcard is not None
    return state.upcard


@dataclass
class Story:
    """What the opponent did: when cards came unseen, and when they were gone or shown."""

    slots: list[int] = field(default_factory=list)
    due: dict[int, int] = field(default_factory=dict)
    plays: list[tuple[int, int, tuple[int, ...], int]] = field(default_factory=list)
    drawers: list[int] = field(default_factory=list)


def story_of(start: State, tokens: list[str], other: int) -> Story:
    """Follow the real hand."""
    story, state, upcards = Story([0] * start.rules.cards_each), start, set[int]()
    for moment, token in enumerate(tokens, 1):
        action, after = ACTIONS[token], state.apply(token)
        numbers: list[int] = []
        if action.kind is Kind.PLAY and state.turn == other:
            story.plays.append((moment, action.value, state.table, state.stock))
            numbers = [action.value]
        elif action.kind is Kind.EXCHANGE and action.seat == other:
            numbers = [10 * state.trump + RANKS.index(action.rank)]
            upcards.add(state.upcard or 0)
        elif action.kind in (Kind.TWENTY, Kind.FORTY) and action.seat == other:
            numbers = list(cards_in(COUPLES[declared_suit(action, state.trump)]))
        for card in numbers:
            if card in upcards:
                upcards.discard(card) if action.kind is Kind.PLAY else None
            else:
                story.due.setdefault(card, moment)
        if after.stock < state.stock:
            for n, seat in enumerate((after.turn, 1 - after.turn)):
                if state.stock - n == 1:
                    upcards |= {state.upcard or 0} if seat == other else set()
                else:
                    story.drawers.append(seat)
                    story.slots += [moment] if seat == other else []
        state = after
    return story


def with_stock(start: State, tokens: list[str], world: World, other: int, unseen: int) -> State:
    """The deal and the draws that lead to a world; fails where there are none."""
    story = story_of(start, tokens, other)
    waiting = dict(story.due)
    waiting.update(dict.fromkeys(cards_in(world.hands[other] & unseen), NEVER))
    came: list[tuple[int, int]] = []
    for slot in story.slots:
        free = [card for card in waiting if _released(start, story, card, waiting[card]) <= slot]
        assert free, "no card can have come at this moment"
        first = min(free, key=lambda card: waiting[card])
        assert slot < waiting.pop(first), "a card was seen before it came"
        came.append((slot, first))
    assert not waiting
    dealt = sum(1 << card for slot, card in came if not slot)
    other_draws = [card for slot, card in came if slot]
    draws = [
        other_draws.pop(0) if seat == other else card
        for seat, card in zip(story.drawers, start.draws, strict=False)
    ]
    hands = tuple(dealt if seat == other else hand for seat, hand in enumerate(start.hands))
    return start._replace(hands=hands, draws=(*draws, *world.stock))


def _released(start: State, story: Story, card: int, due: int) -> int:
    """The last moment before ``due`` at which the card would have forbidden what was played."""
    return max(
        (
            moment
            for moment, played, table, stock in story.plays
            if moment < due and not _allows(start, played, card, table, stock)
        ),
        default=-1,
    )


def _allows(start: State, played: int, card: int, table: tuple[int, ...], stock: int) -> bool:
    hand = 1 << played | 1 << card
    legal = legal_cards(start.rules, hand, table, SUIT_MASKS[start.trump], stock)
    return bool(legal >> played & 1)
