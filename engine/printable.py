"""Text from outside as it is printed: no character of it moves a cursor, ends a line or turns text.

A record may hold any character, a message and an answer may not: an escape sequence repaints what
a terminal showed before, a line break forges a line, a direction mark turns the words around it.
"""

import json
import re
from typing import Any, Final

_CONTROLS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
"""Controls (C0, C1), invisible and direction characters, separators of lines, lone surrogates."""


def escape_controls(text: str, keep: str = "") -> str:
    r"""Return a text with its control and direction characters escaped, as ``repr`` writes them.

    Those in ``keep`` stay. What is escaped already stays as it is.

    >>> print(escape_controls("8o\x1b[2J\r\n"))
    8o\x1b[2J\r\n
    """
    if text.isprintable():
        return text
    return _CONTROLS.sub(
        lambda match: match[0] if match[0] in keep else match[0].encode("unicode_escape").decode(),
        text,
    )


def replace_controls(text: str, substitute: str) -> str:
    """Return a text of the same length, with ``substitute`` for each of those characters."""
    return _CONTROLS.sub(substitute, text)


def printable_json(value: Any) -> str:
    r"""Return a value as JSON in one line, its control and direction characters as ``\uXXXX``."""
    return escape_json(json.dumps(value, ensure_ascii=False))


def escape_json(text: str) -> str:
    """Return a JSON text that writes the same value in printable characters.

    JSON has a raw line break between two values only; it stays.
    """
    if text.isprintable():
        return text
    return _CONTROLS.sub(
        lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", text
    )
