"""Parses the lines of the text notation: values of tags, and the lines of a hand (F2)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.cards import SEATS
from engine.text_words import Word, WordError

NULL: Final = "-"
"""States nothing, where JSON has ``null``."""
NO_PLAY: Final = "*"
"""Replaces the tricks of a hand whose play was not noted."""
INHERIT: Final = "#"
RESERVED: Final[Mapping[str, str]] = {
    "Format": "/format",
    "Ruleset": "/ruleset",
    "Options": "/options",
    **{letter: f"/seats/{seat}" for seat, letter in enumerate(SEATS)},
    "Score": "/score",
    "Winner": "/winner",
}
"""The tags that are fields of their own in the JSON form, and the paths of these fields."""

_NUMBER: Final = re.compile("-?[0-9]{1,4000}")
_OPTION: Final = re.compile("([A-Za-z_]+)=([^\\s=]*)")
_HAND_FIELDS: Final = (
    "dealer",
    "trump",
    "deal",
    "stock",
    "play",
    "points",
    "winner",
    "payments",
)

Place = tuple[int, int]
"""Line and column."""


class Mark(NamedTuple):
    """The leader's seat as written before a card: the token it belongs to, and its place."""

    token: int
    seat: str
    line: int
    column: int


@dataclass(slots=True)
class Hand:
    """A hand being read."""

    line: int
    fields: dict[str, Any] = field(default_factory=dict)
    play: list[str] = field(default_factory=list)
    tokens: list[Place] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """The hand as JSON writes it, its fields in the order of F1."""
        self.fields.setdefault("play", " ".join(self.play))
        return {name: self.fields[name] for name in _HAND_FIELDS if name in self.fields}


def path_of(name: Word) -> str:
    """The JSON path of a tag's value. The first letter's case makes no difference unquoted."""
    if name.quoted:
        return f"/tags/{name.text}"
    capital = name.text[0].upper() + name.text[1:]
    return RESERVED.get(capital) or f"/tags/{name.text[0].lower()}{name.text[1:]}"


def check_single_word(word: Word) -> None:
    """A card or a token is one word, also between quotes."""
    if word.quoted and (not word.text or word.text.split() != [word.text]):
        raise WordError("blank_in_word", word.column)


# --- values of tags ------------------------------------------------------------------------------


def _options(text: str, column: int) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in re.finditer(r"\S+", text):
        match = _OPTION.fullmatch(part[0])
        word_column = column + part.start()
        if match is None:
            raise WordError("bad_option", word_column, found=part[0][:60])
        name, value = match.groups()
        if name in options:
            raise WordError("twice", word_column, found=name)
        options[name] = _option(value, word_column)
    return options


def _option(text: str, column: int) -> Any:
    if _NUMBER.fullmatch(text):
        return _number(text, column)
    return {"true": True, "false": False}.get(text, text)


def _score(text: str, column: int) -> dict[str, int] | None:
    if text.strip() == NULL:
        return None
    return _numbers([Word(column + m.start(), m[0]) for m in re.finditer(r"\S+", text)], column)


def _winner_tag(text: str, _column: int) -> str | None:
    return None if text == NULL else text


READ_TAG: Final[Mapping[str, Callable[[str, int], Any]]] = {
    "/options": _options,
    "/score": _score,
    "/winner": _winner_tag,
}


# --- lines of a hand -----------------------------------------------------------------------------


def _number(text: str, column: int) -> int:
    if not _NUMBER.fullmatch(text):
        raise WordError("bad_pairs", column)
    return int(text)


def _numbers(words: list[Word], column: int) -> dict[str, int]:
    if not words or len(words) % 2:
        raise WordError("bad_pairs", words[-1].column if words else column)
    numbers: dict[str, int] = {}
    for side, number in zip(words[::2], words[1::2], strict=True):
        if side.text in numbers:
            raise WordError("twice", side.column, found=side.text)
        numbers[side.text] = _number(number.text, number.column)
    return numbers


def _is_null(words: list[Word]) -> bool:
    return len(words) == 2 and words[1].text == NULL and not words[1].quoted


def _refuse_repeated(hand: Hand, words: list[Word], name: str) -> None:
    if name in hand.fields:
        raise WordError("twice", words[0].column, found=words[0].text)


def _read_text(hand: Hand, words: list[Word]) -> tuple[str, str | None]:
    name = words[0].text
    _refuse_repeated(hand, words, name)
    if len(words) != 2:
        raise WordError("one_word", words[min(2, len(words) - 1)].column, found=name)
    return name, None if _is_null(words) and name != "dealer" else words[1].text


def _read_numbers(hand: Hand, words: list[Word]) -> tuple[str, dict[str, int] | None]:
    _refuse_repeated(hand, words, words[0].text)
    return words[0].text, None if _is_null(words) else _numbers(words[1:], words[0].column)


def _read_cards(hand: Hand, words: list[Word]) -> tuple[str, str | None]:
    _refuse_repeated(hand, words, "stock")
    return "stock", None if _is_null(words) else _cards(words[1:])


def _read_deal(hand: Hand, words: list[Word]) -> tuple[str, None]:
    if len(words) < 2:
        raise WordError("one_word", words[0].column, found="deal")
    if _is_null(words):
        _refuse_repeated(hand, words, "deal")
        hand.fields["deal"] = None
        return "deal", None
    deal, seat = hand.fields.setdefault("deal", {}), words[1]
    if deal is None or seat.text in deal:
        raise WordError("twice", seat.column, found=f"deal {seat.text[:60]}")
    deal[seat.text] = _cards(words[2:])
    return f"deal/{seat.text}", None


def _read_no_play(hand: Hand, words: list[Word]) -> tuple[str, None]:
    if hand.play or "play" in hand.fields:
        raise WordError("play_and_none", words[0].column)
    if len(words) > 1:
        raise WordError("one_word", words[1].column, found=NO_PLAY)
    return "play", None


def _cards(words: list[Word]) -> str:
    for card in words:
        check_single_word(card)
    return " ".join(card.text for card in words)


READ_LINE: Final[Mapping[str, Callable[[Hand, list[Word]], tuple[str, Any]]]] = {
    "dealer": _read_text,
    "trump": _read_text,
    "deal": _read_deal,
    "stock": _read_cards,
    NO_PLAY: _read_no_play,
    "points": _read_numbers,
    "winner": _read_text,
    "payments": _read_numbers,
}
