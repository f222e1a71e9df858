"""R4 said a second time: which cards may be played, and what is wrong with the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.engine.naive_rules import is_stronger, of_suit, strongest, suit_of

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Duties:
    """What R3 demands of a player in this trick."""

    pisar: bool = True
    follow_only: bool = False  # R4.6


def winning_card(cards: Sequence[str], trump: str) -> str:
    """R4.7: the highest trump, else the highest card of the led suit."""
    return strongest(of_suit(trump, cards) or of_suit(suit_of(cards[0]), cards))


def legal_cards(hand: Sequence[str], table: Sequence[str], trump: str, duties: Duties) -> list[str]:
    """R4.1 to R4.6: the cards that a player may put on this table."""
    if not table:
        return list(hand)  # R4.1
    led = suit_of(table[0])
    followers = of_suit(led, hand)
    if duties.follow_only:
        return followers if led == trump and followers else list(hand)  # R4.6
    trumps_on_table = of_suit(trump, table)
    if followers:
        if led != trump and trumps_on_table:
            return followers  # R4.3
        best = strongest(of_suit(led, table))
        return [card for card in followers if is_stronger(card, best)] or followers  # R4.2
    if led == trump:
        return list(hand)  # R4.5
    trumps = of_suit(trump, hand)
    if trumps_on_table and duties.pisar:  # R4.4a
        trumps = [card for card in trumps if is_stronger(card, strongest(trumps_on_table))]
    return trumps or list(hand)  # R4.4, R4.4b, R4.5, contrafallo


def wrong_card(
    card: str, hand: Sequence[str], table: Sequence[str], trump: str, duties: Duties
) -> tuple[str, str] | None:
    """The code and rule against playing this card, judged duty by duty (F3's order), or None."""
    if card not in hand:
        return "play.not_held", "R4.1"
    if not table:
        return None  # R4.1
    led = suit_of(table[0])
    if duties.follow_only:
        forgotten = led == trump and suit_of(card) != trump and of_suit(trump, hand)
        return ("play.must_follow", "R4.6") if forgotten else None
    if of_suit(led, hand):
        return wrong_follower(card, hand, table, trump)
    if led == trump:
        return None  # R4.5
    return wrong_when_void(card, hand, table, trump, duties)


def wrong_follower(
    card: str, hand: Sequence[str], table: Sequence[str], trump: str
) -> tuple[str, str] | None:
    """Asistir and montar, for one who holds the led suit."""
    led = suit_of(table[0])
    if suit_of(card) != led:
        return "play.must_follow", "R4.2"
    if led != trump and of_suit(trump, table):
        return None  # R4.3
    best = strongest(of_suit(led, table))
    can_head = any(is_stronger(own_card, best) for own_card in of_suit(led, hand))
    if can_head and not is_stronger(card, best):
        return "play.must_head", "R4.2"
    return None


def wrong_when_void(
    card: str, hand: Sequence[str], table: Sequence[str], trump: str, duties: Duties
) -> tuple[str, str] | None:
    """Fallar and pisar, for one void in a plain led suit."""
    due = of_suit(trump, hand)
    on_table = of_suit(trump, table)
    if on_table and duties.pisar:
        due = [own_card for own_card in due if is_stronger(own_card, strongest(on_table))]
    if not due:
        return None  # R4.5, contrafallo
    if suit_of(card) != trump:
        return "play.must_trump", "R4.4"
    if card not in due:
        return "play.must_overtrump", "R4.4a"
    return None
