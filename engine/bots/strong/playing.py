"""The rules in masks, for playing hands out: held to :class:`engine.State` by tests."""

from typing import Any, Final

from engine.bots.strong.compiling import part, whole_numbers
from engine.bots.strong.places import (
    BEST,
    CHANCE,
    CHANCE_BITS,
    COUPLE,
    DECLARED,
    DRAWS,
    EXCHANGES,
    FIRST_ONLY,
    FOLLOWS_RECORD,
    FORFEITED,
    FREE_WHILE_STOCK,
    HANDS,
    HOLDER,
    LACKS,
    LAST_SIDE,
    LED,
    MADE,
    NEXT_DRAW,
    ON_POINTS,
    ON_TABLE,
    PACK,
    PAIRS,
    PER_TRICK,
    PISAR,
    PLAYERS,
    SEEN,
    SPOKEN,
    STOCK,
    TO_THE_END,
    TRICKS_LEFT,
    TRUMPS,
    TURN,
    UPCARD,
    WON,
)
from engine.cards import CARD_POINTS, SUIT_OF

WORTH: Final = whole_numbers(list(CARD_POINTS))
SUIT: Final = whole_numbers(list(SUIT_OF))
_TWO, _SEVEN, _SOTA = 0, 4, 5
"""Of trumps, and the lowest rank that counts."""


@part(inline=True)
def count_bits(cards: int) -> int:
    """The number of cards in a set."""
    cards = cards - (cards >> 1 & 0x5555555555)
    cards = (cards & 0x3333333333) + (cards >> 2 & 0x3333333333)
    cards = cards + (cards >> 4) & 0x0F0F0F0F0F
    return cards * 0x0101010101 >> 32 & 0xFF


@part(inline=True)
def chance(row: Any, at: int) -> int:
    """The next of a sequence of even draws below 2^31; its state is in ``row[at]``."""
    row[at] = (row[at] * 0x5DEECE66D & CHANCE_BITS) + 11 & CHANCE_BITS
    return int(row[at] >> 17)


@part(inline=True)
def side_of(game: Any, seat: int) -> int:
    """The side of a seat (R2.2)."""
    return seat & 1 if game[PAIRS] else seat


@part(inline=True)
def above(card: int) -> int:
    """The cards of its suit that beat a card."""
    return int(SUIT[card]) & -(2 << card)


@part(inline=True)
def beats(card: int, best: int) -> bool:
    """Whether a card beats the one that is winning the trick (R4.7)."""
    return card > best if SUIT[card] == SUIT[best] else card < 10


@part(inline=True)
def legal(game: Any) -> int:
    """The cards that may be played (R4)."""
    held = game[HANDS + game[TURN]]
    if not game[ON_TABLE]:
        return int(held)
    led, best = game[LED], game[BEST]
    follow = held & led
    if game[STOCK] and game[FREE_WHILE_STOCK]:
        return int(follow if led == TRUMPS and follow else held)
    higher = held & above(best)
    if best < 10 and led != TRUMPS:
        cards = follow or (higher if game[PISAR] else held & TRUMPS)
    else:
        cards = higher or follow or held & TRUMPS
    return int(cards or held)


@part(inline=True)
def lacked(game: Any, card: int) -> int:
    """The cards that the player in turn does not hold if this card is legal."""
    if not game[ON_TABLE]:
        return 0
    led, best, bit = game[LED], game[BEST], 1 << card
    if game[STOCK] and game[FREE_WHILE_STOCK]:
        return TRUMPS if led == TRUMPS and card > 9 else 0
    ruffed = best < 10 and led != TRUMPS
    if bit & led:
        return 0 if ruffed or bit & above(best) else above(best)
    if ruffed:
        due = above(best) if game[PISAR] else TRUMPS
        return int(led) if bit & due else led | due
    return int(led) if card < 10 else led | TRUMPS


@part(inline=True)
def is_open(game: Any, seat: int, suit: int) -> bool:
    """Whether a seat holds a couple that is neither declared nor forfeited (R6.1, R6.3)."""
    couple = COUPLE << 10 * suit
    held = game[HANDS + seat] & couple == couple
    return held and not (game[DECLARED] | game[FORFEITED]) >> suit & 1


@part()
def declare(game: Any, winner: int) -> None:
    """Declare all that the rules admit after a trick, the forty first (R6)."""
    side = side_of(game, winner)
    if not game[TO_THE_END] and game[STOCK] <= 2:
        return
    if game[FIRST_ONLY] and game[WON + side] > 1:
        return
    for seat in range(game[PLAYERS]):
        if side_of(game, seat) != side:
            continue
        spoken = 0
        for suit in range(4):
            if game[PER_TRICK] and spoken >= game[PER_TRICK]:
                break
            if is_open(game, seat, suit):
                game[DECLARED] |= 1 << suit
                game[MADE + side] += 20 if suit else 40
                spoken += 1


@part()
def exchange(game: Any) -> None:
    """Exchange the seven and the two of trumps for what they may be exchanged for (R5)."""
    for seat in range(game[PLAYERS]):
        if game[STOCK] <= 2 or (game[EXCHANGES] > 1 and not game[WON + side_of(game, seat)]):
            continue
        up, held = game[UPCARD], game[HANDS + seat]
        if held >> _SEVEN & 1 and up >= _SOTA:
            game[HANDS + seat] = held ^ (1 << _SEVEN | 1 << up)
            game[UPCARD] = _SEVEN
        elif held & 1 and _TWO < up < _SOTA:
            game[HANDS + seat] = held ^ (1 | 1 << up)
            game[UPCARD] = _TWO


@part()
def draw(game: Any, winner: int) -> None:
    """The winner draws first, then the others in order; the open card is the last (R5.1)."""
    seat = winner
    for _ in range(game[PLAYERS]):
        if game[STOCK] == 1:
            card = game[UPCARD]
            game[UPCARD] = -1
        else:
            card = game[DRAWS + game[NEXT_DRAW]]
            game[NEXT_DRAW] += 1
        game[HANDS + seat] |= 1 << card
        game[LACKS + seat] = 0
        game[STOCK] -= 1
        seat = seat + 1 if seat + 1 < game[PLAYERS] else 0


@part()
def finish_trick(game: Any) -> None:
    """The trick goes to its winner (R7.1); then all draw, exchange and declare what they can."""
    winner = game[HOLDER]
    side = side_of(game, winner)
    game[TRICKS_LEFT] -= 1
    game[MADE + side] += game[ON_POINTS] + (0 if game[TRICKS_LEFT] else 10)
    game[WON + side] += 1
    game[TURN], game[LAST_SIDE] = winner, side
    game[ON_TABLE], game[ON_POINTS], game[LED], game[SPOKEN] = 0, 0, 0, 0
    if game[STOCK]:
        draw(game, winner)
        if game[EXCHANGES]:
            exchange(game)
    if game[TRICKS_LEFT] and not game[FOLLOWS_RECORD]:
        declare(game, winner)


@part()
def play(game: Any, card: int) -> None:
    """The seat in turn plays a card."""
    turn, bit = game[TURN], 1 << card
    game[LACKS + turn] |= lacked(game, card)
    game[HANDS + turn] &= PACK & ~bit
    game[SEEN] |= bit
    game[ON_POINTS] += WORTH[card]
    if not game[ON_TABLE]:
        game[LED], game[BEST], game[HOLDER] = SUIT[card], card, turn
    elif beats(card, game[BEST]):
        game[BEST], game[HOLDER] = card, turn
    game[ON_TABLE] += 1
    if game[ON_TABLE] < game[PLAYERS]:
        game[TURN] = turn + 1 if turn + 1 < game[PLAYERS] else 0
    else:
        finish_trick(game)


@part()
def start_chance(game: Any, seed: int) -> None:
    """Begin a sequence of draws."""
    game[CHANCE] = seed & CHANCE_BITS
    chance(game, CHANCE)
