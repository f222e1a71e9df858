"""Names of people, pairs and clubs: what is stored, and when two are the same.

A name is stored in Unicode's NFC form, without blanks at its ends or doubled within, and compared
without regard to case. Invisible characters (controls, zero-width, bidirectional overrides) are
refused: they make two names look alike or a page read backwards.
"""

import unicodedata
from functools import lru_cache
from typing import Final

LONGEST_NAME: Final = 100
"""Characters."""

INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that no name may hold."""


class BadNameError(ValueError):
    """A text that cannot be a name.

    ``code`` is ``name_missing``, ``name_too_long`` or ``bad_character``.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_name(text: str) -> str:
    """Return the name as it is stored; raises BadNameError."""
    if any(unicodedata.category(character) in INVISIBLE for character in text):
        raise BadNameError("bad_character")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise BadNameError("name_missing")
    if len(name) > LONGEST_NAME:
        raise BadNameError("name_too_long")
    return name


def name_of_two(first: str, second: str) -> str:
    """Return the name of two partners who have no name of their own.

    >>> name_of_two("Pepa Gil", "Manolo Ruiz")
    'Pepa Gil – Manolo Ruiz'
    """
    return f"{first} – {second}"


@lru_cache(maxsize=8192)
def folded(name: str) -> str:
    """Return the form in which names are compared: NFC, case folded, single blanks."""
    return unicodedata.normalize(
        "NFC", " ".join(unicodedata.normalize("NFC", name).casefold().split())
    )
