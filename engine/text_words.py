"""Lines of the text notation taken apart: words, quotes, comments, tags; and what is wrong there.

Every pattern reads a line once from left to right, so the time is linear in its length.
"""

import json
import re
from typing import Any, Final, NamedTuple

from engine.errors import Fault, RecordError
from engine.printable import replace_controls

NOTATION: Final = ".tute"
EXCERPT: Final = 72
"""Characters of a line that an error shows."""

UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
    "\ud800-\udfff]"
)
"""Refused as they are; inside quotes an escape writes them."""

_ESCAPED: Final = re.compile(
    '["\\\\\x00-\x1f\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff'
    "\ud800-\udfff\ufff0-\uffff]"
)
_SHORT: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_QUOTE: Final = r'"((?:[^"\\]|\\.)*)"'
_WORD: Final = re.compile(_QUOTE + r'|([^\s";]+)|(;)|(")')
_BARE: Final = re.compile(r"\S+")
_TAG: Final = re.compile(
    r"\s*\[\s*(?:([A-Za-z][A-Za-z0-9_-]*)|" + _QUOTE + r")\s*" + _QUOTE + r"\s*\]\s*(?:;(.*))?$",
    re.DOTALL,
)
_PLAIN: Final = re.compile("[0-9A-Za-z]{2}|[A-Z]:[0-9A-Za-z]+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Word(NamedTuple):
    """A word of a line: its column (from 1), its text, and whether it was quoted."""

    column: int
    text: str
    quoted: bool = False


class Tag(NamedTuple):
    """A tag line: its name, whether that was quoted, its value and the comment after it.

    ``inherits`` distinguishes the bare ``#`` from one that an escape writes.
    """

    name: Word
    value: Word
    inherits: bool
    comment: str | None


class TextError(RecordError):
    """A record in text that cannot be read: ``record.syntax``, or ``record.limit``.

    ``line`` and ``column`` count from 1, ``excerpt`` shows the line with a caret below the place.
    """

    also: tuple["TextError", ...] = ()

    def __init__(self, reason: str, line: int, column: int, text: str, **facts: Any) -> None:
        self.excerpt = _point_at(text, column)
        code = "record.limit" if reason == "too_large" else "record.syntax"
        base_facts = {"reason": reason, "notation": NOTATION, "line": line, "column": column}
        fault = Fault(code, "F2", facts={**base_facts, "excerpt": self.excerpt, **facts})
        super().__init__(fault, reason, line, column)

    def __str__(self) -> str:
        location = f"line {self.line}, column {self.column}"
        return f"{self.fault.code} ({self.reason}) at {location}\n{self.excerpt}"


class WordError(ValueError):
    """A fault within one line, before its number is known."""

    def __init__(self, reason: str, column: int, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.column = column
        self.facts = facts


def words_of(text: str) -> tuple[list[Word], str | None]:
    """The words of a line, and the comment at its end.

    Raises :class:`WordError` for an open quote or a wrong escape.
    """
    if '"' not in text and ";" not in text:
        return [Word(match.start() + 1, match[0]) for match in _BARE.finditer(text)], None
    words = []
    for match in _WORD.finditer(text):
        quoted, bare, comment, _open = match.groups()
        column = match.start() + 1
        if bare is not None:
            words.append(Word(column, bare))
        elif quoted is not None:
            words.append(Word(column, _unescape(quoted, column), quoted=True))
        elif comment is not None:
            return words, text[match.end() :].strip()
        else:
            raise WordError("open_quote", column)
    return words, None


def tag_of(text: str) -> Tag:
    """The tag that a line writes; raises :class:`WordError` if it writes none."""
    match = _TAG.match(text)
    if match is None:
        words_of(text)  # an open quote has an error of its own
        raise WordError("bad_tag", 1)
    bare, quoted, value, comment = match.groups()
    start = match.start(1 if quoted is None else 2)
    name = (
        Word(start + 1, bare)
        if quoted is None
        else Word(start, _unescape(quoted, start), quoted=True)
    )
    column = match.start(3)
    return Tag(
        name,
        Word(column, _unescape(value, column), quoted=True),
        value == "#",
        None if comment is None else comment.strip(),
    )


def quote(text: str) -> str:
    """A text between quotes, written in the one way of the export form."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def word(text: str) -> str:
    """A card or a token in its written form: bare when it could be one, else quoted."""
    return text if _PLAIN.fullmatch(text) else quote(text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _SHORT.get(character) or f"\\u{ord(character):04x}"


def _unescape(raw: str, column: int) -> str:
    if "\\" not in raw:
        return raw
    try:
        text = str(json.loads(f'"{raw}"', strict=False))
    except json.JSONDecodeError as error:
        raise WordError("bad_escape", column + max(error.pos, 1)) from error
    if _SURROGATE.search(text):
        raise WordError("bad_escape", column)
    return text


def _point_at(text: str, column: int) -> str:
    """The line, or the part of it around the column, and a caret below."""
    start = max(0, column - 1 - EXCERPT // 2) if len(text) > EXCERPT else 0
    shown = text[start : start + EXCERPT].replace("\t", " ")
    excerpt = replace_controls(shown, "\ufffd")  # one for one: the caret points at the column
    return f"{excerpt}\n{' ' * (column - 1 - start)}^"
