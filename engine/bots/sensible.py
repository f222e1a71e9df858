"""The sensible bot: simple rules that a beginner is taught.

It exchanges for a better trump whenever it may and declares all it can, the most valuable first. It
supports the plate with a hand worth it, claims 101 as soon as it has them and announces a capote
that cannot fail. It leads aces and bare low cards, gives its points to a trick its partner is
winning, takes dear tricks as cheaply as it can, lets cheap ones go, and keeps its trumps for what
they are worth.
"""

from collections.abc import Iterable
from typing import Final

from engine.bots.base import SILENCE
from engine.cards import (
    ABOVE,
    CARD_POINTS,
    CARDS,
    COUPLES,
    PACK,
    RANK_MASKS,
    RANKS,
    SEATS,
    SUIT_MASKS,
    SUITS,
    cards_in,
    mask_of,
    points_in,
)
from engine.rules import winning_card
from engine.view import View

_MIN_POINTS_TO_TRUMP = 10
"""Points on the table from which a trick is worth a trump: those of a three."""

_MIN_POINTS_TO_SUPPORT = 95
"""Expected points from which a hand supports the plate: half of such hands reach the 101 needed
(`_expected_points`)."""

ACE, THREE = RANKS.index("1"), RANKS.index("3")

_TWENTY_PRIORITY: Final = 3
_PRIORITIES: Final = {
    "x7": 8,  # exchanges first: the card may complete a couple
    "x2": 7,
    "tuteR": 6,
    "tuteC": 6,
    "101": 5,
    "40": 4,
    "capote": 2,
    "voy": 1,  # supporting the plate (R8.4)
}
"""The order in which several legal tokens are said, highest first; twenties, which name their
suit, have `_TWENTY_PRIORITY`."""


class Sensible:
    """Plays by rule, with no chance at all: the same view always gets the same answer."""

    def __init__(self, seed: bytes = b"") -> None:
        del seed

    def choose(self, view: View) -> str:
        """Returns a declaration if one is worth saying, else the card that the rules prefer."""
        if any(":" in token for token in view.legal):
            return _choose_declaration(view)
        legal = [CARDS[token] for token in view.legal]
        trump = SUITS.index(view.trump)
        if view.table:
            return _token_of(view, _follow(view, legal, trump))
        if view.capote == view.seat:
            return _token_of(view, max(legal, key=lambda card: (card // 10 == trump, card % 10)))
        return _token_of(view, _lead(view, legal, trump))


def _choose_declaration(view: View) -> str:
    """The first of the tokens that the bot wants to say; else silence, or a pass if it must."""
    tokens = [token for token in view.legal if ":" in token and _should_declare(view, token)]
    return max(tokens, key=_priority, default=SILENCE if SILENCE in view.legal else view.legal[-1])


def _priority(token: str) -> int:
    return _PRIORITIES.get(token.partition(":")[2], _TWENTY_PRIORITY)


def _should_declare(view: View, token: str) -> bool:
    declaration = token.partition(":")[2]
    if declaration == "101":
        side = view.rules.sides[view.rules.side_of(SEATS.index(view.seat))]
        return view.points[side] + view.carried.get(side, 0) >= view.rules.race_to
    if declaration == "capote":
        return _wins_every_trick(view)
    if declaration == "voy":
        return _expected_points(view) >= _MIN_POINTS_TO_SUPPORT
    return declaration != "paso"


def _wins_every_trick(view: View) -> bool:
    """Whether leading trumps first, then the rest, must win every trick of two players."""
    hand = _hand_mask(view)
    unseen = PACK & ~hand & ~mask_of(CARDS[card] for _seat, card in view.history if card in CARDS)
    trumps = SUIT_MASKS[SUITS.index(view.trump)]
    enough = (hand & trumps).bit_count() >= (unseen & trumps).bit_count()
    mine_to_lead = view.turn == view.seat
    return mine_to_lead and enough and not any(ABOVE[card] & unseen for card in cards_in(hand))


def _expected_points(view: View) -> float:
    """Points that a hand of `arrastrado` makes against two of its own kind.

    Fitted by least squares to 7,500 hands of this bot; of those expected to make 95 half made 101.
    """
    hand, trump = _hand_mask(view), SUITS.index(view.trump)
    couples = [suit for suit, couple in enumerate(COUPLES) if hand & couple == couple]
    trumps = hand & SUIT_MASKS[trump]
    plain_aces = (hand & ~trumps & RANK_MASKS[ACE]).bit_count()
    return (
        -15
        + 9 * trumps.bit_count()
        + 8 * bool(trumps & RANK_MASKS[ACE])
        + 4 * bool(trumps & RANK_MASKS[THREE])
        + 7 * plain_aces
        + sum(38 if suit == trump else 13 for suit in couples)
        + 0.57 * points_in(hand)
    )


def _token_of(view: View, card: int) -> str:
    return next(token for token in view.legal if CARDS[token] == card)


def _hand_mask(view: View) -> int:
    return mask_of(CARDS[card] for card in view.hand)


def _price(card: int, trump: int, hand: int) -> tuple[int, int]:
    """The price of giving a card away: points, a trump's power, a couple still to be declared."""
    suit = card // 10
    dear = CARD_POINTS[card] + (8 if suit == trump else 0)
    couple = COUPLES[suit]
    if couple >> card & 1 and hand & couple == couple:
        dear += 15
    return dear, card % 10


def _lead(view: View, legal: list[int], trump: int) -> int:
    hand = _hand_mask(view)
    plain_aces = [card for card in legal if card % 10 == 9 and card // 10 != trump]
    if plain_aces and not _may_trump_any_lead(view):
        return max(plain_aces, key=lambda card: -_suit_length(hand, card))
    return _cheapest(legal, trump, hand)


def _may_trump_any_lead(view: View) -> bool:
    """R4.6: an ace led now may be trumped by anybody."""
    return bool(view.stock) and view.rules.duties_while_stock == "trumps"


def _suit_length(hand: int, card: int) -> int:
    return (hand & SUIT_MASKS[card // 10]).bit_count()


def _cheapest(cards: Iterable[int], trump: int, hand: int) -> int:
    return min(cards, key=lambda card: _price(card, trump, hand))


def _follow(view: View, legal: list[int], trump: int) -> int:
    trumps, hand = SUIT_MASKS[trump], _hand_mask(view)
    table = tuple(CARDS[card] for _seat, card in view.table)
    best = winning_card(table, trumps)
    winner = view.table[table.index(best)][0]
    last = len(table) == view.rules.player_count - 1
    side = view.rules.side_of(SEATS.index(view.seat))
    winning = [card for card in legal if winning_card((*table, card), trumps) == card]
    losing = [card for card in legal if card not in winning]
    if view.rules.side_of(SEATS.index(winner)) == side and losing and (last or best % 10 == 9):
        return max(losing, key=lambda card: (card // 10 != trump, CARD_POINTS[card], -card % 10))
    stake = sum(CARD_POINTS[card] for card in table)
    if winning and (last or stake >= _MIN_POINTS_TO_TRUMP or not losing):
        return _cheapest(winning, trump, hand) if not last else _win_last(winning, trump, hand)
    return _cheapest(losing or legal, trump, hand)


def _win_last(winning: list[int], trump: int, hand: int) -> int:
    """The last player takes with the most points of a plain suit, or with the lowest trump."""
    plain = [card for card in winning if card // 10 != trump]
    if plain:
        return max(plain, key=lambda card: CARD_POINTS[card])
    return _cheapest(winning, trump, hand)
