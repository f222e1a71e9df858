"""Reads names that are pasted a line each, as from a chat: no heading, no columns."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.domain.roster.text import RULE

SEPARATORS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        "\n",  # within a cell
        ";",
        "\t",
        r"\|",
        r",(?:\s+(?:y|e|and|und)\s)?",
        " / ",
        r" \+ ",
        " & ",
        r"\s[–—-]\s",
        r"\s+(?:y|e|con|and|und)\s+",
        r"\s+i\s+",
        "[/+&–—]",
        r"\s{3,}",
    )
)
"""What stands between two names: the first in this order that makes two counts."""

_NUMBER: Final = re.compile(
    r"\s*(?:\d{1,4}(?:[.)]-?|\s?[-–]|\ufe0f?\u20e3)(?=\s|[^\W\dºª_])|[-–—*•·‣▪●])\s*(?=\S)"
)
"""A number with its mark (``1.``, ``2)``, ``3.-``, ``4-``, a keycap) or a bullet before a name."""

_PAIR_NUMBER: Final = re.compile(
    r"\s*(?:pareja|parella|pair|paar)\s{1,5}(?:n\S{0,2}\s?)?\d{1,4}\s?[.:)-]*\s+(?=\S)",
    re.IGNORECASE,
)
_BARE_NUMBER: Final = re.compile(r"\s*[#(]?(\d{1,4})(?:\.?[ºª°][.):-]?|[/)])?\s+(?=[^\W\d_])")
_OPEN_PLACE: Final = re.compile(
    r"\s*[#(]?\d{1,4}\s*(?:[.)]-?|[-–:/]|\.?[ºª°][.):-]?|\ufe0f?\u20e3)?\s*"
)
"""A line with a number alone: in a numbered list of a chat, a place that is still open."""

_WIDE_BLANK: Final = re.compile(r"\s{3,}")  # the separators search a long one from each blank

_TIME: Final = re.compile(
    r"\s*(?:\[[^\]]{0,30}\d:\d\d[^\]]{0,30}\]"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}:\d\d\S*(?: [ap]\.? ?m\.?)? -)",
    re.IGNORECASE,
)
_SENDER: Final = re.compile(" *[^:]{1,80}: *")
"""Time and sender before a message that is copied from a chat: ``[20:15, 26/11/2026] Pepa:``."""

_REMARK: Final = re.compile(
    r"[\s,;:(\[-]{0,5}(?:\btel\w*\.?:? ?)?"
    r"(?:\+?\b\d(?:[ .-]?\d){8,13}|\b(?:pagad[oa]s?|pagat|pagats|paid|bezahlt))[)\]\s.!]{0,5}$",
    re.IGNORECASE,
)
"""Behind a name: a telephone number, or that it is paid for."""

_CHAT_MARKS: Final = "@~*_ "
"""Around names in chats: mentions, people who are no contacts, bold and italic letters."""


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line of names: the pair's own name, empty where it has none, and the players.

    ``content`` is the text without its number and what a chat puts before it; ``is_open`` says that
    it has a number alone.
    """

    line: int
    text: str
    content: str
    name: str
    players: tuple[str, ...]
    is_open: bool


def plain_lines(text: str, *, pairs: bool) -> Iterator[PlainLine]:
    """Yield the lines that are not blank, without their numbers."""
    lines = [(number, raw) for number, raw in enumerate(text.splitlines(), 1) if raw.strip(RULE)]
    counted = _are_counted([raw for _number, raw in lines])
    is_numbered = counted or any(_NUMBER.match(raw) for _number, raw in lines)
    for number, raw in lines:
        bare = _BARE_NUMBER.match(raw) if counted else None
        content = raw[bare.end() :] if bare else _without_prefix(raw)
        name, players = split_line(content, pairs=pairs)
        is_open = is_numbered and _OPEN_PLACE.fullmatch(raw) is not None
        yield PlainLine(number, raw.strip(), content, name, players, is_open)


def _are_counted(lines: Sequence[str]) -> bool:
    """Tell whether several lines begin with a number without a mark, one more each."""
    numbers = [int(found[1]) for line in lines if (found := _BARE_NUMBER.match(line))]
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def split_line(text: str, *, pairs: bool) -> tuple[str, tuple[str, ...]]:
    """Return the pair's own name, if one is written before a colon, and the players of a line."""
    line = _without_prefix(text)
    if not pairs:
        return "", (clean_person(line),)
    name, colon, rest = line.partition(":")
    if not colon:
        name, rest = "", line
    return name.strip(_CHAT_MARKS), split_names(rest)


def _without_prefix(text: str) -> str:
    """Return a line without its number and what a chat puts before it; a chat's own has nothing."""
    if time := _TIME.match(text):
        sender = _SENDER.match(text, time.end())
        text = text[sender.end() :] if sender else ""
    for prefix in (_NUMBER, _PAIR_NUMBER):
        if found := prefix.match(text):
            text = text[found.end() :]
    return text


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
    """Return a name without what chats put around it: marks, pictures such as a tick, remarks.

    >>> clean_person("@Ana Gil ✅"), clean_person("♠♥"), clean_person("Ana Gil (tel. 600 111 222)")
    ('Ana Gil', '♠♥', 'Ana Gil')
    """
    name = _REMARK.sub("", text).strip(_CHAT_MARKS)
    letters = [place for place, character in enumerate(name) if not _is_picture(character)]
    return name[letters[0] : letters[-1] + 1].strip(_CHAT_MARKS) if letters else name


def _is_picture(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in {"So", "Sk", "Mn"}
