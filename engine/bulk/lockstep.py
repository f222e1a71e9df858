"""Many hands of a game of pairs without stock at once, over numpy arrays (rules R4, R6, R7.1).

Nothing here is judged one token after the other. Who wins a trick follows from its four cards, who
leads the next from the sum of the places that won, and what a player still held from what he plays
later: so each rule is asked of all tricks of all hands in one go. Only the declarations go window
by window, since what was forfeited in one decides about the next.

The answer is whether a hand is in order, and what it came to. Why another is not, the core tells.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import ABOVE, CABALLO, CARD_POINTS, LAST_TRICK, REY, SUIT_MASKS
from engine.rulesets import Ruleset

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Masks = NDArray[np.uint64]
Whole = NDArray[np.int64]

TRICKS: Final = 10
NEVER: Final = 99
"""The window of a declaration that was not made."""

_RUFF: Final = 100
"""A trick is won by the highest key: 1 to 40 for a card of the led suit, from 101 on for a trump."""

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
    (:data:`NEVER` if it was not) and by which seat; ``late_forty`` marks hands in which somebody
    declared a forty after a twenty of his own.
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
    """What they came to, where ``legal``: points by side, the side of the last trick.

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
    tricks = _taken(cards, hands.mano, hands.trump)
    held = _held(cards, tricks.leaders)
    legal = (held[:, 0] == hands.dealt).all(axis=1)
    legal &= _duties_kept(rules, hands.trump, tricks, held)
    sides = tricks.winners & 1
    worth = _POINTS[cards].sum(axis=2, dtype=np.uint8)
    first = (worth * (sides ^ 1)).sum(axis=1, dtype=np.int64)
    points = np.stack([first, worth.sum(axis=1, dtype=np.int64) - first], axis=1)
    last_side = sides[:, -1]
    points[np.arange(len(points)), last_side] += LAST_TRICK
    spoken, omitted = _Windows(rules, hands, tricks, cards).all()
    legal &= spoken
    _count_declarations(hands, points)
    return Results(legal, points, last_side, omitted)


def _taken(cards: Bytes, mano: Bytes, trump: Bytes) -> _Tricks:
    """Who led and who won each trick (R2.3, R4.7)."""
    suits = _SUIT[cards]
    ruffs = suits == trump[:, None, None]
    keys = np.where(ruffs, cards + (_RUFF + 1), (cards + 1) * (suits == suits[:, :, :1]))
    places = keys.argmax(axis=2).astype(np.uint8)
    winners = (np.cumsum(places, axis=1, dtype=np.uint8) + mano[:, None]) & 3
    leaders = np.concatenate([mano[:, None], winners[:, :-1]], axis=1)
    return _Tricks(suits, keys.astype(np.uint8), leaders, winners)


def _held(cards: Bytes, leaders: Bytes) -> Masks:
    """What each seat holds before each trick, by (hand, trick, seat): all that it plays from it on.

    Ten powers of two add up to a set of ten cards only when no two are equal, so the sets before
    the first trick are the dealt ones only where every seat plays its own cards, each once.
    """
    places = (_SEATS - leaders[:, :, None]) & 3
    rows = np.arange(0, cards.size, 4).reshape(*leaders.shape, 1)
    by_seat = _BIT[cards].reshape(-1)[rows + places]
    for trick in range(TRICKS - 2, -1, -1):
        by_seat[:, trick] += by_seat[:, trick + 1]
    return by_seat


def _duties_kept(rules: Ruleset, trump: Bytes, tricks: _Tricks, held: Masks) -> Flags:
    """Whether every card was a legal one (R4.2 to R4.5)."""
    led, trumps = tricks.suits[:, :, 0], _SUITS[trump][:, None]
    in_suit, plain = _SUITS[led], led != trump[:, None]
    rows = np.arange(0, held.size, 4).reshape(led.shape)
    flat = held.reshape(-1)
    best = tricks.keys[:, :, 0]
    kept = np.ones(led.shape, dtype=np.bool_)
    for place in (1, 2, 3):
        hand = flat[rows + ((tricks.leaders + place) & 3)]
        key, suit = tricks.keys[:, :, place], tricks.suits[:, :, place]
        beats, follows = key > best, suit == led
        void, none_above = (hand & in_suit) == 0, (hand & _ABOVE[best]) == 0
        trumped = (suit == trump[:, None]) | ((hand & trumps) == 0)
        over = beats | none_above if rules.must_overtrump else trumped
        unruffed = follows & (beats | none_above) | void & trumped
        kept &= np.where(plain & (best > _RUFF), follows | void & over, unruffed)
        best = np.maximum(best, key)
    return kept.all(axis=1)


def _count_declarations(hands: Hands, points: Whole) -> None:
    said = hands.said_at != NEVER
    if said.any():
        rows, suits = np.nonzero(said)
        worth = np.where(suits == hands.trump[rows], 40, 20)
        np.add.at(points, (rows, hands.said_by[rows, suits] & 1), worth)


class _Windows:
    """The declarations, window by window (R6.1 to R6.6).

    A couple of a suit lies in one hand at most, so arrays of (suit, hand) hold all there is:
    its ``owner``, and the ``last`` trick before which both cards are still held.
    """

    def __init__(self, rules: Ruleset, hands: Hands, tricks: _Tricks, cards: Bytes) -> None:
        self.rules = rules
        seats = (tricks.leaders[:, :, None] + _SEATS) & 3
        when = np.arange(0, 4 * TRICKS, 4, dtype=np.uint8)[:, None] | seats
        played = np.full(hands.cards.shape, 0, dtype=np.uint8)
        rows = np.arange(0, cards.size, 40)[:, None]
        played.reshape(-1)[rows + hands.cards] = when.reshape(hands.cards.shape)
        rey, caballo = played[:, _REYES].T, played[:, _CABALLOS].T
        self.owner = np.where((rey ^ caballo) & 3, NEVER, rey & 3).astype(np.uint8)
        self.said_at = hands.said_at.T
        self.chosen = np.flatnonzero(
            ((self.owner != NEVER) | (self.said_at != NEVER)).any(axis=0)
        )
        self.owner = self.owner[:, self.chosen]
        self.last = np.minimum(rey, caballo)[:, self.chosen] >> 2
        self.said_at = self.said_at[:, self.chosen]
        said_by = hands.said_by.T[:, self.chosen]
        self.wrong = ((self.said_at != NEVER) & (said_by != self.owner)).any(axis=0)
        if rules.declaring_order == "forty_in_deal":
            self.wrong |= hands.late_forty[self.chosen]
        self.sides = np.ascontiguousarray(tricks.winners.T[:, self.chosen]) & 1
        self.trump = hands.trump[self.chosen]
        self.forty = np.arange(4)[:, None] == self.trump
        self.hand_count = len(hands.cards)

    def all(self) -> tuple[Flags, Whole]:
        """Which hands are in order, and what was forfeited in them."""
        gone = np.zeros(self.owner.shape, dtype=np.bool_)
        seen = np.zeros(self.owner.shape[1], dtype=np.uint8)
        early = (self.said_at == 0) | ((self.said_at >= TRICKS) & (self.said_at != NEVER))
        self.wrong |= early.any(axis=0)
        lost: list[Whole] = []
        for trick in range(1, TRICKS):
            side = self.sides[trick - 1]
            open_now = (self.owner & 1 == side) & (self.owner != NEVER)
            open_now &= (self.last >= trick) & ~gone
            said = self.said_at == trick
            self.wrong |= (said & ~open_now).any(axis=0)
            first = (seen >> side & 1) == 0
            seen |= np.uint8(1) << side
            silent = self._judged(open_now, said, first)
            if silent is not None:
                suits, rows = np.nonzero(silent)
                facts = [rows, np.full(len(rows), trick), self.owner[suits, rows], suits]
                lost.append(np.stack(facts, axis=1))
                gone |= silent
            gone |= said
        spoken = np.ones(self.hand_count, dtype=np.bool_)
        spoken[self.chosen] = ~self.wrong
        return spoken, self._in_order(lost)

    def _judged(self, open_now: Flags, said: Flags, first: Flags) -> Flags | None:
        """Order and number in one window; what it forfeits, if anything may be (R6.4 to R6.6)."""
        rules = self.rules
        if rules.declare_at == "first":
            self.wrong |= (said & ~first).any(axis=0)
            return open_now & ~said & first if rules.omitted_is_lost else None
        silent = open_now & ~said
        for seat_of_side in (0, 1):
            mine = open_now & (self.owner >> 1 == seat_of_side)
            spoke = said & mine
            number = spoke.sum(axis=0, dtype=np.uint8)
            self.wrong |= number > 1
            if rules.declaring_order == "forty_alone":
                forty = (mine & self.forty).any(axis=0)
                self.wrong |= (spoke & ~self.forty).any(axis=0) & forty
                silent &= ~(mine & ~self.forty & forty)
            silent &= ~(mine & (number > 0))
        return silent if rules.omitted_is_lost else None

    def _in_order(self, lost: list[Whole]) -> Whole:
        if not lost:
            return np.zeros((0, 4), dtype=np.int64)
        events = np.concatenate(lost)
        events[:, 0] = self.chosen[events[:, 0]]
        order = np.lexsort((events[:, 3], events[:, 2], events[:, 1], events[:, 0]))
        return np.asarray(events[order], dtype=np.int64)
