"""The layout of the array that holds a game being played out: names for its indices.

Trumps are suit 0, seats count the players from 0 in playing order, and all numbers fit into 64 bits
so that compiled and interpreted code do the same.
"""

from typing import Final

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
EXCHANGES: Final = 8
"""0 where nothing is exchanged during play, 2 where it takes a trick won (R5.4)."""
GOAL: Final = 9
"""Points that a side undertook to make (R8.4), 0 where none did."""
GOAL_OF: Final = 10

# --- the moment ----------------------------------------------------------------------------------
STOCK: Final = 11
"""Cards left to draw, the open one among them."""
UPCARD: Final = 12
NEXT_DRAW: Final = 13
TURN: Final = 14
ON_TABLE: Final = 15
BEST: Final = 16
"""The card that is winning the trick, of seat HOLDER."""
HOLDER: Final = 17
LED: Final = 18
"""All cards of the suit led."""
ON_POINTS: Final = 19
TRICKS_LEFT: Final = 20
DECLARED: Final = 21
"""Suits as bits."""
FORFEITED: Final = 22
SEEN: Final = 23
"""Cards played."""
LAST_SIDE: Final = 24
"""Who won the last trick, -1 before the first."""
SPOKEN: Final = 25
"""Seats, as bits, that declared since."""
FOLLOWS_RECORD: Final = 26
"""1 while declarations follow the record instead of being chosen."""
CHANCE: Final = 27
HANDS: Final = 28
"""Four card sets."""
LACKS: Final = 32
"""For each seat, cards that everybody knows it does not hold."""
MADE: Final = 36
"""Points of each side."""
WON: Final = 40
"""Tricks of each side."""
DRAWS: Final = 44
"""Cards to draw, next first."""
MOST_DRAWS: Final = 36
MOVES: Final = DRAWS + MOST_DRAWS
GAME: Final = MOVES + 20
MOST_MOVES: Final = 20

# --- a world in a row of worlds ------------------------------------------------------------------
WORLD: Final = 4 + MOST_DRAWS
"""Four hands and the cards to draw."""

# --- what is known of a card before it is played -------------------------------------------------
FEATURES: Final = 20
PHASES: Final = 3
CONTEXTS: Final = 5
WEIGHTS: Final = CONTEXTS * PHASES * FEATURES

# --- what was said, in a row of tokens; below it stand cards -------------------------------------
DECLARES: Final = 100
"""Plus four times the seat, plus the suit."""

CHANCE_BITS: Final = (1 << 48) - 1
PACK: Final = (1 << 40) - 1
TRUMPS: Final = 0x3FF
COUPLE: Final = 0b11 << 6
"""King and caballo of trumps."""
