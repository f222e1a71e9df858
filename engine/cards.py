"""The pack: forty cards as small integers, sets of cards as bit masks (rule R1).

A card is ``10 * suit + strength``, 0 to 39. Strength grows with the power of the card in its
suit, so of two cards of a suit the larger number wins, and the cards of a suit that beat a card
are the higher bits of that suit. A set of cards is an ``int`` whose bit *n* means card *n*.
"""

from collections.abc import Iterable, Iterator
from typing import Final

SUITS: Final = "oceb"
"""Oros, copas, espadas, bastos; a suit is its index here."""

RANKS: Final = "24567SCR31"
"""From the weakest to the strongest; a strength is its index here."""

SEATS: Final = "ABCD"
"""Seat letters in playing order (R2.1); a seat is its index here."""

RANK_POINTS: Final = (0, 0, 0, 0, 0, 2, 3, 4, 10, 11)
"""Tantos of each rank, weakest first: thirty a suit (R1)."""

LAST_TRICK: Final = 10
"""Points for winning the last trick, *las diez de últimas* (R1)."""

CARD_NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_POINTS: Final = tuple(points for _suit in SUITS for points in RANK_POINTS)
CARDS: Final = {name: card for card, name in enumerate(CARD_NAMES)}
BITS: Final = {name: 1 << card for card, name in enumerate(CARD_NAMES)}
"""Each card as a set of its own."""

PACK: Final = (1 << 40) - 1
SUIT_MASKS: Final = tuple(0x3FF << 10 * suit for suit in range(4))
RANK_MASKS: Final = tuple(sum(1 << 10 * suit + rank for suit in range(4)) for rank in range(10))
_SOTAS, _CABALLOS, _REYES, _THREES, _ACES = RANK_MASKS[5:]

CABALLO: Final = RANKS.index("C")
REY: Final = RANKS.index("R")
COUPLES: Final = tuple(1 << 10 * suit + REY | 1 << 10 * suit + CABALLO for suit in range(4))
"""Rey and caballo of each suit: what a twenty or a forty is declared with (R6.1)."""

SUIT_OF: Final = tuple(SUIT_MASKS[card // 10] for card in range(40))
"""For each card, all cards of its suit."""

ABOVE: Final = tuple(SUIT_OF[card] >> card + 1 << card + 1 & SUIT_OF[card] for card in range(40))
"""For each card, the cards of its suit that beat it."""


def cards_in(mask: int) -> Iterator[int]:
    """The cards of a set, lowest number first."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


def mask_of(cards: Iterable[int]) -> int:
    """The set of the given cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


_WRITTEN: Final = tuple(
    (1 << card, CARD_NAMES[card])
    for suit in range(4)
    for card in range(10 * suit + 9, 10 * suit - 1, -1)
)
"""The pack in the order in which cards are written."""


def names(mask: int) -> tuple[str, ...]:
    """The cards of a set as they are written, by suit and from the strongest down."""
    return tuple(name for bit, name in _WRITTEN if mask & bit)


def points_in(mask: int) -> int:
    """The card points of a set (R1)."""
    return (
        2 * (mask & _SOTAS).bit_count()
        + 3 * (mask & _CABALLOS).bit_count()
        + 4 * (mask & _REYES).bit_count()
        + 10 * (mask & _THREES).bit_count()
        + 11 * (mask & _ACES).bit_count()
    )
