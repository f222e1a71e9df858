"""Names of people, pairs and clubs: what is stored, and when two are the same.

A name is stored in Unicode's NFC form, without blanks at its ends or doubled within, and compared
without regard to case. Invisible characters (controls, zero-width, bidirectional overrides, blank
letters) are refused: they make two names look alike or a page read backwards. So is a name of marks
alone, which set nothing on the page.
"""

import unicodedata
from functools import lru_cache
from typing import Final

LONGEST_NAME: Final = 100
"""Characters."""

INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that no name may hold."""


BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""The fillers of Hangul and the empty Braille cell: letters and a symbol without any ink."""

MARKS: Final = frozenset({"Mn", "Me", "Mc"})
"""Unicode categories of accents and variation selectors, which need a character to stand on."""


class BadNameError(ValueError):
    """A text that cannot be a name.

    ``code`` is ``name_missing``, ``name_too_long`` or ``bad_character``.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean_name(text: str) -> str:
    """Return the name as it is stored; raises BadNameError."""
    if any(is_invisible(character) for character in text):
        raise BadNameError("bad_character")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if all(character == " " or unicodedata.category(character) in MARKS for character in name):
        raise BadNameError("name_missing")
    if len(name) > LONGEST_NAME:
        raise BadNameError("name_too_long")
    return name


def is_invisible(character: str) -> bool:
    """Return whether no name may hold a character."""
    return unicodedata.category(character) in INVISIBLE or character in BLANK_LETTERS


def name_of_two(first: str, second: str) -> str:
    """Return the name of two partners who have no name of their own.

    >>> name_of_two("Pepa Gil", "Manolo Ruiz")
    'Pepa Gil – Manolo Ruiz'
    """
    return f"{first} – {second}"


def sort_key(name: str) -> str:
    """Return the key by which names are sorted: without case and accents, ñ after n.

    Databases sort by code points, or by a collation that differs from machine to machine.

    >>> sorted(["Zoe", "Ñito", "Ángel", "Nuria", "ana"], key=sort_key)
    ['ana', 'Ángel', 'Nuria', 'Ñito', 'Zoe']
    """
    letters = unicodedata.normalize("NFKD", folded(name).replace("ñ", "n~"))  # "~" is after "z"
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@lru_cache(maxsize=8192)
def folded(name: str) -> str:
    """Return the form in which names are compared: NFC, case folded, single blanks."""
    return unicodedata.normalize(
        "NFC", " ".join(unicodedata.normalize("NFC", name).casefold().split())
    )
