"""The rules of play over bit masks, compiled: the second and last time that they are stated.

The solver asks what is legal and what beats; the strong bot plays hands out;
:mod:`engine.fast.kernel` replays records. Tests hold all of it equal to :mod:`engine.state`.

A game is one array of numbers; the names below are places in it. Trumps are suit 0, seats count the
players from 0 in playing order, and all numbers fit into 64 bits, so that compiled and interpreted
code do the same.
"""

from typing import Any, Final, NamedTuple

from engine.cards import CARD_POINTS, LAST_TRICK, SUIT_OF
from engine.fast.compiling import place, subroutine, whole_numbers
from engine.rulesets import Ruleset

# --- the rules -----------------------------------------------------------------------------------
PLAYERS: Final = 0
PAIRS: Final = 1
PISAR: Final = 2
"""1 where a trump must be beaten by a higher one (R4.4a)."""
FREE_WHILE_STOCK: Final = 3
"""1 where only led trumps bind while there are cards to draw (R4.6)."""
FIRST_ONLY: Final = 4
"""1 where a side declares after its first trick alone (R6.2)."""
PER_TRICK: Final = 5
TO_THE_END: Final = 6
"""0 where nobody declares with two cards left to draw."""
FORFEITS: Final = 7
ORDER: Final = 8
"""What R6.5 asks for: an index of :data:`ORDERS`."""
EXCHANGES: Final = 9
"""An index of :data:`MOMENTS`."""
NEEDS_TRICK: Final = 10
RACE: Final = 11
TUTES: Final = 12
"""1 where four kings are a tute, 3 where four caballos are one too."""
TUTE_FIRST: Final = 13
"""1 where a tute is declared after the side's first trick alone, and before all else (R6.8)."""
PLATE: Final = 14
RULES: Final = 15

# --- the moment ----------------------------------------------------------------------------------
STOCK: Final = 15
"""Cards left to draw, the open one among them."""
UPCARD: Final = 16
NEXT_DRAW: Final = 17
TURN: Final = 18
ON_TABLE: Final = 19
BEST: Final = 20
"""The card that is winning the trick, of seat HOLDER."""
HOLDER: Final = 21
LED: Final = 22
"""All cards of the suit led."""
ON_POINTS: Final = 23
TRICK: Final = 24
"""Tricks that are over."""
TRICKS_LEFT: Final = 25
DECLARED: Final = 26
"""Suits as bits."""
FORFEITED: Final = 27
SPOKEN: Final = 28
"""How often each seat declared since the last trick, eight bits a seat."""
SIDES_SPOKE: Final = 29
"""Sides, as bits, that declared a 20 or a 40."""
PASSED_OVER: Final = 30
"""Seats, as bits, that declared a 20 while they held an undeclared 40 (R6.5a, b)."""
LAST_SIDE: Final = 31
"""The winner of the last trick, -1 before the first."""
FIRST_THERE: Final = 32
"""The side that first reached the end of the race and one, 0 for none (R9.1)."""
CAPOTE: Final = 33
"""The seat that announced capote and one, 0 for none (R9.5)."""
SEEN: Final = 34
"""Cards played."""
HANDS: Final = 35
"""Four card sets."""
MADE: Final = 39
"""Points of each side."""
WON: Final = 43
"""Tricks of each side."""
LAST_WON: Final = 47
"""The trick that each side won last, counted from 1."""
CARRIED: Final = 51
"""Points of the first deal of a race."""
GOAL: Final = 55
"""Points that a side undertook to make (R8.4), 0 where none did; for bots, as are those below."""
GOAL_OF: Final = 56
CHANCE: Final = 57
LACKS: Final = 58
"""For each seat, cards that everybody knows it does not hold."""
DRAWS: Final = 62
"""Cards to draw, next first."""
MAX_DRAWS: Final = 38
MOVES: Final = DRAWS + MAX_DRAWS
MAX_MOVES: Final = 20
GAME: Final = MOVES + MAX_MOVES

ORDERS: Final = ("free", "forty_in_window", "forty_in_deal", "forty_alone", "forty_first")
MOMENTS: Final = ("none", "stock", "before_play")
TRUMPS: Final = 0x3FF
COUPLE: Final = 0b11 << 6
"""King and caballo of trumps."""
TWO, SEVEN = 0, 4
"""Of trumps."""
_SOTA: Final = 5
"""The lowest rank that counts."""

VALUES: Final = whole_numbers(list(CARD_POINTS))
SUIT: Final = whole_numbers(list(SUIT_OF))


def rules_to_row(rules: Ruleset) -> list[int]:
    """The first :data:`RULES` numbers of a game."""
    return [
        rules.player_count,
        int(rules.pairs),
        int(rules.must_overtrump),
        int(rules.duties_while_stock == "trumps"),
        int(rules.declare_at == "first"),
        rules.declarations_per_trick,
        int(rules.declare_to_the_end),
        int(rules.omitted_is_lost),
        ORDERS.index(rules.declaring_order),
        MOMENTS.index(rules.exchange),
        int(rules.exchange_needs_trick),
        rules.race_to,
        ("", "R", "RC").index(rules.tute_ranks) * 3 // 2,
        int(rules.tute_at_first_trick_only),
        int(rules.stakes == "plate"),
    ]


def with_trumps_first(cards: int, trump: int) -> int:
    """A card set with trumps and oros changed for one another: there and back."""
    if not trump:
        return cards
    first, trumps = cards & TRUMPS, cards >> 10 * trump & TRUMPS
    others = cards & ~(TRUMPS | TRUMPS << 10 * trump)
    return others | trumps | first << 10 * trump


class Suits(NamedTuple):
    """Cards with trumps as suit 0 and back again; seats counted among those who play."""

    trump: int
    players: tuple[int, ...]

    def suit(self, suit: int) -> int:
        """The other name of a suit."""
        return {0: self.trump, self.trump: 0}.get(suit, suit)

    def card(self, card: int) -> int:
        """The other name of a card."""
        return 10 * self.suit(card // 10) + card % 10

    def cards(self, cards: int) -> int:
        """The other name of a set."""
        return with_trumps_first(cards, self.trump)

    def seat(self, seat: int) -> int:
        """The number of a seat among the players."""
        return self.players.index(seat)


# --- cards ---------------------------------------------------------------------------------------


@subroutine(inline=True)
def count_bits(cards: int) -> int:
    """The number of cards in a set."""
    cards = cards - (cards >> 1 & 0x5555555555)
    cards = (cards & 0x3333333333) + (cards >> 2 & 0x3333333333)
    cards = cards + (cards >> 4) & 0x0F0F0F0F0F
    return cards * 0x0101010101 >> 32 & 0xFF


@subroutine(inline=True)
def higher_cards(card: int) -> int:
    """The cards of its suit that beat a card."""
    return int(SUIT[place(card)]) & -(2 << card)


@subroutine(inline=True)
def beats(card: int, best: int) -> bool:
    """Whether a card beats the one that is winning the trick (R4.7)."""
    if SUIT[place(card)] == SUIT[place(best)]:
        return card > best
    return card < 10


@subroutine(inline=True)
def obligatory_cards(held: int, led: int, best: int, pisar: int) -> int:
    """The cards of a hand that may be played on a trick begun (R4.2 to R4.5)."""
    follow, higher = held & led, held & higher_cards(best)
    if best < 10 and led != TRUMPS:
        cards = follow or (higher if pisar else held & TRUMPS)
    else:
        cards = higher or follow or held & TRUMPS
    return cards or held


@subroutine(inline=True)
def legal(game: Any) -> int:
    """The cards that may be played (R4)."""
    hand, led = game[HANDS + game[TURN]], game[LED]
    if not game[ON_TABLE]:
        return int(hand)
    if game[STOCK] and game[FREE_WHILE_STOCK]:
        return int((hand & led if led == TRUMPS else 0) or hand)
    return int(obligatory_cards(hand, led, game[BEST], game[PISAR]))


@subroutine(inline=True)
def side_of(game: Any, seat: int) -> int:
    """The side of a seat (R2.2)."""
    return seat & 1 if game[PAIRS] else seat


@subroutine(inline=True)
def add_points(game: Any, side: int, points: int) -> None:
    """Adds points for a side, which may be the first at the end of the race (R9.1)."""
    game[MADE + side] += points
    racing = game[RACE] and not game[FIRST_THERE] and not game[CAPOTE]
    if racing and game[MADE + side] + game[CARRIED + side] >= game[RACE]:
        game[FIRST_THERE] = side + 1


@subroutine(inline=True)
def play_card(game: Any, card: int) -> bool:
    """The seat in turn plays a card; whether the trick is then complete."""
    turn, bit = game[TURN], 1 << card
    game[HANDS + turn] &= ~bit
    game[SEEN] |= bit
    game[ON_POINTS] += VALUES[place(card)]
    if not game[ON_TABLE]:
        game[LED], game[BEST], game[HOLDER] = SUIT[place(card)], card, turn
    elif beats(card, game[BEST]):
        game[BEST], game[HOLDER] = card, turn
    game[ON_TABLE] += 1
    game[TURN] = turn + 1 if turn + 1 < game[PLAYERS] else 0
    return bool(game[ON_TABLE] == game[PLAYERS])


@subroutine()
def take_trick(game: Any) -> None:
    """A complete trick goes to its winner (R7.1), then all draw."""
    winner = game[HOLDER]
    side = side_of(game, winner)
    game[TRICK] += 1
    game[TRICKS_LEFT] -= 1
    add_points(game, side, game[ON_POINTS] + (0 if game[TRICKS_LEFT] else LAST_TRICK))
    game[WON + side] += 1
    game[LAST_WON + side] = game[TRICK]
    game[TURN], game[LAST_SIDE] = winner, side
    game[ON_TABLE], game[ON_POINTS], game[LED], game[SPOKEN] = 0, 0, 0, 0
    if game[ORDER] != 2:
        game[PASSED_OVER] = 0
    if game[STOCK]:
        draw_cards(game, winner)


@subroutine()
def draw_cards(game: Any, winner: int) -> None:
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


# --- what is said --------------------------------------------------------------------------------


@subroutine(inline=True)
def has_open_couple(game: Any, seat: int, suit: int) -> bool:
    """Whether a seat holds a couple that is neither declared nor forfeited (R6.1, R6.3)."""
    couple = COUPLE << 10 * suit
    has_couple = game[HANDS + seat] & couple == couple
    return has_couple and not (game[DECLARED] | game[FORFEITED]) >> suit & 1


@subroutine(inline=True)
def open_tricks(game: Any, seat: int) -> int:
    """Tricks that a seat's side has won, if a window is open for it, else 0 (R6.2)."""
    side = side_of(game, seat)
    if game[ON_TABLE] or game[LAST_SIDE] != side or not (game[TO_THE_END] or game[STOCK] > 2):
        return 0
    return int(game[WON + side])


@subroutine()
def may_declare(game: Any, seat: int, suit: int) -> bool:
    """Whether a seat may declare the couple of a suit (R6.1 to R6.6)."""
    tricks = open_tricks(game, seat)
    if not tricks or (tricks > 1 and game[FIRST_ONLY]) or not has_open_couple(game, seat, suit):
        return False
    if suit and game[ORDER] > 2 and has_open_couple(game, seat, 0):
        return False
    if not suit and 0 < game[ORDER] < 3 and game[PASSED_OVER] >> seat & 1:
        return False
    return not game[PER_TRICK] or (game[SPOKEN] >> 8 * seat & 255) < game[PER_TRICK]


@subroutine()
def declare(game: Any, seat: int, suit: int) -> None:
    """A seat declares the couple of a suit (R6.1)."""
    side = side_of(game, seat)
    if suit and has_open_couple(game, seat, 0):
        game[PASSED_OVER] |= 1 << seat
    game[DECLARED] |= 1 << suit
    game[SPOKEN] += 1 << 8 * seat
    game[SIDES_SPOKE] |= 1 << side
    if not game[CAPOTE]:
        add_points(game, side, 20 if suit else 40)


@subroutine()
def undeclared_couples(game: Any) -> int:
    """What the side that won the last trick leaves undeclared by a lead now (R6.6).

    The bit of a seat's suit is ``4 * seat + suit``.
    """
    side, couples = game[LAST_SIDE], 0
    if side < 0 or (game[FIRST_ONLY] and game[WON + side] > 1):
        return 0
    for seat in range(game[PLAYERS]):
        if side_of(game, seat) == side and (game[FIRST_ONLY] or not game[SPOKEN] >> 8 * seat & 255):
            for suit in range(4):
                if has_open_couple(game, seat, suit) and not (
                    suit and game[ORDER] == 3 and has_open_couple(game, seat, 0)
                ):
                    couples |= 1 << 4 * seat + suit
    return couples


@subroutine()
def forfeit(game: Any, undeclared: int) -> None:
    """Declarations that were due are lost, where the rules say so (R6.6)."""
    if game[FORFEITS]:
        for seat in range(4):
            game[FORFEITED] |= undeclared >> 4 * seat & 15


@subroutine()
def may_exchange(game: Any, seat: int, card: int) -> bool:
    """Whether a seat may exchange the seven or the two of trumps for the upcard (R5.2 to R5.5)."""
    up = game[UPCARD]
    if game[EXCHANGES] == 1:
        in_time = game[STOCK] > 2
    else:
        in_time = game[EXCHANGES] == 2 and game[LAST_SIDE] < 0 and not game[ON_TABLE]
    if not in_time or (game[NEEDS_TRICK] and not game[WON + side_of(game, seat)]):
        return False
    fits = up >= _SOTA if card == SEVEN else TWO < up < _SOTA
    return bool(fits and game[HANDS + seat] >> card & 1)


@subroutine()
def exchange(game: Any, seat: int, card: int) -> None:
    """A seat exchanges a trump for the upcard."""
    game[HANDS + seat] ^= 1 << card | 1 << game[UPCARD]
    game[UPCARD] = card
