"""Why a pairing came about, in the languages of the pages: the one place of the domain that speaks.

Each part of the domain brings its texts in a file of its own, in Spanish and in English, and has
its German in `german/`; a text names its parameters in braces. ``{…}`` of entrants are filled in
with their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tournaments.domain.pairing.base import Why
from tournaments.domain.words import (
    duplicate,
    file,
    german,
    individual,
    ladder,
    liguilla,
    lives,
    places,
    plans,
    proposals,
    refusals,
    rulebook,
    stages,
    standings,
    swiss,
    threes,
    trail,
    trees,
    verification,
)

Texts = Mapping[str, tuple[str, str]]
"""By code: the sentence in Spanish and in English."""

LANGUAGES: Final = ("es", "en", "de")

TEXTS: Final[Texts] = MappingProxyType(
    {
        **duplicate.TEXTS,
        **individual.TEXTS,
        **ladder.TEXTS,
        **liguilla.TEXTS,
        **lives.TEXTS,
        **places.TEXTS,
        **plans.TEXTS,
        **proposals.TEXTS,
        **rulebook.TEXTS,
        **stages.TEXTS,
        **swiss.TEXTS,
        **threes.TEXTS,
        **trail.TEXTS,
        **trees.TEXTS,
        **standings.TEXTS,
        **file.TEXTS,
        **refusals.TEXTS,
        **verification.TEXTS,
    }
)


def explain(why: Why, name: Callable[[int], str], language: str = "es") -> str:
    """Return a reason as a sentence; ``name`` gives the name of an entrant by his number."""
    who = [name(number) for number in why.entrants]
    return _text(why.code, language).format(*who, all=", ".join(who), **why.facts)


def text_of(code: str, language: str = "es", /, **facts: Any) -> str:
    """Return the text of a code that is no reason of a pairing, with its facts filled in."""
    return _text(code, language).format(**facts)


def _text(code: str, language: str) -> str:
    """Return a text as it stands; in Spanish where the language is none of :data:`LANGUAGES`."""
    if language == "de":
        return german.TEXTS[code]
    spanish, english = TEXTS[code]
    return english if language == "en" else spanish
