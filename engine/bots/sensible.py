"""The sensible bot: simple rules that a beginner is taught.

It declares all it can, the most valuable first. It leads aces and bare low cards, gives its points
to a trick its partner is winning, takes dear tricks as cheaply as it can, lets cheap ones go, and
keeps its trumps for what they are worth.
"""

from collections.abc import Iterable

from engine.bots.base import SILENCE
from engine.cards import CARD_POINTS, CARDS, COUPLES, SEATS, SUIT_MASKS, SUITS, mask_of
from engine.rules import best_on
from engine.view import View

_DEAR = 10
"""Points on the table from which a trick is worth a trump."""


class Sensible:
    """Plays by rule, with no chance at all: the same view always gets the same answer."""

    def __init__(self, seed: bytes = b"") -> None:
        del seed

    def choose(self, view: View) -> str:
        """A declaration if there is one, otherwise the card that the simple rules prefer."""
        spoken = [token for token in view.legal if ":" in token]
        if spoken:
            return max(spoken, key=_worth)
        if SILENCE in view.legal:
            return SILENCE
        legal = [CARDS[token] for token in view.legal]
        trump = SUITS.index(view.trump)
        if not view.table:
            return _name(view, _lead(legal, trump, _held(view)))
        return _name(view, _follow(view, legal, trump))


def _worth(token: str) -> int:
    spoken = token.partition(":")[2]
    return 100 if spoken.startswith("tute") else 40 if spoken == "40" else 20


def _name(view: View, card: int) -> str:
    return next(token for token in view.legal if CARDS[token] == card)


def _held(view: View) -> int:
    return mask_of(CARDS[card] for card in view.hand)


def _price(card: int, trump: int, held: int) -> tuple[int, int]:
    """What giving a card away costs: its points, a trump's power, a couple still to be declared."""
    suit = card // 10
    dear = CARD_POINTS[card] + (8 if suit == trump else 0)
    couple = COUPLES[suit]
    if couple >> card & 1 and held & couple == couple:
        dear += 15
    return dear, card % 10


def _lead(legal: list[int], trump: int, held: int) -> int:
    plain_aces = [card for card in legal if card % 10 == 9 and card // 10 != trump]
    if plain_aces:
        return max(plain_aces, key=lambda card: -_length(held, card))
    return _cheapest(legal, trump, held)


def _length(held: int, card: int) -> int:
    return (held & SUIT_MASKS[card // 10]).bit_count()


def _cheapest(cards: Iterable[int], trump: int, held: int) -> int:
    return min(cards, key=lambda card: _price(card, trump, held))


def _follow(view: View, legal: list[int], trump: int) -> int:
    trumps, held = SUIT_MASKS[trump], _held(view)
    table = tuple(CARDS[card] for _seat, card in view.table)
    best = best_on(table, trumps)
    winner = view.table[table.index(best)][0]
    last = len(table) == view.rules.seat_count - 1
    mine = view.rules.side_of(SEATS.index(view.seat))
    winning = [card for card in legal if best_on((*table, card), trumps) == card]
    losing = [card for card in legal if card not in winning]
    if view.rules.side_of(SEATS.index(winner)) == mine and losing and (last or best % 10 == 9):
        return max(losing, key=lambda card: (card // 10 != trump, CARD_POINTS[card], -card % 10))
    stake = sum(CARD_POINTS[card] for card in table)
    if winning and (last or stake >= _DEAR or not losing):
        return _cheapest(winning, trump, held) if not last else _dearest(winning, trump, held)
    return _cheapest(losing or legal, trump, held)


def _dearest(winning: list[int], trump: int, held: int) -> int:
    """The last player takes with the most points of a plain suit, or with the lowest trump."""
    plain = [card for card in winning if card // 10 != trump]
    if plain:
        return max(plain, key=lambda card: CARD_POINTS[card])
    return _cheapest(winning, trump, held)
