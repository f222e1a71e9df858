"""Finds names that are probably those of one person: written with a small difference."""

from collections.abc import Iterable
from typing import Final

from tournaments.domain.names import fold_name, split_mark, without_accents

_SHORTEST: Final = 6
"""Letters from which on a slip is looked for: of shorter names too many differ by one letter."""


def find_twins(names: Iterable[str], known: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return for each name the known names that it is probably a slip of, the likeliest first.

    They differ by accents, case, marks or the order of their words (`are_same_letters`), by one
    letter that is wrong, missing, too much or exchanged with the next, by a first name of which
    one has the initial alone, or by a mark that tells a known person from a namesake
    (`names.marked_name`). No name is its own twin.

    >>> find_twins(["Angel Perez", "Gil, Ana"], ["Ángel Pérez", "Ana Gil", "Eva Mur"])
    {'Angel Perez': ('Ángel Pérez',), 'Gil, Ana': ('Ana Gil',)}
    >>> find_twins(["Luis Sanz", "Ana 1"], ["Luis Sans", "Luisa Sanz", "Ana 2"])
    {'Luis Sanz': ('Luis Sans', 'Luisa Sanz')}
    >>> find_twins(["J. Mur", "Eva Gil"], ["Juan Mur", "Eva Gil (Delicias)"])
    {'J. Mur': ('Juan Mur',), 'Eva Gil': ('Eva Gil (Delicias)',)}
    """
    by_name = {fold_name(name): name for name in known}
    places = {name: place for place, name in enumerate(by_name.values())}
    same: dict[str, list[str]] = {}
    near: dict[str, list[str]] = {}
    letters_of: dict[str, str] = {}
    initials: dict[str | None, list[str]] = {}
    for name in by_name.values():
        base = split_mark(name)[0]
        same.setdefault(_sorted_letters(base), []).append(name)
        initials.setdefault(_with_initial(base), []).append(name)
        letters_of[name] = _letters(base)
        for form in _without_one_letter(letters_of[name]):
            near.setdefault(form, []).append(name)
    twins: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys(names):
        base, itself = split_mark(name)[0], {by_name.get(fold_name(name))}
        letters = _letters(base)
        candidates = {
            other for form in _without_one_letter(letters) for other in near.get(form, ())
        }
        slips = {other for other in candidates - itself if _is_slip(letters, letters_of[other])}
        slips |= {
            other
            for other in initials.get(_with_initial(base) or None, ())
            if other not in itself and _has_initial(base) != _has_initial(other)
        }
        alike = [other for other in same.get(_sorted_letters(base), ()) if other not in itself]
        if found := [*alike, *sorted(slips.difference(alike), key=places.__getitem__)]:
            twins[name] = tuple(found)
    return twins


def are_same_letters(name: str, other: str) -> bool:
    """Tell whether two names differ by accents, case, marks or the order of their words alone.

    >>> are_same_letters("Gil, Ana", "ANA GIL"), are_same_letters("Luis Sanz", "Luisa Sanz")
    (True, False)
    """
    return _sorted_letters(name) == _sorted_letters(other) != ""


def _words(name: str) -> list[str]:
    plain = without_accents(fold_name(name))
    return "".join(letter if letter.isalnum() else " " for letter in plain).split()


def _letters(name: str) -> str:
    return "".join(_words(name))


def _sorted_letters(name: str) -> str:
    return " ".join(sorted(_words(name)))


def _with_initial(name: str) -> str:
    """Return the words of a name, the first by its initial; nothing for a name of one word."""
    first, *others = _words(name) or [""]
    return " ".join((first[0], *others)) if others else ""


def _has_initial(name: str) -> bool:
    return len(_words(name)[0]) == 1


def _without_one_letter(letters: str) -> set[str]:
    """Return the letters and every form without one: two names a slip apart share one of these."""
    if len(letters) < _SHORTEST:
        return set()
    return {letters, *(letters[:i] + letters[i + 1 :] for i in range(len(letters)))}


def _is_slip(letters: str, other: str) -> bool:
    """Tell whether one letter is wrong, missing, too much or exchanged with the next.

    Digits are no slip: they are what tells "Ana 1" from "Ana 2".
    """
    start = 0
    while start < min(len(letters), len(other)) and letters[start] == other[start]:
        start += 1
    left, right = letters[start:], other[start:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    if any(character.isdigit() for character in left + right):
        return False
    return max(len(left), len(right)) <= 1 or (len(left) == 2 and left == right[::-1])
