"""Reads names that are pasted a line each, as from a chat: no heading, no columns."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

SEPARATORS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        ";",
        "\t",
        r"\|",
        ",",
        " / ",
        r" \+ ",
        " & ",
        r"\s[–—-]\s",
        r"\s+(?:y|e|con|and|und)\s+",
        "[/+&–—]",
        r"\s{3,}",
    )
)
"""What stands between two names: the first in this order that makes two counts."""

_NUMBER: Final = re.compile(
    r"\s*(?:\d{1,4}(?:[.)]-?|\s?[-–]|\ufe0f?\u20e3)(?=\s|[^\W\dºª_])|[-–—*•·‣▪●])\s*(?=\S)"
)
"""A number with its mark (``1.``, ``2)``, ``3.-``, ``4-``, a keycap) or a bullet before a name."""

_BARE_NUMBER: Final = re.compile(r"\s*(\d{1,4})\s+(?=[^\W\d_])")
_OPEN_PLACE: Final = re.compile(r"\s*\d{1,4}\s*(?:[.)]-?|[-–:]|\ufe0f?\u20e3)?\s*")
"""A line with a number alone: in a numbered list of a chat, a place that is still open."""

_WIDE_BLANK: Final = re.compile(r"\s{3,}")  # the separators search a long one from each blank

_STAMP: Final = re.compile(
    r"\s*(?:\[[^\]]{0,30}\d:\d\d[^\]]{0,30}\]"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d\S*(?: [ap]\.? ?m\.?)? -)"
    r" *[^:]{1,80}: *"
)
"""Time and sender before a message that is copied from a chat: ``[20:15, 26/11/2026] Pepa:``."""

_CHAT_MARKS: Final = "@~*_ "
"""Around names in chats: mentions, people who are no contacts, bold and italic letters."""


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line of names: the pair's own name, empty where it has none, and the players.

    ``is_open`` says that it has a number alone.
    """

    line: int
    text: str
    name: str
    players: tuple[str, ...]
    is_open: bool


def plain_lines(text: str, *, pairs: bool) -> Iterator[PlainLine]:
    """Yield the lines that are not blank, without their numbers."""
    lines = [
        (number, raw) for number, raw in enumerate(text.splitlines(), 1) if raw.strip(' \t,;|"')
    ]
    counted = _are_counted([raw for _number, raw in lines])
    is_numbered = counted or any(_NUMBER.match(raw) for _number, raw in lines)
    for number, raw in lines:
        bare = _BARE_NUMBER.match(raw) if counted else None
        name, players = split_line(raw[bare.end() :] if bare else raw, pairs=pairs)
        is_open = is_numbered and _OPEN_PLACE.fullmatch(raw) is not None
        yield PlainLine(number, raw.strip(), name, players, is_open)


def _are_counted(lines: Sequence[str]) -> bool:
    """Tell whether several lines begin with a number without a mark, one more each."""
    numbers = [int(found[1]) for line in lines if (found := _BARE_NUMBER.match(line))]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def split_line(text: str, *, pairs: bool) -> tuple[str, tuple[str, ...]]:
    """Return the pair's own name, if one is written before a colon, and the players of a line."""
    line = text
    for prefix in (_STAMP, _NUMBER):
        if found := prefix.match(line):
            line = line[found.end() :]
    if not pairs:
        return "", (clean_person(line),)
    name, colon, rest = line.partition(":")
    if not colon:
        name, rest = "", line
    return name.strip(_CHAT_MARKS), split_names(rest)


def split_names(text: str) -> tuple[str, ...]:
    """Return the names of a text: two if any separator makes two, else those of the first.

    >>> split_names("Gil, Ana y Sanz, Luis")
    ('Gil, Ana', 'Sanz, Luis')
    """
    text = _WIDE_BLANK.sub("   ", text)
    divided = [parts for mark in SEPARATORS if len(parts := mark.split(text)) > 1] or [[text]]
    names = [tuple(name for part in parts if (name := clean_person(part))) for parts in divided]
    return next((two for two in names if len(two) == 2), names[0])


def clean_person(text: str) -> str:
    """Return a name without what chats put around it: marks, and pictures such as a tick.

    >>> clean_person("@Ana Gil ✅"), clean_person("♠♥")
    ('Ana Gil', '♠♥')
    """
    name = text.strip(_CHAT_MARKS)
    letters = [place for place, character in enumerate(name) if not _is_picture(character)]
    return name[letters[0] : letters[-1] + 1].strip(_CHAT_MARKS) if letters else text.strip()


def _is_picture(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in {"So", "Sk", "Mn"}
