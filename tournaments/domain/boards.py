"""The deals of a duplicate stage: compares the cards of records with the board's cards.

A deal ("board") is seen from the first side of a table: that side holds the cards of A and of
its partner's seat. A record may have home at any seats, so its hands are rotated until home sits
there; either of two partners may have sat at either of their seats, but all hands of a record are
rotated alike.

Deal ``n`` is that of :func:`engine.deal` with the number ``n`` under the label
``TOURNAMENT/STAGE/n``; the deal goes round from deal to deal, A dealing the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import engine

PAIRS: Final = 4
"""Seats of a table at which partners sit opposite each other."""


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of a deal: by seat from A on, the dealer's seat (from 0), what shows trumps.

    ``stock`` is in drawing order where there is one.
    """

    dealer: int
    trump: str
    hands: tuple[frozenset[str], ...]
    stock: str | None = None

    def rotate(self, steps: int) -> Cards:
        """Return the same cards rotated by a number of seats."""
        seats = len(self.hands)
        hands = tuple(self.hands[(seat - steps) % seats] for seat in range(seats))
        return Cards((self.dealer + steps) % seats, self.trump, hands, self.stock)


def cards_of(
    dealer: str, trump: str | None, deal: Mapping[str, str], stock: str | None = None
) -> Cards:
    """Return cards as a record writes them.

    >>> cards_of("B", "1o", {"A": "2o 3c", "B": "1o 4c"}).rotate(1).hands[0] == {"1o", "4c"}
    True
    """
    hands = tuple(frozenset(deal[seat].split()) for seat in sorted(deal))
    return Cards(engine.SEATS.index(dealer), trump or "", hands, stock)


def dealer_of(rules: engine.Ruleset, board: int) -> int:
    """Return the seat that deals a board: A the first one, and on round the table."""
    return (board - 1) % rules.seat_count


def deal_of(rules: engine.Ruleset, seed: str, label: str, board: int) -> engine.Deal:
    """Return a deal of a stage, from its seed (hexadecimal) and label."""
    dealer = dealer_of(rules, board)
    return engine.deal(rules, bytes.fromhex(seed), f"{label}/{board}", board, dealer)


def to_deal(rules: engine.Ruleset, cards: Cards) -> engine.Deal:
    """Return cards that were read from a record as a deal to be played."""
    hands = {
        seat: " ".join(sorted(hand, key=engine.CARD_NAMES.index))
        for seat, hand in zip(rules.seats, cards.hands, strict=True)
    }
    return engine.Deal(rules.seats[cards.dealer], cards.trump, hands, cards.stock)


def rotations_of(side: str, seats: int) -> tuple[int, ...]:
    """Return by how many seats a record may be turned so that home is the first side.

    >>> rotations_of("AC", 4), rotations_of("BD", 4), rotations_of("B", 2)
    ((0, 2), (3, 1), (1,))
    """
    first = -engine.SEATS.index(side[0]) % seats
    return (first, (first + seats // 2) % seats) if seats == PAIRS else (first,)


def first_different_hand(
    recorded: Sequence[Cards | None], boards: Sequence[Cards | None], side: str
) -> int | None:
    """Return the index of the first hand that was not played with the cards of its board.

    ``None`` when all were, or nothing is known of one or the other. The hands are those of one
    record, home having sat at ``side``.
    """
    seats = next((len(cards.hands) for cards in recorded if cards is not None), 0)
    turns = rotations_of(side, seats) if seats else ()
    for index, (cards, board) in enumerate(zip(recorded, boards, strict=False)):
        if cards is None or board is None:
            continue
        turns = tuple(turn for turn in turns if _are_same_cards(cards.rotate(turn), board))
        if not turns:
            return index
    return None


def _are_same_cards(cards: Cards, other: Cards) -> bool:
    if None in (cards.stock, other.stock):
        return (cards.dealer, cards.trump, cards.hands) == (other.dealer, other.trump, other.hands)
    return cards == other
