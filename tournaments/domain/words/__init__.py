"""Why a pairing came about, in Spanish and English: the one place of the domain that speaks.

Each part of the domain brings its texts in a file of its own; a text names its parameters in
braces. ``{…}`` of entrants are filled in with their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from tournaments.domain.pairing.base import Why
from tournaments.domain.words import (
    duplicate,
    file,
    individual,
    liguilla,
    lives,
    places,
    plans,
    refusals,
    stages,
    standings,
    swiss,
    threes,
    trees,
    verification,
)

Texts = Mapping[str, tuple[str, str]]
"""By code: the sentence in Spanish and in English."""

LANGUAGES: Final = ("es", "en")

TEXTS: Final[Texts] = MappingProxyType(
    {
        **duplicate.TEXTS,
        **individual.TEXTS,
        **liguilla.TEXTS,
        **lives.TEXTS,
        **places.TEXTS,
        **plans.TEXTS,
        **stages.TEXTS,
        **swiss.TEXTS,
        **threes.TEXTS,
        **trees.TEXTS,
        **standings.TEXTS,
        **file.TEXTS,
        **refusals.TEXTS,
        **verification.TEXTS,
    }
)


def explain(why: Why, name: Callable[[int], str], language: str = "es") -> str:
    """Return a reason as a sentence; ``name`` gives the name of an entrant by his number."""
    text = TEXTS[why.code][LANGUAGES.index(language if language in LANGUAGES else "es")]
    who = [name(number) for number in why.entrants]
    return text.format(*who, all=", ".join(who), **why.facts)


def text_of(code: str, language: str = "es", /, **facts: Any) -> str:
    """Return the text of a code that is no reason of a pairing, with its facts filled in."""
    text = TEXTS[code][LANGUAGES.index(language if language in LANGUAGES else "es")]
    return text.format(**facts)
