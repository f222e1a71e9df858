"""The plays of many hands: tokens as small integers, what was said apart from the cards."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.cards import SEATS, SUITS
from engine.fast.lockstep import NEVER, Bytes, Flags, Whole
from engine.fast.shapes import SAME, alike, cards_at, rows_at

CARDS: Final = 40
SILENT: Final = 3 * CARDS - 1
"""Bytes of a play in which nothing is said."""

_BLANKS: Final = np.full(SILENT + 1, ord(" "), dtype=np.uint8)
_AT_BLANKS: Final = np.zeros(SILENT + 1, dtype=np.uint8)
_AT_BLANKS[2:SILENT:3] = SAME
_MOST_SAID: Final = 8
_FORTY, _TWENTY = len("A:40 "), len("A:20o ")
_WIDTH: Final = SILENT + 1 + _MOST_SAID * _TWENTY
_SUIT: Final = np.full(256, NEVER, dtype=np.uint8)
_SUIT[[ord(suit) for suit in SUITS]] = range(4)


@dataclass(slots=True)
class Plays:
    """The plays that were read, one a row, where ``read``.

    The declarations lie flat, in order: the ``row``, the ``trick`` they were made before, seat
    and suit. ``said_at``, ``said_by`` and ``late_forty`` are the same in the lock step's form.
    """

    read: Flags
    cards: Bytes
    row: Whole
    trick: Whole
    said_at: Bytes
    said_by: Bytes
    late_forty: Flags


def read_plays(buffer: Bytes, starts: Whole, ends: Whole, trump: Bytes) -> Plays:
    """The plays at those places; forty cards and declarations with one blank between them."""
    count = len(starts)
    plays = Plays(
        read=ends - starts == SILENT,
        cards=np.zeros((count, CARDS), dtype=np.uint8),
        row=np.zeros(0, dtype=np.int64),
        trick=np.zeros(0, dtype=np.int64),
        said_at=np.full((count, 4), NEVER, dtype=np.uint8),
        said_by=np.zeros((count, 4), dtype=np.uint8),
        late_forty=np.zeros(count, dtype=np.bool_),
    )
    text = rows_at(buffer, starts, SILENT + 1)
    width = ends - starts
    spoken = np.flatnonzero((width > SILENT) & (width < _WIDTH))
    if len(spoken):
        _read_spoken(buffer, starts, width, spoken, trump, plays, text)
    plays.cards = cards_at(text[:, ::3], text[:, 1::3])
    plays.read &= plays.cards.max(axis=1) < CARDS
    plays.read &= alike(text, _BLANKS, _AT_BLANKS)
    return plays


def _read_spoken(
    buffer: Bytes,
    starts: Whole,
    width: Whole,
    spoken: Whole,
    trump: Bytes,
    plays: Plays,
    text: Bytes,
) -> None:
    """Moves the declarations out of these plays, and leaves the cards in ``text``."""
    rows = rows_at(buffer, starts[spoken], _WIDTH)
    length = width[spoken] + 1  # with what closes the play
    inside = np.arange(_WIDTH) < length[:, None]
    row, colon = np.nonzero((rows == ord(":")) & inside)
    seat = rows[row, colon - 1] - np.uint8(ord("A"))
    next_four = [rows[row, np.minimum(colon + n, _WIDTH - 1)] for n in (1, 2, 3, 4)]
    suit = _SUIT[next_four[2]]
    is_forty = (next_four[0] == ord("4")) & (next_four[2] == ord(" "))
    plain = (suit < 4) & (suit != trump[spoken[row]])
    is_twenty = (next_four[0] == ord("2")) & plain & (next_four[3] == ord(" "))
    fine = (is_forty | is_twenty) & (next_four[1] == ord("0")) & (seat < len(SEATS)) & (colon > 0)
    size = np.where(is_forty, _FORTY, _TWENTY)
    declared_bytes = np.bincount(row, weights=size, minlength=len(spoken)).astype(np.int64)
    good = (np.bincount(row, weights=~fine, minlength=len(spoken)) == 0) & (
        length - declared_bytes == SILENT + 1
    )
    chosen = good[row]
    row, colon, size, seat = row[chosen], colon[chosen], size[chosen], seat[chosen]
    suit = np.where(is_forty[chosen], trump[spoken[row]], suit[chosen]).astype(np.uint8)
    kept = inside & good[:, None]
    for column in range(_TWENTY):
        part = column < size
        kept[row[part], colon[part] - 1 + column] = False
    whole = kept.sum(axis=1) == SILENT + 1
    kept &= whole[:, None]
    good &= whole
    text[spoken[good]] = rows[kept].reshape(-1, SILENT + 1)
    plays.read[spoken[good]] = True
    _put(plays, spoken, row, colon - 1, size, seat, suit, is_forty[chosen])


def _put(
    plays: Plays,
    spoken: Whole,
    row: Whole,
    at: Whole,
    size: Whole,
    seat: Bytes,
    suit: Bytes,
    forty: Flags,
) -> None:
    """Note the declarations, and refuse those inside a trick or of a suit said before."""
    before = np.cumsum(size) - size
    first = np.searchsorted(row, row, side="left")
    cards = at - (before - before[first])
    hand = spoken[row]
    trick, inside = np.divmod(cards, 3 * 4)
    twice = np.bincount(hand * 4 + suit, minlength=4 * len(plays.read)).reshape(-1, 4) > 1
    plays.read[hand[inside != 0]] = False
    plays.read &= ~twice.any(axis=1)
    plays.row, plays.trick = hand, trick
    plays.said_at[hand, suit] = np.minimum(trick, NEVER - 1)
    plays.said_by[hand, suit] = seat
    order = np.arange(len(row))
    place = np.full((len(plays.read), 4), len(row))
    np.minimum.at(place, (hand[~forty], seat[~forty]), order[~forty])
    late = forty & (place[hand, seat] < order)
    plays.late_forty[hand[late]] = True
