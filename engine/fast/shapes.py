"""Reads hands from the bytes of many records, without making an object of each.

A program writes every hand in the same shape: the same keys in the same order with
the same blanks between. A :class:`Shape` is learnt from one hand, with the strict reader of JSON;
other hands are then compared with it byte by byte, thousands at a time. A hand in which anything
at all is different is not read here. So nothing can slip through that the strict reader refuses.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine.cards import RANKS, SEATS, SUITS
from engine.errors import RecordError
from engine.fast.lockstep import Bytes, Flags, Whole
from engine.strict_json import read_json

SIDES: Final = ("AC", "BD")
NOTHING: Final = -1
"""A result that a hand does not state."""

_UNSTATED_POINTS: Final = 999  # no hand gives as many
UNSTATED: Final = {"points": dict.fromkeys(SIDES, _UNSTATED_POINTS), "winner": "--"}
"""How that is written into a text that is made for reading by shape, its hands all alike."""

PAD: Final = 1024
"""Bytes that a buffer has after its end, so that a row may be read from anywhere in it."""

MOST_BYTES: Final = 900
"""Bytes of a hand above which no shape is learnt: such a hand is mostly blanks."""

WORD: Final = 8
"""Bytes that are compared at once."""

SAME: Final = 255
"""A byte in which every bit counts."""

_HAND: Final = len("1o 3o Ro Co So 7o 6o 5o 4o 2o")
_TOKEN: Final = re.compile(r'"([^"\\]*)"|(\d+)')
_RESULTS: Final = ("points", "winner")

RANK_OF: Final = np.full(256, 64, dtype=np.uint8)
RANK_OF[[ord(rank) for rank in RANKS]] = range(10)
SUIT_OF: Final = np.full(256, 128, dtype=np.uint8)
SUIT_OF[[ord(suit) for suit in SUITS]] = range(0, 40, 10)


def cards_at(ranks: Bytes, suits: Bytes) -> Bytes:
    """Cards from the bytes of their ranks and suits; 40 and more where there is no such card."""
    cards = RANK_OF.take(ranks)
    cards += SUIT_OF.take(suits)
    return cards


def rows_at(buffer: Bytes, starts: Whole, width: int) -> Bytes:
    """Copies a fixed number of bytes from each start, one row each."""
    windows = np.ndarray((len(buffer) - width + 1,), f"V{width}", buffer, strides=(1,))
    return windows[starts].view(np.uint8).reshape(len(starts), width)


def alike(rows: Bytes, text: Bytes, where: Bytes) -> Flags:
    """Which rows are that text in the bits of ``where``; all of them whole words long."""
    differing = rows ^ text
    differing &= where
    return np.logical_not(differing.view(np.uint64).any(axis=1))


@dataclass(frozen=True, slots=True)
class Field:
    """A value inside a stretch of fixed width: its name, and its columns."""

    name: str
    start: int
    width: int


@dataclass(frozen=True)
class Stretch:
    """A part of a hand that is equally long in all hands, found by one of its quotes.

    Between two stretches lies a value of any length: the play, or a number of points.
    """

    text: Bytes
    literal: Bytes
    """All bits set where a byte is the same in all hands; both are padded to whole words."""
    width: int
    fields: tuple[Field, ...]
    quote: int
    """Which of the hand's quotes it is found by."""
    quote_at: int
    """The column of that quote."""
    value_after: str


@dataclass(frozen=True)
class Shape:
    """The written form of a hand; ``quotes`` counts those in it, ``between`` separates two."""

    name: bytes
    """Its literal parts: two shapes of one name are the same."""
    stretches: tuple[Stretch, ...]
    quotes: int
    between: bytes


@dataclass(slots=True)
class Columns:
    """Hands as they were read, one a row; ``read`` marks those that were in the shape.

    ``deal`` are cards by seat, ``points`` and ``winner`` what the hand states. ``play_at`` and
    ``play_end`` are the places of its play in the buffer.
    """

    read: Flags
    dealer: Bytes
    trump: Bytes
    deal: Bytes
    points: Whole
    winner: Whole
    play_at: Whole
    play_end: Whole
    marked: Flags
    """Which of them hold a value of :data:`UNSTATED`, that nobody else may write."""

    def rows(self, wanted: Flags) -> "Columns":
        """Some of the hands."""
        return Columns(*(getattr(self, name)[wanted] for name in self.__slots__))


def first_hand(line: bytes, start: int) -> tuple[str, str] | None:
    """The text of the hand that starts there, and the bytes between it and the next one."""
    text = line[start : start + MOST_BYTES + WORD].decode("utf-8", "replace")
    try:
        _hand, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    gap = re.match(r"[,\s]*", text[end:])
    return text[:end], gap[0] if gap else ""


def learn(line: bytes, start: int) -> Shape | None:
    """The shape of the hand that starts there, ``None`` if it is no plain one."""
    found = first_hand(line, start)
    if found is None:
        return None
    text, between = found
    try:
        hand = read_json(text)
    except RecordError:
        return None
    plain = len(text) <= MOST_BYTES and text.isascii() and "\\" not in text
    if not plain or not _plain(hand) or text.rstrip("}\t ")[-1:] not in ('"', "l"):
        return None
    stretches = tuple(_stretches(text))
    name = b"|".join(bytes(one.text & one.literal) for one in stretches)
    gap = (between or ", ").encode()
    return Shape(name + gap, stretches, text.count('"'), gap)


def _plain(hand: Any) -> bool:
    """Whether a hand is one that can be read by its shape."""
    if not isinstance(hand, dict) or not {"dealer", "trump", "deal", "play"} <= hand.keys():
        return False
    deal, rest = hand["deal"], hand.keys() - {"dealer", "trump", "deal", "play"}
    texts = [hand[name] for name in ("dealer", "trump", "play")]
    if not isinstance(deal, dict) or deal.keys() != set(SEATS) or not rest <= set(_RESULTS):
        return False
    cards = list(deal.values())
    if not all(isinstance(text, str) for text in (*texts, *cards)):
        return False
    widths = (len(hand["dealer"]), len(hand["trump"]), *map(len, cards))
    return widths == (1, 2, *[_HAND] * 4) and _plain_results(hand)


def _plain_results(hand: Mapping[str, Any]) -> bool:
    points, winner = hand.get("points"), hand.get("winner")
    if points is not None:
        if not isinstance(points, dict) or points.keys() != set(SIDES):
            return False
        if not all(type(made) is int and made >= 0 for made in points.values()):
            return False
    return winner is None or winner in (*SIDES, UNSTATED["winner"])


def _values(text: str) -> Iterator[tuple[str, int, int]]:
    """The values in the text of a hand: name, start and end, in the order of the text."""
    key = ""
    for token in _TOKEN.finditer(text):
        word, number = token[1], token[2]
        if number is not None:
            yield key, token.start(), token.end()
        elif text[token.end() :].lstrip().startswith(":"):
            key = word
        else:
            yield key, token.start() + 1, token.end() - 1


def _stretches(text: str) -> Iterator[Stretch]:
    start = 0
    fields: list[Field] = []
    for name, at, end in _values(text):
        if name == "play" or name in SIDES:
            yield _stretch(text, start, at, fields, name)
            start, fields = end, []
        else:
            fields.append(Field(name, at - start, end - at))
    yield _stretch(text, start, len(text), fields, "")


def _stretch(text: str, start: int, end: int, fields: list[Field], value: str) -> Stretch:
    width = end - start
    literal = np.zeros(width + -width % WORD, dtype=np.uint8)
    part = literal.copy()
    part[:width] = np.frombuffer(text[start:end].encode(), dtype=np.uint8)
    literal[:width] = SAME
    for field in fields:
        literal[field.start : field.start + field.width] = 0
        if field.width == _HAND:
            literal[field.start + 2 : field.start + _HAND : 3] = SAME
    at = text.index('"', start)
    return Stretch(part, literal, width, tuple(fields), text.count('"', 0, at), at - start, value)


def read_columns(
    buffer: Bytes, quotes: Whole, first: Whole, is_last: Flags, ends: Whole, shape: Shape
) -> Columns:
    """The hands whose first quotes are ``quotes[first]``, if they have that shape.

    A hand must end at ``ends`` and, unless it ``is_last``, be followed by what separates two.
    """
    count = len(first)
    columns = Columns(
        read=np.ones(count, dtype=np.bool_),
        dealer=np.zeros(count, dtype=np.uint8),
        trump=np.zeros(count, dtype=np.uint8),
        deal=np.zeros((count, 4, 10), dtype=np.uint8),
        points=np.full((count, 2), NOTHING, dtype=np.int64),
        winner=np.full(count, NOTHING, dtype=np.int64),
        play_at=np.zeros(count, dtype=np.int64),
        play_end=np.zeros(count, dtype=np.int64),
        marked=np.zeros(count, dtype=np.bool_),
    )
    stop: Whole = np.zeros(0, dtype=np.int64)
    before = ""
    for stretch in shape.stretches:
        start = quotes[first + stretch.quote] - stretch.quote_at
        if before == "play":
            columns.play_end = start
        elif before:
            columns.points[:, SIDES.index(before)] = _number(buffer, stop, start, columns.read)
        rows = rows_at(buffer, start, len(stretch.text))
        columns.read &= alike(rows, stretch.text, stretch.literal)
        for field in stretch.fields:
            _read_field(columns, field, rows)
        stop, before = start + stretch.width, stretch.value_after
        if before == "play":
            columns.play_at = stop
    unstated = (columns.points == _UNSTATED_POINTS).all(axis=1)
    columns.points[unstated] = NOTHING
    columns.marked |= unstated
    columns.read &= columns.play_at <= columns.play_end
    columns.read &= stop == ends
    gaps = rows_at(buffer, stop, len(shape.between))
    apart = (gaps == np.frombuffer(shape.between, dtype=np.uint8)).all(axis=1)
    columns.read &= is_last | apart
    return columns


def _read_field(columns: Columns, field: Field, rows: Bytes) -> None:
    cells = rows[:, field.start : field.start + field.width]
    if field.name == "dealer":
        columns.dealer = cells[:, 0] - np.uint8(ord("A"))
        columns.read &= columns.dealer < len(SEATS)
    elif field.name == "trump":
        columns.trump = cards_at(cells[:, 0], cells[:, 1])
    elif field.name == "winner":
        for index, side in enumerate(SIDES):
            same = (cells[:, 0] == ord(side[0])) & (cells[:, 1] == ord(side[1]))
            columns.winner[same] = index
        columns.marked |= (cells[:, 0] == ord("-")) & (cells[:, 1] == ord("-"))
        columns.read &= columns.marked | (columns.winner != NOTHING)
    else:
        columns.deal[:, SEATS.index(field.name)] = cards_at(cells[:, ::3], cells[:, 1::3])


def _number(buffer: Bytes, start: Whole, end: Whole, read: Flags) -> Whole:
    """The number of one to three digits between two places, as JSON writes it."""
    width = end - start
    read &= (width >= 1) & (width <= 3)
    value = np.zeros(len(start), dtype=np.int64)
    for column in range(3):
        digit = buffer[np.minimum(start + column, end)].astype(np.int64) - ord("0")
        inside = column < width
        read &= ~inside | ((digit >= 0) & (digit <= 9))
        if column == 0:
            read &= (width <= 1) | (digit != 0)
        value = np.where(inside, 10 * value + digit, value)
    return value
