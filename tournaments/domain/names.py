"""Names of people, pairs and clubs: what is stored, and when two are the same.

A name is stored in Unicode's NFC form, without blanks at its ends or doubled within, and compared
without regard to case. Invisible characters (controls, zero-width, bidirectional overrides, blank
letters) are refused: they make two names look alike or a page read backwards. So is a name of marks
alone, which set nothing on the page.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final

MAX_NAME_LENGTH: Final = 100
"""Characters."""

MAX_REASON_LENGTH: Final = 1000
"""Characters of the reason of a decision, as in files (`domain.file`)."""

MAX_ANNOUNCEMENT_LENGTH: Final = 200
"""Characters: some six lines on a phone."""

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
    if is_blank(name):
        raise BadNameError("name_missing")
    if len(name) > MAX_NAME_LENGTH:
        raise BadNameError("name_too_long")
    return name


def is_invisible(character: str) -> bool:
    """Return whether no name may hold a character."""
    return unicodedata.category(character) in INVISIBLE or character in BLANK_LETTERS


def is_blank(text: str) -> bool:
    """Return whether a text sets nothing on the page: blanks, invisible characters, bare marks.

    >>> is_blank(" \u200b"), is_blank("Bar \u200b")
    (True, False)
    """
    return all(
        character.isspace() or is_invisible(character) or unicodedata.category(character) in MARKS
        for character in text
    )


_MARK: Final = re.compile(r"(?P<name>.*\S) \((?P<mark>[^()]+)\)")


def marked_name(name: str, mark: str) -> str:
    """Return a name with the mark that tells a person from a namesake; without a mark the name.

    >>> marked_name("María García", "Delicias"), marked_name("María García", "")
    ('María García (Delicias)', 'María García')
    """
    return f"{name} ({mark})" if mark else name


def split_mark(name: str) -> tuple[str, str]:
    """Return a name without the mark that tells it from a namesake, and the mark.

    >>> split_mark("María García (Delicias)"), split_mark("María García")
    (('María García', 'Delicias'), ('María García', ''))
    """
    found = _MARK.fullmatch(name)
    return (found["name"], found["mark"]) if found else (name, "")


PARTNERS: Final = " / "
"""Between partners on pages and papers, in any language; a dash stands between sides alone."""


_BETWEEN: Final = " – "


def name_of_two(first: str, second: str) -> str:
    """Return the name of two partners who have no name of their own.

    Long names are shortened, so that the name of the pair is none that would be refused.

    >>> name_of_two("Pepa Gil", "Manolo Ruiz")
    'Pepa Gil – Manolo Ruiz'
    >>> len(name_of_two("Pepa" * 20, "Manolo" * 15)) == MAX_NAME_LENGTH
    True
    """
    room = MAX_NAME_LENGTH - len(_BETWEEN)
    longest = max(room // 2, room - min(len(first), len(second)))
    return _BETWEEN.join(
        name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"
        for name in (first, second)
    )


# "~" is after "z"; Unicode decomposes none of the others
SORTED_AS: Final = str.maketrans(
    {"ñ": "n~", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"}
)


def sort_key(name: str) -> str:
    """Return the key by which names are sorted: without case and accents, ñ after n.

    Databases sort by code points, or by a collation that differs from machine to machine.

    >>> sorted(["Zoe", "Ñito", "Ángel", "Łucja", "Nuria", "ana"], key=sort_key)
    ['ana', 'Ángel', 'Łucja', 'Nuria', 'Ñito', 'Zoe']
    """
    return without_accents(fold_name(name).translate(SORTED_AS))


def search_words(text: str) -> tuple[str, ...]:
    """Return the words of a text as a search compares them: without case, accents and marks.

    >>> search_words("  Íñigo PEÑA-Gil ")
    ('inigo', 'pena', 'gil')
    """
    letters = sort_key(text).replace("~", "")  # an n is found for an ñ
    return tuple("".join(c if c.isalnum() else " " for c in letters).split())


def is_found(wanted: Sequence[str], text: str) -> bool:
    """Tell whether each of the wanted words (`search_words`) begins a word of a text.

    >>> is_found(search_words("ana gar"), "Ana García"), is_found(("ana",), "Susana Gil")
    (True, False)
    """
    words = search_words(text)
    return all(any(word.startswith(begin) for word in words) for begin in wanted)


def without_accents(text: str) -> str:
    """Return a text without accents, its ligatures and wide letters as plain ones (NFKD)."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def has_own_name(name: str, players: Sequence[str]) -> bool:
    """Tell whether a name is more than the names of its players, in any order and with any mark.

    >>> has_own_name("Gil – Pérez", ("Pérez", "Gil")), has_own_name("Los Oros", ("Pérez", "Gil"))
    (False, True)
    """
    return _letters(name) not in {
        letters for order in permutations(players) for letters in _letters_together(order)
    }


def _letters_together(players: Sequence[str]) -> Iterator[str]:
    yield _letters("".join(players))
    is_two = len(players) == 2
    if is_two and (name := name_of_two(*players)) != _BETWEEN.join(players):
        yield _letters(name)  # it had to be shortened


def are_alike(name: str, other: str) -> bool:
    """Tell whether two names differ in case, blanks, marks or accents alone.

    >>> are_alike("Peña La Sota", "peña  la sota."), are_alike("♠♥", "♣♦")
    (True, False)
    """
    letters = _letters(name)
    return fold_name(name) == fold_name(other) or (bool(letters) and letters == _letters(other))


def _letters(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if character.isalnum())


def shown_name(name: str, players: Sequence[str]) -> str:
    """Return the name of an entry as pages and papers show it; files and the API have the stored.

    >>> shown_name("Gil – Pérez", ("Pérez", "Gil"))
    'Pérez / Gil'
    """
    return name if has_own_name(name, players) else PARTNERS.join(players)


def players_below(name: str, players: Sequence[str]) -> tuple[str, ...]:
    """Return the players to show below a name: none where it names them all.

    >>> players_below("Ana Gil y Luis Sanz", ("Luis Sanz", "Ana Gil"))
    ()
    """
    letters = _letters(name)
    return () if all(_letters(player) in letters for player in players) else tuple(players)


class ShownNames:
    """What pages and papers show of a row with a name, players, and whether it is a bot."""

    __slots__ = ()
    name: str
    players: tuple[str, ...]
    is_bot: bool

    @property
    def shown_name(self) -> str:
        """The name; of a pair without one of its own, its players."""
        return shown_name(self.name, self.players)

    @property
    def shown_players(self) -> tuple[str, ...]:
        """The players to show below the name: of people whom it does not name."""
        return () if self.is_bot else players_below(self.name, self.players)


@lru_cache(maxsize=8192)
def fold_name(name: str) -> str:
    """Return the form in which names are compared: NFC, case folded, single blanks."""
    return unicodedata.normalize(
        "NFC", " ".join(unicodedata.normalize("NFC", name).casefold().split())
    )


EDITION: Final = re.compile(r"(?<!\w)\(?(?:\d{1,4}|[IVX]+)(?:\.?[ºª])?\)?(?!\w)")
"""What tells the editions of a tournament apart: a number, a year, a Roman number."""


def series_name(name: str) -> str:
    """Return what the editions of a tournament have in common, in compared form.

    >>> series_name("XII Torneo de Reyes 2026") == series_name("11.º torneo de reyes (2)")
    True
    >>> series_name("2026")
    '2026'
    """
    return fold_name(EDITION.sub("", name)) or fold_name(name)


def ruleset_name(ruleset: str) -> str:
    """Return the name of a ruleset, the same in all languages: `mano-a-mano` → "Mano a mano"."""
    return ruleset.replace("-", " ").capitalize()
