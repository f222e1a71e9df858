"""Converts what a seat sees and knows to arrays for the compiled search."""

from math import lgamma
from typing import Any, Final

from engine.actions import Kind
from engine.bots.strong import thinking
from engine.bots.strong.playing import DECLARES
from engine.cards import CARDS, SEATS, SUIT_MASKS, cards_in, mask_of, points_in
from engine.fast import masks as at
from engine.fast.compiling import fractions, whole_numbers
from engine.fast.masks import Suits
from engine.rules import declared_suit, winning_card
from engine.view import View
from engine.worlds import Knowledge, World
from engine.worlds.sampling import groups_of

_FACTORIALS: Final = [lgamma(number + 1) for number in range(41)]
_GOAL: Final = 101  # R8.4


def current_game(view: View, knowledge: Knowledge, suits: Suits) -> Any:
    """The present game, without hands and draws."""
    game = initial_game(view, knowledge, suits)
    rules = knowledge.rules
    table = [suits.card(CARDS[card]) for _seat, card in view.table]
    if table:
        best = winning_card(tuple(table), at.TRUMPS)
        game[at.BEST] = best
        game[at.HOLDER] = suits.seat(SEATS.index(view.table[table.index(best)][0]))
        game[at.LED] = SUIT_MASKS[table[0] // 10]
        game[at.ON_POINTS] = points_in(mask_of(table))
    game[at.TURN] = suits.seat(SEATS.index(view.turn))
    game[at.ON_TABLE] = len(table)
    game[at.STOCK] = view.stock
    game[at.UPCARD] = -1 if knowledge.upcard is None else suits.card(knowledge.upcard)
    game[at.TRICKS_LEFT] = rules.trick_count - len(knowledge.plays) // len(knowledge.players)
    game[at.SEEN] = suits.cards(mask_of(each.card for each in knowledge.plays))
    for _moment, action in knowledge.actions:
        if action.kind in (Kind.TWENTY, Kind.FORTY):
            game[at.DECLARED] |= 1 << suits.suit(declared_suit(action, knowledge.trump))
    for seat in knowledge.players:
        game[at.LACKS + suits.seat(seat)] = suits.cards(knowledge.lacking[seat])
    for number, side in enumerate(rules.sides):
        if rules.pairs or number in knowledge.players:
            index = number if rules.pairs else suits.seat(number)
            game[at.WON + index] = view.tricks_won.get(side, 0)
            game[at.MADE + index] = view.points.get(side, 0)
    if view.supporter is not None:
        set_goal(game, suits.seat(SEATS.index(view.supporter)))
    return game


def set_goal(game: Any, seat: int) -> None:
    """A seat has undertaken to make 101 points (R8.4)."""
    game[at.GOAL], game[at.GOAL_OF] = _GOAL, seat


def initial_game(view: View, knowledge: Knowledge, suits: Suits) -> Any:
    """The game before its first lead: its rules, and in its hands what has been played since."""
    rules = knowledge.rules
    game = whole_numbers([*at.rules_to_row(rules), *[0] * (at.GAME - at.RULES)])
    game[at.UPCARD] = -1
    game[at.TRICKS_LEFT] = rules.trick_count
    game[at.LAST_SIDE] = -1
    for each in knowledge.plays:
        game[at.HANDS + suits.seat(each.seat)] |= suits.cards(1 << each.card)
    first = knowledge.plays[0].seat if knowledge.plays else SEATS.index(view.turn)
    game[at.TURN] = suits.seat(first)
    return game


def tokens_of(knowledge: Knowledge, suits: Suits) -> Any:
    """The cards and declarations so far, in order."""
    tokens = [(each.moment, suits.card(each.card)) for each in knowledge.plays]
    for moment, action in knowledge.actions:
        if action.kind in (Kind.TWENTY, Kind.FORTY):
            suit = suits.suit(declared_suit(action, knowledge.trump))
            tokens.append((moment, DECLARES + 4 * suits.seat(action.seat) + suit))
    return whole_numbers([token for _moment, token in sorted(tokens)])


def deal_of(knowledge: Knowledge, suits: Suits) -> Any:
    """The deal that :func:`engine.bots.strong.thinking.draw_worlds` completes."""
    deal = whole_numbers([0] * thinking.DEAL)
    for seat in knowledge.players:
        deal[thinking.CERTAIN + suits.seat(seat)] = suits.cards(knowledge.certain[seat])
    others = knowledge.others
    for index in range(3):
        seat = others[min(index, len(others) - 1)]
        deal[thinking.OTHERS + index] = suits.seat(seat)
        deal[thinking.HIDDEN + index] = knowledge.hidden(seat) if index < len(others) else 0
    for seats, cards in groups_of(knowledge):
        number = sum(1 << others.index(seat) for seat in seats)
        deal[thinking.GROUPS + number] = suits.cards(cards)
    return deal


def factorials(knowledge: Knowledge) -> Any:
    """Logarithms of factorials, the last one that of all unseen cards."""
    return fractions([*_FACTORIALS, _FACTORIALS[knowledge.unseen.bit_count()]])


def world_row(world: World, knowledge: Knowledge, suits: Suits) -> list[int]:
    """A world as a row."""
    hands = [0] * 4
    for seat in knowledge.players:
        hands[suits.seat(seat)] = suits.cards(world.hands[seat])
    draws = [suits.card(card) for card in world.stock]
    return [*hands, *draws, *[0] * (at.MAX_DRAWS - len(draws))]


def distinct_cards(knowledge: Knowledge, cards: int) -> list[int]:
    """One of each run of worthless cards that no card of others interrupts: they do the same."""
    others = knowledge.unseen
    for seat in knowledge.others:
        others |= knowledge.certain[seat]
    distinct: list[int] = []
    before = -1
    for card in cards_in(cards):
        near = before >= 0 and before // 10 == card // 10 and not points_in(1 << card)
        if not near or (1 << card) - (2 << before) & others:
            distinct.append(card)
        before = card
    return distinct
