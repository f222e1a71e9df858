"""How the bots play a hand on: cards by chance, and everything said that the rules admit."""

from typing import Any, Final

from engine.fast.compiling import subroutine
from engine.fast.masks import (
    BEST,
    CHANCE,
    EXCHANGES,
    FREE_WHILE_STOCK,
    LACKS,
    LED,
    MAX_DRAWS,
    ON_TABLE,
    PISAR,
    PLAYERS,
    SEVEN,
    SPOKEN,
    STOCK,
    TRICKS_LEFT,
    TRUMPS,
    TURN,
    TWO,
    declare,
    exchange,
    higher_cards,
    may_declare,
    may_exchange,
    play_card,
    take_trick,
)

WORLD: Final = 4 + MAX_DRAWS
"""A world in a row of worlds: four hands and the cards to draw."""

FEATURES: Final = 20
"""What is known of a card before it is played."""
PHASES: Final = 3
CONTEXTS: Final = 5
WEIGHTS: Final = CONTEXTS * PHASES * FEATURES

DECLARES: Final = 100
"""Plus four times the seat, plus the suit: a declaration in a row of tokens, among cards."""

CHANCE_BITS: Final = (1 << 48) - 1


@subroutine(inline=True)
def next_random(row: Any, index: int) -> int:
    """The next of a sequence of even draws below 2^31; its state is in ``row[at]``."""
    row[index] = (row[index] * 0x5DEECE66D & CHANCE_BITS) + 11 & CHANCE_BITS
    return int(row[index] >> 17)


@subroutine()
def seed_random(game: Any, seed: int) -> None:
    """Begin a sequence of draws."""
    game[CHANCE] = seed & CHANCE_BITS
    next_random(game, CHANCE)


@subroutine(inline=True)
def excluded_cards(game: Any, card: int) -> int:
    """The cards that the player in turn does not hold if this card is legal."""
    if not game[ON_TABLE]:
        return 0
    led, best, bit = game[LED], game[BEST], 1 << card
    if game[STOCK] and game[FREE_WHILE_STOCK]:
        return TRUMPS if led == TRUMPS and card > 9 else 0
    ruffed = best < 10 and led != TRUMPS
    if bit & led:
        return 0 if ruffed or bit & higher_cards(best) else higher_cards(best)
    if ruffed:
        lacking = higher_cards(best) if game[PISAR] else TRUMPS
        return int(led) if bit & lacking else led | lacking
    return int(led) if card < 10 else led | TRUMPS


@subroutine()
def declare_all(game: Any) -> None:
    """Exchanges and declares all that the rules admit after a trick, the forty first (R5, R6)."""
    for seat in range(game[PLAYERS] if game[EXCHANGES] else 0):
        if may_exchange(game, seat, SEVEN):
            exchange(game, seat, SEVEN)
        elif may_exchange(game, seat, TWO):
            exchange(game, seat, TWO)
    for seat in range(game[PLAYERS]):
        for suit in range(4):
            if game[TRICKS_LEFT] and may_declare(game, seat, suit):
                declare(game, seat, suit)
    game[SPOKEN] = 0


@subroutine()
def play(game: Any, card: int) -> None:
    """The seat in turn plays a card; after a trick all is said that can be."""
    game[LACKS + game[TURN]] |= excluded_cards(game, card)
    if play_card(game, card):
        take_trick(game)
        declare_all(game)
