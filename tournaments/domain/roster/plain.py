"""Reads names that are pasted a line each, as from a chat: no heading, no columns."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from tournaments.domain.roster.text import RULE

SEPARATORS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        "\n",  # within a cell
        ";",
        "\t",
        r"\|",
        r",(?:\s+(?:y|e|and|und|eta)\s)?",
        " / ",
        r" \+ ",
        " & ",
        r"\s[–—-]\s",
        r"\s+(?:y|e|con|and|und|u\.|eta|amb|mit|with)\s+",
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
    r"(?:\+?\b\d(?:[ .-]?\d){8,13}|\b(?:pagad[oa]s?|pagat|pagats|paid|bezahlt))[)\]\s.!]{0,5}$"
    r"|\s*<[^<>\s@]{1,64}@[^<>\s@]{1,255}>\s*$",
    re.IGNORECASE,
)
"""Behind a name: a telephone number, that it is paid for, an e-mail address in angles."""

_RESERVE: Final = re.compile(
    r"\s*[,;(\[–—-]\s*(?:suplentes?|suplents?|reservas?|reserves?|substitutes?|sub|ersatz"
    r"|ordezkoa)\s*[:.=]\s*([^()\[\]]{2,100}?)\s*[)\]]?\s*$",
    re.IGNORECASE,
)
"""Behind a pair, its reserve: “(suplente: Pepe Mur)”."""

_STRUCK: Final = re.compile(r"\s*~[^~]+~\W*|.*[❌✖✗✘🚫⛔❓❔⏳].*", re.DOTALL)
"""A line that is struck out in a chat, or has a mark that says that it does not count."""

_JOINED: Final = re.compile(
    r"\s(?:y|e|i|con|and|und|eta|amb|mit|with|u\.)\s|\s[/&+]\s|[&+/]", re.IGNORECASE
)


def holds_two(name: str) -> bool:
    """Tell whether the cell of one person holds two names; a surname may be joined, too.

    >>> [holds_two(name) for name in ("Ana y Luis", "Ana Gil & Luis Sanz", "Juan Ramón y Cajal")]
    [True, True, False]
    """
    parts = [part.split() for part in _JOINED.split(name) if part.strip()]
    return len(parts) > 1 and (len(parts[-1]) > 1 or all(len(part) == 1 for part in parts))


_CHAT_MARKS: Final = "@~*_ "
"""Around names in chats: mentions, people who are no contacts, bold and italic letters."""


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line of names: the pair's own name, empty where it has none, and the players.

    ``content`` is the text without its number and what a chat puts before it; ``is_open`` says that
    it has a number alone, ``is_struck`` that it does not count. ``reserve`` may be empty.
    """

    line: int
    text: str
    content: str
    name: str
    players: tuple[str, ...]
    is_open: bool
    is_struck: bool
    reserve: str


def plain_lines(text: str, *, pairs: bool) -> Iterator[PlainLine]:
    """Yield the lines that are not blank, without their numbers."""
    lines = _pairs_of_two_lines(text) if pairs else []
    lines = lines or [
        (number, raw) for number, raw in enumerate(text.splitlines(), 1) if raw.strip(RULE)
    ]
    counted = _are_counted([raw for _number, raw in lines])
    is_numbered = counted or any(_NUMBER.match(raw) for _number, raw in lines)
    for number, raw in lines:
        bare = _BARE_NUMBER.match(raw) if counted else None
        content = raw[bare.end() :] if bare else _without_prefix(raw)
        content, reserve = split_reserve(content)
        name, players = split_line(content, pairs=pairs)
        is_open = is_numbered and _OPEN_PLACE.fullmatch(raw) is not None
        is_struck = _STRUCK.fullmatch(content) is not None
        yield PlainLine(
            number, " ".join(raw.split()), content, name, players, is_open, is_struck, reserve
        )


def _pairs_of_two_lines(text: str) -> list[tuple[int, str]]:
    """Return the pairs of a list in which each has two lines, a name each, and a blank line below.

    Each pair has the number of its first line; nothing is returned for other lists.
    """
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, raw in enumerate(text.splitlines(), 1):
        if raw.strip(RULE):
            blocks[-1].append((number, raw))
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    titles = list(takewhile(lambda block: len(block) == 1, blocks))
    blocks = blocks[len(titles) :]
    is_list = len(blocks) > 1 and all(
        len(block) == 2 and all(len(split_line(raw, pairs=True)[1]) == 1 for _line, raw in block)
        for block in blocks
    )
    if not is_list:
        return []
    return [line for (line,) in titles] + [
        (block[0][0], "\n".join(_without_prefix(raw) for _line, raw in block)) for block in blocks
    ]


def split_reserve(text: str) -> tuple[str, str]:
    """Return a text without the reserve behind the pair, and the reserve's name, empty if none.

    >>> split_reserve("Ana Gil y Luis Sanz (suplente: Pepe Mur)")
    ('Ana Gil y Luis Sanz', 'Pepe Mur')
    """
    found = _RESERVE.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


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


def is_inverted(text: str, names: Sequence[str]) -> bool:
    """Tell whether two names of a text may be one with its surname first: “Gil Rey, Ana”.

    >>> is_inverted("Gil Rey, Ana", ("Gil Rey", "Ana")), is_inverted("Ana, Luis", ("Ana", "Luis"))
    (True, False)
    """
    is_one_comma = text.count(",") == 1 and ", ".join(names) == " ".join(text.split())
    return is_one_comma and len(names[0].split()) > 1 == len(names[-1].split())


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
