"""Judges many hands of a game of pairs without stock at once, over numpy arrays (R4, R6, R7.1).

Nothing here is judged one token after the other. Who wins a trick follows from its four cards, who
leads the next from the sum of the places that won, and what a player still held from what they play
later: so each rule is asked of all tricks of all hands in one go. Only the declarations go window
by window, since what was forfeited in one decides about the next.

The answer is whether a hand is valid, and its result. Why a hand is not valid, the core explains.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import ABOVE, CABALLO, CARD_POINTS, LAST_TRICK, REY, SUIT_MASKS
from engine.rulesets import Ruleset
from engine.scoring import CARD_TOTAL

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Masks = NDArray[np.uint64]
Whole = NDArray[np.int64]

TRICKS: Final = 10  # four seats, no stock
NEVER: Final = 99
"""The window of a declaration that was not made."""

_RUFF: Final = 100
"""The highest key wins a trick: 1 to 40 for a card of the led suit, from 101 on for a trump."""

_COUNTS: Final = np.zeros(16, dtype=np.uint8)
"""What is added to a card to make its key: by 4 x (suit xor trump) + (suit xor led suit)."""
_COUNTS[:4] = _RUFF + 1
_COUNTS[4::4] = 1

_BIT: Final = np.uint64(1) << np.arange(40, dtype=np.uint64)
_SUIT: Final = (np.arange(40) // 10).astype(np.uint8)
_SUITS: Final = np.array(SUIT_MASKS, dtype=np.uint64)
_POINTS: Final = np.array(CARD_POINTS, dtype=np.uint8)
_ABOVE: Final = np.zeros(_RUFF + 41, dtype=np.uint64)
_ABOVE[1:41] = _ABOVE[_RUFF + 1 : _RUFF + 41] = ABOVE
_SEATS: Final = np.arange(4, dtype=np.uint8)
_REYES: Final = 10 * np.arange(4) + REY
_CABALLOS: Final = 10 * np.arange(4) + CABALLO


@dataclass(slots=True)
class Hands:
    """Hands to judge, one a row: ``dealt`` as card sets by seat, ``cards`` in the order played.

    ``said_at`` and ``said_by`` hold, for each suit, the trick before which its couple was declared
    (:data:`NEVER` if it was not) and the seat; ``late_forty`` marks hands in which a player
    declared a forty after a twenty of their own.
    """

    dealt: Masks
    cards: Bytes
    mano: Bytes
    trump: Bytes
    said_at: Bytes
    said_by: Bytes
    late_forty: Flags


@dataclass(slots=True)
class Results:
    """The results of hands, where ``legal``: points by side, the side of the last trick.

    ``omitted`` lists what was forfeited as (hand, trick, seat, suit), in the order of the hands.
    """

    legal: Flags
    points: Whole
    last_side: Bytes
    omitted: Whole

    @property
    def winner(self) -> Bytes:
        """Index of the winning side (R7.2, R7.3)."""
        first, second = self.points[:, 0], self.points[:, 1]
        by_points = (second > first).astype(np.uint8)
        return np.where(first == second, self.last_side, by_points)


@dataclass(slots=True)
class _Tricks:
    """All tricks of all hands: arrays of (hand, trick), and of (hand, trick, place)."""

    suits: Bytes
    keys: Bytes
    leaders: Bytes
    winners: Bytes


def play_all(rules: Ruleset, hands: Hands) -> Results:
    """The hands that are in order, and what they came to."""
    cards = hands.cards.reshape(-1, TRICKS, 4)
    tricks = _find_winners(cards, hands.mano, hands.trump)
    held = _cards_held(cards, tricks.leaders)
    legal = ~(held[:, 0] ^ hands.dealt).any(axis=1)
    legal &= _follow_duties(rules, hands.trump, tricks, held)
    sides: Bytes = tricks.winners & np.uint8(1)
    worth = _POINTS.take(cards)
    worth = worth[:, :, 0] + worth[:, :, 1] + worth[:, :, 2] + worth[:, :, 3]
    worth *= sides ^ 1
    first = worth.sum(axis=1, dtype=np.int64)
    points = np.stack([first, CARD_TOTAL - first], axis=1)
    last_side: Bytes = sides[:, -1]
    points[np.arange(len(points)), last_side] += LAST_TRICK
    spoken, omitted = _Windows(rules, hands, tricks, cards).all()
    legal &= spoken
    _count_declarations(hands, points)
    return Results(legal, points, last_side, omitted)


def _find_winners(cards: Bytes, mano: Bytes, trump: Bytes) -> _Tricks:
    """Computes who led and who won each trick (R2.3, R4.7)."""
    suits = _SUIT.take(cards)
    counts = _COUNTS.take(4 * (trump[:, None, None] ^ suits) + (suits ^ suits[:, :, :1]))
    keys = (cards + counts) * (counts != 0)
    places = np.zeros(keys.shape[:2], dtype=np.uint8)
    best = keys[:, :, 0]
    for place in (1, 2, 3):
        key = keys[:, :, place]
        np.putmask(places, key > best, place)
        best = np.maximum(best, key)
    winners = (np.cumsum(places, axis=1, dtype=np.uint8) + mano[:, None]) & np.uint8(3)
    leaders = np.concatenate([mano[:, None], winners[:, :-1]], axis=1)
    return _Tricks(suits, keys, leaders, winners)


def _cards_held(cards: Bytes, leaders: Bytes) -> Masks:
    """The cards of each seat before each trick, by (hand, trick, seat): those it plays from it on.

    Ten powers of two add up to a set of ten cards only when no two are equal, so the sets before
    the first trick are the dealt ones only where every seat plays its own cards, each once.
    """
    places = (_SEATS - leaders[:, :, None]) & 3
    rows = np.arange(0, cards.size, 4).reshape(*leaders.shape, 1)
    by_seat = _BIT.take(cards.reshape(-1).take(rows + places))
    for trick in range(TRICKS - 2, -1, -1):
        by_seat[:, trick] += by_seat[:, trick + 1]
    return by_seat


def _follow_duties(rules: Ruleset, trump: Bytes, tricks: _Tricks, held: Masks) -> Flags:
    """Whether every card was a legal one (R4.2 to R4.5)."""
    led, trumps = tricks.suits[:, :, 0], _SUITS[trump][:, None]
    in_suit, plain = _SUITS[led], led != trump[:, None]
    rows = np.arange(0, held.size, 4).reshape(led.shape)
    flat = held.reshape(-1)
    best = tricks.keys[:, :, 0]
    kept = np.ones(led.shape, dtype=np.bool_)
    for place in (1, 2, 3):
        hand = flat.take(rows + ((tricks.leaders + place) & 3))
        key, suit = tricks.keys[:, :, place], tricks.suits[:, :, place]
        beats, follows = key > best, suit == led
        void, none_above = (hand & in_suit) == 0, (hand & _ABOVE.take(best)) == 0
        trumped = (suit == trump[:, None]) | ((hand & trumps) == 0)
        over = beats | none_above if rules.must_overtrump else trumped
        unruffed = follows & (beats | none_above) | void & trumped
        kept &= np.where(plain & (best > _RUFF), follows | void & over, unruffed)
        best = np.maximum(best, key)
    return np.asarray(kept.all(axis=1))


def _count_declarations(hands: Hands, points: Whole) -> None:
    declared = hands.said_at != NEVER
    if declared.any():
        rows, suits = np.nonzero(declared)
        worth = np.where(suits == hands.trump[rows], 40, 20)
        np.add.at(points, (rows, hands.said_by[rows, suits] & 1), worth)


class _Windows:
    """The declarations, window by window (R6.1 to R6.6).

    A couple of a suit lies in one hand at most, so its ``owner`` and the ``last`` trick before
    which they hold both cards suffice, as arrays of (suit, hand). Sets of suits are four bits, the
    lowest for trumps; what a player holds and says in a window is looked up in the answers of the
    rules.
    """

    def __init__(self, rules: Ruleset, hands: Hands, tricks: _Tricks, cards: Bytes) -> None:
        seats = (tricks.leaders[:, :, None] + _SEATS) & 3
        when = np.arange(0, 4 * TRICKS, 4, dtype=np.uint8)[:, None] | seats
        played = np.zeros(hands.cards.shape, dtype=np.uint8)
        rows = np.arange(0, cards.size, 40)[:, None]
        played.reshape(-1)[rows + hands.cards] = when.reshape(hands.cards.shape)
        rey, caballo = played[:, _REYES].T, played[:, _CABALLOS].T
        owner = np.where((rey ^ caballo) & 3, NEVER, rey & 3).astype(np.uint8)
        said_at, said_by = hands.said_at.T, hands.said_by.T
        declared = said_at != NEVER
        self.chosen = np.flatnonzero(((owner != NEVER) | declared).any(axis=0))
        self.owner = owner[:, self.chosen]
        self.last = np.minimum(rey, caballo)[:, self.chosen] >> 2
        self.said_at = said_at[:, self.chosen]
        outside = (said_at == 0) | (said_at >= TRICKS)
        self.wrong = (declared & (outside | (said_by != owner))).any(axis=0)[self.chosen]
        if rules.declaring_order == "forty_in_deal":
            self.wrong |= hands.late_forty[self.chosen]
        self.sides = np.ascontiguousarray(tricks.winners.T[:-1, self.chosen]) & 1
        self.suit_bits = np.uint8(1) << (_SEATS[:, None] ^ hands.trump[self.chosen])
        self.answers = _answers(rules)
        self.open = self._held()
        if rules.declare_at == "first":
            self.open *= self._first_won()
        self.hand_count = len(hands.cards)

    def _held(self) -> Bytes:
        """The couples of the two players whose side won the trick: (player, window, hand)."""
        held = np.zeros((2, *self.sides.shape), dtype=np.uint8)
        windows = np.arange(1, TRICKS, dtype=np.uint8)[:, None]
        for suit in range(4):
            owner, bit = self.owner[suit], self.suit_bits[suit]
            still = (self.last[suit] >= windows) & (self.sides == owner & 1)
            for player in (0, 1):
                held[player] |= still * (bit * (owner >> 1 == player))
        return held

    def _first_won(self) -> Bytes:
        """1 in the window after a side's first won trick."""
        turned = self.sides != self.sides[0]
        before = np.cumsum(turned, axis=0, dtype=np.uint8) - turned
        first = turned & (before == 0)
        first[0] = True
        return np.asarray(first, dtype=np.uint8)

    def _declared_by_window(self) -> Bytes:
        windows = np.arange(1, TRICKS, dtype=np.uint8)[:, None]
        declared = np.zeros(self.sides.shape, dtype=np.uint8)
        for suit in range(4):
            declared |= (self.said_at[suit] == windows) * self.suit_bits[suit]
        return declared

    def all(self) -> tuple[Flags, Whole]:
        """Which hands are in order, and what was forfeited in them."""
        gone = np.zeros(self.sides.shape[1], dtype=np.uint8)
        wrong = np.zeros_like(gone)
        lost = np.zeros_like(self.sides)
        for window, declared in enumerate(self._declared_by_window()):
            gone_now = declared.copy()
            for player in (0, 1):
                can = self.open[player, window] & ~gone
                answer = self.answers.take(can << 4 | can & declared)
                lost[window] |= answer
                wrong |= answer
                declared = declared & ~can
            wrong |= declared << 4  # by a seat that could not
            gone |= lost[window] | gone_now
        spoken = np.ones(self.hand_count, dtype=np.bool_)
        spoken[self.chosen] = ~self.wrong & (wrong < _WRONG)
        return spoken, self._events(lost & np.uint8(_WRONG - 1))

    def _events(self, lost: Bytes) -> Whole:
        """The forfeits, as (hand, trick, seat, suit) in that order."""
        window, row = np.nonzero(lost)
        bits = self.suit_bits[:, row] & lost[window, row]
        suit, event = np.nonzero(bits)
        rows = row[event]
        facts = np.stack([suit, self.owner[suit, rows], window[event] + 1, self.chosen[rows]])
        return np.asarray(facts[::-1, np.lexsort(facts)].T, dtype=np.int64)


_WRONG: Final = 16


@cache
def _answers(rules: Ruleset) -> Bytes:
    """Tabulates the outcome of a player's window by 16 x declarable suits + declared suits.

    Each entry holds the forfeited suits as bits, or :data:`_WRONG` where a declaration is refused.
    """
    answers = np.zeros(256, dtype=np.uint8)
    for can in range(16):
        for declared in range(16):
            answers[can << 4 | declared] = _answer(rules, can, declared)
    return answers


def _answer(rules: Ruleset, can: int, declared: int) -> int:
    limit = rules.declarations_per_trick
    alone = rules.declaring_order == "forty_alone" and can & 1
    too_many = limit and declared.bit_count() > limit
    if too_many or (alone and declared & ~1):
        return _WRONG
    if not rules.omitted_is_lost or (declared and rules.declare_at == "every"):
        return 0
    return 1 if alone else can & ~declared
